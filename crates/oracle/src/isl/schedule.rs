//! isl's scheduler: from constraints as text to a schedule tree as text.

use std::ffi::{CString, c_char, c_int};
use std::time::Duration;

use crate::clock::thread_time;

use super::{Context, Ptr, take_text};

unsafe extern "C" {
    fn isl_options_set_schedule_max_coefficient(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_max_constant_term(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_maximize_coincidence(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_maximize_band_depth(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_outer_coincidence(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_whole_component(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_serialize_sccs(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_treat_coalescing(ctx: Ptr, value: c_int) -> c_int;
    fn isl_options_set_schedule_algorithm(ctx: Ptr, value: c_int) -> c_int;
    fn isl_schedule_constraints_read_from_str(ctx: Ptr, text: *const c_char) -> Ptr;
    fn isl_schedule_constraints_compute_schedule(constraints: Ptr) -> Ptr;
    fn isl_schedule_to_str(schedule: Ptr) -> *mut c_char;
    fn isl_schedule_free(schedule: Ptr) -> Ptr;
}

impl Context {
    /// Sets an option of the scheduler, by the name and value of isl's command line:
    /// `--schedule-max-coefficient=4`, `--no-schedule-whole-component`. False if there is no such
    /// option.
    pub fn set_schedule_option(&self, option: &str) -> bool {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let (name, on) = match name.strip_prefix("--no-") {
            Some(name) => (name, "0"),
            None => (name.strip_prefix("--").unwrap_or(name), "1"),
        };
        let value = match value {
            "" => on,
            "isl" => "0",
            "feautrier" => "1",
            value => value,
        };
        let set: unsafe extern "C" fn(Ptr, c_int) -> c_int = match name {
            "schedule-max-coefficient" => isl_options_set_schedule_max_coefficient,
            "schedule-max-constant-term" => isl_options_set_schedule_max_constant_term,
            "schedule-maximize-coincidence" => isl_options_set_schedule_maximize_coincidence,
            "schedule-maximize-band-depth" => isl_options_set_schedule_maximize_band_depth,
            "schedule-outer-coincidence" => isl_options_set_schedule_outer_coincidence,
            "schedule-whole-component" => isl_options_set_schedule_whole_component,
            "schedule-serialize-sccs" => isl_options_set_schedule_serialize_sccs,
            "schedule-treat-coalescing" => isl_options_set_schedule_treat_coalescing,
            "schedule-algorithm" => isl_options_set_schedule_algorithm,
            _ => return false,
        };
        let Ok(value) = value.parse() else { return false };
        // SAFETY: the context is valid.
        unsafe { set(self.ptr(), value) == 0 }
    }

    /// The schedule tree that isl computes for constraints (`domain`, `validity`, `coincidence`,
    /// `proximity`, ...) in its YAML text form. `None` if isl cannot read them or fails.
    pub fn compute_schedule(&self, constraints: &str) -> Option<String> {
        self.timed_schedule(constraints).map(|(text, _)| text)
    }

    /// As [`Context::compute_schedule`], with the processor time that isl needs without reading and
    /// writing. With a limit of steps, reading has its own.
    pub fn timed_schedule(&self, constraints: &str) -> Option<(String, Duration)> {
        let (text, time) = self.schedule_or_time(constraints)?;
        text.map(|text| (text, time))
    }

    /// isl's schedule if it computes one (within the limit of steps), and the processor time that
    /// passed. `None` if isl cannot read the constraints.
    pub fn schedule_or_time(&self, constraints: &str) -> Option<(Option<String>, Duration)> {
        let text = CString::new(constraints).ok()?;
        let limit = self.0.limit.get();
        self.set_max_operations(0);
        // SAFETY: the context and the text are valid; isl takes over the constraints, and the
        // schedule is freed once.
        unsafe {
            let constraints = isl_schedule_constraints_read_from_str(self.ptr(), text.as_ptr());
            self.set_max_operations(limit);
            if constraints.is_null() {
                return None;
            }
            let start = thread_time();
            let schedule = isl_schedule_constraints_compute_schedule(constraints);
            let time = thread_time() - start;
            let text = if schedule.is_null() { None } else { take_text(isl_schedule_to_str(schedule)) };
            isl_schedule_free(schedule);
            Some((text, time))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_schedules() {
        let text = "{ domain: \"[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }\", \
                    validity: \"{ A[i] -> B[i] }\", proximity: \"{ A[i] -> B[i] }\" }";
        let context = Context::new();
        let fused = context.compute_schedule(text).expect("isl reads it");
        assert!(context.set_schedule_option("--schedule-serialize-sccs"));
        let serialized = context.compute_schedule(text).expect("isl reads it");
        let bands = |text: &str| text.matches("schedule:").count();
        assert_eq!((bands(&fused), bands(&serialized)), (1, 2));
        assert!(!context.set_schedule_option("--schedule-nothing"));
        assert_eq!(context.compute_schedule("{ domain: \"{ A[\" }"), None);
        context.set_max_operations(10);
        let (stopped, _) = context.schedule_or_time(text).expect("isl reads it, whatever the limit");
        assert_eq!(stopped, None);
        assert!(context.limit_was_reached());
    }
}
