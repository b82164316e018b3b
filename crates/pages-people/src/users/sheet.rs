//! Reads a file of users row by row: the change in each row, or its errors.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use larder_platform::http::text::{FORMULA_STARTS, fold};
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Value of the stores column for all stores.
pub const ALL_STORES: &str = "all";
/// Value of the stores column for no stores.
pub const NO_STORES: &str = "none";

/// Maximum number of rows.
const MAX_ROWS: usize = 2_000;
const COLUMNS: &[&str] = &["email", "name", "role", "stores", "status", "billable"];

/// Resolves names in the file.
#[derive(Debug, Default)]
pub struct Names {
    roles: HashMap<String, Option<String>>,
    stores: HashMap<String, Option<String>>,
}

impl Names {
    /// From roles (id, name) and stores (id, code, name). Ambiguous names resolve to nothing.
    #[must_use]
    pub fn of(roles: Vec<(String, String)>, stores: Vec<(String, Option<String>, String)>) -> Self {
        let mut names = Self::default();
        let add = |map: &mut HashMap<String, Option<String>>, name: &str, id: &str| {
            let folded = fold(name);
            if !folded.is_empty() {
                let known = map.entry(folded).or_insert_with(|| Some(id.to_owned()));
                if known.as_deref() != Some(id) {
                    *known = None;
                }
            }
        };
        for (id, name) in roles {
            add(&mut names.roles, &name, &id);
        }
        for (id, code, name) in stores {
            add(&mut names.stores, code.as_deref().unwrap_or_default(), &id);
            add(&mut names.stores, &name, &id);
        }
        names
    }
}

/// A row of the file.
#[derive(Debug)]
pub struct Row {
    /// Row number as in a spreadsheet; the header is row 1.
    pub row: u64,
    /// Email address, as written.
    pub email: String,
    /// The requested change, as in a request body, or its errors.
    pub wish: Result<Map<String, Value>, Vec<FieldError>>,
}

/// Reads a file: UTF-8 or Windows-1252, separated by commas, semicolons or tabs.
pub fn read(bytes: &[u8], names: &Names) -> ApiResult<Vec<Row>> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    };
    if text.contains('\0') {
        return Err(ApiError::unprocessable("unreadable", "This is no text file; save the sheet as CSV."));
    }
    // The reader reports the line of the last character.
    let text = text.replace("\r\n", "\n");
    let first = text.lines().next().unwrap_or_default();
    let count = |sign: char| first.matches(sign).count();
    let delimiter = [',', ';', '\t'].into_iter().rev().max_by_key(|sign| count(*sign)).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter as u8)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let titles = titles(reader.headers().map_err(unreadable)?)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let line = record.position().map_or(0, csv::Position::line);
        if rows.len() == MAX_ROWS {
            let words = format!("A file holds at most {MAX_ROWS} users; split it.");
            return Err(ApiError::unprocessable("tooManyRows", words));
        }
        if record.iter().all(str::is_empty) {
            continue;
        }
        rows.push(read_row(line, &record, &titles, names));
    }
    refuse_twins(&mut rows);
    Ok(rows)
}

fn unreadable(error: csv::Error) -> ApiError {
    ApiError::unprocessable("unreadable", format!("This file cannot be read: {error}."))
}

/// Indexes of the columns.
fn titles(record: &csv::StringRecord) -> ApiResult<HashMap<&'static str, usize>> {
    let mut titles = HashMap::new();
    for (at, title) in record.iter().enumerate() {
        let folded = fold(title);
        if let Some(name) = COLUMNS.iter().find(|name| **name == folded) {
            titles.entry(*name).or_insert(at);
        }
    }
    if titles.contains_key("email") {
        return Ok(titles);
    }
    let words =
        "The first row names the columns: email, name, role, stores, status, billable. There is no email.";
    Err(ApiError::unprocessable("noEmailColumn", words))
}

fn read_row(
    row: u64,
    record: &csv::StringRecord,
    titles: &HashMap<&'static str, usize>,
    names: &Names,
) -> Row {
    // Exports prefix an apostrophe so that a spreadsheet does not run the cell.
    let cell = |name: &str| {
        let text = titles.get(name).and_then(|at| record.get(*at)).unwrap_or_default();
        text.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA_STARTS)).unwrap_or(text)
    };
    let mut wish = Map::new();
    let mut findings = Vec::new();
    let mut put = |field: &str, name: &str, read: Result<Option<Value>, String>| match read {
        Ok(Some(value)) => drop(wish.insert(name.to_owned(), value)),
        Ok(None) => {}
        Err(message) => findings.push(FieldError::new(field, message)),
    };
    let text = |name: &str| Some(cell(name)).filter(|text| !text.is_empty());
    put(
        "email",
        "email",
        text("email").map(|email| Some(json!(email))).ok_or("Enter the email address.".into()),
    );
    put("name", "name", Ok(text("name").map(|name| json!(name))));
    put("role", "roleId", text("role").map(|role| find(&names.roles, role, "role")).transpose());
    put("stores", "storeIds", text("stores").map(|stores| read_stores(stores, names)).transpose());
    put("status", "status", text("status").map(read_status).transpose());
    put("billable", "billable", text("billable").map(read_yes).transpose());
    let email = cell("email").chars().filter(|c| !c.is_control()).take(254).collect();
    Row { row, email, wish: if findings.is_empty() { Ok(wish) } else { Err(findings) } }
}

fn find(known: &HashMap<String, Option<String>>, name: &str, what: &str) -> Result<Value, String> {
    match known.get(&fold(name)) {
        Some(Some(id)) => Ok(json!(id)),
        Some(None) => Err(format!("Several are called «{name}»; use a code that only one has.")),
        None => Err(format!("There is no {what} «{name}».")),
    }
}

fn read_stores(text: &str, names: &Names) -> Result<Value, String> {
    match fold(text).as_str() {
        ALL_STORES => return Ok(Value::Null),
        NO_STORES => return Ok(json!([])),
        _ => {}
    }
    let parts = text.split([';', '|']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| find(&names.stores, part, "store")).collect::<Result<Vec<_>, _>>().map(Value::from)
}

fn read_status(text: &str) -> Result<Value, String> {
    match fold(text).as_str() {
        "active" => Ok(json!("Active")),
        "disabled" => Ok(json!("Disabled")),
        _ => Err("Write Active or Disabled.".to_owned()),
    }
}

fn read_yes(text: &str) -> Result<Value, String> {
    match fold(text).as_str() {
        "yes" | "true" | "1" | "y" => Ok(json!(true)),
        "no" | "false" | "0" | "n" => Ok(json!(false)),
        _ => Err("Write yes or no.".to_owned()),
    }
}

/// Refuses a second row for an email address, which would undo the first.
fn refuse_twins(rows: &mut [Row]) {
    let mut seen: HashMap<String, u64> = HashMap::new();
    for row in rows {
        let first = *seen.entry(fold(&row.email)).or_insert(row.row);
        if first != row.row && !row.email.is_empty() {
            let words = format!("Row {first} has the same address.");
            row.wish = Err(vec![FieldError::new("email", words)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let role = |id: &str, name: &str| (id.to_owned(), name.to_owned());
        let store =
            |id: &str, code: &str, name: &str| (id.to_owned(), Some(code.to_owned()), name.to_owned());
        let stores =
            vec![store("s1", "MKT01", "Makati"), store("s2", "PSG01", "Pasig"), store("s3", "X", "Pasig")];
        Names::of(vec![role("r1", "Store manager")], stores)
    }

    #[test]
    fn rows_contain_the_change_or_its_errors() {
        let file = "Email;Name;ROLE;Stores;Billable\r\n\
                    ana@example.com;Ana;store  manager;\"MKT01; Psg01\";yes\r\n\
                    ;Ben;Chief;Pasig;maybe\r\n\
                    ;;;;\r\n\
                    ANA@example.com;Again;;all;\r\n";
        let rows = read(file.as_bytes(), &names()).expect("readable");
        assert_eq!(rows.iter().map(|row| row.row).collect::<Vec<_>>(), [2, 3, 5]);
        let wish = Value::Object(rows[0].wish.clone().expect("a valid row"));
        let asked = json!({ "email": "ana@example.com", "name": "Ana", "roleId": "r1", "storeIds": ["s1", "s2"],
                            "billable": true });
        assert_eq!(wish, asked);
        let wrong = |row: &Row| {
            let findings = row.wish.as_ref().expect_err("wrong");
            findings.iter().map(|found| found.field.clone()).collect::<Vec<_>>()
        };
        assert_eq!(wrong(&rows[1]), ["email", "role", "stores", "billable"]);
        assert_eq!(wrong(&rows[2]), ["email"]);
    }

    #[test]
    fn refuses_a_file_without_an_email_column() {
        assert!(read(b"name,role\nAna,x", &names()).is_err());
        assert!(read(b"PK\x03\x04\0\0", &names()).is_err());
        assert!(read("email\nana@example.com".as_bytes(), &names()).is_ok());
    }

    #[test]
    fn an_export_can_be_imported() {
        let rows = read(b"email,name,stores\n'=a@example.com,'+Ana,none\n", &names()).expect("readable");
        let wish = rows[0].wish.as_ref().expect("a valid row");
        assert_eq!(
            (&wish["email"], &wish["name"], &wish["storeIds"]),
            (&json!("=a@example.com"), &json!("+Ana"), &json!([]))
        );
    }
}
