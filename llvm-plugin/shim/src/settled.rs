//! Blocks that are done with.
//!
//! After one SCoP of a function has got its new code, detection runs again for the others. What is
//! settled (new code, and the original code behind its check) carries a mark meanwhile, as metadata
//! of the block's terminator.

use crate::{BlockRef, PassContext};

const MARK: &str = "poly.settled";

impl BlockRef<'_> {
    /// Whether the block may not be part of another SCoP.
    pub fn is_settled(self) -> bool {
        self.terminator().metadata(MARK).is_some()
    }

    /// From now on the block may not be part of another SCoP.
    pub fn settle(self, context: PassContext<'_>) {
        self.terminator().set_metadata(MARK, context.md_node(&[]));
    }
}

impl PassContext<'_> {
    /// Removes the marks from all blocks of the function.
    pub fn forget_settled(self) {
        for block in self.blocks() {
            block.terminator().remove_metadata(MARK);
        }
    }
}
