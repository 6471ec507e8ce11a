//! Loops over points that become loops over elements, before SCoPs are looked for.

use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::{PassContext, PassHost};

use super::Work;
use crate::report;
use crate::said::Said;

impl Work<'_> {
    /// Headers of innermost loops that do the same to each component of their points, with how many
    /// these have.
    fn components(&self, cx: PassContext<'_>) -> Vec<(LLVMBasicBlockRef, u32)> {
        let mut todo = if self.options.element_loops { cx.top_level_loops() } else { Vec::new() };
        let mut found = Vec::new();
        while let Some(l) = todo.pop() {
            todo.extend(l.subloops());
            let components = if l.header().is_settled() { 0 } else { cx.components(l) };
            if components > 0 {
                found.push((l.header().raw(), components));
            }
        }
        found
    }

    /// Lets such loops run over the components of their points; how many. An error is invalid code.
    pub(super) fn run_over_elements(&mut self, host: &mut PassHost) -> Result<usize, String> {
        let mut written = 0;
        for (header, components) in self.components(host.context()) {
            let cx = host.context();
            let block = cx.blocks().into_iter().find(|block| block.raw() == header);
            let Some(l) = block.and_then(|block| cx.loop_for(block)) else { continue };
            let remark = report::over_elements(l, components);
            self.keep(host);
            host.run_over_elements(|block| block.raw() == header);
            host.context().function().verify()?;
            self.over_elements.push((header, remark));
            written += 1;
        }
        Ok(written)
    }

    /// Says of which loops that was done, when all is known that was done for them.
    pub(super) fn say_of_elements(&mut self) {
        for (header, remark) in std::mem::take(&mut self.over_elements) {
            let remark = if self.is_told(header) { remark.about_fewer((1, 0)) } else { remark };
            let headers = vec![header];
            self.remarks.push(Said { about: header, is_done: true, modelled: headers.clone(), headers, remark });
        }
    }
}
