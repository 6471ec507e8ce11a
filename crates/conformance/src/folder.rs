//! Finding the files of a suite.

use std::fs;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Relative to the folder of all files.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: PathBuf,
}

impl Input {
    /// The text of the file.
    pub(crate) fn read(&self) -> Result<String, String> {
        read(&self.path)
    }

    /// The file of the same name with another ending.
    pub(crate) fn beside(&self, ending: &str) -> PathBuf {
        self.path.with_extension(ending)
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// The files in these subfolders of `dir` with these endings, sorted by name.
pub(crate) fn inputs(dir: &Path, folders: &[&str], endings: &[&str]) -> Result<Vec<Input>, String> {
    let mut found = Vec::new();
    for folder in folders {
        let place = dir.join(folder);
        if !place.is_dir() {
            continue;
        }
        let entries = fs::read_dir(&place).map_err(|error| format!("{} cannot be listed: {error}", place.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if path.is_file() && endings.contains(&ending) {
                let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
                found.push(Input { name, path });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() {
        let wanted: Vec<String> = endings.iter().map(|e| format!("*.{e}")).collect();
        return Err(format!("there is no file {} of this suite in {}", wanted.join(" or "), dir.display()));
    }
    Ok(found)
}
