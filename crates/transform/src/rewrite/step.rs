//! Steps and logs: rewrites as text.
//!
//! # Grammar
//! ```text
//! log       = [ step { ";" step } [ ";" ] ]
//! step      = name "(" site { "," integer } ")"
//! site      = statement "[" number "]"
//! ```
//! Statements are what the tree calls them. White space between tokens means nothing.
//!
//! Where parentheses, commas and semicolons mean something else, as in LLVM's pass pipelines, there
//! is a compact form:
//! ```text
//! log       = [ step { "/" step } ]
//! step      = name ":" site { ":" integer }
//! ```
//! Both can be read; [`Log::compact`] writes the second one.

use std::fmt;
use std::str::FromStr;

use poly_presburger::Id;

use super::{Site, named};

/// A rewrite at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the rewrite.
    pub rewrite: String,
    /// Where.
    pub site: Site,
    /// What it is given.
    pub arguments: Vec<i64>,
}

/// Steps, first to last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The steps.
    pub steps: Vec<Step>,
}

/// A text that is no log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError {
    /// The step that cannot be read.
    pub step: String,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a rewrite: {}", self.step, self.what)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}", self.rewrite, self.site)?;
        self.arguments.iter().try_for_each(|argument| write!(f, ", {argument}"))?;
        write!(f, ")")
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            if position > 0 {
                write!(f, "; ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl Log {
    /// The compact form.
    pub fn compact(&self) -> String {
        let step = |step: &Step| {
            let arguments = step.arguments.iter().map(|argument| format!(":{argument}"));
            format!("{}:{}{}", step.rewrite, step.site, arguments.collect::<String>())
        };
        self.steps.iter().map(step).collect::<Vec<_>>().join("/")
    }
}

impl FromStr for Log {
    type Err = StepError;

    fn from_str(text: &str) -> Result<Log, StepError> {
        let parts = |separator| text.split(separator).map(str::trim).filter(|part: &&str| !part.is_empty());
        let steps = match text.contains('(') {
            true => parts(';').map(Step::from_str).collect::<Result<_, _>>()?,
            false => parts('/').map(of_compact).collect::<Result<_, _>>()?,
        };
        Ok(Log { steps })
    }
}

/// A step in compact form.
fn of_compact(text: &str) -> Result<Step, StepError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let step = Step::from_str(&format!("{name}({})", rest.replace(':', ",")));
    step.map_err(|error| StepError { step: text.to_owned(), ..error })
}

impl FromStr for Step {
    type Err = StepError;

    fn from_str(text: &str) -> Result<Step, StepError> {
        let wrong = |what: &str| StepError { step: text.to_owned(), what: what.to_owned() };
        let inside = text.strip_suffix(')').and_then(|text| text.split_once('('));
        let (name, inside) = inside.ok_or_else(|| wrong("it is to be a name with arguments in parentheses"))?;
        let name = name.trim();
        if named(name).is_none() {
            return Err(wrong(&format!("there is none named '{name}'")));
        }
        let (site, arguments) =
            inside.split_once(']').ok_or_else(|| wrong("the first argument is to be a band, as S[0]"))?;
        let (statement, band) =
            site.split_once('[').ok_or_else(|| wrong("the first argument is to be a band, as S[0]"))?;
        let band = band.trim().parse().map_err(|_| wrong("the number of a band is to be in brackets"))?;
        let arguments = arguments.trim();
        let list = match arguments.strip_prefix(',') {
            Some(list) => list.split(',').collect(),
            None if arguments.is_empty() => Vec::new(),
            None => return Err(wrong("there is to be a comma behind the band")),
        };
        let number = |word: &str| word.trim().parse().map_err(|_| wrong(&format!("'{}' is no integer", word.trim())));
        Ok(Step {
            rewrite: name.to_owned(),
            site: Site { statement: Id::new(statement.trim()), band },
            arguments: list.into_iter().map(number).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use poly_dependence::Dependence;
    use poly_presburger::budget::Budget;
    use poly_presburger::{DimKind, Tuple};
    use poly_schedule_tree::ScheduleTree;

    use super::super::{Context, Failure, Oracle, replay};
    use super::*;
    use crate::refusal::tests::dependence;

    /// Two loops around `S`.
    const LOOPS: &str = r#"
        domain: "[n] -> { S[t, i] : 0 <= t < n and 0 <= i < n }"
        child:
          schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
    "#;

    /// One loop around `S` and `T`.
    pub(in crate::rewrite) const TWO: &str = r#"
        domain: "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }"
        child:
          schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
          child:
            sequence:
            - filter: "{ S[i] }"
            - filter: "{ T[i] }"
    "#;

    fn dependences(tree: &ScheduleTree, relations: &[&str]) -> Vec<Dependence> {
        let statements = tree.statements();
        let make = |text: &&str| {
            let (reduction, text) = text.strip_prefix("reduction ").map_or((false, *text), |text| (true, text));
            let (conditional, text) = text.strip_prefix("conditional ").map_or((false, text), |text| (true, text));
            let dependence = dependence(text);
            let of = |kind| {
                let tuple: &Tuple = dependence.relation.space().tuple(kind).expect("it has two sides");
                statements.iter().position(|known| known == tuple).expect("the statement is there")
            };
            let (source, sink) = ((of(DimKind::In), 0), (of(DimKind::Out), 0));
            Dependence { source, sink, reduction, conditional, ..dependence }
        };
        relations.iter().map(make).collect()
    }

    pub(in crate::rewrite) fn run(tree: &str, relations: &[&str], log: &str) -> Result<ScheduleTree, Failure> {
        let tree: ScheduleTree = tree.parse().expect("the tree can be read");
        let dependences = dependences(&tree, relations);
        let mut context = Context { oracle: Oracle::new(&dependences), unshared: Some(&[]) };
        let log: Log = log.parse().expect("the log can be read");
        replay(&mut context, &tree, &log, &mut Budget::unlimited()).map_err(|refused| refused.why)
    }

    /// The text of the tree after a log.
    pub(in crate::rewrite) fn applied_to(tree: &str, relations: &[&str], log: &str) -> String {
        run(tree, relations, log).unwrap_or_else(|why| panic!("{log}: {why:?}")).to_string()
    }

    /// Why a log cannot be applied.
    pub(in crate::rewrite) fn refused_by(tree: &str, relations: &[&str], log: &str) -> String {
        match run(tree, relations, log) {
            Err(Failure::Refused(why)) => why.to_string(),
            other => panic!("{log} is not refused: {other:?}"),
        }
    }

    pub(in crate::rewrite) fn applied(relation: &str, log: &str) -> String {
        applied_to(LOOPS, &[relation], log)
    }

    pub(in crate::rewrite) fn refused(relation: &str, log: &str) -> String {
        refused_by(LOOPS, &[relation], log)
    }

    #[test]
    fn a_log_is_written_as_it_is_read() {
        let text = "skew(S[0], 1, 0, -2); tile(S0.b[12], 32, 64); vectorize(S[2])";
        let log: Log = text.parse().expect("it can be read");
        assert_eq!(log.to_string(), text);
        assert_eq!(
            " skew ( S [ 0 ] ,1,0 , -2 );tile(S0.b[12],32,64) ; vectorize(S[2]);".parse::<Log>().map(|l| l.to_string()),
            Ok(text.to_owned())
        );
        assert_eq!("".parse::<Log>(), Ok(Log::default()));
        let compact = "skew:S[0]:1:0:-2/tile:S0.b[12]:32:64/vectorize:S[2]";
        assert_eq!((log.compact(), compact.parse()), (compact.to_owned(), Ok(log)));
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let wrong = |text: &str| text.parse::<Log>().expect_err(text).to_string();
        assert_eq!(wrong("tile(S[0], 4); fold(S[0])"), "'fold(S[0])' is not a rewrite: there is none named 'fold'");
        assert_eq!(wrong("tile"), "'tile' is not a rewrite: the first argument is to be a band, as S[0]");
        assert_eq!(wrong("tile(4"), "'tile(4' is not a rewrite: it is to be a name with arguments in parentheses");
        assert_eq!(wrong("tile(4)"), "'tile(4)' is not a rewrite: the first argument is to be a band, as S[0]");
        assert_eq!(
            wrong("tile(S[x], 4)"),
            "'tile(S[x], 4)' is not a rewrite: the number of a band is to be in brackets"
        );
        assert_eq!(wrong("tile(S[0], 4, b)"), "'tile(S[0], 4, b)' is not a rewrite: 'b' is no integer");
        assert_eq!(wrong("tile(S[0] 4)"), "'tile(S[0] 4)' is not a rewrite: there is to be a comma behind the band");
    }

    #[test]
    fn a_site_that_is_not_there_is_named() {
        let along = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(refused(along, "reverse(S[1], 0)"), "there is no S[1]: statement S has fewer bands");
        assert_eq!(refused(along, "reverse(T[0], 0)"), "there is no statement T");
    }
}
