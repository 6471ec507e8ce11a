//! Times of typical operations beside those of isl, on inputs like those of dependence analysis and
//! code generation.
//!
//!     cargo run --release -p poly-oracle --example speed

use std::time::Instant;

use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Map, Set};

/// Statement domains as they come from loops over triangles, stencils and tiles.
const SETS: [&str; 6] = [
    "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }",
    "[n, m, p] -> { S[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < p }",
    "[t, n] -> { S[a, i, j] : 0 <= a < t and 1 <= i < n - 1 and 1 <= j < n - 1 }",
    "[n] -> { S[i, j] : i mod 2 = 0 and 0 <= i < n and 3 <= j < 2i + n }",
    "[n] -> { S[ti, tj, i, j] : 32ti <= i < 32ti + 32 and 32tj <= j < 32tj + 32 and 0 <= i, j < n and j <= i }",
    "[n] -> { S[i, j, k] : 0 <= i < n and i < j < n and 0 <= k < i; S[i, j, k] : 0 <= i < n and i < j < n and k = i }",
];

/// Dependences and schedules.
const MAPS: [&str; 5] = [
    "[n] -> { [i, j] -> [a, b] : 0 <= i < n and 0 <= j <= i and 0 <= a < n and 0 <= b <= a and a + b = i + j and (a < i or (a = i and b < j)) }",
    "[t, n] -> { [a, i, j] -> [b, k, l] : 0 <= a, b < t and 1 <= i, j, k, l < n - 1 and b < a and i - 1 <= k <= i + 1 and j - 1 <= l <= j + 1 }",
    "[n] -> { [i, j] -> [floor(i/32), floor(j/32), i, j] : 0 <= i, j < n }",
    "[n] -> { [i] -> [j] : 0 <= i < n and 0 <= j < n and 3j <= 2i + 1 and j mod 2 = 1 }",
    "[n] -> { [i, j] -> [i + 2j, j] : 0 <= i < n and 0 <= j < n; [i, j] -> [i + 2j, j + 1] : 0 <= i < n and i <= j < n }",
];

fn free() -> Budget {
    Budget::unlimited()
}

/// Microseconds per call, the best of several rounds.
fn time<R>(mut f: impl FnMut() -> R) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let mut n = 0u32;
        while n < 3 || start.elapsed().as_micros() < 2000 {
            std::hint::black_box(f());
            n += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(n));
    }
    best
}

fn report(name: &str, ours: f64, theirs: f64) {
    println!("{name:34} {ours:10.1} {theirs:10.1} {:8.2}", ours / theirs);
}

fn main() {
    let context = isl::Context::new();
    println!("{:34} {:>10} {:>10} {:>8}", "operation (microseconds)", "poly", "isl", "ratio");
    for (k, text) in SETS.iter().enumerate() {
        let set: Set = text.parse().expect("the text is a set");
        let reference = isl::Set::read(&context, text).expect("isl reads it");
        let n = set.n_dim();
        let parse = |t: &str| t.parse::<Set>().expect("the text is a set");
        report(&format!("set {k}: parse"), time(|| parse(text)), time(|| isl::Set::read(&context, text)));
        report(&format!("set {k}: complement"), time(|| set.complement(&mut free())), time(|| reference.complement()));
        let outside = set.complement(&mut free()).expect("no limit");
        let outside_ref = reference.complement().expect("no limit");
        report(
            &format!("set {k}: coalesce complement"),
            time(|| outside.clone().coalesce(&mut free())),
            time(|| outside_ref.coalesce()),
        );
        report(
            &format!("set {k}: subset of itself"),
            time(|| set.union(&outside).is_subset(&set, &mut free())),
            time(|| reference.union(&outside_ref).map(|u| u.is_subset(&reference))),
        );
        report(
            &format!("set {k}: project last"),
            time(|| set.project_out(DimKind::Out, n - 1, 1).compute_divs(&mut free())),
            time(|| reference.project_out(n - 1, 1).and_then(|s| s.compute_divs())),
        );
        report(
            &format!("set {k}: project first"),
            time(|| set.project_out(DimKind::Out, 0, 1).compute_divs(&mut free())),
            time(|| reference.project_out(0, 1).and_then(|s| s.compute_divs())),
        );
        report(&format!("set {k}: lexmin"), time(|| set.lexmin(&mut free())), time(|| reference.lexmin()));
        report(
            &format!("set {k}: dim_max"),
            time(|| set.dim_max(n - 1, &mut free())),
            time(|| reference.dim_max(n - 1)),
        );
        let parameters = set.params();
        let parameters_ref = reference.params().expect("no limit");
        report(
            &format!("set {k}: gist of params"),
            time(|| parameters.gist(&parameters, &mut free())),
            time(|| parameters_ref.gist(&parameters_ref)),
        );
        report(&format!("set {k}: is_empty"), time(|| set.is_empty(&mut free())), time(|| reference.is_empty()));
    }
    for (k, text) in MAPS.iter().enumerate() {
        let map: Map = text.parse().expect("the text is a relation");
        let reference = isl::Map::read(&context, text).expect("isl reads it");
        report(
            &format!("map {k}: compose with inverse"),
            time(|| map.apply_range(&map.reverse())),
            time(|| reference.reverse().and_then(|r| reference.apply_range(&r))),
        );
        report(
            &format!("map {k}: domain, coalesced"),
            time(|| map.domain().coalesce(&mut free())),
            time(|| reference.domain().and_then(|d| d.coalesce())),
        );
        report(&format!("map {k}: lexmax"), time(|| map.lexmax(&mut free())), time(|| reference.lexmax()));
        report(
            &format!("map {k}: single-valued"),
            time(|| map.is_single_valued(&mut free())),
            time(|| reference.is_single_valued()),
        );
        if map.dim(DimKind::In) != map.dim(DimKind::Out) {
            continue;
        }
        report(
            &format!("map {k}: differences"),
            time(|| map.deltas().coalesce(&mut free())),
            time(|| reference.deltas().and_then(|d| d.coalesce())),
        );
    }
}
