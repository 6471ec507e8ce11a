//! Where things are: the repository, and the folder that everything built goes into.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        // Cargo sets the variable at run time too; a binary that was moved falls back to where it
        // was built.
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        here.parent().expect("xtask/ lies in the repository").to_path_buf()
    })
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// A path as people should see it: relative to the repository where it lies in it.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
