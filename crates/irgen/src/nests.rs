//! Tile sizes that a program changes when it runs.
//!
//! # What is in a module
//! For each nest ([`poly_scop::Nest`]) there is an entry in the section `poly_nests`, which the
//! linker makes an array of:
//!
//! ```text
//!   { i32 id, i32 n, ptr sizes, ptr defaults, ptr name of the function }
//! ```
//!
//! with an array of the `n` current sizes and one of those that they are at first, as 64-bit
//! integers. The nest loads its sizes once, when its new code begins, from where the entry says;
//! the loads are volatile, since no pass can see who writes. What is loaded is brought into the
//! range that code was made for, from 1 to [`WHOLE`].
//!
//! Each such module also defines `poly_set_tile_sizes`, of which the linker keeps one. It goes
//! through the entries of the executable or library that it is linked into, between
//! `__start_poly_nests` and `__stop_poly_nests`, and returns how many have the id. So programs need
//! no library, and no code runs before `main`.

use poly_scop::{Nest, WHOLE};
use poly_shim::PassContext;

use crate::builder::{self, Builder, Compare, Op, Value};
use crate::generator::Generator;

/// Where entries are.
const SECTION: &str = "poly_nests";

/// The function that programs call.
const INTERFACE: &str = "poly_set_tile_sizes";

/// Bytes of an entry, and where its fields are.
const ENTRY: i128 = 32;
const LENGTH: i128 = 4;
const SIZES: i128 = 8;
const DEFAULTS: i128 = 16;

impl<'c> Generator<'c, '_> {
    /// Loads the tile sizes of all nests.
    pub(crate) fn load_tile_sizes(&mut self) {
        let prepared = self.prepared;
        let mut param = prepared.scop.params.len();
        for nest in prepared.nests {
            let entry = self.declare_entry(nest);
            let (byte, long, pointer) = (self.b.int_type(8), self.b.int_type(64), self.b.pointer_type());
            let sizes = self.b.offset(byte, entry, self.b.int(64, SIZES));
            let sizes = self.b.volatile_load(pointer, sizes, "poly.sizes");
            for (position, size) in nest.sizes.iter().enumerate() {
                let position = i128::try_from(position).expect("few loops are nested");
                let address = self.b.offset(long, sizes, self.b.int(64, position));
                let loaded = self.b.volatile_load(long, address, "");
                let positive = self.b.intrinsic("llvm.smax", &[long], &[loaded, self.b.int(64, 1)]);
                let known = self.b.intrinsic("llvm.smin", &[long], &[positive, self.b.int(64, i128::from(WHOLE))]);
                builder::set_name(known, &format!("poly.{}", size.param));
                self.set_tile_size(param, known);
                param += 1;
            }
        }
        if !prepared.nests.is_empty() {
            self.frame.function.drop_inferred_effects();
        }
    }

    /// The entry of a nest.
    fn declare_entry(&self, nest: &Nest) -> Value<'c> {
        let sizes = nest.sizes.iter().map(|size| self.b.int(64, i128::from(size.default)));
        let sizes = self.b.struct_constant(&sizes.collect::<Vec<_>>());
        let current = self.b.internal_variable("poly.nest.sizes", sizes);
        let defaults = self.b.internal_variable("poly.nest.defaults", sizes);
        builder::set_constant(defaults);
        let function = self.frame.function.name();
        let name =
            self.b.private_constant(&format!("poly.nest.function.{function}"), self.b.string_constant(&function), 1);
        let number = |value: usize| i128::try_from(value).expect("few loops are nested");
        let (id, n) = (self.b.int(32, i128::from(nest.id)), self.b.int(32, number(nest.sizes.len())));
        let entry = self.b.internal_variable("poly.nest", self.b.struct_constant(&[id, n, current, defaults, name]));
        self.b.set_section(entry, SECTION);
        entry
    }
}

/// Defines the function by which programs change tile sizes, if the module does not define it.
///
/// ```text
///   int poly_set_tile_sizes(unsigned id, unsigned n, const int64_t *given) {
///     int found = 0;
///     for (entry = start; entry != stop; entry++)
///       if (entry->id == id) {
///         found++;
///         for (k = 0; k < min(n, entry->n); k++)
///           entry->sizes[k] = given[k] < 1 ? entry->defaults[k] : given[k];
///       }
///     return found;
///   }
/// ```
pub fn define_interface(cx: PassContext<'_>) {
    let b = Builder::new(cx);
    let (int, pointer) = (b.int_type(32), b.pointer_type());
    let Some(function) = b.shared_function(INTERFACE, b.function_type(int, &[int, int, pointer], false)) else {
        return;
    };
    b.add_function_attribute(function, "nounwind");
    // Not to be looked at.
    function.set_function_attribute("poly", "off");
    let byte = b.int_type(8);
    let [start, stop] = ["__start_", "__stop_"].map(|side| b.linker_symbol(&format!("{side}{SECTION}"), byte));
    let block = |name: &str| b.append_block(function, name);
    let [entry, head, body, found, copy, next, exit] =
        ["entry", "head", "body", "found", "copy", "next", "exit"].map(block);
    b.at_end(entry);
    b.branch(head);
    b.at_end(head);
    let at = b.phi(pointer, "at");
    let count = b.phi(int, "count");
    builder::add_incoming(at, start, entry);
    builder::add_incoming(count, b.int(32, 0), entry);
    b.branch_if(b.compare(Compare::LLVMIntEQ, at, stop), exit, body);
    b.at_end(exit);
    b.return_value(count);
    b.at_end(body);
    let id = b.load(int, at, "id");
    b.branch_if(b.compare(Compare::LLVMIntEQ, id, builder::argument(function, 0)), found, next);
    b.at_end(found);
    let field = |of, offset| b.load(of, b.offset(byte, at, b.int(64, offset)), "");
    let (own, sizes, defaults) = (field(int, LENGTH), field(pointer, SIZES), field(pointer, DEFAULTS));
    let limit = b.intrinsic("llvm.umin", &[int], &[own, builder::argument(function, 1)]);
    let one_more = b.arithmetic(Op::Add, count, b.int(32, 1), false);
    b.branch_if(b.compare(Compare::LLVMIntEQ, limit, b.int(32, 0)), next, copy);
    b.at_end(copy);
    let k = copied(&b, (builder::argument(function, 2), sizes, defaults), found);
    b.branch_if(b.compare(Compare::LLVMIntEQ, k, limit), next, copy);
    builder::add_incoming(first_phi(copy), k, copy);
    b.at_end(next);
    let counted = b.phi(int, "");
    for (edge, value) in [(body, count), (found, one_more), (copy, one_more)] {
        builder::add_incoming(counted, value, edge);
    }
    let following = b.offset(byte, at, b.int(64, ENTRY));
    b.branch(head);
    builder::add_incoming(at, following, next);
    builder::add_incoming(count, counted, next);
}

/// Writes the copying of one size, number `k` that begins with a PHI node; the number after it.
fn copied<'c>(
    b: &Builder<'c>,
    (given, sizes, defaults): (Value<'c>, Value<'c>, Value<'c>),
    before: builder::Block<'c>,
) -> Value<'c> {
    let (int, long) = (b.int_type(32), b.int_type(64));
    let k = b.phi(int, "k");
    builder::add_incoming(k, b.int(32, 0), before);
    let wide = b.int_cast(k, long, false);
    let wanted = b.load(long, b.offset(long, given, wide), "");
    let default = b.load(long, b.offset(long, defaults, wide), "");
    let is_size = b.compare(Compare::LLVMIntSGT, wanted, b.int(64, 0));
    b.volatile_store(b.select(is_size, wanted, default), b.offset(long, sizes, wide));
    b.arithmetic(Op::Add, k, b.int(32, 1), false)
}

fn first_phi(block: builder::Block<'_>) -> Value<'_> {
    block.phis().into_iter().next().expect("the block begins with a PHI node")
}
