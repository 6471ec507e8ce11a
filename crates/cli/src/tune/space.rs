//! What can be chosen for a loop nest.
//!
//! # Definitions
//! A *dimension* is a question about a nest that has several answers, such as its tile sizes; an
//! answer is a list of words of docs/options.md, and no words are the cost model's own. Answers to
//! different questions can be combined.
//!
//! # Method
//! The legal space is Poly's: whatever is asked for, a schedule that breaks a dependence is refused
//! or not even considered. So answers need not be legal, only worth a try: fusion structures by
//! their number in the list of all legal ones, tile sizes around those that are there, register
//! tiles that fit in the registers, and each family of transformations switched off. Orders, sizes
//! and fusion structures are asked for with `force`: whether they pay is measured, so nobody has to
//! predict it.

use super::variant::{Nest, NestId, Variant};

/// Answers about the order as a whole.
const ORDERS: &[&str] = &["disable", "force", "rewrite-search", "scheduler=original", "scheduler=feautrier"];

/// Answers about which statements share loops; the numbers are those of legal structures
/// (docs/fusion-space.md).
const FUSIONS: &[&str] = &[
    "fuse=max",
    "fuse=no",
    "fuse=search",
    "fusion-member=0",
    "fusion-member=1",
    "fusion-member=2",
    "fusion-member=3",
    "fusion-member=4",
    "fusion-member=5",
    "fusion-member=6",
    "fusion-member=7",
];

/// Dimensions with one answer beside the model's: families of transformations, and preferences.
const SWITCHES: &[&str] = &[
    "no-time-tile",
    "no-pack",
    "no-block",
    "no-pack-blocks",
    "no-strip-fusion",
    "no-wavefront",
    "no-diamond",
    "no-lanes",
    "no-splitting",
    "no-contraction",
    "no-expansion",
    "no-simplify-reductions",
    "no-live-ranges",
    "no-reductions",
    "prefer=locality",
    "proximity=flow",
    "reuse",
];

/// Answers about threads where they are used.
const THREADS: &[&str] = &["no-parallel", "omp-schedule=static", "omp-schedule=dynamic", "omp-schedule=guided"];

/// Tile sizes to begin with where there are none.
const FIRST_SIZES: &[u64] = &[16, 32, 64, 128, 256];

/// Rows and vectors of register tiles.
const REGISTER_ROWS: &[u64] = &[2, 4, 6, 8];
const REGISTER_VECTORS: &[u64] = &[1, 2, 3, 4];

/// The least and the largest tile size that is tried.
const SIZES: std::ops::RangeInclusive<u64> = 4..=4096;

/// The names of the dimensions that are no switches.
const ORDER: &str = "order";
const FUSION: &str = "fusion";
const TILES: &str = "tiles";
const REGISTERS: &str = "registers";
const PARALLEL: &str = "threads";

/// The dimensions of a nest, those first that matter most.
pub(super) fn dimensions(nest: &Nest) -> Vec<&'static str> {
    let mut result = vec![ORDER, TILES, REGISTERS];
    if nest.statements > 1 {
        result.push(FUSION);
    }
    result.push(PARALLEL);
    result.extend(SWITCHES);
    result
}

/// What could be chosen in a dimension, beside what a variant has chosen.
pub(super) fn answers(
    nest: (NestId, &Nest),
    dimension: &'static str,
    variant: &Variant,
    may_thread: bool,
) -> Vec<String> {
    let (id, nest) = nest;
    let chosen = variant.choice(id, dimension);
    let listed = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let forced = |words: Vec<String>| words.into_iter().map(force).collect();
    let mut all: Vec<String> = match dimension {
        ORDER => forced(listed(ORDERS)),
        FUSION => forced(listed(FUSIONS)),
        TILES => forced(tiles(id, nest, variant)),
        REGISTERS => forced(registers(id, nest, variant)),
        PARALLEL if nest.shape.has_threads => listed(THREADS),
        PARALLEL if may_thread => listed(&["parallel"]),
        PARALLEL => Vec::new(),
        switch => listed(&[switch]),
    };
    // Back to the model's choice.
    all.push(String::new());
    all.retain(|words| words != chosen);
    all
}

/// The same, predicted to pay or not.
fn force(words: String) -> String {
    match words.as_str() {
        "force" | "disable" => words,
        _ => format!("{words};force"),
    }
}

/// The numbers in a word of a list: `tile-sizes=64:32`.
fn sizes_in(words: &str, name: &str) -> Option<Vec<u64>> {
    let word = words.split(';').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
    word.split(':').map(|size| size.parse().ok()).collect()
}

fn written(name: &str, sizes: &[u64]) -> String {
    format!("{name}={}", sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(":"))
}

/// Tile sizes: all of them, or one, twice or half of what they are.
fn tiles(id: NestId, nest: &Nest, variant: &Variant) -> Vec<String> {
    // Sizes that are given switch register tiles off that are not given, too.
    let needs_registers = variant.choice(id, REGISTERS).is_empty();
    let registers = nest.shape.register.filter(|_| needs_registers).map(register_word);
    let with_registers = |sizes: &[u64]| {
        let word = written("tile-sizes", sizes);
        registers.iter().fold(word, |word, registers| format!("{word};{registers}"))
    };
    let chosen = sizes_in(variant.choice(id, TILES), "tile-sizes");
    let known = chosen.unwrap_or_else(|| nest.shape.tile.clone());
    let mut result: Vec<String> = Vec::new();
    let mut push = |words: String| {
        if !result.contains(&words) {
            result.push(words);
        }
    };
    neighbours(&known).iter().for_each(|sizes| push(with_registers(sizes)));
    if registers.is_some() && !known.is_empty() {
        push(written("tile-sizes", &known));
    }
    FIRST_SIZES.iter().for_each(|&size| push(written("tile-sizes", &[size])));
    if !nest.shape.tile.is_empty() {
        push("no-tile".to_owned());
    }
    result
}

/// Sizes that are twice or half of these, one at a time and all together.
fn neighbours(sizes: &[u64]) -> Vec<Vec<u64>> {
    let scaled = |size: u64, is_twice: bool| if is_twice { size.saturating_mul(2) } else { size / 2 };
    let mut result = Vec::new();
    for is_twice in [true, false] {
        for position in 0..sizes.len() {
            let mut other = sizes.to_vec();
            other[position] = scaled(other[position], is_twice);
            if SIZES.contains(&other[position]) {
                result.push(other);
            }
        }
        let all: Vec<u64> = sizes.iter().map(|&size| scaled(size, is_twice)).collect();
        if sizes.len() > 1 && all.iter().all(|size| SIZES.contains(size)) {
            result.push(all);
        }
    }
    result
}

fn register_word((rows, vectors): (u64, u64)) -> String {
    written("register-tile-sizes", &[rows, vectors])
}

/// Register tiles, first those that are a row or a vector larger or smaller, that fit: results, one
/// row of what is loaded, and one value for all lanes.
fn registers(id: NestId, nest: &Nest, variant: &Variant) -> Vec<String> {
    let shape = &nest.shape;
    let mut result = Vec::new();
    if shape.register.is_some() {
        result.push("no-register-tile".to_owned());
    }
    let has_sizes = sizes_in(variant.choice(id, TILES), "register-tile-sizes").is_some();
    let chosen = sizes_in(variant.choice(id, REGISTERS), "register-tile-sizes");
    let now = chosen.and_then(|sizes| Some((*sizes.first()?, *sizes.get(1)?))).or(shape.register);
    let beside = now.into_iter().flat_map(|(rows, vectors)| {
        [(rows + 1, vectors), (rows.saturating_sub(1), vectors), (rows, vectors + 1), (rows, vectors.saturating_sub(1))]
    });
    let all = REGISTER_ROWS.iter().flat_map(|&rows| REGISTER_VECTORS.iter().map(move |&vectors| (rows, vectors)));
    for (rows, vectors) in beside.chain(all) {
        let fits = rows > 0 && vectors > 0 && rows * vectors + vectors < shape.vector_registers;
        let word = register_word((rows, vectors));
        if fits && !has_sizes && shape.register != Some((rows, vectors)) && !result.contains(&word) {
            result.push(word);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::variant::Shape;
    use super::*;

    fn nest(shape: Shape) -> Nest {
        Nest {
            function: "f".to_owned(),
            fingerprint: "1".to_owned(),
            shown: "f".to_owned(),
            weight: 1.0,
            statements: 1,
            shape,
        }
    }

    fn of(nest: &Nest, dimension: &'static str, variant: &Variant) -> String {
        answers((NestId(0), nest), dimension, variant, false).join(" ").replace(";force", "")
    }

    #[test]
    fn tile_sizes_move_from_where_they_are() {
        let tiled = nest(Shape { is_optimized: true, tile: vec![64, 8], ..Shape::default() });
        let model = Variant::default();
        expect!["tile-sizes=128:8 tile-sizes=64:16 tile-sizes=128:16 tile-sizes=32:8 tile-sizes=64:4 tile-sizes=32:4 tile-sizes=16 tile-sizes=32 tile-sizes=64 tile-sizes=128 tile-sizes=256 no-tile"]
            .assert_eq(&of(&tiled, TILES, &model));
        let moved = model.with(NestId(0), TILES, "tile-sizes=128:8");
        assert!(of(&tiled, TILES, &moved).starts_with("tile-sizes=256:8 tile-sizes=128:16 "));
    }

    #[test]
    fn what_is_measured_need_not_be_predicted() {
        let plain = nest(Shape::default());
        let of = |dimension| answers((NestId(0), &plain), dimension, &Variant::default(), false);
        assert_eq!(of(ORDER)[..3], ["disable", "force", "rewrite-search;force"]);
        assert_eq!(of(TILES)[0], "tile-sizes=16;force");
        assert_eq!(of("no-pack"), ["no-pack"]);
    }

    #[test]
    fn register_tiles_need_no_other_tiles() {
        let shape = Shape { is_optimized: true, register: Some((4, 3)), vector_registers: 16, ..Shape::default() };
        let tiled = nest(shape);
        let words = answers((NestId(0), &tiled), TILES, &Variant::default(), false);
        assert!(words.iter().all(|word| !word.starts_with("tile-sizes=;")), "{words:?}");
    }

    #[test]
    fn register_tiles_stay_when_sizes_change() {
        let shape = Shape {
            is_optimized: true,
            tile: vec![320, 100],
            register: Some((4, 3)),
            vector_registers: 16,
            ..Shape::default()
        };
        let tiled = nest(shape);
        let model = Variant::default();
        assert!(of(&tiled, TILES, &model).starts_with("tile-sizes=640:100;register-tile-sizes=4:3 "));
        let words = of(&tiled, REGISTERS, &model);
        assert!(
            words.contains("register-tile-sizes=6:2") && !words.contains("=4:3") && !words.contains("=8:2"),
            "{words}"
        );
        let chosen = model.with(NestId(0), REGISTERS, "register-tile-sizes=6:2");
        assert!(of(&tiled, TILES, &chosen).starts_with("tile-sizes=640:100 "));
    }
}
