//! Machines as text.
//!
//! # Form
//! One line for each number: `name = value`, and a comment from `#` to the end of the line.
//! `processor = NAME` says which processor of the table the numbers are of that are not given; it
//! comes first. `levels = N` says how many caches there are, if not as many as are described; `l1`
//! to `lN` are their groups. Sizes may end in `K`, `M` or `G` (of 1024).
//!
//! ```text
//! processor = znver4
//! l3.bytes = 16M       # of a smaller model
//! threads.bandwidth = 0.4
//! ```

use std::fmt::{self, Write};

use crate::fields::Slot;
use crate::{Cache, Machine, Processor};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Wrong {}

/// Most levels of caches.
const MAX_LEVELS: u64 = 4;

impl Machine {
    /// Reads a machine. What the text does not give is that of the processor that it names, or of
    /// `base`.
    ///
    /// # Errors
    /// The first line that is wrong, and what is wrong with it.
    ///
    /// # Examples
    /// ```
    /// use poly_machine::Machine;
    /// let machine = Machine::read("processor = znver4\nl3.bytes = 16M", &Machine::default()).unwrap();
    /// assert_eq!((machine.first().bytes, machine.caches[2].bytes), (32 << 10, 16 << 20));
    /// let wrong = Machine::read("l3.byte = 16M", &Machine::default()).unwrap_err();
    /// assert_eq!(wrong.to_string(), "line 1: there is no number 'l3.byte'; is 'l3.bytes' meant?");
    /// ```
    pub fn read(text: &str, base: &Machine) -> Result<Machine, Wrong> {
        let mut machine = base.clone();
        let mut is_first = true;
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |what: String| Wrong { line: index + 1, what };
            let (name, value) = line
                .split_once('=')
                .map(|(name, value)| (name.trim(), value.trim()))
                .ok_or_else(|| wrong(format!("'{line}' is not of the form 'name = value'")))?;
            match name {
                "processor" if !is_first => return Err(wrong("the processor must come first".to_owned())),
                "processor" => machine = Processor::named(value).map_err(wrong)?.machine(),
                "levels" => set_levels(&mut machine.caches, value).map_err(wrong)?,
                _ => set(&mut machine, name, value).map_err(wrong)?,
            }
            is_first = false;
        }
        Ok(machine)
    }
}

/// Sets the number of caches.
fn set_levels(caches: &mut Vec<Cache>, value: &str) -> Result<(), String> {
    let levels = count(value).filter(|levels| (1..=MAX_LEVELS).contains(levels));
    let levels = levels.ok_or_else(|| format!("'{value}' is not a number of caches, 1 to {MAX_LEVELS}"))?;
    if let Some(&last) = caches.last() {
        caches.resize(levels as usize, last);
    }
    Ok(())
}

/// Sets a field.
fn set(machine: &mut Machine, name: &str, value: &str) -> Result<(), String> {
    let level = name.strip_prefix('l').and_then(|rest| rest.split_once('.')?.0.parse::<u64>().ok());
    if let (Some(level), Some(&last)) = (level.filter(|level| *level <= MAX_LEVELS), machine.caches.last()) {
        machine.caches.resize(machine.caches.len().max(level as usize), last);
    }
    let mut fields = machine.fields();
    let Some(field) = fields.iter_mut().find(|field| field.name == name) else {
        let near = fields.iter().map(|field| field.name.as_str()).filter(|known| distance(known, name) <= 3);
        let near = near.min_by_key(|known| distance(known, name));
        let hint = near.map_or(String::new(), |known| format!("; is '{known}' meant?"));
        return Err(format!("there is no number '{name}'{hint}"));
    };
    let expected = match &mut field.slot {
        Slot::Count(place) => {
            let read = count(value).map(|value| **place = value);
            read.ok_or("a whole number from 1, which may end in K, M or G")
        }
        Slot::Number(place) => {
            let read = value.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
            read.map(|value| **place = value).ok_or("a number from 0")
        }
        Slot::Flag(place) => {
            let read = match value {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
            read.map(|value| **place = value).ok_or("true or false")
        }
    };
    expected.map_err(|expected| format!("'{value}' is not {expected} ('{name}': {})", field.help))
}

/// A whole number from 1, with a unit.
fn count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if text.ends_with('K') => (digits, 1 << 10),
        Some(digits) if text.ends_with('M') => (digits, 1 << 20),
        Some(digits) => (digits, 1 << 30),
        None => (text, 1),
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(unit).filter(|&value| value > 0)
}

/// A whole number with the largest unit that it is a multiple of.
fn written(value: u64) -> String {
    for (unit, letter) in [(1 << 30, 'G'), (1 << 20, 'M'), (1 << 10, 'K')] {
        if value.is_multiple_of(unit) {
            return format!("{}{letter}", value / unit);
        }
    }
    value.to_string()
}

/// How many letters differ: insertions, removals and replacements.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

impl fmt::Display for Machine {
    /// Writes the form that [`Machine::read`] reads, with a description of each number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "processor = {}", self.name)?;
        writeln!(f, "levels = {}", self.caches.len())?;
        let mut copy = self.clone();
        let mut group = String::new();
        for field in copy.fields() {
            let own = field.name.split('.').next().unwrap_or_default();
            if own != group {
                own.clone_into(&mut group);
                f.write_char('\n')?;
            }
            let value = match field.slot {
                Slot::Count(value) => written(*value),
                Slot::Number(value) => value.to_string(),
                Slot::Flag(value) => value.to_string(),
            };
            writeln!(f, "{:<40} # {}", format!("{} = {value}", field.name), field.help)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PROCESSORS;

    #[test]
    fn what_is_written_is_read() {
        for processor in PROCESSORS {
            let machine = processor.machine();
            assert_eq!(Machine::read(&machine.to_string(), &Machine::default()), Ok(machine.clone()));
            // Names of the table are not needed where every number is given.
            let mut other = machine.clone();
            other.caches.truncate(2);
            other.caches[1].bytes += 1;
            assert_eq!(Machine::read(&other.to_string(), &Machine::default()), Ok(other));
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        let wrong = |text: &str| Machine::read(text, &Machine::default()).expect_err("it is wrong").to_string();
        assert_eq!(wrong("# fine\n\ncore.window 5"), "line 3: 'core.window 5' is not of the form 'name = value'");
        assert!(
            wrong("processor = zx81").starts_with("line 1: there is no processor 'zx81'; there are generic, x86-64,")
        );
        assert_eq!(
            wrong("l1.bytes = 1T"),
            "line 1: '1T' is not a whole number from 1, which may end in K, M or G ('l1.bytes': Bytes. Of a cache that cores share, what one core can use while the others rest.)"
        );
        assert!(wrong("core.window = -1").contains("is not a number from 0"));
        assert!(wrong("vectors.masks = maybe").contains("is not true or false"));
        assert_eq!(wrong("levels = 9"), "line 1: '9' is not a number of caches, 1 to 4");
        assert!(wrong("core.window = 1\nprocessor = znver4").ends_with("the processor must come first"));
    }

    #[test]
    fn levels_come_and_go() {
        let read = |text: &str| Machine::read(text, &Machine::default()).expect("it is right");
        assert_eq!(read("levels = 2").caches.len(), 2);
        let four = read("levels = 4\nl4.bytes = 1G");
        assert_eq!((four.caches.len(), four.caches[3].bytes), (4, 1 << 30));
        assert_eq!(read("l4.bytes = 1G").caches.len(), 4);
    }
}
