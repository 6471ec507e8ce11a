//! The options for one SCoP: those of its function, or with what a profile says of it.

use std::borrow::Cow;

use poly_scop::{Config, Fingerprint};

use crate::options::Options;

/// What a SCoP is worked on with.
pub(crate) struct Tuned<'o> {
    /// Its fingerprint, if somebody wants to know.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// What the profile says of it.
    pub(crate) words: Option<&'o [String]>,
    /// With these words.
    pub(crate) options: Cow<'o, Options>,
    /// The same for the driver.
    pub(crate) config: Config,
}

impl Tuned<'_> {
    /// The options.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The configuration of the driver.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Where the profile was read.
    pub(crate) fn profile(&self) -> &str {
        self.options.profile.path()
    }

    /// The profile leaves the SCoP as it is.
    pub(crate) fn is_off(&self) -> bool {
        !self.options.enable
    }

    /// What the profile says of it, as one text.
    pub(crate) fn said(&self) -> Option<String> {
        self.words.map(|words| words.join(";"))
    }
}
