//! Remarks about what was done and what was not.
//!
//! Every loop that was looked at has exactly one: *passed* with what was done to it and those
//! modelled together with it, or *missed* with the first reason why not, at the source line that
//! causes it if that is known. That none is forgotten is counted ([`Remark::loops`]). The text of a
//! remark is only made when somebody reads remarks.

use std::collections::HashSet;

use poly_irgen::CodegenError;
use poly_scop::{Place, Plan, Reason};
use poly_scop_detect::Rejection;
use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::remarks::{Part, RemarkKind, RemarkPlace};
use poly_shim::surgery::Recurrence;
use poly_shim::{Bindings, BlockRef, LoopRef, PassContext};
use serde_json::{Value, json};

use crate::record;
use crate::tuned::Tuned;

/// Properties of loops that the source asks for, and what it calls them.
const HINTS: [(&[&str], &str); 4] = [
    (
        &[
            "llvm.loop.vectorize.enable",
            "llvm.loop.vectorize.width",
            "llvm.loop.vectorize.scalable.enable",
            "llvm.loop.vectorize.predicate.enable",
        ],
        "vectorize",
    ),
    (&["llvm.loop.interleave.count"], "interleave"),
    (
        &["llvm.loop.unroll.enable", "llvm.loop.unroll.full", "llvm.loop.unroll.count", "llvm.loop.unroll.disable"],
        "unroll",
    ),
    (&["llvm.loop.distribute.enable"], "distribute"),
];

/// What is to be said when the function is finished.
#[derive(Debug)]
pub(crate) struct Remark {
    kind: RemarkKind,
    name: String,
    place: RemarkPlace,
    /// How many loops it is about.
    loops: usize,
    /// Key and text.
    parts: Vec<(&'static str, String)>,
    /// The same place, for files.
    source: Option<Place>,
    /// More for files: the model, and what was planned.
    model: Option<Value>,
}

impl Remark {
    fn missed(name: &str, place: RemarkPlace, reason: &dyn std::fmt::Display) -> Self {
        let parts = vec![(Part::TEXT, "loops not optimized: ".to_owned()), ("Reason", reason.to_string())];
        Self { kind: RemarkKind::Missed, name: name.to_owned(), place, loops: 1, parts, source: None, model: None }
    }

    /// The reason why a whole SCoP stays as it is.
    fn missed_scop(name: &str, bindings: &Bindings<'_>, reason: &dyn std::fmt::Display) -> Self {
        let mut remark = Remark::missed(name, first_loop(bindings), reason);
        let text = if bindings.loops.len() == 1 { " loop not optimized: " } else { " loops not optimized: " };
        remark.parts[0].1 = text.to_owned();
        remark.loops = headers(bindings).len();
        remark.parts.insert(0, ("Loops", bindings.loops.len().to_string()));
        remark
    }

    /// With the place of the loop that a rejection is about.
    fn with_loop(self, rejection: &Rejection<'_>, l: LoopRef<'_>) -> Self {
        let place = record::place(rejection.loop_place.as_ref());
        let loops = json!([{ "place": place, "depth": 0, "last_line": l.last_line() }]);
        self.with_model(Some(json!({ "loops": loops })))
    }

    /// How many loops it is about.
    pub(crate) fn loops(&self) -> usize {
        self.loops
    }

    /// The same about fewer loops: so many fewer of all that it is about, and of those that are
    /// modelled.
    pub(crate) fn about_fewer(mut self, (all, modelled): (usize, usize)) -> Self {
        self.loops = self.loops.saturating_sub(all);
        let place = self.parts.iter().position(|(key, text)| *key == "Loops" && text.parse::<usize>().is_ok());
        if let Some(place) = place.filter(|_| modelled > 0) {
            let number: usize = self.parts[place].1.parse().expect("it is a number");
            let left = number.saturating_sub(modelled);
            self.parts[place].1 = left.to_string();
            if let Some((_, text)) = self.parts.get_mut(place + 1).filter(|_| left == 1) {
                *text = text.replacen(" loops ", " loop ", 1);
            }
        }
        self
    }

    /// Some remark, about so many loops.
    #[cfg(test)]
    pub(crate) fn about_loops(loops: usize) -> Self {
        Self { loops, ..Self::missed("Nothing", RemarkPlace::FUNCTION, &"") }
    }

    /// The reason that it gives for a SCoP, said about one of its loops.
    pub(crate) fn of_one_loop(&self) -> Self {
        let reason = self.parts.iter().filter(|(key, _)| *key == "Reason").cloned();
        let text = [("Loops", "1".to_owned()), (Part::TEXT, " loop not optimized: ".to_owned())];
        let parts = text.into_iter().chain(reason).collect();
        let (source, model) = (self.source.clone(), self.model.clone());
        Self { kind: self.kind, name: self.name.clone(), place: self.place, loops: 1, parts, source, model }
    }

    /// With a model for files, to which the lines are added in which the loops end.
    pub(crate) fn with_scop(self, model: Option<Value>, bindings: &Bindings<'_>) -> Self {
        let mut model = model;
        if let Some(loops) = model.as_mut().and_then(|model| model["loops"].as_array_mut()) {
            for (described, l) in loops.iter_mut().zip(&bindings.loops) {
                described["last_line"] = json!(l.last_line());
            }
        }
        self.with_model(model)
    }

    /// With what the profile says of the SCoP, and its fingerprint for files.
    pub(crate) fn with_profile(mut self, tuned: &Tuned<'_>) -> Self {
        let said = tuned.said();
        if let Some(model) = &mut self.model {
            model["fingerprint"] = json!(tuned.fingerprint.map(|fingerprint| fingerprint.to_string()));
            model["profile"] = json!(said);
        }
        if let Some(said) = said {
            self.parts.push((Part::TEXT, "; options of the profile: ".to_owned()));
            self.parts.push(("Profile", said));
        }
        self
    }

    /// With what became of the hints that the source has for loops (`#pragma clang loop`).
    pub(crate) fn with_hints(mut self, bindings: &Bindings<'_>) -> Self {
        let of_source = || bindings.loops.iter().filter(|l| !l.has_property("poly.elements"));
        let is_given = |names: &[&str]| of_source().any(|l| names.iter().any(|name| l.has_property(name)));
        let kinds: Vec<&str> = HINTS.iter().filter(|(names, _)| is_given(names)).map(|&(_, kind)| kind).collect();
        if kinds.is_empty() {
            return self;
        }
        let said = format!(
            "the source's hints ({}) are kept in the original loops and not used in the new ones, which are other loops",
            kinds.join(", ")
        );
        self.parts.extend([(Part::TEXT, "; ".to_owned()), ("Hints", said)]);
        self
    }

    /// With a model for files.
    fn with_model(mut self, model: Option<Value>) -> Self {
        self.model = model;
        self
    }

    /// What files say; nothing of what is only a detail of another remark.
    pub(crate) fn record(&self) -> Option<Value> {
        let outcome = match self.kind {
            RemarkKind::Passed => "optimized",
            RemarkKind::Missed => "unchanged",
            RemarkKind::Analysis => return None,
        };
        let text: String = self.parts.iter().map(|(_, text)| text.as_str()).collect();
        let reason = self.parts.iter().find(|(key, _)| *key == "Reason").map(|(_, text)| text);
        Some(json!({
            "outcome": outcome,
            "kind": self.name,
            "text": text,
            "reason": reason,
            "loops": self.loops,
            "place": record::place(self.source.as_ref()),
            "model": self.model,
        }))
    }

    /// Says it.
    pub(crate) fn emit(&self, cx: PassContext<'_>) {
        let parts: Vec<Part<'_>> = self.parts.iter().map(|(key, text)| Part::named(key, text)).collect();
        cx.remark(self.kind, &self.name, self.place, &parts);
    }
}

/// A plan became code.
pub(crate) fn optimized(plan: &Plan, bindings: &Bindings<'_>) -> Remark {
    let loops = plan.report.loops.to_string();
    let report = plan.report.to_string();
    // The report begins with the number of loops, which has a name of its own.
    let rest = report.strip_prefix(&loops).unwrap_or(&report).to_owned();
    Remark {
        kind: RemarkKind::Passed,
        name: "Optimized".to_owned(),
        place: first_loop(bindings),
        loops: headers(bindings).len(),
        parts: vec![(Part::TEXT, "optimized ".to_owned()), ("Loops", loops), ("What", rest)],
        source: plan.report.place.clone(),
        model: None,
    }
}

/// A loop has got an inspector and an executor. It is one of so many.
pub(crate) fn inspected(outer: LoopRef<'_>, loops: usize) -> Remark {
    let what = " by threads where an inspection of the index arrays at run time finds that it pays (with libpoly_rt)";
    irregular(outer, loops, "loops depend on themselves through index arrays: ", what)
}

/// Rows that are independent unless arrays overlap have got an inspector and an executor.
pub(crate) fn apart(outer: LoopRef<'_>, loops: usize) -> Remark {
    let what = " by threads where an inspection of the index arrays at run time finds that no row reads what \
                another one writes";
    irregular(outer, loops, "loops read through index arrays: ", what)
}

/// A loop over sweeps has got an inspector and an executor. It is one of so many.
pub(crate) fn swept(around: LoopRef<'_>, loops: usize) -> Remark {
    let what = " in several sweeps at once where an inspection of the index arrays at run time finds that rows \
                read near themselves only";
    irregular(around, loops, "loops depend on themselves through index arrays: ", what)
}

fn irregular(outer: LoopRef<'_>, loops: usize, why: &str, what: &str) -> Remark {
    let parts = vec![
        (Part::TEXT, why.to_owned()),
        ("Loops", loops.to_string()),
        ("What", if loops == 1 { " loop is run" } else { " loops are run" }.to_owned() + what),
    ];
    passed("Inspected", outer, loops, parts)
}

/// Something was done for so many loops, of which this is the outermost one.
fn passed(name: &str, outer: LoopRef<'_>, loops: usize, parts: Vec<(&'static str, String)>) -> Remark {
    Remark {
        kind: RemarkKind::Passed,
        name: name.to_owned(),
        place: RemarkPlace::of_loop(outer),
        loops,
        parts,
        source: outer.place().map(|place| Place { file: place.file, line: place.line, column: place.column }),
        model: None,
    }
}

/// A loop that looks for so many extremes has got vector code.
pub(crate) fn extremes(inner: LoopRef<'_>, extremes: usize) -> Remark {
    let what = if extremes == 1 { " extreme is looked for in lanes" } else { " extremes are looked for in lanes" };
    let parts = vec![
        (Part::TEXT, "optimized 1 loop: ".to_owned()),
        ("Extremes", extremes.to_string()),
        ("What", what.to_owned()),
    ];
    passed("Extremes", inner, 1, parts)
}

/// Recurrences of a loop have got another form.
pub(crate) fn recurrences(inner: LoopRef<'_>, kinds: &[Recurrence]) -> Remark {
    let of = |kind: &Recurrence| match kind {
        Recurrence::LastOne => "the last one that is found is an extreme",
        Recurrence::ConditionalSum => "a sum under a condition adds zeros",
        Recurrence::ExactCounter => "a number counts without rounding",
        Recurrence::WrapAround => "variables that wrap around are peeled",
    };
    let what: Vec<&str> = kinds.iter().map(of).collect();
    let parts = vec![(Part::TEXT, "optimized 1 loop: ".to_owned()), ("Recurrences", what.join(", "))];
    passed("Recurrences", inner, 1, parts)
}

/// A loop over points runs over their components, of which each point has so many.
pub(crate) fn over_elements(inner: LoopRef<'_>, components: u32) -> Remark {
    let parts = vec![
        (Part::TEXT, "optimized 1 loop: it runs over the ".to_owned()),
        ("Components", components.to_string()),
        (Part::TEXT, " components of each point as over elements of one array".to_owned()),
    ];
    passed("OverElements", inner, 1, parts)
}

/// Integers of a loop are computed in fewer bits: how many, and in how many bits.
pub(crate) fn narrowed(inner: LoopRef<'_>, values: u32, bits: u32) -> Remark {
    let what = if values == 1 { " integer is computed in " } else { " integers are computed in " };
    let parts = vec![
        (Part::TEXT, "optimized 1 loop: ".to_owned()),
        ("Integers", values.to_string()),
        ("What", what.to_owned()),
        ("Bits", bits.to_string()),
        (Part::TEXT, " bits".to_owned()),
    ];
    passed("Narrowed", inner, 1, parts)
}

/// How the result looks, for people who want to know.
pub(crate) fn details(plan: &Plan, bindings: &Bindings<'_>) -> Remark {
    let text = format!("new loops:\n{}\nschedule:\n{}", plan.ast, plan.tree);
    Remark {
        kind: RemarkKind::Analysis,
        name: "Details".to_owned(),
        place: first_loop(bindings),
        loops: 0,
        parts: vec![(Part::TEXT, text)],
        source: None,
        model: None,
    }
}

/// The driver left a SCoP as it is.
pub(crate) fn unchanged(reason: &Reason, bindings: &Bindings<'_>) -> Remark {
    let name = match reason {
        Reason::Budget(_) => "Budget",
        Reason::Nothing => "Nothing",
        Reason::NotProfitable(_) => "NotProfitable",
        Reason::AssumptionsFail => "AssumptionsFail",
        Reason::UnboundedArray(_) => "UnboundedArray",
        Reason::UnknownRows(_) => "UnknownRows",
        Reason::Refused(_) => "Refused",
        Reason::Rewrite { .. } => "Rewrite",
        Reason::NoFusion(_) => "NoFusion",
        Reason::IllegalSchedule(_) | Reason::WrongProgram(_) => "InternalError",
    };
    Remark::missed_scop(name, bindings, reason)
}

/// The profile says that a SCoP is to be left as it is.
pub(crate) fn left_by_profile(path: &str, bindings: &Bindings<'_>) -> Remark {
    Remark::missed_scop("Profile", bindings, &format!("the profile {path} says that the original is faster"))
}

/// The profile says something of nests that the function does not have.
pub(crate) fn stale_profile(path: &str, (missing, all): (usize, usize)) -> Remark {
    let text = format!(
        "the profile {path} does not fit: {missing} of the {all} loop nests of this function that it knows are not there; \
         their options are not used; source or flags have changed since: run poly tune again"
    );
    let parts = vec![(Part::TEXT, text)];
    Remark { loops: 0, parts, ..Remark::missed("StaleProfile", RemarkPlace::FUNCTION, &"") }
}

/// A schedule could not be read or written.
pub(crate) fn not_exchanged(what: &str, bindings: &Bindings<'_>) -> Remark {
    Remark::missed_scop("Exchange", bindings, &what)
}

/// No code could be generated; nothing was changed.
pub(crate) fn not_generated(error: &CodegenError, bindings: &Bindings<'_>) -> Remark {
    Remark::missed_scop("CodeGeneration", bindings, error)
}

/// A function that was wanted cannot be looked at.
pub(crate) fn impossible(reason: &str) -> Remark {
    let parts = vec![(Part::TEXT, "function cannot be optimized: ".to_owned()), ("Reason", reason.to_owned())];
    Remark { loops: 0, parts, ..Remark::missed("Function", RemarkPlace::FUNCTION, &"") }
}

/// The source promises that iterations are independent.
pub(crate) fn unused_promise() -> Remark {
    let reason = "the annotation 'poly: independent' is not used: whether iterations depend on each other is \
                  proven, or tested while the program runs; 'restrict' for pointers helps where arrays may overlap";
    let parts = vec![("Reason", reason.to_owned())];
    Remark { loops: 0, parts, ..Remark::missed("Promise", RemarkPlace::FUNCTION, &"") }
}

/// An outermost loop is in no SCoP.
pub(crate) fn rejected(rejection: &Rejection<'_>, cx: PassContext<'_>) -> Remark {
    let Some(l) = cx.loop_for(rejection.header) else {
        return Remark::missed(&format!("{:?}", rejection.kind), RemarkPlace::FUNCTION, &rejection.message);
    };
    let cause = rejection.place.as_ref().map_or(RemarkPlace::FUNCTION, |place| find(place, l));
    let place = cause.or(RemarkPlace::of_loop(l));
    let remark = Remark::missed(&format!("{:?}", rejection.kind), place, &rejection.message);
    Remark { source: rejection.place.clone().or_else(|| rejection.loop_place.clone()), ..remark }
        .with_loop(rejection, l)
}

/// The place of an instruction of the loop that stands at this place of the source.
fn find(place: &Place, l: LoopRef<'_>) -> RemarkPlace {
    let stands_there = |instruction: &poly_shim::ValueRef<'_>| {
        let own = instruction.place();
        own.is_some_and(|own| own.line == place.line && own.column == place.column && own.file == place.file)
    };
    let mut instructions = l.blocks().into_iter().flat_map(BlockRef::instructions);
    instructions.find(stands_there).map_or(RemarkPlace::FUNCTION, RemarkPlace::of_instruction)
}

/// Where the first loop of a SCoP begins.
pub(crate) fn first_loop(bindings: &Bindings<'_>) -> RemarkPlace {
    let places = bindings.loops.iter().map(|&l| RemarkPlace::of_loop(l));
    places.fold(RemarkPlace::FUNCTION, RemarkPlace::or)
}

/// Poly failed; the code is as it was.
pub(crate) fn internal_error(what: &str, place: RemarkPlace) -> Remark {
    let parts = vec![(Part::TEXT, internal_error_text(what))];
    Remark { loops: 0, parts, ..Remark::missed("InternalError", place, &what) }
}

/// The headers of a loop and of all loops inside of it, its own first.
pub(crate) fn loops_inside(outer: LoopRef<'_>) -> Vec<LLVMBasicBlockRef> {
    let mut todo = vec![outer];
    let mut result = Vec::new();
    while let Some(l) = todo.pop() {
        result.push(l.header().raw());
        todo.extend(l.subloops());
    }
    result
}

/// The headers of the loops of a SCoP, with those that its statements execute as a whole.
pub(crate) fn headers(bindings: &Bindings<'_>) -> Vec<LLVMBasicBlockRef> {
    let mut todo = bindings.loops.clone();
    let mut known = HashSet::new();
    let mut result = Vec::new();
    while let Some(l) = todo.pop() {
        if known.insert(l.header()) {
            result.push(l.header().raw());
            todo.extend(l.subloops());
        }
    }
    result
}

/// The headers of the loops of a SCoP that are modelled.
pub(crate) fn modelled(bindings: &Bindings<'_>) -> Vec<LLVMBasicBlockRef> {
    bindings.loops.iter().map(|l| l.header().raw()).collect()
}

/// Poly failed to plan a SCoP.
pub(crate) fn failed_plan(what: &str, bindings: &Bindings<'_>) -> Remark {
    Remark { loops: headers(bindings).len(), ..internal_error(what, first_loop(bindings)) }
}

/// Some loops have no remark, or several.
pub(crate) fn miscounted(told: usize, loops: usize) -> Remark {
    let text = format!("internal error: there are remarks about {told} loops, and {loops} loops");
    let parts = vec![(Part::TEXT, text)];
    Remark { loops: 0, parts, ..Remark::missed("InternalError", RemarkPlace::FUNCTION, &"") }
}

fn internal_error_text(what: &str) -> String {
    format!("internal error at {what}; code left as it was")
}

/// The same as a warning, shown without any flag.
pub(crate) fn warn_of_internal_error(what: &str, cx: PassContext<'_>) {
    cx.warn(&format!("poly: {}", internal_error_text(what)));
}

/// Says at the function that Poly failed.
pub(crate) fn report_internal_error(what: &str, cx: PassContext<'_>, also_warn: bool) {
    internal_error(what, RemarkPlace::FUNCTION).emit(cx);
    if also_warn {
        warn_of_internal_error(what, cx);
    }
}
