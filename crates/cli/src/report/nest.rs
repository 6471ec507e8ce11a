//! The section about a loop nest.

use maud::{Markup, html};
use poly_ast_build::AstOptions;
use poly_dependence::Dependence;
use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

use super::page::{Nest, Outcome};
use super::scene::{Grouping, Scene, Shown};
use super::{drawing, tree};
use crate::explain::{advice, words};
use crate::inspect::record::{Model, Plan};
use crate::inspect::source::{self, Sources};

/// Operations for all that is computed for a section.
const BUDGET: u64 = 300_000_000;
/// Most dependences that are listed.
const LISTED: usize = 40;

/// The section.
pub(super) fn section(nest: &Nest<'_>, sources: &mut Sources) -> Markup {
    let record = nest.record;
    let plan = record.model.as_ref().and_then(|model| model.plan.as_ref()).filter(|_| record.is_optimized);
    html! {
        section.nest aria-labelledby=(nest.id) {
            h2 id=(nest.id) {
                (nest.name()) " "
                span.{ "badge " (nest.outcome.class()) } { (nest.outcome.symbol()) " " (nest.outcome.word()) }
            }
            @if nest.function.shown != nest.function.name {
                p { small { "in the object file " code { (nest.function.name) } } }
            }
            @match plan {
                Some(plan) => (done(plan)),
                None => (reason(nest, sources)),
            }
            @if let Some(model) = &record.model {
                @if nest.outcome != Outcome::Rejected { (modelled(nest, model, plan, sources)) }
            }
        }
    }
}

fn done(plan: &Plan) -> Markup {
    html! {
        h3 { "What was done" }
        ul { @for sentence in words::done(plan) { li { (sentence) } } }
    }
}

fn reason(nest: &Nest<'_>, sources: &mut Sources) -> Markup {
    html! {
        h3 { "Why nothing was done" }
        p { (words::why(nest.record, sources)) }
        @if let Some(advice) = advice::for_record(nest.record) {
            h3 { "What helps" }
            p { (advice) }
        }
    }
}

/// What the SCoP is, and what it became.
fn modelled(nest: &Nest<'_>, model: &Model, plan: Option<&Plan>, sources: &mut Sources) -> Markup {
    let budget = &mut Budget::new(BUDGET);
    let found = Scop::of(model, plan, budget);
    html! {
        (statements(model, sources))
        @match &found {
            Err(what) => p { "There is no picture: " (what) "." },
            Ok(scop) => {
                (scop.pictures(nest, model, budget))
                (scop.dependences())
                (scop.trees())
            }
        }
        (loops(model, plan, found.as_ref().ok(), sources, budget))
        @if let Some(plan) = plan { (conditions(model, plan)) }
        (costs(model))
        @if let Some(plan) = plan { (steps(plan)) }
    }
}

fn statements(model: &Model, sources: &mut Sources) -> Markup {
    let lines = words::statements(model, sources);
    html! {
        h3 { "Statements" }
        @if !lines.is_empty() {
            dl.statements {
                @for (name, place, text) in &lines {
                    dt { code { (name) } " line " (place.line) }
                    dd { code { (text) } }
                }
            }
        }
        @for sentence in words::iterations(model) { p { (sentence) "." } }
    }
}

/// The texts of a record, read.
struct Scop {
    text: ScopText,
    dependences: Vec<Dependence>,
    original: ScheduleTree,
    new: Option<ScheduleTree>,
}

impl Scop {
    fn of(model: &Model, plan: Option<&Plan>, budget: &mut Budget) -> Result<Scop, String> {
        let text = model.scop.as_ref().ok_or("the model is too large to be written down")?;
        let text = ScopText::read(text, Format::Jscop, budget).map_err(|error| error.to_string())?;
        let dependences = text.dependences(budget).map_err(|error| error.to_string())?.unwrap_or_default();
        let read = |tree: &str| tree.parse::<ScheduleTree>().map_err(|error| error.to_string());
        let (original, new) = match plan {
            Some(plan) => (read(&plan.original)?, Some(read(&plan.schedule)?)),
            // What was left as it is has one order.
            None => (text.tree(budget).map_err(|error| error.to_string())?, None),
        };
        Ok(Scop { text, dependences, original, new })
    }

    fn pictures(&self, nest: &Nest<'_>, model: &Model, budget: &mut Budget) -> Markup {
        let scene = match Scene::of(&self.text, &self.dependences, &self.original, self.new.as_ref(), budget) {
            Ok(scene) => scene,
            Err(what) => return html! { h3 { "Iterations" } p { "There is no picture: " (what) "." } },
        };
        let outermost = |shown: &Shown| model.statements.get(shown.position).and_then(|s| s.loops.first().copied());
        let pictures = drawing::pictures(&scene, outermost);
        html! {
            h3 { "Iterations" }
            figure.scene data-count=(scene.n_points()) {
                (controls(&scene, &nest.id))
                div.pictures {
                    @for (i, members) in pictures.iter().enumerate() {
                        div { p.name { (drawing::names(&scene, members)) } (drawing::picture(&scene, members, &format!("{}-{i}", nest.id))) }
                    }
                }
                figcaption { @for sentence in caption(&scene, &pictures) { p { (sentence) } } }
            }
        }
    }

    fn dependences(&self) -> Markup {
        let ordering: Vec<&Dependence> = self.dependences.iter().filter(|d| d.is_ordering()).collect();
        let name = |statement: usize| &self.text.statements[statement].name;
        let array = |(statement, access): (usize, usize)| {
            let relation = &self.text.statements[statement].accesses[access].relation;
            relation.space().tuple_name(poly_presburger::DimKind::Out).map_or("", poly_presburger::Id::as_str)
        };
        html! {
            h3 { "Dependences" }
            @if ordering.is_empty() {
                p { "None: the iterations may be executed in any order." }
            } @else {
                details {
                    summary { (words::counted(ordering.len() as u64, "relation")) " between iterations that must stay in order" }
                    div.wide tabindex="0" role="region" aria-label="Dependences" {
                        table {
                            thead { tr { th scope="col" { "kind" } th scope="col" { "from" } th scope="col" { "to" } th scope="col" { "through" } th scope="col" { "relation" } } }
                            tbody {
                                @for d in ordering.iter().take(LISTED) {
                                    tr {
                                        td { (d.kind) }
                                        td { (name(d.source.0)) }
                                        td { (name(d.sink.0)) }
                                        td { (array(d.source)) }
                                        td { code { (d.relation) } }
                                    }
                                }
                            }
                        }
                    }
                    @if ordering.len() > LISTED { p { (ordering.len() - LISTED) " more are not listed." } }
                }
            }
        }
    }

    fn trees(&self) -> Markup {
        html! {
            h3 { "Schedule" }
            div.beside {
                div { h4 { "before" } (tree::of(&self.original)) }
                @if let Some(new) = &self.new { div { h4 { "after" } (tree::of(new)) } }
            }
        }
    }
}

/// What steps through the orders; a script shows it.
fn controls(scene: &Scene, id: &str) -> Markup {
    let last = scene.n_points();
    html! {
        div.controls hidden {
            @if scene.has_new {
                fieldset {
                    legend { "Order" }
                    label { input type="radio" name={ (id) "-order" } value="o"; " original" }
                    label { input type="radio" name={ (id) "-order" } value="n" checked; " new" }
                }
            }
            div.buttons {
                button type="button" data-do="first" aria-label="To the beginning" { "|◀" }
                button type="button" data-do="back" aria-label="One iteration back" { "◀" }
                button.play type="button" data-do="play" { "Play" }
                button type="button" data-do="next" aria-label="One iteration on" { "▶" }
            }
            label.time { "Iterations executed "
                input type="range" min="0" max=(last) value=(last) step="1";
            }
            label { input type="checkbox" data-do="arrows" checked; " dependences" }
            output aria-live="polite" {}
        }
    }
}

/// What the pictures show, and what they do not.
fn caption(scene: &Scene, pictures: &[Vec<usize>]) -> Vec<String> {
    let mut result = Vec::new();
    let params: Vec<String> = scene.params.iter().map(|(id, value)| format!("{} = {value}", id.as_str())).collect();
    let at = if params.is_empty() { String::new() } else { format!(" for {}", params.join(", ")) };
    let mut text = format!("{}{at}.", words::counted(scene.n_points() as u64, "iteration"));
    if !scene.arrows.is_empty() {
        text.push_str(" Solid arrows lead from values to those that need them; dashed ones keep memory from being overwritten too early.");
    }
    result.push(text);
    if pictures.iter().any(|members| members.len() > 1) {
        let marks = ["circles", "squares", "rhombi"];
        for members in pictures.iter().filter(|members| members.len() > 1) {
            let names: Vec<String> =
                members.iter().zip(marks).map(|(&m, mark)| format!("{} {mark}", scene.statements[m].name)).collect();
            result.push(format!("Marks: {}.", names.join(", ")));
        }
    }
    if scene.groups > 1 && scene.grouping == Grouping::Iterations {
        result.push("Colours are the iterations of the outermost new loop.".to_owned());
    } else if scene.groups > 1 {
        let mut text = format!("Colours are the {} tiles of the new order", scene.groups);
        let sizes: Vec<String> =
            scene.sizes.iter().map(|(real, drawn)| format!("{drawn} in place of {real}")).collect();
        if !sizes.is_empty() {
            text.push_str(&format!("; the picture has smaller ones than the program: sizes {}", sizes.join(", ")));
        }
        result.push(format!("{text}."));
    }
    let picture_of = |(member, _): (usize, usize)| pictures.iter().position(|members| members.contains(&member));
    let between = scene.arrows.iter().filter(|arrow| picture_of(arrow.from) != picture_of(arrow.to)).count();
    if between > 0 {
        let count = words::counted(between as u64, "more dependence");
        result.push(format!("{count} between the pictures: see the list of dependences."));
    }
    result.extend(left_out(scene));
    result
}

fn left_out(scene: &Scene) -> Vec<String> {
    let mut result = Vec::new();
    let named = |is_wanted: fn(&Shown) -> bool| {
        let names: Vec<&str> =
            scene.statements.iter().filter(|shown| is_wanted(shown)).map(|shown| shown.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    result.extend(named(|s| s.is_cut).map(|names| format!("Only the first iterations of {names} are shown.")));
    result.extend(named(|s| s.hidden > 0).map(|names| {
        format!("Of {names} the three innermost loops are shown, in the first iteration of the loops around them.")
    }));
    result.extend(
        named(|s| s.points.is_empty()).map(|names| format!("{names} has no iterations in the part that is shown.")),
    );
    if scene.left_out > 0 {
        result.push(format!("{} are not shown.", words::counted(scene.left_out as u64, "more statement")));
    }
    if scene.arrows_left_out > 0 {
        result.push(format!("{} are not drawn.", words::counted(scene.arrows_left_out as u64, "more dependence")));
    }
    result
}

fn loops(
    model: &Model,
    plan: Option<&Plan>,
    scop: Option<&Scop>,
    sources: &mut Sources,
    budget: &mut Budget,
) -> Markup {
    let before = scop.and_then(|scop| {
        let ast = poly_ast_build::build(&scop.original, &scop.text.context, &AstOptions::default(), budget).ok()?;
        Some(source::with_dimensions(&ast.to_string(), &words::dimensions(model)))
    });
    let after = plan.map(|plan| words::loops(model, plan, sources));
    html! {
        @if before.is_some() || after.is_some() {
            h3 { "Loops" }
            div.beside {
                @for (name, text) in [("before", before), ("after", after)] {
                    @if let Some(text) = text {
                        div {
                            h4 { (name) }
                            pre.code tabindex="0" role="region" aria-label={ "Loops " (name) } { (text) }
                        }
                    }
                }
            }
        }
    }
}

fn conditions(model: &Model, plan: &Plan) -> Markup {
    let conditions = words::conditions(model, plan);
    html! {
        h3 { "Conditions" }
        @if conditions.is_empty() {
            p { "The new loops always run: nothing needs to be tested." }
        } @else {
            p { "The new loops run if all of this holds when the program comes there, and else the original ones:" }
            ul { @for condition in conditions { li { (condition) } } }
        }
    }
}

/// Predicted cycles, as numbers and as bars.
fn costs(model: &Model) -> Markup {
    let Some((original, candidate)) = model.predicted else { return html! {} };
    let most = original.max(candidate).max(1.0);
    let percent = |cycles: f64| format!("{:.1}%", 100.0 * cycles / most);
    html! {
        h3 { "Predicted time" }
        table.costs {
            tbody {
                @for (name, cycles) in [("original order", original), ("best new order", candidate)] {
                    tr {
                        th scope="row" { (name) }
                        td { (cycles_with_power(cycles)) " cycles" }
                        td.bar aria-hidden="true" { span style={ "width:" (percent(cycles)) } {} }
                    }
                }
            }
        }
        @if let Some(machine) = &model.machine {
            p {
                "For the processor " code { (machine.name) } ", with caches of "
                (machine.caches.iter().map(|&bytes| bytes_in_words(bytes)).collect::<Vec<_>>().join(", ")) "."
            }
        }
    }
}

fn cycles_with_power(number: f64) -> Markup {
    let text = words::cycles(number);
    match text.split_once('^') {
        Some((base, power)) => html! { (base) sup { (power) } },
        None => html! { (text) },
    }
}

fn bytes_in_words(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / 1_048_576),
    }
}

fn steps(plan: &Plan) -> Markup {
    html! {
        h3 { "Rewrites" }
        @if plan.steps.is_empty() {
            p { "The scheduler's order, without a list of single rewrites." }
        } @else {
            ol { @for step in &plan.steps { li { code { (step) } } } }
        }
    }
}
