//! Writing schedule trees as YAML text, as isl does; `read.rs` describes the form.

use std::fmt::{self, Write};

use crate::band::{Band, LoopType};
use crate::schedule::ScheduleTree;
use crate::tree::{NodeKind, Tree};

impl fmt::Display for ScheduleTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(f, self.tree(), 0)
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(f, self, 0)
    }
}

fn indent(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// A key with a quoted value.
fn entry(f: &mut fmt::Formatter<'_>, depth: usize, key: &str, value: &dyn fmt::Display) -> fmt::Result {
    indent(f, depth)?;
    writeln!(f, "{key}: \"{value}\"")
}

/// The entries of a node, then its child. The first line is not indented inside sequences, where it
/// follows the dash.
fn write_tree(f: &mut fmt::Formatter<'_>, tree: &Tree, depth: usize) -> fmt::Result {
    match tree.kind() {
        NodeKind::Leaf => {
            indent(f, depth)?;
            return f.write_str("leaf\n");
        }
        NodeKind::Sequence => return write_children(f, tree, depth, "sequence"),
        NodeKind::Set => return write_children(f, tree, depth, "set"),
        NodeKind::Domain(domain) => entry(f, depth, "domain", domain)?,
        NodeKind::Context(context) => entry(f, depth, "context", context)?,
        NodeKind::Band(band) => write_band(f, band, depth)?,
        NodeKind::Filter(filter) => entry(f, depth, "filter", filter)?,
        NodeKind::Mark(mark) => entry(f, depth, "mark", mark)?,
        NodeKind::Guard(guard) => entry(f, depth, "guard", guard)?,
        NodeKind::Extension(extension) => entry(f, depth, "extension", extension)?,
        NodeKind::Expansion { contraction, expansion } => {
            entry(f, depth, "contraction", contraction)?;
            entry(f, depth, "expansion", expansion)?;
        }
    }
    if tree.child().is_leaf() {
        return Ok(());
    }
    indent(f, depth)?;
    f.write_str("child:\n")?;
    write_tree(f, tree.child(), depth + 1)
}

fn write_children(f: &mut fmt::Formatter<'_>, tree: &Tree, depth: usize, key: &str) -> fmt::Result {
    indent(f, depth)?;
    if tree.children().is_empty() {
        return writeln!(f, "{key}: []");
    }
    writeln!(f, "{key}:")?;
    for child in tree.children() {
        let mut text = String::new();
        write!(text, "{child}")?;
        for (i, line) in text.lines().enumerate() {
            indent(f, depth)?;
            writeln!(f, "{}{line}", if i == 0 { "- " } else { "  " })?;
        }
    }
    Ok(())
}

fn write_band(f: &mut fmt::Formatter<'_>, band: &Band, depth: usize) -> fmt::Result {
    entry(f, depth, "schedule", &band.schedule)?;
    if band.permutable {
        indent(f, depth)?;
        f.write_str("permutable: 1\n")?;
    }
    if band.coincident.contains(&true) {
        let flags: Vec<&str> = band.coincident.iter().map(|&c| if c { "1" } else { "0" }).collect();
        indent(f, depth)?;
        writeln!(f, "coincident: [ {} ]", flags.join(", "))?;
    }
    if band.has_grid() {
        let grids: Vec<String> =
            band.grids.iter().map(|g| g.as_ref().map_or("1".into(), |id| id.to_string())).collect();
        indent(f, depth)?;
        writeln!(f, "multiples_of: [ {} ]", grids.join(", "))?;
    }
    let name = |t: &LoopType| match t {
        LoopType::Default => None,
        LoopType::Atomic => Some("atomic"),
        LoopType::Separate => Some("separate"),
        LoopType::Unroll => Some("unroll"),
    };
    let types = band.options.iter().enumerate().filter_map(|(i, t)| Some(format!("{}[{i}]", name(t)?)));
    let types: Vec<String> = types.collect();
    let text = match &band.isolate {
        None if types.is_empty() => return Ok(()),
        None => format!("{{ {} }}", types.join("; ")),
        Some(isolate) if types.is_empty() => isolate.to_string(),
        // Behind the brace that opens the sets of the union, which may follow parameters.
        Some(isolate) => isolate.to_string().replacen("{ ", &format!("{{ {}; ", types.join("; ")), 1),
    };
    entry(f, depth, "options", &text)
}
