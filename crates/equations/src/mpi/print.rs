//! The code of tiles: loops over what `blocks` and `flow` have found.

use std::collections::BTreeSet;
use std::fmt::Write;

use poly_ast_build::{Ast, AstOptions, Expr, build};
use poly_presburger::{Aff, Budget, DimKind, Id, MultiAff, MultiUnionPwAff, Set, Stop, Tuple, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use super::blocks::{Blocks, tile_params};
use super::flow::{Flow, Flows};
use crate::code::Residues;
use crate::code::{
    Cells, HELPERS, Layout, Loops, arguments, array_lines, c_name, c_type, external_lines, statement_line, with_c_names,
};
use crate::memory::Storage;
use crate::pieces::Pieces;
use crate::program::{Role, System};

const RUNTIME: &str = include_str!("runtime.c");
const SIMULATION: &str = include_str!("simulation.c");
/// What both have in common, in the place of a line of each.
const TILES: (&str, &str) = ("#include \"tiles.c\"\n", include_str!("tiles.c"));

/// Writes the code of a system.
pub(crate) struct Printer<'a> {
    pub(crate) pieces: &'a Pieces,
    pub(crate) blocks: &'a Blocks,
    pub(crate) flows: &'a Flows,
    pub(crate) storage: &'a [Storage],
    pub(crate) grid: usize,
    pub(crate) parallel: bool,
    /// In one process; see `simulation.c`.
    pub(crate) simulated: bool,
}

impl Printer<'_> {
    fn system(&self) -> &System {
        &self.pieces.system
    }

    fn name(&self) -> String {
        c_name(&self.system().name)
    }

    fn prototype(&self) -> String {
        let arguments: Vec<String> =
            std::iter::once("MPI_Comm comm".to_owned()).chain(arguments(self.system())).collect();
        format!("int {}_mpi({})", self.name(), arguments.join(", "))
    }

    /// The header.
    pub(crate) fn header(&self) -> String {
        let guard = format!("{}_MPI_H", self.name().to_uppercase());
        let arrays = array_lines(self.system(), self.storage);
        let prototype = self.prototype().replace("restrict ", "");
        format!(
            "#ifndef {guard}\n#define {guard}\n#include <mpi.h>\n#include <stdint.h>\n\n\
             /* Computes the outputs. All ranks call it, with the same parameters and inputs; rank 0 gets the outputs, the\n   \
             arrays for outputs of other ranks hold whatever these computed. Returns 0, or 2 if MPI has too few tags for so\n   \
             many tiles; without memory all ranks are ended. Arrays hold the box of their domain, the last subscript fastest:\n\
             {arrays}*/\n#ifdef __cplusplus\nextern \"C\"\n#endif\n{prototype};\n\n#endif\n"
        )
    }

    /// The source; it includes the header.
    pub(crate) fn source(&self, budget: &mut Budget) -> Result<String, Stop> {
        let (name, place, grid) = (self.name(), self.blocks.length.max(1), self.grid);
        let constants = format!("enum {{ POLY_PLACE = {place}, POLY_GRID = {grid} }};");
        let mut text = if self.simulated {
            let includes = "#define _POSIX_C_SOURCE 199309L\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n";
            format!("{includes}\n{HELPERS}\n{constants}\n\n{}\n", SIMULATION.replace(TILES.0, TILES.1))
        } else {
            format!(
                "/* {name}: equations as loops over tiles, for the processes of MPI.\n   \
             Compile with mpicc -fwrapv -ffp-contract=off; all ranks must represent numbers in the same way. */\n\
             #include <limits.h>\n#include <math.h>\n#include <mpi.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
             #include \"{name}_mpi.h\"\n\n{HELPERS}\n{constants}\n\n{}\n",
                RUNTIME.replace(TILES.0, TILES.1)
            )
        };
        text.push_str(&external_lines(self.system()));
        self.problem(&mut text);
        for block in 0..self.blocks.all.len() {
            self.block(block, &mut text, budget)?;
        }
        self.dispatch(&mut text);
        self.entry(&mut text);
        Ok(text)
    }

    fn layouts(&self) -> Vec<Layout> {
        let variables = self.system().variables.iter().zip(self.storage);
        variables.map(|(variable, storage)| Layout::new(self.system(), variable, storage)).collect()
    }

    /// Parameters and arrays in a structure, and macros for elements.
    fn problem(&self, text: &mut String) {
        text.push_str("struct poly_problem {\n");
        for param in &self.system().params {
            let _ = writeln!(text, "  int64_t {};", c_name(param.as_str()));
        }
        for (variable, layout) in self.system().variables.iter().zip(self.layouts()) {
            let constant = if variable.role == Role::In { "const " } else { "" };
            let _ = writeln!(text, "  {constant}{} *{}_;", c_type(variable.scalar), c_name(&variable.name));
            for (name, _) in &layout.constants {
                let _ = writeln!(text, "  int64_t {name};");
            }
        }
        text.push_str("};\n\n");
        for (variable, layout) in self.system().variables.iter().zip(self.layouts()) {
            let _ = writeln!(text, "{}", layout.define(&c_name(&variable.name)));
        }
        text.push('\n');
    }

    /// A function of a block; the names that its loops use are taken from the structure and the
    /// place.
    fn function(&self, head: &str, loops: &str, text: &mut String) {
        let used: BTreeSet<&str> = loops.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let _ = writeln!(text, "static void {head} {{");
        for param in &self.system().params {
            let name = c_name(param.as_str());
            if used.contains(name.as_str()) {
                let _ = writeln!(text, "  const int64_t {name} = poly->problem->{name};");
            }
        }
        for (k, name) in self.blocks.names.iter().enumerate().filter(|(_, name)| used.contains(name.as_str())) {
            let _ = writeln!(text, "  const int64_t {name} = poly_at[{k}];");
        }
        for (variable, layout) in self.system().variables.iter().zip(self.layouts()) {
            let name = c_name(&variable.name);
            if !used.contains(name.as_str()) {
                continue;
            }
            let constant = if variable.role == Role::In { "const " } else { "" };
            let _ = writeln!(
                text,
                "  {constant}{} *const restrict {name}_ = poly->problem->{name}_;",
                c_type(variable.scalar)
            );
            for (constant, _) in
                layout.constants.iter().filter(|(constant, _)| layout.define("").contains(&format!(" {constant}")))
            {
                let _ = writeln!(text, "  const int64_t {constant} = poly->problem->{constant};");
            }
        }
        let _ = writeln!(text, "{loops}}}\n");
    }

    /// The functions of a block.
    fn block(&self, block: usize, text: &mut String, budget: &mut Budget) -> Result<(), Stop> {
        let own = &self.blocks.all[block];
        let context = &self.system().context;
        let names: Vec<String> = own.statements.iter().map(|&s| self.pieces.statements[s].name.to_string()).collect();
        let tuple = Tuple::anonymous(self.blocks.length);
        let all = own.statements.iter().map(|&s| self.blocks.places[s].range().set_tuple(tuple.clone()));
        let tiles = all.reduce(|a, b| a.union(&b)).expect("a block has statements");
        let tiles = tiles.intersect(&Set::from_params(context, tuple)).compute_divs(budget)?.coalesce(budget)?;
        let _ = writeln!(text, "/* Tiles of {}. */", names.join(", "));
        self.tiles(block, &tiles, text, budget)?;
        let named = tiles.set_tuple(self.blocks.tuple());
        let inside = tile_params(&named, self.system().params.len(), budget)?
            .intersect(&context.align_params(&self.place_params()));
        self.compute(block, &inside, text, budget)?;
        self.flow(block, &inside, text, budget)?;
        self.sources(block, &inside, text, budget)
    }

    /// The parameters with those of a place.
    fn place_params(&self) -> poly_presburger::Space {
        let names = self.blocks.names.iter().map(|name| Id::new(name));
        poly_presburger::Space::params(self.system().params.iter().cloned().chain(names).collect())
    }

    /// Loops over the points of sets with names, in the order of their coordinates, and in that of
    /// the names at equal ones.
    fn scan(&self, sets: &[Set], common: usize, context: &Set, budget: &mut Budget) -> Result<Ast, Stop> {
        let longest = sets.iter().map(Set::n_dim).max().unwrap_or(0);
        let function = |(number, set): (usize, &Set)| {
            let space = set.space().clone();
            let var = |k: usize| Aff::var(space.clone(), DimKind::Out, k);
            let mut affs: Vec<Aff> = (0..common).map(var).collect();
            affs.push(Aff::constant(space.clone(), number as i64));
            affs.extend((common..set.n_dim()).map(var));
            affs.resize(longest + 1, Aff::zero(space.clone()));
            MultiAff::into_tuple(&space, Tuple::anonymous(longest + 1), affs)
        };
        let functions: Vec<MultiAff> = sets.iter().enumerate().map(function).collect();
        let schedule = MultiUnionPwAff::from_multi_affs(Tuple::anonymous(longest + 1), functions);
        let domain = UnionSet::from_members(sets.iter().cloned());
        let tree = ScheduleTree::new(domain, Tree::band(Band::new(schedule), Tree::leaf()));
        build(&tree, context, &AstOptions::default(), budget).map(with_c_names)
    }

    fn loops(ast: &Ast, share: bool, line: &dyn Fn(&Id, &[Expr]) -> String) -> String {
        let mut text = String::new();
        Loops { ast, line }.node(&ast.root, 1, share, &mut text);
        text
    }

    fn place_text(ast: &Ast, place: &[Expr]) -> String {
        let numbers: Vec<String> = place.iter().map(|e| ast.expr_text(e)).collect();
        format!("(const int64_t[]){{{}}}", if numbers.is_empty() { "0".to_owned() } else { numbers.join(", ") })
    }

    fn rank(numbers: &[String]) -> String {
        match numbers {
            [] => "0".to_owned(),
            [a] => format!("poly_rank(poly, {a}, 0)"),
            [a, b, ..] => format!("poly_rank(poly, {a}, {b})"),
        }
    }

    fn tiles(&self, block: usize, tiles: &Set, text: &mut String, budget: &mut Budget) -> Result<(), Stop> {
        let set = tiles.set_tuple(Tuple::named("tile", self.blocks.length));
        let ast = self.scan(&[set], self.blocks.length, &self.system().context, budget)?;
        let grid = &self.blocks.all[block].grid;
        let line = |_: &Id, place: &[Expr]| {
            let point: Vec<String> = grid.iter().map(|&k| ast.expr_text(&place[k])).collect();
            format!("poly_add_tile(poly, {block}, {}, {});", Self::rank(&point), Self::place_text(&ast, place))
        };
        let loops = Self::loops(&ast, false, &line);
        self.function(&format!("poly_tiles_{block}(struct poly_run *poly)"), &loops, text);
        Ok(())
    }

    fn compute(&self, block: usize, context: &Set, text: &mut String, budget: &mut Budget) -> Result<(), Stop> {
        let own = &self.blocks.all[block];
        let (params, length) = (self.system().params.len(), self.blocks.length);
        let mut domains = Vec::new();
        for &s in &own.statements {
            let inside = self.blocks.places[s].move_dims(DimKind::Param, params, DimKind::Out, 0, length).domain();
            domains.push(inside.compute_divs(budget)?);
        }
        let tree = ScheduleTree::new(UnionSet::from_members(domains), own.inside.clone());
        let ast = with_c_names(build(&tree, context, &AstOptions::default(), budget)?);
        let residues = Residues::new();
        let cells = Cells { storage: self.storage, residues: &residues, buffers: &[] };
        let line = |name: &Id, coordinates: &[Expr]| statement_line(self.pieces, &ast, cells, name, coordinates);
        let loops = Self::loops(&ast, self.parallel, &line);
        let head = format!("poly_compute_{block}(const struct poly_run *poly, const int64_t *poly_at)");
        self.function(&head, &loops, text);
        Ok(())
    }

    fn flow(&self, block: usize, context: &Set, text: &mut String, budget: &mut Budget) -> Result<(), Stop> {
        let mut loops = String::new();
        for flow in &self.flows.flows[block] {
            loops.push_str(&self.flow_of(flow, context, budget)?);
        }
        if !loops.is_empty() {
            self.function(&format!("poly_flow_{block}(struct poly_run *poly, const int64_t *poly_at)"), &loops, text);
        }
        Ok(())
    }

    fn flow_of(&self, flow: &Flow, context: &Set, budget: &mut Budget) -> Result<String, Stop> {
        let n = flow.home.n_dim();
        let home = flow.home.set_tuple(Tuple::named("home", n));
        let uses = flow.uses.set_tuple(Tuple::named("use", flow.uses.n_dim()));
        let ast = self.scan(&[home, uses], n, context, budget)?;
        let name = c_name(&self.system().variables[flow.variable].name);
        let line = |_: &Id, coordinates: &[Expr]| {
            let numbers: Vec<String> = coordinates.iter().map(|e| ast.expr_text(e)).collect();
            let element = format!("{name}({})", numbers[..n].join(", "));
            format!("poly_element(poly, &{element}, sizeof {element}, {});", Self::rank(&numbers[n..]))
        };
        Ok(Self::loops(&ast, false, &line))
    }

    fn sources(&self, block: usize, context: &Set, text: &mut String, budget: &mut Budget) -> Result<(), Stop> {
        let mut loops = String::new();
        for source in &self.flows.sources[block] {
            let set = source.tiles.set_tuple(Tuple::named("tile", self.blocks.length));
            let ast = self.scan(&[set], self.blocks.length, context, budget)?;
            let line = |_: &Id, place: &[Expr]| format!("poly_need(poly, {});", Self::place_text(&ast, place));
            loops.push_str(&Self::loops(&ast, false, &line));
        }
        if !loops.is_empty() {
            self.function(
                &format!("poly_sources_{block}(struct poly_run *poly, const int64_t *poly_at)"),
                &loops,
                text,
            );
        }
        Ok(())
    }

    /// What the runtime calls.
    fn dispatch(&self, text: &mut String) {
        let count = self.blocks.all.len();
        text.push_str("static void poly_tiles(struct poly_run *poly) {\n");
        (0..count).for_each(|block| {
            let _ = writeln!(text, "  poly_tiles_{block}(poly);");
        });
        text.push_str("}\n\n");
        let mut switch = |head: &str, name: &str, has: &dyn Fn(usize) -> bool| {
            let _ = writeln!(
                text,
                "static void {name}({head}struct poly_run *poly, int block, const int64_t *at) {{\n  switch (block) {{"
            );
            for block in (0..count).filter(|&block| has(block)) {
                let _ = writeln!(text, "  case {block}: {name}_{block}(poly, at); break;");
            }
            text.push_str("  default: break;\n  }\n}\n\n");
        };
        switch("const ", "poly_compute", &|_| true);
        switch("", "poly_flow", &|block| !self.flows.flows[block].is_empty());
        switch("", "poly_sources", &|block| !self.flows.sources[block].is_empty());
    }

    /// The function that ranks call.
    fn entry(&self, text: &mut String) {
        let _ = writeln!(text, "{} {{\n  struct poly_problem poly_all;", self.prototype());
        for param in &self.system().params {
            let name = c_name(param.as_str());
            let _ = writeln!(text, "  poly_all.{name} = {name};");
        }
        let mut frees = String::new();
        for ((variable, storage), layout) in self.system().variables.iter().zip(self.storage).zip(self.layouts()) {
            let (name, kind) = (c_name(&variable.name), c_type(variable.scalar));
            for (constant, value) in &layout.constants {
                let _ = writeln!(text, "  const int64_t {constant} = poly_all.{constant} = {value};");
            }
            if variable.role == Role::Let {
                let cells = Layout::cells(variable, storage);
                let _ = writeln!(text, "  {kind} *const {name}_ = malloc(sizeof({kind}) * (size_t){cells});");
                let _ = writeln!(text, "  if (!{name}_) MPI_Abort(comm, 1);");
                let _ = writeln!(frees, "  free({name}_);");
            }
            for (constant, _) in &layout.constants {
                let _ = writeln!(text, "  (void){constant};");
            }
            let _ = writeln!(text, "  poly_all.{name}_ = {name}_;");
        }
        let _ =
            writeln!(text, "  const int poly_status = poly_start(comm, &poly_all);\n{frees}  return poly_status;\n}}");
    }
}
