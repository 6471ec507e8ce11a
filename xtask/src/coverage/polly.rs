//! What Polly makes of a file, read from what `opt` prints.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{LLVM, Verdict, run};
use crate::command;
use crate::remarks;

/// Everything that makes Polly accept more.
pub(super) const SWITCHES: [&str; 6] = [
    "-polly-process-unprofitable",
    "-polly-allow-nonaffine",
    "-polly-allow-nonaffine-loops",
    "-polly-invariant-load-hoisting",
    "-polly-allow-modref-calls",
    "-polly-allow-differing-element-types",
];

/// A loop of a function: the names of its blocks, and how many loops are around it with itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loop {
    blocks: Vec<String>,
    depth: usize,
}

/// By function, its loops, each after those around it.
pub(super) type Loops = BTreeMap<String, Vec<Loop>>;

fn opt() -> Command {
    Command::new(LLVM.tool("opt"))
}

/// Runs the passes of `-O3` that come before Polly.
pub(super) fn prepare(original: &Path, prepared: &Path) -> Result<()> {
    let mut print = opt();
    print.args(["-passes=default<O3>", "-polly", "-print-pipeline-passes", "-disable-output"]).arg(original);
    // `opt` cannot read what it prints and says so, but prints it all the same.
    let printed = command::capture(&mut print, super::LIMIT)?;
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    let (before, _) = printed.split_once("polly::").context("opt does not contain Polly")?;
    let before = before.trim_end_matches(',');
    let open = before.matches('(').count() - before.matches(')').count();
    let passes = format!("-passes={before}{}", ")".repeat(open));
    // Passes that are read from a text do not know that it is -O3.
    let thresholds = ["-unroll-threshold-default=300", "-inline-threshold=250"];
    run(opt().args(thresholds).arg(passes).arg("-S").arg(original).arg("-o").arg(prepared)).map(|_| ())
}

/// The loops of every function of a file that has any.
pub(super) fn loops(file: &Path) -> Result<Loops> {
    let text = run(opt().args(["-passes=function(print<loops>)", "-disable-output"]).arg(file))?;
    Ok(parse_loops(&text))
}

fn parse_loops(text: &str) -> Loops {
    let mut result = Loops::new();
    let mut function = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("Loop info for function '") {
            name.trim_end_matches([':', '\'']).clone_into(&mut function);
        } else if let Some(rest) = line.trim_start().strip_prefix("Loop at depth ")
            && let Some((depth, blocks)) = rest.split_once(" containing: ")
        {
            let name = |block: &str| block.trim_start_matches('%').split('<').next().unwrap_or_default().to_owned();
            let blocks = blocks.split(',').map(name).collect();
            let depth = depth.parse().unwrap_or(1);
            result.entry(function.clone()).or_default().push(Loop { blocks, depth });
        }
    }
    result
}

/// What Polly makes of each function, with the given switches.
pub(super) fn verdicts(
    original: &Path,
    prepared: &Path,
    loops: &Loops,
    switches: &[&str],
) -> Result<BTreeMap<String, Verdict>> {
    let record = prepared.with_extension("polly.yaml");
    let mut scops = opt();
    scops.args(["-passes=function(polly-prepare,print<polly-function-scops>)", "-polly-use-llvm-names"]);
    scops.args(["-disable-output", "-pass-remarks-filter=polly-detect"]).args(switches);
    scops.arg(format!("-pass-remarks-output={}", record.display())).arg(prepared);
    let statements = statements(&run(&mut scops)?);
    let mut result: BTreeMap<String, Verdict> = BTreeMap::new();
    for (name, loops) in loops {
        let own = statements.get(name).map_or(&[][..], Vec::as_slice);
        result.entry(name.clone()).or_default().modelled = modelled(loops, own);
    }
    for remark in remarks::read_of(&record, "polly-detect") {
        let verdict = result.entry(remark.function.clone()).or_default();
        let message = remark.message();
        let is_reason = !message.contains("errors keep this region") && !message.contains("candidate ends here");
        if is_reason && verdict.reason.is_none() {
            verdict.reason = Some(message);
        }
    }
    let optimized = prepared.with_extension("polly.ll");
    if let Some(names) = transformed(original, &optimized, switches)? {
        names.into_iter().for_each(|name| result.entry(name).or_default().optimized = true);
        return Ok(result);
    }
    // Polly crashed: by functions.
    for (name, verdict) in &mut result {
        let mut switches = switches.to_vec();
        let only = format!("-polly-only-func=^{name}$");
        switches.push(&only);
        match transformed(original, &optimized, &switches)? {
            Some(names) => verdict.optimized = names.contains(name),
            None => *verdict = Verdict { reason: Some("Polly crashes".to_owned()), ..Verdict::default() },
        }
    }
    Ok(result)
}

/// The functions for which Polly makes code; nothing if it crashes.
fn transformed(original: &Path, optimized: &Path, switches: &[&str]) -> Result<Option<Vec<String>>> {
    let mut transform = opt();
    transform.args(["-passes=default<O3>", "-polly", "-S"]).args(switches).arg(original).arg("-o").arg(optimized);
    if !command::capture(&mut transform, super::LIMIT)?.end.success() {
        return Ok(None);
    }
    let text = fs::read_to_string(optimized).with_context(|| format!("cannot read {}", optimized.display()))?;
    Ok(Some(rewritten(&text)))
}

/// A statement of a SCoP: the name that was made of its first block's, and its number of
/// dimensions.
type Statement = (String, usize);

/// The statements of each function.
fn statements(text: &str) -> BTreeMap<String, Vec<Statement>> {
    let mut result: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
    let mut function = String::new();
    let mut expects_domain = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("Function: ") {
            name.clone_into(&mut function);
        } else if line == "Domain :=" {
            expects_domain = true;
        } else if std::mem::take(&mut expects_domain)
            && let Some((_, set)) = line.split_once("{ Stmt_")
            && let Some((name, rest)) = set.split_once('[')
        {
            let dimensions = rest.split(']').next().unwrap_or_default();
            let depth = dimensions.split(',').filter(|dimension| !dimension.trim().is_empty()).count();
            result.entry(function.clone()).or_default().push((name.to_owned(), depth));
        }
    }
    result
}

/// How many of the loops are around statements: as many as a statement has dimensions, from the
/// innermost outwards.
fn modelled(loops: &[Loop], statements: &[Statement]) -> usize {
    let is = |block: &String, name: &str| {
        // Longer names are those of a region, or of a part of the block.
        let own: String = block.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let rest = name.strip_prefix(&own);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("__TO__") || is_part(rest))
    };
    let covers = |l: &Loop, (name, dimensions): &Statement| {
        let inside = l.blocks.iter().any(|block| is(block, name));
        let innermost = loops.iter().filter(|l| l.blocks.iter().any(|block| is(block, name))).map(|l| l.depth).max();
        inside && innermost.is_some_and(|innermost| l.depth + dimensions > innermost)
    };
    loops.iter().filter(|l| statements.iter().any(|statement| covers(l, statement))).count()
}

/// Whether this follows the name of a block in the name of a statement made of a part of it (`_b`,
/// `_last`).
fn is_part(rest: &str) -> bool {
    rest.strip_prefix('_').is_some_and(|part| part == "last" || (part.len() == 1 && part != "_"))
}

/// The functions that have code generated by Polly.
fn rewritten(text: &str) -> Vec<String> {
    let mut result = Vec::new();
    let mut function = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("define ")
            && let Some((_, name)) = rest.split_once('@')
        {
            name.split('(').next().unwrap_or_default().clone_into(&mut function);
        } else if line.starts_with("polly.") && result.last() != Some(&function) {
            result.push(function.clone());
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPS: &str = "\
Loop info for function 'f':
Loop at depth 1 containing: %for.a<header>,%for.b,%c<latch><exiting>
    Loop at depth 2 containing: %for.b<header><latch><exiting>
";

    #[test]
    fn loops_are_read() {
        let loops = parse_loops(LOOPS);
        assert_eq!(loops["f"].len(), 2);
        assert_eq!(loops["f"][0], Loop { blocks: vec!["for.a".into(), "for.b".into(), "c".into()], depth: 1 });
        assert_eq!(loops["f"][1].depth, 2);
    }

    #[test]
    fn dimensions_tell_which_loops_are_modelled() {
        let loops = &parse_loops(LOOPS)["f"];
        let count = |name: &str, dimensions| modelled(loops, &[(name.to_owned(), dimensions)]);
        assert_eq!(count("for_b", 2), 2);
        assert_eq!(count("for_b", 1), 1);
        assert_eq!(count("for_a__TO__c", 1), 1);
        assert_eq!(count("c_last", 1), 1);
        assert_eq!(count("elsewhere", 0), 0);
    }

    #[test]
    fn statements_and_new_code_are_found() {
        let text = "Function: f\n  Stmt_for_b\n  Domain :=\n  [n] -> { Stmt_for_b[i0, i1] : i0 < n };\n  Schedule :=\n";
        assert_eq!(statements(text)["f"], [("for_b".to_owned(), 2)]);
        let text = "define void @f(i32 %n) {\npolly.start:\n}\ndefine void @g() {\nentry:\n}\n";
        assert_eq!(rewritten(text), ["f"]);
    }
}
