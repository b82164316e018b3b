//! Paths into JSON: `data[].lines[].qty`. `[]` is each element of a list; a backslash escapes a dot, bracket
//! or backslash in a name.

use serde_json::Value;

/// A step of a JSON path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Name(String),
    Each,
}

/// A parsed JSON path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Parses a path; every text is a valid one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut steps = Vec::new();
        let mut name = String::new();
        let mut chars = text.trim().chars();
        let end = |name: &mut String, steps: &mut Vec<Step>| {
            if !name.is_empty() {
                steps.push(Step::Name(std::mem::take(name)));
            }
        };
        while let Some(c) = chars.next() {
            match c {
                '\\' => name.extend(chars.next()),
                '.' | ']' => end(&mut name, &mut steps),
                '[' => {
                    end(&mut name, &mut steps);
                    steps.push(Step::Each);
                }
                c => name.push(c),
            }
        }
        end(&mut name, &mut steps);
        Self(steps)
    }

    /// The part up to the last list.
    #[must_use]
    pub fn list(&self) -> Self {
        let end = self.0.iter().rposition(|step| *step == Step::Each).map_or(0, |at| at + 1);
        Self(self.0[..end].to_vec())
    }

    /// The part up to and including the first list.
    #[must_use]
    pub fn first_list(&self) -> Self {
        let end = self.0.iter().position(|step| *step == Step::Each).map_or(0, |at| at + 1);
        Self(self.0[..end].to_vec())
    }

    /// Whether the other path is a prefix of this one.
    #[must_use]
    pub fn begins_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The value at a path without lists.
    #[must_use]
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |at, step| match step {
            Step::Name(name) => at.get(name),
            Step::Each => at.as_array()?.first(),
        })
    }

    /// The elements of the list this path ends with; `None` if there is no such list.
    #[must_use]
    pub fn elements<'v>(&self, value: &'v Value) -> Option<&'v Vec<Value>> {
        let (last, before) = self.0.split_last()?;
        if *last != Step::Each {
            return None;
        }
        before
            .iter()
            .try_fold(value, |at, step| if let Step::Name(name) = step { at.get(name) } else { None })?
            .as_array()
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Name(name) => {
                    if at > 0 {
                        f.write_str(".")?;
                    }
                    for c in name.chars() {
                        if matches!(c, '.' | '[' | ']' | '\\') {
                            f.write_str("\\")?;
                        }
                        write!(f, "{c}")?;
                    }
                }
                Step::Each => f.write_str("[]")?,
            }
        }
        Ok(())
    }
}

/// The rows below a value: one per element of the innermost list, with the cells of `columns`, which may be
/// in the enclosing lists. `None` if a list is missing.
#[must_use]
pub fn rows(value: &Value, records: &Path, columns: &[Path]) -> Option<Vec<Vec<String>>> {
    let mut found = Vec::new();
    let mut above = vec![value];
    walk(records, &mut above, columns, &mut found)?;
    Some(found)
}

fn walk(
    records: &Path,
    above: &mut Vec<&Value>,
    columns: &[Path],
    found: &mut Vec<Vec<String>>,
) -> Option<()> {
    let depth = above.len() - 1;
    let here = above[depth];
    match records.0.get(depth) {
        None => found.push(columns.iter().map(|column| cell(records, above, column)).collect()),
        Some(Step::Name(name)) => {
            above.push(here.get(name)?);
            walk(records, above, columns, found)?;
            above.pop();
        }
        Some(Step::Each) => {
            for element in here.as_array()? {
                above.push(element);
                walk(records, above, columns, found)?;
                above.pop();
            }
        }
    }
    Some(())
}

fn cell(records: &Path, above: &[&Value], column: &Path) -> String {
    let common = records.0.iter().zip(&column.0).take_while(|(one, two)| one == two).count();
    let rest = Path(column.0[common..].to_vec());
    rest.get(above[common]).map(text).unwrap_or_default()
}

/// A scalar as cell text.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => plain(&number.to_string()),
        other => other.to_string(),
    }
}

/// A number without exponent and without an empty fraction: `1e2` and `100.0` are `100`.
fn plain(text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return text.strip_suffix(".0").unwrap_or(text).to_owned();
    };
    let Ok(exponent) = exponent.parse::<i32>() else { return text.to_owned() };
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.abs() > 30 {
        return text.to_owned();
    }
    let all: String = format!("{whole}{part}");
    let point = i32::try_from(whole.len()).unwrap_or(0) + exponent;
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    let many = i32::try_from(all.len()).unwrap_or(0);
    let written = if point <= 0 {
        format!("0.{}{all}", zeros(-point))
    } else if point >= many {
        format!("{all}{}", zeros(point - many))
    } else {
        let at = usize::try_from(point).unwrap_or(0);
        format!("{}.{}", &all[..at], &all[at..])
    };
    format!("{sign}{written}")
}

/// Canonical JSON for comparison: members sorted by name.
#[must_use]
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut names: Vec<&String> = map.keys().collect();
            names.sort();
            let members: Vec<String> = names
                .iter()
                .map(|name| format!("{}:{}", Value::from(name.as_str()), canonical(&map[*name])))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(all) => format!("[{}]", all.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_take_cells_from_the_lists_around_them() {
        let answer = json!({ "meta": { "day": "2026-11-04" }, "data": [
            { "store": "A", "lines": [{ "item": "Rice", "qty": 2 }, { "item": "Soup", "qty": 1e2 }] },
            { "store": "B", "lines": [] },
            { "store": "C", "lines": [{ "item": null, "qty": "3" }] },
        ] });
        let columns =
            ["meta.day", "data[].store", "data[].lines[].item", "data[].lines[].qty"].map(Path::parse);
        let found = rows(&answer, &Path::parse("data[].lines[]"), &columns).expect("lists");
        let of = |row: &[&str]| row.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            found,
            [
                of(&["2026-11-04", "A", "Rice", "2"]),
                of(&["2026-11-04", "A", "Soup", "100"]),
                of(&["2026-11-04", "C", "", "3"]),
            ]
        );
        assert_eq!(rows(&answer, &Path::parse("nothing[]"), &columns), None);
        assert_eq!(
            rows(&json!([1, 2]), &Path::parse("[]"), &[Path::parse("[]")]).map(|rows| rows.len()),
            Some(2)
        );
    }

    #[test]
    fn names_with_dots_are_written_with_a_backslash() {
        let path = Path::parse(r"a\.b[].c\[0\]");
        assert_eq!(path.0, [Step::Name("a.b".into()), Step::Each, Step::Name("c[0]".into())]);
        assert_eq!(path.to_string(), r"a\.b[].c\[0\]");
        assert_eq!(path.list().to_string(), r"a\.b[]");
    }

    #[test]
    fn numbers_are_written_out() {
        for (text, written) in
            [("1e2", "100"), ("1.5e-3", "0.0015"), ("-12.5E1", "-125"), ("1.25e1", "12.5"), ("7", "7")]
        {
            assert_eq!(plain(text), written);
        }
    }
}
