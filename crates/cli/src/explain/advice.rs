//! What to change in the source, for each kind of reason.
//!
//! The kinds are those of the plugin's remarks; `tests` names all of them, so that a new one is not
//! forgotten.

use crate::inspect::record::Record;
use crate::inspect::threads;

/// What helps with the loops of a record that are left as they are; `None` where there is nothing
/// that a person can do.
pub(crate) fn for_record(record: &Record) -> Option<String> {
    let mut text = advice(&record.kind)?.to_owned();
    if record.kind == "Call" && OUTPUT.iter().any(|name| calls(record, name)) {
        return Some("move the output out of the loop: keep what is to be printed, and print it afterwards".to_owned());
    }
    if record.kind == "NotProfitable" && threads::may_pay(record) {
        text.push_str(", and --poly-parallel lets threads share the work");
    }
    Some(text)
}

/// Functions of C that write to files and terminals: what is wrong with them in a loop is that
/// their order counts.
const OUTPUT: [&str; 9] = ["printf", "fprintf", "puts", "fputs", "putchar", "fputc", "putc", "fwrite", "write"];

/// Whether the reason is a call of the function.
fn calls(record: &Record, name: &str) -> bool {
    record.reason.as_deref().is_some_and(|reason| reason.contains(&format!("the call of '{name}'")))
}

/// What helps against a kind of reason.
fn advice(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "Structure" => {
            "write the loop as for, while or do with one way in; goto into or between loops cannot be modelled"
        }
        "Terminator" => "move what may throw, jump or end the program out of the loop, or compile with -fno-exceptions",
        "MultipleExits" => {
            "leave the loop only by its condition: compute the range first, or note what was found and go on to the end"
        }
        "UnknownTripCount" => {
            "make it known before the loop how often it runs: count from a bound to a bound that nothing in the loop changes"
        }
        "NonAffineTripCount" => {
            "make the bounds sums of constants, sizes and outer loop counters with constant factors"
        }
        "NonAffineCondition" => "compare loop counters and sizes only, or compute both results and choose one with ?:",
        "NonAffineAccess" => {
            "make subscripts sums of loop counters with constant factors; for two dimensions declare the array with them, as in double (*A)[n]"
        }
        "VariantBase" => "use an array and a subscript in place of a pointer that the loop changes",
        "ElementSize" => "access an array by elements of one type; copy other types with memcpy outside of the loop",
        "Call" => {
            "make the function visible so that it is inlined, declare it __attribute__((const)) if it only computes, or move the call out of the loop"
        }
        "Ordering" => "take volatile and atomic accesses out of the loop",
        "Allocation" => "declare variable-length arrays and call alloca in front of the loop",
        "Type" | "Instruction" => "use integers, float and double, and plain operations on them",
        "Undefined" => "give variables a value before they are read",
        "AddressSpace" => "use ordinary memory inside of the loop",
        "NeverHolds" | "AssumptionsFail" => {
            "look at the bounds: for all sizes something would overflow or lie outside of an array"
        }
        "Complexity" | "Budget" => {
            "raise the option budget (--poly-opts=budget=100000000), or put parts of the loop nest into functions of their own"
        }
        "Empty" | "Nothing" => return None,
        "Function" => "see what is said of the function",
        "ModerateEffort" => "compile with -O3, or with --poly-opts=effort=full, if much time is spent in it",
        "NotProfitable" => "nothing needs to be changed; --poly-opts=force applies the best order that was found",
        "UnboundedArray" => {
            "make what is accessed depend on sizes known before the loop, or declare the pointers restrict"
        }
        "UnknownRows" => "use one block of memory for all rows, as in double (*A)[n], or declare the pointers restrict",
        "Refused" | "Rewrite" | "NoFusion" | "Exchange" => "correct the option that asks for this order",
        "CodeGeneration" => return None,
        "InternalError" => "this is an error of Poly: please report it with the source",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn reasons_of_the_source_have_an_answer() {
        let detection = include_str!("../../../scop-detect/src/reject.rs");
        let start = detection.find("pub enum RejectKind {").expect("the kinds are listed there");
        let end = start + detection[start..].find("\n}").expect("the list ends");
        let kinds = detection[start..end].lines().filter_map(|line| line.trim().strip_suffix(','));
        let mut count = 0;
        for kind in kinds.filter(|kind| !kind.starts_with("///") && *kind != "Empty") {
            assert!(advice(kind).is_some(), "{kind} has no advice");
            count += 1;
        }
        assert!(count > 15, "{count} kinds were found");
    }
}
