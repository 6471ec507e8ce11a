//! Marks: what a schedule tree says about a subtree beyond its order.
//!
//! # Problem
//! A tree that code is generated from says more than an order: this loop is shared by threads,
//! these elements stay in registers, here a local copy is filled. Who makes such a mark, who judges
//! it and who generates code from it must mean the same by it, so a mark is a value with its data,
//! not a name with tables beside the tree. In isl's files a mark is any text.
//!
//! # Definitions
//! [`Mark`] has a variant for everything that Poly's trees say. Most speak of the loop directly
//! below, the first member of the band there. Statements are named by their tuples, accesses of a
//! statement by their position in its list ([`AccessOf`]). Marks whose promise decides about
//! correctness are judged on the final tree by an independent checker; each variant says what it
//! promises.
//!
//! Marks of other tools are [`Mark::Foreign`]. Only [`Mark::from_str`], and with it the reader of
//! trees, makes them ([`Foreign`] has no public constructor), and nothing interprets them: they
//! stay where they are and are written as they were read. A type parameter for marks would say the
//! same with a parameter on every tree, node and cursor of every crate, while all users of the
//! crate's own marks need this one set of them; and with an enum, a `match` without a wildcard
//! finds every place that a new mark concerns.
//!
//! # Text
//! The name of the mark, and its data in parentheses: `parallel(rising, reduction S.1)`,
//! `register-tile(S.0, S.2; partial S)`, `pack(3)`. A text that is not exactly of that form is
//! foreign. Reading what was written gives the same mark.

use std::fmt::{self, Display};
use std::str::FromStr;

use poly_presburger::Id;

/// What a tree says about a subtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Threads share the iterations of the loop below. It carries no dependence, but those of the
    /// updates in [`Sharing::reductions`].
    Parallel(Sharing),
    /// A DOACROSS loop: threads take the iterations of the loop below in order, each a whole one,
    /// although they depend on each other: the next band inside goes through *stages*, with
    /// [`Mark::Wait`] below it (post and wait [Cytron1986]).
    Doacross,
    /// Below the stages of a [`Mark::Doacross`] loop: before stage `k`, a thread waits until all
    /// iterations up to `k` that come before its own are finished.
    Wait,
    /// The innermost loop below carries no dependence; its iterations are to be lanes of vectors.
    Vector,
    /// The loop below is not to be made vectors of.
    NoVector,
    /// The loop below carries only dependences between these pairs of statements, in either order.
    /// Where code generation distributes them to different loops, so that a loop has no pair in it,
    /// that one is as if it had [`Mark::Vector`].
    VectorIfDistributed(Vec<(Id, Id)>),
    /// The loop below is the reduced one of a register tile; loops over rows and columns in it with
    /// constant trip counts are to be unrolled.
    RegisterTile(RegisterTile),
    /// The loop below goes over rows of register tiles, and what full tiles in it load, other than
    /// their results, is not written while it runs, although something else of the same array is.
    Panel,
    /// The loop below goes over the steps of a wavefront. The loop over the diagonal in it has a
    /// constant number of iterations, the lanes of vectors, which hand values on from step to step.
    SimdWavefront,
    /// What the subtree touches of an array, given by its position in the list of arrays, is to be
    /// copied to a local buffer, if that is possible: filled before the subtree, written back
    /// behind it.
    Pack {
        /// The array.
        array: usize,
    },
    /// A mark of another tool.
    Foreign(Foreign),
}

/// An access of a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessOf {
    /// The statement's tuple.
    pub statement: Id,
    /// The position of the access in the statement's list.
    pub access: usize,
}

/// How threads share a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Which iterations have more work.
    pub work: Trend,
    /// Writes of updates `x = x op e` of which every thread has a value of its own in place of `x`.
    pub reductions: Vec<AccessOf>,
}

/// How the work of the iterations of a loop changes from the first to the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trend {
    /// All have the same.
    #[default]
    Even,
    /// The last ones have more.
    Rising,
    /// The first ones have more, or it is not known which.
    Falling,
}

/// What stays in registers while the reduced loop of a register tile runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterTile {
    /// Accesses of the results: in a full tile, no other access touches their elements, and
    /// different points of the tile have different ones.
    pub results: Vec<AccessOf>,
    /// Statements of which this holds in partial tiles, too: where only they are in the tile, and
    /// its rows and columns are the same in all iterations of the reduced loop.
    pub partial: Vec<Id>,
}

/// The blocks in which a partial register tile is executed, where it keeps its results in
/// registers. With so many, operands still have registers where there are 16.
#[derive(Clone, Copy, Debug)]
pub struct PartialBlock;

impl PartialBlock {
    /// Rows; those that are left are executed one by one.
    pub const ROWS: u32 = 4;
    /// Vectors of columns.
    pub const VECTORS: u32 = 2;
}

/// The text of a mark that is none of Poly's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign(Id);

impl Foreign {
    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Mark {
    /// Threads that share a loop in which all iterations have the same work.
    pub fn parallel() -> Mark {
        Mark::Parallel(Sharing::default())
    }

    /// The data, as far as there are any.
    fn data(&self) -> String {
        match self {
            Mark::Parallel(Sharing { work, reductions }) => {
                let work = match work {
                    Trend::Even => None,
                    Trend::Rising => Some("rising".to_owned()),
                    Trend::Falling => Some("falling".to_owned()),
                };
                listed(work.into_iter().chain(reductions.iter().map(|update| format!("reduction {update}"))))
            }
            Mark::VectorIfDistributed(pairs) => listed(pairs.iter().map(|(a, b)| format!("{a} -> {b}"))),
            Mark::RegisterTile(RegisterTile { results, partial }) => {
                let partial = listed(partial);
                let partial = if partial.is_empty() { partial } else { format!("; partial {partial}") };
                listed(results) + &partial
            }
            Mark::Pack { array } => array.to_string(),
            Mark::Doacross
            | Mark::Wait
            | Mark::Vector
            | Mark::NoVector
            | Mark::Panel
            | Mark::SimdWavefront
            | Mark::Foreign(_) => String::new(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Mark::Parallel(_) => "parallel",
            Mark::Doacross => "doacross",
            Mark::Wait => "wait",
            Mark::Vector => "vector",
            Mark::NoVector => "no-vector",
            Mark::VectorIfDistributed(_) => "vector-if-distributed",
            Mark::RegisterTile(_) => "register-tile",
            Mark::Panel => "panel",
            Mark::SimdWavefront => "simd-wavefront",
            Mark::Pack { .. } => "pack",
            Mark::Foreign(text) => text.as_str(),
        }
    }

    /// The mark with this name and these data, if Poly has such a one.
    fn own(name: &str, data: Option<&str>) -> Option<Mark> {
        match (name, data) {
            ("parallel", data) => Some(Mark::Parallel(sharing(data.unwrap_or(""))?)),
            ("doacross", None) => Some(Mark::Doacross),
            ("wait", None) => Some(Mark::Wait),
            ("vector", None) => Some(Mark::Vector),
            ("no-vector", None) => Some(Mark::NoVector),
            ("vector-if-distributed", data) => {
                let pair = |item: &str| item.split_once(" -> ").map(|(a, b)| (Id::new(a), Id::new(b)));
                items(data.unwrap_or("")).map(pair).collect::<Option<_>>().map(Mark::VectorIfDistributed)
            }
            ("register-tile", data) => {
                let data = data.unwrap_or("");
                let (results, partial) = data.split_once("; partial ").unwrap_or((data, ""));
                let results = items(results).map(access).collect::<Option<_>>()?;
                Some(Mark::RegisterTile(RegisterTile { results, partial: items(partial).map(Id::new).collect() }))
            }
            ("panel", None) => Some(Mark::Panel),
            ("simd-wavefront", None) => Some(Mark::SimdWavefront),
            ("pack", Some(array)) => Some(Mark::Pack { array: array.parse().ok()? }),
            _ => None,
        }
    }
}

fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ").filter(|item| !item.is_empty())
}

fn access(text: &str) -> Option<AccessOf> {
    let (statement, access) = text.rsplit_once('.')?;
    Some(AccessOf { statement: Id::new(statement), access: access.parse().ok()? })
}

fn sharing(text: &str) -> Option<Sharing> {
    let mut result = Sharing::default();
    for (position, item) in items(text).enumerate() {
        match item {
            "rising" if position == 0 => result.work = Trend::Rising,
            "falling" if position == 0 => result.work = Trend::Falling,
            other => result.reductions.push(access(other.strip_prefix("reduction ")?)?),
        }
    }
    Some(result)
}

impl Display for AccessOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.statement, self.access)
    }
}

impl Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = self.data();
        if data.is_empty() { f.write_str(self.name()) } else { write!(f, "{}({data})", self.name()) }
    }
}

/// Every text is a mark; what is not exactly the text of one of Poly's is [`Mark::Foreign`].
impl FromStr for Mark {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Mark, Self::Err> {
        let (name, data) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, data)) => (name, Some(data)),
            None => (text, None),
        };
        let own = Mark::own(name, data).filter(|mark| mark.to_string() == text);
        Ok(own.unwrap_or_else(|| Mark::Foreign(Foreign(Id::new(text)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Mark {
        let Ok(mark) = text.parse::<Mark>();
        assert_eq!(mark.to_string(), text);
        mark
    }

    #[test]
    fn marks_are_read_as_they_are_written() {
        let of = |statement: &str, access| AccessOf { statement: Id::new(statement), access };
        for mark in [
            Mark::parallel(),
            Mark::Parallel(Sharing { work: Trend::Rising, reductions: Vec::new() }),
            Mark::Parallel(Sharing { work: Trend::Falling, reductions: vec![of("S", 1), of("a.b", 2)] }),
            Mark::Parallel(Sharing { work: Trend::Even, reductions: vec![of("S", 1)] }),
            Mark::Doacross,
            Mark::Wait,
            Mark::Vector,
            Mark::NoVector,
            Mark::VectorIfDistributed(Vec::new()),
            Mark::VectorIfDistributed(vec![(Id::new("S"), Id::new("T")), (Id::new("T"), Id::new("T"))]),
            Mark::RegisterTile(RegisterTile::default()),
            Mark::RegisterTile(RegisterTile { results: vec![of("S", 0), of("S", 3)], partial: Vec::new() }),
            Mark::RegisterTile(RegisterTile { results: vec![of("S", 0)], partial: vec![Id::new("S"), Id::new("T")] }),
            Mark::Panel,
            Mark::SimdWavefront,
            Mark::Pack { array: 3 },
        ] {
            assert_eq!(read(&mark.to_string()), mark);
        }
        assert_eq!(
            read("register-tile(S.0, S.2; partial S)"),
            Mark::RegisterTile(RegisterTile { results: vec![of("S", 0), of("S", 2)], partial: vec![Id::new("S")] })
        );
    }

    #[test]
    fn other_texts_are_foreign_and_stay_as_they_are() {
        for text in ["kernel", "vector(1)", "pack", "pack(x)", "parallel()", "parallel(fast)", "", "a(b", "pack(03)"] {
            assert!(matches!(read(text), Mark::Foreign(_)), "{text}");
        }
    }
}
