//! Checks every JSON response of every test against `openapi.json`: undeclared members and other types fail.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use serde_json::{Map, Value};

/// Ranges of paths and schemas in the text. Each is parsed only when needed, since a test uses few of them.
struct Contract {
    text: String,
    paths: Vec<(Vec<String>, std::ops::Range<usize>)>,
    schemas: HashMap<String, std::ops::Range<usize>>,
    read: Mutex<HashMap<usize, &'static Value>>,
}

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    Contract::of(std::fs::read_to_string(path).expect("openapi.json"))
});

/// A schema that accepts anything.
static ANY: Value = Value::Null;

fn is_parameter(part: &str) -> bool {
    part.starts_with('{')
}

fn has_parts(schema: &Value) -> bool {
    ["properties", "allOf", "oneOf", "anyOf"].iter().any(|name| schema.get(*name).is_some())
}

impl Contract {
    /// Finds members by their indentation: the generator indents by two spaces, and a test keeps the file as generated.
    fn of(text: String) -> Contract {
        let (mut paths, mut schemas) = (Vec::new(), HashMap::new());
        let (mut at, mut part, mut open) = (0, "", None);
        for line in text.split_inclusive('\n') {
            let begin = at;
            at += line.len();
            if line.starts_with("  \"") || line.starts_with("    \"schemas\"") {
                part = line.trim_start();
                continue;
            }
            let indent = match part.as_bytes() {
                [b'"', b'p', b'a', ..] => "    ",
                [b'"', b's', b'c', ..] => "      ",
                _ => continue,
            };
            let Some(rest) = line.strip_prefix(indent) else { continue };
            if let Some((name, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once("\": {")) {
                open = Some((name.to_owned(), begin + indent.len() + name.len() + 4));
            } else if rest.starts_with('}') {
                let Some((name, begin)) = open.take() else { continue };
                let range = begin..at - rest.len() + 1;
                if indent.len() == 4 {
                    paths.push((name.split('/').map(str::to_owned).collect(), range));
                } else {
                    schemas.insert(name, range);
                }
            }
        }
        assert!(paths.len() > 100 && schemas.len() > 100, "openapi.json has an unexpected layout");
        Contract { text, paths, schemas, read: Mutex::default() }
    }

    fn at(&self, range: &std::ops::Range<usize>) -> &'static Value {
        let mut read = self.read.lock().expect("no test has failed in here");
        read.entry(range.start).or_insert_with(|| {
            let value = serde_json::from_str(&self.text[range.clone()]).expect("JSON");
            Box::leak(Box::new(value))
        })
    }

    /// The path item of an address: of several matches, the one with the fewest parameters.
    fn path(&self, path: &str) -> Option<&'static Value> {
        let asked: Vec<&str> = path.split('/').collect();
        let fits = |told: &Vec<String>| {
            told.len() == asked.len()
                && told.iter().zip(&asked).all(|(part, asked)| is_parameter(part) || part == asked)
        };
        let found = self.paths.iter().filter(|(told, _)| fits(told));
        found
            .min_by_key(|(told, _)| told.iter().filter(|part| is_parameter(part)).count())
            .map(|(_, range)| self.at(range))
    }

    fn resolved(&self, schema: &'static Value) -> &'static Value {
        let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) else {
            return schema;
        };
        self.resolved(self.at(self.schemas.get(name).unwrap_or_else(|| panic!("no schema {name}"))))
    }

    /// The members of a value that its schema does not declare, or not with their type.
    fn undeclared(&self, schema: &'static Value, value: &Value, at: &str) -> Vec<String> {
        // Problems have further members depending on the code: `current`, `uses`, `state` (RFC 9457, 3.2).
        if schema["$ref"] == "#/components/schemas/Problem" {
            return Vec::new();
        }
        let schema = self.resolved(schema);
        for several in ["oneOf", "anyOf"] {
            if let Some(of) = schema[several].as_array() {
                let fits = of.iter().filter(|one| self.is_kind(one, value));
                let found = fits.map(|one| self.undeclared(one, value, at)).min_by_key(Vec::len);
                return found.unwrap_or_else(|| vec![format!("{at} (of no declared type)")]);
            }
        }
        if !self.is_kind(schema, value) {
            return vec![format!("{at} (not of the type {})", schema["type"])];
        }
        match value {
            Value::Array(items) => {
                let Some(one) = schema.get("items") else { return Vec::new() };
                let each = items.iter().enumerate();
                each.flat_map(|(n, item)| self.undeclared(one, item, &format!("{at}.{n}"))).collect()
            }
            Value::Object(members) => self.members(schema, members, at),
            _ => Vec::new(),
        }
    }

    fn members(&self, schema: &'static Value, members: &Map<String, Value>, at: &str) -> Vec<String> {
        let mut told = HashMap::new();
        let (mut more, mut is_open) = (None, true);
        self.collect(schema, &mut told, &mut more, &mut is_open);
        let mut found = Vec::new();
        for (name, value) in members {
            let at = format!("{at}.{name}");
            match told.get(name.as_str()).copied().or(more) {
                Some(schema) => found.extend(self.undeclared(schema, value, &at)),
                None if is_open => {}
                None => found.push(at),
            }
        }
        found
    }

    /// Collects the members a schema and its parts declare; a schema that declares none accepts any.
    fn collect(
        &self,
        schema: &'static Value,
        told: &mut HashMap<&'static str, &'static Value>,
        more: &mut Option<&'static Value>,
        is_open: &mut bool,
    ) {
        let schema = self.resolved(schema);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            told.insert(name, property);
            *is_open = false;
        }
        match &schema["additionalProperties"] {
            Value::Object(_) => *more = Some(&schema["additionalProperties"]),
            Value::Bool(true) => *more = Some(&ANY),
            Value::Bool(false) => *is_open = false,
            // A part that is only `type: object` accepts any member.
            _ if schema["type"] == "object" && !has_parts(schema) => *more = Some(&ANY),
            _ => {}
        }
        for part in ["allOf", "oneOf", "anyOf"].iter().flat_map(|name| schema[*name].as_array()).flatten() {
            self.collect(part, told, more, is_open);
        }
    }

    /// Whether a value has the schema's type.
    fn is_kind(&self, schema: &'static Value, value: &Value) -> bool {
        let kind = &self.resolved(schema)["type"];
        let is = |kind: &Value| match kind.as_str() {
            Some("null") => value.is_null(),
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number" | "integer") => value.is_number(),
            _ => true,
        };
        kind.as_array().map_or_else(|| is(kind), |kinds| kinds.iter().any(&is))
    }
}

/// Fails if a response has a member that the contract does not declare for it.
pub fn check(method: &str, path: &str, status: u16, body: &Value) {
    if !path.starts_with("/api/") || !(200..300).contains(&status) || body.is_null() {
        return;
    }
    let Some(told) = CONTRACT.path(path) else { panic!("{method} {path} is not in openapi.json") };
    let responses = &told[method.to_lowercase()]["responses"];
    let answer = &responses[status.to_string()]["content"]["application/json"];
    let Some(schema) = answer.get("schema") else {
        panic!("{method} {path} returned {status} with JSON that openapi.json does not declare: {body}");
    };
    let found = CONTRACT.undeclared(schema, body, "");
    assert!(
        found.is_empty(),
        "{method} {path} returned members that openapi.json does not declare: {}",
        found.join(", ")
    );
}

/// A schema of the contract.
pub fn schema(name: &str) -> &'static Value {
    CONTRACT.at(&CONTRACT.schemas[name])
}
