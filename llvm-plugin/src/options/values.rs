//! Reading and writing of option values.

use poly_exchange::Format;
use poly_irgen::{Runtime, Schedule};
use poly_machine::{Machine, Override, Processor, Target};
use poly_scop::ExchangeFormat;
use poly_transform::rewrite::{Log, StepError};

use super::{Effort, Fuse, Prefer, Printed, Proximity, Scheduler, Stage};

/// A value that an option can have.
pub(crate) trait Value: Sized {
    /// Reads it; the error says what is expected: `"a whole number"`.
    fn read(text: &str) -> Result<Self, String>;

    /// Writes it so that it can be read; without `;`, `>`, `,`, `(` and `)`, which mean something
    /// in pass pipelines.
    fn write(&self) -> String;
}

impl Value for bool {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "" | "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" => Ok(false),
            _ => Err("true or false".to_owned()),
        }
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

macro_rules! number {
    ($type:ty) => {
        impl Value for $type {
            fn read(text: &str) -> Result<Self, String> {
                let number = text.replace('_', "").parse().ok().filter(|&number: &$type| number > 0);
                number.ok_or_else(|| "a whole number from 1".to_owned())
            }

            fn write(&self) -> String {
                self.to_string()
            }
        }
    };
}

number!(u32);
number!(u64);

/// A number that may be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);

impl Value for Number {
    fn read(text: &str) -> Result<Self, String> {
        text.replace('_', "").parse().map(Self).map_err(|_| "a whole number from 0".to_owned())
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

/// A type with few values.
pub(crate) trait Choice: Sized + 'static {
    /// All values with their texts.
    const ALL: &'static [(&'static str, Self)];
}

/// A value of a fixed list.
macro_rules! choice {
    ($type:ty { $($text:literal = $value:expr,)* }) => {
        impl Choice for $type {
            const ALL: &'static [(&'static str, Self)] = &[$(($text, $value)),*];
        }

        impl Value for $type {
            fn read(text: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().find(|(name, _)| *name == text).map(|&(_, value)| value);
                found.ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|&(name, _)| name).collect();
                    format!("one of {}", names.join(", "))
                })
            }

            fn write(&self) -> String {
                let found = Self::ALL.iter().find(|(_, value)| value == self);
                found.expect("every value is in the list").0.to_owned()
            }
        }
    };
}

choice!(Fuse { "max" = Fuse::Max, "smart" = Fuse::Smart, "no" = Fuse::No, "search" = Fuse::Search, });
choice!(Scheduler { "pluto" = Scheduler::Pluto, "feautrier" = Scheduler::Feautrier, "original" = Scheduler::Original, "file" = Scheduler::File, });
choice!(Schedule { "work" = Schedule::ByWork, "static" = Schedule::Static, "dynamic" = Schedule::Dynamic, "guided" = Schedule::Guided, });
choice!(Effort { "level" = Effort::OfLevel, "full" = Effort::Full, "moderate" = Effort::Moderate, });
choice!(Runtime { "llvm" = Runtime::Llvm, "gnu" = Runtime::Gnu, });
choice!(Proximity { "all" = Proximity::All, "flow" = Proximity::Flow, });
choice!(Prefer { "parallel" = Prefer::Parallel, "locality" = Prefer::Locality, });
choice!(Printed {
    "scops" = Printed::Scops,
    "dependences" = Printed::Dependences,
    "schedule" = Printed::Schedule,
    "ast" = Printed::Ast,
    "fusion-space" = Printed::FusionSpace,
    "machine" = Printed::Machine,
});
/// Rewrites of schedules.
impl Value for Log {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: StepError| format!("rewrites; {error}"))
    }

    fn write(&self) -> String {
        self.compact()
    }
}

/// A format of files.
impl Value for ExchangeFormat {
    fn read(text: &str) -> Result<Self, String> {
        let found = FORMATS.iter().find(|(name, _)| *name == text).map(|&(_, format)| format);
        found.ok_or_else(|| "one of poly, jscop, openscop".to_owned())
    }

    fn write(&self) -> String {
        FORMATS.iter().find(|(_, format)| format == self).expect("every format is in the list").0.to_owned()
    }
}

const FORMATS: [(&str, ExchangeFormat); 3] = [
    ("poly", ExchangeFormat::Poly),
    ("jscop", ExchangeFormat::Other(Format::Jscop)),
    ("openscop", ExchangeFormat::Other(Format::OpenScop)),
];

choice!(Stage {
    "detect" = Stage::Detect,
    "plan" = Stage::Plan,
    "codegen" = Stage::Codegen,
    "clean-up" = Stage::CleanUp,
});

/// Lists are written `a:b:c`; commas are read too, where they can be given.
impl<V: Value> Value for Vec<V> {
    fn read(text: &str) -> Result<Self, String> {
        let parts = text.split([',', ':']).filter(|part| !part.is_empty());
        let values: Vec<V> = parts.map(V::read).collect::<Result<_, _>>().map_err(list_of)?;
        if values.is_empty() { Err(list_of("values".to_owned())) } else { Ok(values) }
    }

    fn write(&self) -> String {
        self.iter().map(V::write).collect::<Vec<_>>().join(":")
    }
}

fn list_of(what: String) -> String {
    format!("a list (a:b:c) of {what}")
}

impl<V: Value> Value for Option<V> {
    fn read(text: &str) -> Result<Self, String> {
        V::read(text).map(Some)
    }

    fn write(&self) -> String {
        self.as_ref().map(V::write).unwrap_or_default()
    }
}

/// What the user says about the processor: the name of one, or a file, which is read at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct MachineChoice {
    /// As it was given.
    text: String,
    numbers: Option<Override>,
}

impl MachineChoice {
    /// The machine for a target.
    pub(crate) fn machine(&self, target: &Target) -> Machine {
        let given = self.numbers.as_ref().and_then(|numbers| numbers.machine(target).ok());
        given.unwrap_or_else(|| target.machine())
    }
}

impl PartialEq for MachineChoice {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for MachineChoice {}

impl Value for MachineChoice {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let numbers = match Processor::named(text) {
            Ok(processor) => Override::Processor(processor.name),
            // Names have no dots or slashes.
            Err(unknown) if !text.contains(['.', '/', '\\']) => {
                return Err(format!("a file or a processor: {unknown}"));
            }
            Err(_) => {
                let content =
                    std::fs::read_to_string(text).map_err(|wrong| format!("a file that can be read ({wrong})"))?;
                Override::File(content)
            }
        };
        // What is wrong with a file does not depend on the target.
        numbers
            .machine(&Target::default())
            .map_err(|wrong| format!("a file with numbers of a processor, but {wrong}"))?;
        Ok(Self { text: text.to_owned(), numbers: Some(numbers) })
    }

    fn write(&self) -> String {
        self.text.clone()
    }
}

/// A function name in which `*` stands for any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(String);

impl Pattern {
    /// Whether the name fits.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return rest.is_empty();
        }
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return rest.ends_with(part);
            }
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        true
    }
}

impl Value for Pattern {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("function names".to_owned()) } else { Ok(Self(text.to_owned())) }
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// A folder of the file system; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Folder(Option<std::path::PathBuf>);

impl Folder {
    /// Its path.
    pub(crate) fn path(&self) -> Option<&std::path::Path> {
        self.0.as_deref()
    }
}

impl Value for Folder {
    fn read(text: &str) -> Result<Self, String> {
        if text.contains([';', '>', ',', '(', ')']) {
            return Err("a folder whose name has none of ; > , ( )".to_owned());
        }
        Ok(Self((!text.is_empty()).then(|| text.into())))
    }

    fn write(&self) -> String {
        self.0.as_ref().map_or_else(String::new, |path| path.display().to_string())
    }
}
