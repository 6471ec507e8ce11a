//! Words from the environment, the command line and pass parameters.

use super::Options;
use super::table::{Spec, TABLE, find};
use super::values::{Pattern, Value};

/// Before the names of options on command lines.
pub(crate) const COMMAND_LINE_PREFIX: &str = "poly-";

/// An option and its value as text.
type Assignment<'t> = (&'static Spec, &'t str);

/// Reads one word: `name`, `no-name` or `name=value`.
fn word(text: &str) -> Result<Assignment<'_>, String> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    if let Some(spec) = find(name) {
        return match value {
            Some(value) => Ok((spec, value)),
            None if spec.is_switch() => Ok((spec, "true")),
            None => Err(format!("option '{name}' needs a value: {name}={}", spec.value_name.unwrap_or_default())),
        };
    }
    let switched_off = if name == "disable" { Some("enable") } else { name.strip_prefix("no-") };
    let spec = switched_off.and_then(find).filter(|spec| spec.is_switch() && value.is_none());
    spec.map(|spec| (spec, "false")).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = TABLE.iter().filter(|spec| !spec.hidden).map(|spec| spec.name).collect();
    format!("unknown option '{name}'; there are: {} (switches also as no-...)", names.join(", "))
}

/// Sets one option.
fn assign(options: &mut Options, (spec, value): Assignment<'_>) -> Result<(), String> {
    (spec.set)(options, value)
        .map_err(|expected| format!("wrong value '{value}' for option '{}': expected {expected}", spec.name))
}

/// Takes a word for all functions, or for some of them.
fn take(options: &mut Options, text: &str) -> Result<(), String> {
    let name = text.split('=').next().unwrap_or_default();
    let Some((functions, _)) = name.split_once('/') else { return apply(options, text) };
    let text = &text[functions.len() + 1..];
    apply(&mut Options::default(), text)?;
    options.for_functions.push((Pattern::read(functions)?, text.to_owned()));
    Ok(())
}

/// Sets the option that a word is about.
pub(super) fn apply(options: &mut Options, text: &str) -> Result<(), String> {
    word(text).and_then(|assignment| assign(options, assignment))
}

/// The words of a function's attribute.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    words(text, &[';', ' '])
}

/// The words of a text.
fn words<'t>(text: &'t str, separators: &'static [char]) -> impl Iterator<Item = &'t str> {
    text.split(separators).map(str::trim).filter(|word| !word.is_empty())
}

/// Checks a value that a tool found on its command line.
pub(crate) fn validate_command_line(name: &str, value: &str) -> Option<String> {
    let name = name.strip_prefix(COMMAND_LINE_PREFIX).unwrap_or(name);
    let Some(spec) = find(name) else {
        return Some(unknown(name));
    };
    assign(&mut Options::default(), (spec, value)).err()
}

/// Defaults, then the text of POLY_OPTS, then the command line; `given(i)` is the value of option
/// number `i` on it.
pub(crate) fn from_environment(
    poly_opts: Option<&str>,
    given: impl Fn(usize) -> Option<String>,
) -> Result<Options, String> {
    let mut options = Options::default();
    for text in words(poly_opts.unwrap_or_default(), &[';', ' ', '\t', '\n']) {
        take(&mut options, text).map_err(|wrong| format!("{wrong} (in POLY_OPTS)"))?;
    }
    for (number, spec) in TABLE.iter().enumerate() {
        if let Some(value) = given(number) {
            assign(&mut options, (spec, &value))?;
        }
    }
    Ok(options)
}

/// The parameters of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// Option and value, in the order of the table.
    values: Vec<(usize, String)>,
    /// Words for some functions only.
    for_functions: Vec<(Pattern, String)>,
}

impl Parameters {
    /// Reads what stands between `<` and `>`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut values: Vec<Option<String>> = vec![None; TABLE.len()];
        let mut some = Options::default();
        for text in words(text, &[';']) {
            if text.split('=').next().is_some_and(|name| name.contains('/')) {
                take(&mut some, text)?;
                continue;
            }
            let assignment = word(text)?;
            let mut options = Options::default();
            assign(&mut options, assignment)?;
            let number =
                TABLE.iter().position(|spec| spec.name == assignment.0.name).expect("the option is in the table");
            values[number] = Some((assignment.0.show)(&options));
        }
        let given = values.into_iter().enumerate().filter_map(|(number, value)| Some((number, value?)));
        Ok(Self { values: given.collect(), for_functions: some.for_functions })
    }

    /// Sets the options.
    pub(crate) fn apply(&self, options: &mut Options) {
        for (number, value) in &self.values {
            (TABLE[*number].set)(options, value).expect("what was shown can be read");
        }
        options.for_functions.extend(self.for_functions.iter().cloned());
    }

    /// As they are written in a pipeline, with the brackets; nothing if there are none.
    pub(crate) fn show(&self) -> String {
        let words = self.values.iter().map(|(number, value)| {
            let spec = &TABLE[*number];
            match (spec.is_switch(), value.as_str()) {
                (true, "true") => spec.name.to_owned(),
                (true, _) => format!("no-{}", spec.name),
                (false, value) => format!("{}={value}", spec.name),
            }
        });
        let some = self.for_functions.iter().map(|(pattern, word)| format!("{}/{word}", pattern.write()));
        let words: Vec<String> = words.chain(some).collect();
        if words.is_empty() { String::new() } else { format!("<{}>", words.join(";")) }
    }
}
