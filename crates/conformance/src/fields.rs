//! Files that are mappings: one key per line, values in isl's syntax or nested YAML.
//!
//! A value in isl's syntax may be quoted or not, and may go on over several lines. A key stands at
//! the beginning of its line. This is all of YAML that occurs on the first level; nested values are
//! schedule trees, which have a reader.

/// Keys with the text of their values, in order. The lines of a nested value keep their
/// indentation.
pub(crate) fn fields(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match (key(line), fields.last_mut()) {
            (Some((key, value)), _) => fields.push((key.to_owned(), value.trim_start().to_owned())),
            (None, Some((_, value))) => {
                value.push('\n');
                value.push_str(line);
            }
            (None, None) => return Err(format!("{line:?} does not belong to a key")),
        }
    }
    for (_, value) in &mut fields {
        let trimmed = value.trim_end();
        let inner = trimmed.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        *value = inner.unwrap_or(trimmed).to_owned();
    }
    Ok(fields)
}

/// The key at the beginning of a line, and what follows it.
fn key(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c: char| !(c.is_ascii_alphabetic() || c == '_'))?;
    let value = line[end..].strip_prefix(':')?;
    (end > 0).then_some((&line[..end], value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_quoted_nested_or_long() {
        let text = "# c\na: { S[i] ->\nT[i] : i > 0 }\nb: \"{ }\"\nschedule:\n  domain: \"{ S[] }\"\n";
        let expected = [("a", "{ S[i] ->\nT[i] : i > 0 }"), ("b", "{ }"), ("schedule", "\n  domain: \"{ S[] }\"")];
        let found = fields(text).expect("the text is a mapping");
        let found: Vec<(&str, &str)> = found.iter().map(|(k, v)| (&**k, &**v)).collect();
        assert_eq!(found, expected);
        assert!(fields("- x\n").is_err());
    }
}
