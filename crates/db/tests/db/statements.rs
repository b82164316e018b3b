//! The SQL statements of the service, read from its sources: those whose whole text stands there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A statement, as PostgreSQL gets it.
pub struct Statement {
    /// File below `crates` and line.
    pub place: String,
    pub text: String,
}

/// What the sources contain.
#[derive(Default)]
pub struct Found {
    pub statements: Vec<Statement>,
    /// Where a statement is composed by code, which only running it can check.
    pub composed: Vec<String>,
}

/// All Rust sources of the crates, tests excluded, by their path below `crates`.
pub fn sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of all crates").to_owned();
    let mut files = Vec::new();
    for one in std::fs::read_dir(&crates).expect("the crates").flatten() {
        collect(&one.path().join("src"), &mut files);
    }
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source");
        let name = path.strip_prefix(&crates).expect("below the crates").display().to_string();
        // Tests follow what they test.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
        (name, code)
    };
    files.into_iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for one in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = one.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The statements of a source file: calls of `sql(…)` and what is chained to them.
pub fn of_file(name: &str, code: &str, found: &mut Found) {
    let consts = consts(code);
    for (at, _) in code.match_indices(".sql(") {
        let line_start = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if code[line_start..at].trim_start().starts_with("//") {
            continue;
        }
        let place = format!("{name}:{}", code[..at].matches('\n').count() + 1);
        let mut reader = Reader { code, at: at + ".sql".len(), consts: &consts };
        match reader.statement() {
            Some(text) => found.statements.push(Statement { place, text }),
            None => found.composed.push(place),
        }
    }
}

/// Texts with a name.
fn consts(code: &str) -> HashMap<&str, String> {
    let mut consts = HashMap::new();
    for (at, _) in code.match_indices("const ") {
        let rest = &code[at + "const ".len()..];
        let Some((name, value)) = rest.split_once(": &str =") else { continue };
        if !name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') {
            continue;
        }
        let mut reader = Reader { code, at: code.len() - value.len(), consts: &HashMap::new() };
        if let Some(text) = reader.literal() {
            consts.insert(name, text);
        }
    }
    consts
}

/// Whether a name stands there, and not a part of one.
fn is_word(code: &str, at: usize, length: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !code[..at].ends_with(is_part) && !code[at + length..].starts_with(is_part)
}

struct Reader<'c> {
    code: &'c str,
    at: usize,
    consts: &'c HashMap<&'c str, String>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.code[self.at..]
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or_else(|| self.rest().len());
        }
    }

    /// Whether this follows; if so, it is read.
    fn take(&mut self, what: &str) -> bool {
        self.skip_blank();
        let follows = self.rest().starts_with(what);
        self.at += if follows { what.len() } else { 0 };
        follows
    }

    fn name(&mut self) -> String {
        self.skip_blank();
        let name: String = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        self.at += name.len();
        name
    }

    /// A text: literal, or by name.
    fn literal(&mut self) -> Option<String> {
        self.skip_blank();
        if self.rest().starts_with('r') {
            let hashes = self.rest()[1..].chars().take_while(|c| *c == '#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            let body = self.rest().get(1 + hashes..)?.strip_prefix('"')?;
            let text = body.split_once(end.as_str())?.0.to_owned();
            self.at += 2 + hashes + text.len() + end.len();
            return Some(text);
        }
        if !self.take("\"") {
            let mut name = self.name();
            while self.take("::") {
                name = self.name();
            }
            return self.consts.get(name.as_str()).cloned();
        }
        let mut text = String::new();
        let mut chars = self.code[self.at..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Some(text);
                }
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    '\n' => while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {},
                    other => text.push(other),
                },
                _ => text.push(c),
            }
        }
        None
    }

    /// The variable that keeps the statement, in `let query = db.sql(…`.
    fn variable(&self) -> Option<String> {
        let before = self.code[..self.at].rsplit_once(".sql")?.0;
        let line = &before[before.rfind([';', '{', '}']).map_or(0, |end| end + 1)..];
        let (name, _) = line.trim_start().strip_prefix("let ")?.split_once(" = ")?;
        let name = name.trim_start_matches("mut ");
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| name.to_owned())
    }

    /// Skips what stands in parentheses, these included.
    fn arguments(&mut self) -> Option<()> {
        if !self.take("(") {
            return Some(());
        }
        let mut depth = 1;
        while depth > 0 {
            self.skip_blank();
            let next = self.rest().chars().next()?;
            match next {
                '"' => drop(self.literal()?),
                '\'' if self.rest()[1..].chars().nth(1) == Some('\'') => self.at += 3,
                '(' | ')' => {
                    depth += if next == '(' { 1 } else { -1 };
                    self.at += 1;
                }
                _ => self.at += next.len_utf8(),
            }
        }
        Some(())
    }

    /// The text of a statement, after `.sql`; none if a part of it is not a literal.
    fn statement(&mut self) -> Option<String> {
        let kept = self.variable();
        self.take("(");
        let mut text = self.literal()?;
        self.take(",");
        if !self.take(")") {
            return None;
        }
        let mut bound = 0;
        loop {
            if !self.take(".") {
                // Kept in a variable, whose next use goes on.
                let (true, Some(kept)) = (self.take(";"), kept.as_deref()) else { return None };
                let uses = self.rest().match_indices(kept).map(|(at, _)| self.at + at);
                let next = uses.into_iter().find(|at| is_word(self.code, *at, kept.len()))?;
                self.at = next + kept.len();
                continue;
            }
            let step = self.name();
            if step == "push" {
                self.take("(");
                text += &self.literal()?;
                self.take(",");
                if !self.take(")") {
                    return None;
                }
                continue;
            }
            if self.take("::<") {
                let mut open = 1;
                while open > 0 {
                    let next = self.rest().chars().next()?;
                    open += i32::from(next == '<') - i32::from(next == '>');
                    self.at += next.len_utf8();
                }
            }
            self.arguments()?;
            bound += i32::from(matches!(step.as_str(), "bind" | "push_bind" | "push_ids" | "push_in"));
            match step.as_str() {
                "bind" => {}
                "push_bind" => text += &format!("${bound}"),
                "push_in" => text += &format!("(${bound})"),
                "push_ids" => text += &format!("(select jsonb_array_elements_text(${bound}))"),
                "all" | "all_by" | "one" | "optional" | "optional_by" | "scalar" | "execute" | "stream"
                | "stream_by" => return Some(text),
                _ => return None,
            }
        }
    }
}
