//! Whole executions of a Gauss-Seidel sweep, as generated code would ask for them.

use std::thread;

use super::*;
use crate::interface::{Run, Site, SiteKind, poly_rt_enter, poly_rt_leave, poly_rt_run};
use crate::records::{Bounds, END_OF_ITERATION, Sink};

/// `for i: s = b[i]; for k = row[i] .. row[i+1]: s -= val[k] * x[col[k]]; x[i] = s * omega`
struct Matrix {
    row: Vec<u32>,
    col: Vec<u32>,
    val: Vec<f64>,
}

const ROW: u64 = 0;
const COL: u64 = 1;
const X_READ: u64 = 2;
const B: u64 = 3;
const X_WRITTEN: u64 = 4;

static SITES: [Site; 5] = [
    Site { base: 0, size: 4, kind: SiteKind::Index as u32, stage: 0 },
    Site { base: 1, size: 4, kind: SiteKind::Index as u32, stage: 1 },
    Site { base: 3, size: 8, kind: SiteKind::Read as u32, stage: 0 },
    Site { base: 4, size: 8, kind: SiteKind::Read as u32, stage: 0 },
    Site { base: 3, size: 8, kind: SiteKind::Write as u32, stage: 0 },
];

/// row, col, val, x, b, omega
static ROLES: [u8; 6] = [2, 2, 2, 2, 2, 0];

unsafe fn words<'a>(values: *const u64) -> &'a [u64] {
    // SAFETY: the tests give six values.
    unsafe { slice::from_raw_parts(values, 6) }
}

/// # Safety
/// The address is one of an array that is long enough.
unsafe fn load<T: Copy>(base: u64, element: u64) -> T {
    // SAFETY: the caller's promise.
    unsafe { *(base as *const T).add(element as usize) }
}

unsafe extern "C" fn inspect(values: *const u64, from: u64, to: u64, sink: *mut Sink) {
    // SAFETY: the library gives its sink and the values of the tests.
    unsafe {
        let words = words(values);
        let sink = &mut *sink;
        let (all, start, span) = (slice::from_raw_parts_mut(sink.bounds, SITES.len()), sink.start, sink.span);
        let mut next = sink.next;
        let mut put = |word: u64| {
            *next = word;
            next = next.add(1);
            if next == sink.end {
                next = (sink.flush)(sink, next);
            }
            sink.next = next;
        };
        for i in from..to {
            let mut count = 0;
            let mut tell = |site: u64, address: u64, put: &mut dyn FnMut(u64)| {
                count += 1;
                let bounds = &mut all[site as usize];
                *bounds = Bounds { low: bounds.low.min(address), high: bounds.high.max(address) };
                if !SITES[site as usize].is_index() && address.wrapping_sub(start) < span {
                    put(address.wrapping_sub(start) << 8 | site);
                }
                count
            };
            tell(ROW, words[0] + 4 * i, &mut put);
            tell(ROW, words[0] + 4 * i + 4, &mut put);
            for k in load::<u32>(words[0], i)..load::<u32>(words[0], i + 1) {
                tell(COL, words[1] + u64::from(4 * k), &mut put);
                tell(X_READ, words[3] + 8 * u64::from(load::<u32>(words[1], u64::from(k))), &mut put);
            }
            tell(B, words[4] + 8 * i, &mut put);
            let count = tell(X_WRITTEN, words[3] + 8 * i, &mut put);
            put(count << 8 | END_OF_ITERATION);
        }
    }
}

unsafe extern "C" fn written(values: *const u64, from: u64, to: u64, bounds: *mut Bounds) {
    // SAFETY: the library gives bounds of all sites and the values of the tests.
    unsafe {
        let bounds = &mut *bounds.add(X_WRITTEN as usize);
        for i in from..to {
            let address = words(values)[3] + 8 * i;
            *bounds = Bounds { low: bounds.low.min(address), high: bounds.high.max(address) };
        }
    }
}

unsafe extern "C" fn execute(values: *const u64, runs: *const Run, count: u64) {
    // SAFETY: the library gives runs of iterations and the values of the tests.
    unsafe {
        let words = words(values);
        for run in slice::from_raw_parts(runs, count as usize) {
            for i in u64::from(run.first)..u64::from(run.first + run.count) {
                let mut sum: f64 = load(words[4], i);
                for k in load::<u32>(words[0], i)..load::<u32>(words[0], i + 1) {
                    let col: u32 = load(words[1], u64::from(k));
                    sum -= load::<f64>(words[2], u64::from(k)) * load::<f64>(words[3], u64::from(col));
                }
                (words[3] as *mut f64).add(i as usize).write(sum * f64::from_bits(words[5]));
            }
        }
    }
}

/// A nest that lives as long as the program, as that of generated code.
fn nest(flags: u32) -> &'static Nest {
    let state = Box::leak(Box::new(State { lock: AtomicU64::new(0), known: 0.into() }));
    let (sites, roles) = (SITES.as_ptr(), ROLES.as_ptr());
    let counts = (SITES.len() as u32, ROLES.len() as u32);
    let (site_count, value_count) = counts;
    let (wait, own_cache, cache) = (20, 64, 1024);
    let (clock, addition) = (3000, 4);
    Box::leak(Box::new(Nest {
        inspect,
        written,
        execute,
        sites,
        roles,
        state,
        site_count,
        value_count,
        wait,
        clock,
        addition,
        own_cache,
        cache,
        flags,
    }))
}

/// Some pointers, to go to threads.
#[derive(Clone, Copy)]
struct Shared(*const Call);
// SAFETY: the library says that all threads may use a call.
unsafe impl Send for Shared {}

std::thread_local! {
    static THREADS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

unsafe extern "C" fn number_of_threads() -> u32 {
    THREADS.get()
}

/// Executes a sweep as generated code does; what the library has decided.
fn sweep(nest: &Nest, matrix: &Matrix, x: *mut f64, b: *const f64, threads: (u32, u32)) -> u32 {
    let mut call = std::mem::MaybeUninit::<Call>::zeroed();
    sweep_with(&mut call, nest, matrix, x, b, threads)
}

/// The same with a call that may have been used before.
fn sweep_with(
    call: &mut std::mem::MaybeUninit<Call>,
    nest: &Nest,
    matrix: &Matrix,
    x: *mut f64,
    b: *const f64,
    threads: (u32, u32),
) -> u32 {
    let omega = 0.9_f64.to_bits();
    let arrays = [matrix.row.as_ptr() as u64, matrix.col.as_ptr() as u64, matrix.val.as_ptr() as u64];
    let values = [arrays[0], arrays[1], arrays[2], x as u64, b as u64, omega];
    let iterations = matrix.row.len() as u64 - 1;
    // SAFETY: everything is as the library demands.
    unsafe {
        THREADS.set(threads.0);
        let action = poly_rt_enter(call.as_mut_ptr(), nest, values.as_ptr(), iterations, number_of_threads);
        if action == 2 {
            let shared = Shared(call.as_ptr());
            thread::scope(|scope| {
                let run = |thread: u32| {
                    scope.spawn(move || {
                        let shared = { shared };
                        poly_rt_run(shared.0, thread, threads.1);
                    })
                };
                let running: Vec<_> = (0..threads.1).map(run).collect();
                running.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
            });
        } else {
            let all = Run { first: 0, count: iterations as u32 };
            execute(values.as_ptr(), &raw const all, 1);
        }
        if action > 0 {
            poly_rt_leave(call.as_mut_ptr());
        }
        action
    }
}

fn random_matrix(seed: u64, n: usize, longest: u64, far: u64) -> Matrix {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % n.max(1)
    };
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n {
        for _ in 0..below(longest) {
            col.push(((i as u64 + below(far)) % n as u64) as u32);
        }
        row.push(col.len() as u32);
    }
    let val = (0..col.len()).map(|k| 0.1 + (k % 7) as f64 * 0.01).collect();
    Matrix { row, col, val }
}

fn start(n: usize) -> (Vec<f64>, Vec<f64>) {
    ((0..n).map(|i| i as f64).collect(), (0..n).map(|i| 1.0 + (i % 13) as f64).collect())
}

/// The same without the library.
fn reference(matrix: &Matrix, x: *mut f64, b: *const f64) {
    let arrays = [matrix.row.as_ptr() as u64, matrix.col.as_ptr() as u64, matrix.val.as_ptr() as u64];
    let values = [arrays[0], arrays[1], arrays[2], x as u64, b as u64, 0.9_f64.to_bits()];
    let all = Run { first: 0, count: matrix.row.len() as u32 - 1 };
    // SAFETY: the arrays are long enough.
    unsafe { execute(values.as_ptr(), &raw const all, 1) };
}

fn bits(of: &[f64]) -> Vec<u64> {
    of.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_pattern_gives_the_same_bits() {
    for seed in 0..60 {
        let n = [0, 1, 2, 40, 300][seed as usize % 5];
        let matrix = random_matrix(seed, n, 1 + seed % 9, [3, 40, 300][seed as usize % 3]);
        for threads in [1, 2, 3, 8] {
            let nest = nest(FLAG_FORCE);
            let (mut x, b) = start(n);
            let (mut expected, _) = start(n);
            for _ in 0..3 {
                sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (threads, threads));
                reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
                assert_eq!(bits(&x), bits(&expected), "seed {seed}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_schedule_is_made_and_used_again_for_other_vectors() {
    let matrix = random_matrix(5, 300, 4, 300);
    let nest = nest(FLAG_FORCE);
    for _ in 0..3 {
        let (mut x, b) = start(300);
        let (mut expected, _) = start(300);
        assert_eq!(sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (2, 2)), 2);
        reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
        assert_eq!(bits(&x), bits(&expected));
        // Fewer threads than were asked for.
        assert_eq!(sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (2, 1)), 2);
        reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
        assert_eq!(bits(&x), bits(&expected));
    }
    // SAFETY: nobody else has the nest.
    let known = unsafe { known(nest.state) }.expect("it was used");
    assert_eq!(known.entries.iter().flatten().count(), 1, "one schedule serves all");
}

#[test]
fn vectors_that_overlap_in_another_way_need_another_schedule() {
    let matrix = random_matrix(5, 300, 4, 300);
    let nest = nest(FLAG_FORCE);
    for offset in [0, 300, 1, 7, 300, 299, 0] {
        let (mut x, mut expected) = (vec![1.5; 700], vec![1.5; 700]);
        // The right side may be the vector itself, or overlap it.
        sweep(nest, &matrix, x.as_mut_ptr(), x.as_ptr().wrapping_add(offset), (2, 2));
        reference(&matrix, expected.as_mut_ptr(), expected.as_ptr().wrapping_add(offset));
        assert_eq!(bits(&x), bits(&expected), "offset {offset}");
    }
}

#[test]
fn patterns_that_change_are_noticed() {
    let mut matrix = random_matrix(9, 300, 4, 300);
    let nest = nest(FLAG_FORCE);
    let (mut x, b) = start(300);
    let (mut expected, _) = start(300);
    for step in 0..20 {
        let place = (step * 37) % matrix.col.len();
        if step % 2 == 1 {
            matrix.col[place] = (matrix.col[place] + 150) % 300;
        }
        sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (3, 3));
        reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
        assert_eq!(bits(&x), bits(&expected), "step {step}");
    }
}

#[test]
fn nothing_is_inspected_before_it_can_pay() {
    let matrix = random_matrix(5, 300, 4, 300);
    let nest = nest(0);
    let (mut x, b) = start(300);
    let actions: Vec<u32> = (0..100).map(|_| sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (2, 2))).collect();
    assert!(actions[..MEASURED as usize].iter().all(|&action| action == 1), "{actions:?}");
    // The sweep takes a microsecond.
    assert!(actions.iter().all(|&action| action < 2), "{actions:?}");
    assert!(actions[60..].contains(&0), "it is not even measured: {actions:?}");
}

#[test]
fn a_nest_that_is_busy_runs_in_its_original_order() {
    let matrix = random_matrix(5, 300, 4, 300);
    let nest = nest(FLAG_FORCE);
    let (mut x, b) = start(300);
    // SAFETY: the nest has a state.
    let lock = unsafe { &(*nest.state).lock };
    lock.store(1, Ordering::Relaxed);
    assert_eq!(sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (2, 2)), 0);
    lock.store(0, Ordering::Relaxed);
    assert_eq!(sweep(nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (2, 2)), 2);
}

#[test]
fn index_arrays_that_are_said_to_be_the_same_are_compared_once() {
    let mut matrix = random_matrix(9, 300, 4, 300);
    let nest = nest(FLAG_FORCE);
    let (mut x, b) = start(300);
    let (mut expected, _) = start(300);
    let mut call = std::mem::MaybeUninit::<Call>::zeroed();
    let mut numbers = Vec::new();
    for step in 0..6 {
        if step == 3 {
            // The pattern changes, and the program says so.
            matrix.col[5] = (matrix.col[5] + 150) % 300;
            call = std::mem::MaybeUninit::zeroed();
        }
        assert_eq!(sweep_with(&mut call, nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (3, 3)), 2);
        reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
        assert_eq!(bits(&x), bits(&expected), "step {step}");
        // SAFETY: every pattern of bits is a call.
        numbers.push(unsafe { call.assume_init_ref() }.same);
    }
    assert!(numbers[0] != 0 && numbers[0] == numbers[1] && numbers[1] == numbers[2], "{numbers:?}");
    // The execution that finds another pattern makes no schedule; the next one does.
    assert!(numbers[3] == 0 && numbers[4] > numbers[2] && numbers[5] == numbers[4], "{numbers:?}");
    // Another schedule for the same nest does not count as compared.
    // SAFETY: nobody else has the nest.
    let known = unsafe { known(nest.state) }.expect("it was used");
    known.entries = [const { None }; ENTRIES];
    assert_eq!(sweep_with(&mut call, nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (3, 3)), 2);
    // SAFETY: as above.
    assert!(unsafe { call.assume_init_ref() }.same > numbers[5]);
}

/// Executes a sweep by a new schedule for the window, which is tried; how often it was executed by
/// it.
fn sweeps_of_window(matrix: &Matrix, window: Window, threads: u32, limit: u64, change: Option<usize>) -> u64 {
    let nest = nest(0);
    let n = matrix.row.len() - 1;
    let (mut x, b) = start(n);
    let (mut expected, _) = start(n);
    let mut matrix = Matrix { row: matrix.row.clone(), col: matrix.col.clone(), val: matrix.val.clone() };
    let mut call = std::mem::MaybeUninit::<Call>::zeroed();
    let arrays = [matrix.row.as_ptr() as u64, matrix.col.as_ptr() as u64, matrix.val.as_ptr() as u64];
    let values = [arrays[0], arrays[1], arrays[2], x.as_mut_ptr() as u64, b.as_ptr() as u64, 0.9_f64.to_bits()];
    let hash = hash(&values, &ROLES, n as u64);
    let asked = Asked { nest, values: values.as_ptr(), values_now: &values, iterations: n as u64, threads, hash };
    // SAFETY: nobody else has the nest.
    let known = unsafe { known(nest.state) }.expect("there is memory");
    known.keys[0] = Key { hash, ..Key::default() };
    known.keys[0].account.begin();
    // SAFETY: the values are those of the sweep.
    unsafe { grow(known, call.assume_init_mut(), asked, (window, limit), None) };
    let mut scheduled = 0;
    for step in 0..6 {
        if change == Some(step) {
            // One column less far, in the middle.
            let k = matrix.row[n / 2] as usize;
            matrix.col[k] = (matrix.col[k] + 1) % n as u32;
        }
        call = std::mem::MaybeUninit::zeroed();
        let action = sweep_with(&mut call, nest, &matrix, x.as_mut_ptr(), b.as_ptr(), (threads, threads));
        reference(&matrix, expected.as_mut_ptr(), b.as_ptr());
        assert_eq!(bits(&x), bits(&expected), "{window:?} {threads} threads, step {step}");
        scheduled += u64::from(action == 2);
    }
    scheduled
}

#[test]
fn windows_give_the_same_bits() {
    let mut executed = 0;
    for seed in 0..9 {
        let n = [40, 300, 3000][seed as usize % 3];
        // Far apart, so that there is something to gain.
        let matrix = random_matrix(seed, n, 1 + seed % 9, [3, 40, 3000][seed as usize % 3]);
        let end = n as u64;
        for (first, last) in [(0, end), (end / 3, end / 2), (0, 9), (end - 8, end), (1, end), (5, 6), (7, 7)] {
            for threads in [2, 3, 8] {
                executed += sweeps_of_window(&matrix, Window { first, end: last }, threads, u64::MAX, None);
            }
        }
    }
    assert!(executed > 40, "{executed}");
}

#[test]
fn windows_notice_patterns_that_change() {
    for seed in 0..20 {
        let matrix = random_matrix(seed, 3000, 4, 3000);
        for change in [0, 1, 3] {
            sweeps_of_window(&matrix, Window { first: 1000, end: 2000 }, 2, u64::MAX, Some(change));
        }
    }
}

#[test]
fn an_inspection_that_takes_too_long_is_abandoned() {
    let matrix = random_matrix(3, 3000, 4, 3000);
    assert_eq!(sweeps_of_window(&matrix, Window::all(3000), 2, 0, None), 0);
    assert!(sweeps_of_window(&matrix, Window::all(3000), 2, u64::MAX, None) > 0);
}

#[test]
fn what_the_iteration_in_front_of_a_window_hands_on_is_compared() {
    // The first of the pairs of sites is told as one that hands its value on, as `row[i + 1]` would
    // be.
    let matrix = random_matrix(3, 3000, 4, 3000);
    let window = Window { first: 1000, end: 2000 };
    let nest = nest(0);
    let (mut x, b) = start(3000);
    let arrays = [matrix.row.as_ptr() as u64, matrix.col.as_ptr() as u64, matrix.val.as_ptr() as u64];
    let values = [arrays[0], arrays[1], arrays[2], x.as_mut_ptr() as u64, b.as_ptr() as u64, 0.9_f64.to_bits()];
    for (kind, lowest) in [(SiteKind::Index, 4 * 1000), (SiteKind::Handed, 4 * 999)] {
        let mut sites = SITES;
        sites[0].kind = kind as u32;
        let nest = Nest { sites: sites.as_ptr(), ..*nest };
        let task = Task { iterations: 3000, window, threads: 2, shape: None, takes: 0, until: u64::MAX };
        // SAFETY: the values are those of the sweep.
        let entry = unsafe { crate::inspect::inspect(&nest, values.as_ptr(), &values, task) };
        let entry = entry.expect("there is memory").expect("it pays");
        assert_eq!(entry.low[0] - arrays[0], lowest);
        assert!(entry.low[1] >= arrays[1] + 4 * u64::from(matrix.row[1000]), "nothing else of it is looked at");
        assert!(entry.schedule.runs.iter().all(|run| (1000..2000).contains(&run.first)));
    }
}
