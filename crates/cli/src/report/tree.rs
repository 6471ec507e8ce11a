//! Schedule trees as nested lists.

use maud::{Markup, html};
use poly_presburger::{DimKind, Id, PwAff, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

/// Depth as far as which nodes are shown.
const DEPTH: usize = 60;

/// A tree.
pub(super) fn of(tree: &ScheduleTree) -> Markup {
    html! {
        ul.tree {
            li { span.node { "statements " (names(tree.domain())) } (below(tree.tree().child(), 0)) }
        }
    }
}

/// The children of a node.
fn below(tree: &Tree, depth: usize) -> Markup {
    html! {
        @if !tree.is_leaf() {
            ul {
                @if depth < DEPTH { (node(tree, depth)) } @else { li { "…" } }
            }
        }
    }
}

fn node(tree: &Tree, depth: usize) -> Markup {
    let label = match tree.kind() {
        NodeKind::Band(band) => return html! { li { (band_label(band)) (below(tree.child(), depth + 1)) } },
        NodeKind::Sequence => html! { "one after the other" },
        NodeKind::Set => html! { "in any order" },
        NodeKind::Filter(filter) => html! { "only " (names(filter)) },
        NodeKind::Mark(mark) => html! { (mark_in_words(&mark.to_string())) },
        NodeKind::Extension(extension) => html! { "with copies " (names(&extension.range())) },
        NodeKind::Guard(_) => html! { "under a condition" },
        NodeKind::Context(_) => html! { "where a condition is known to hold" },
        NodeKind::Expansion { .. } => html! { "groups of instances" },
        NodeKind::Domain(_) | NodeKind::Leaf => return html! {},
    };
    html! {
        li {
            span.node { (label) }
            @if matches!(tree.kind(), NodeKind::Sequence | NodeKind::Set) {
                ul { @for child in tree.children() { (node(child, depth + 1)) } }
            } @else {
                (below(tree.child(), depth + 1))
            }
        }
    }
}

fn names(set: &UnionSet) -> String {
    let mut names: Vec<&str> = set.iter().filter_map(|member| member.tuple_name().map(Id::as_str)).collect();
    // S2 before S10.
    names.sort_unstable_by_key(|name| (name.len(), *name));
    names.join(", ")
}

fn mark_in_words(mark: &str) -> String {
    match mark.split_once('(').map_or(mark, |(name, _)| name) {
        "vector" => "as vectors:".to_owned(),
        "vector-if-distributed" => "as vectors, where the statements can be executed one after the other:".to_owned(),
        "parallel" => "by threads:".to_owned(),
        "register-tile" => "results stay in registers:".to_owned(),
        _ => format!("{mark}:"),
    }
}

/// Each member is a loop; those that divide run over tiles.
fn band_label(band: &Band) -> Markup {
    let divides = |member: &UnionPwAff| member.iter().any(|f| f.pieces().iter().any(|(_, aff)| !aff.divs().is_empty()));
    html! {
        @for (i, member) in band.schedule.members().iter().enumerate() {
            @let is_tile = divides(member) || band.grids.get(i).is_some_and(Option::is_some);
            span.node.band {
                (if is_tile { "tiles" } else { "loop" }) " over " code { (functions(member)) }
                @if band.coincident.get(i) == Some(&true) { " " small { "no dependence between iterations" } }
            }
        }
    }
}

/// The functions of a member: one text if all statements have the same.
fn functions(member: &UnionPwAff) -> String {
    let texts: Vec<(String, String)> = member.iter().map(|f| (statement(f), function(f))).collect();
    match texts.first() {
        Some((_, first)) if texts.iter().all(|(_, text)| text == first) => first.clone(),
        _ => texts.iter().map(|(name, text)| format!("{name}: {text}")).collect::<Vec<_>>().join("; "),
    }
}

fn statement(function: &PwAff) -> String {
    function.domain_space().tuple_name(DimKind::Out).map_or_else(String::new, |id| id.as_str().to_owned())
}

/// The value, of one piece without its domain.
fn function(function: &PwAff) -> String {
    let text = function.to_string();
    let value = |text: &str| {
        let (_, rest) = text.split_once("[(")?;
        let (value, _) = rest.split_once(")]")?;
        Some(without_parentheses(value))
    };
    match function.pieces().len() {
        1 => value(&text).unwrap_or(text),
        _ => text,
    }
}

/// `floor((i0)/32)` with one pair of parentheses less, where what is in them is a name.
fn without_parentheses(text: &str) -> String {
    let mut result = text.to_owned();
    let mut from = 0;
    while let Some(start) = result[from..].find("((").map(|at| from + at + 1) {
        let Some(length) = result[start..].find(')') else { break };
        let inside = &result[start + 1..start + length];
        if inside.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            result = format!("{}{inside}{}", &result[..start], &result[start + length + 1..]);
        }
        from = start;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_tree_with_tiles_and_a_sequence() {
        let tree: ScheduleTree = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(floor((i)/32))]; T[i] -> [(floor((1 + i)/32))] }]"
  coincident: [ 1 ]
  child:
    sequence:
    - filter: "[n] -> { T[i] }"
    - filter: "[n] -> { S[i, j] }"
      child:
        mark: "vector"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i + j)] }]"
"#
        .parse()
        .unwrap();
        let text = of(&tree).into_string().replace("<li>", "\n<li>");
        expect![[r#"
            <ul class="tree">
            <li><span class="node">statements S, T</span><ul>
            <li><span class="node band">tiles over <code>S: floor(i/32); T: floor((1 + i)/32)</code> <small>no dependence between iterations</small></span><ul>
            <li><span class="node">one after the other</span><ul>
            <li><span class="node">only T</span></li>
            <li><span class="node">only S</span><ul>
            <li><span class="node">as vectors:</span><ul>
            <li><span class="node band">loop over <code>i + j</code></span></li></ul></li></ul></li></ul></li></ul></li></ul></li></ul>"#]]
        .assert_eq(&text);
    }
}
