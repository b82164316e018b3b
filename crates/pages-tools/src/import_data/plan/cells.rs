//! Parses the cells of a row and finds the changes.

use larder_domain::sales::names::spoiled;
use larder_domain::sheet::CellState;
use serde_json::{Map, Value, json};

use super::super::fields::{CUSTOM, Destination, PATH, PRICES, Target};
use super::accounts;
use super::read::{code, custom, empties, is_code, items, read, unquoted, yes_or_no};
use super::row::{Planner, Row};
use super::show::shown;
use larder_lists::engine::{Field, Kind};
use larder_lists::imports::records::{FRAME, Found, custom_of};

/// A formula whose value the file does not hold.
const NO_VALUE: &str =
    "The file does not hold the value of this formula. Open it in Excel, save it and upload it again.";
/// A code that is lost: `4.80002E+12`, or a date.
const SPOILED: &str = "A spreadsheet changed this code. Enter it again, in a column formatted as text.";

/// The field with the codes on a product's packs.
const BARCODES: &str = "barcodes";

/// Gives codes without a unit that of the product's stock.
fn complete_barcodes(row: &mut Row<'_>, before: Option<&Map<String, Value>>) {
    let base = row.sets.get("baseUom").or_else(|| before?.get("baseUom")).cloned();
    let codes = row.sets.get_mut(BARCODES).and_then(Value::as_array_mut);
    let (Some(base), Some(codes)) = (base, codes) else { return };
    for line in codes.iter_mut().filter_map(Value::as_object_mut) {
        line.entry("uomId").or_insert_with(|| base.clone());
    }
}

impl Planner<'_> {
    /// Parses every mapped cell: the row's changes to its record, and its errors.
    pub fn read_cells(&self, row: &mut Row<'_>, before: Option<&Map<String, Value>>) {
        let request = self.request;
        let mut path = None;
        for (target, at) in &request.columns {
            let text = row.cell(*at);
            if text.is_empty() {
                if row.state(*at) == CellState::NoValue {
                    row.wrong(&target.name, "=", NO_VALUE.to_owned());
                }
                continue;
            }
            match &target.destination {
                Destination::Id => {}
                Destination::Path => path = Some(unquoted(text, &request.style)),
                Destination::Field(field) => self.read_field(row, target, field, *at, before),
                Destination::Not(field) => match yes_or_no(text) {
                    Ok(yes) => row.set(field.name, json!(!yes)),
                    Err(message) => row.wrong(&target.name, text, message),
                },
                Destination::Custom => self.read_custom(row, text, before),
                Destination::Price(level) => self.read_price(row, target, level, *at, before),
            }
        }
        if let Some(path) = path {
            self.read_path(row, path, before);
        }
        complete_barcodes(row, before);
    }

    fn read_field(
        &self,
        row: &mut Row<'_>,
        target: &Target,
        field: &'static Field,
        at: usize,
        before: Option<&Map<String, Value>>,
    ) {
        let raw = row.cell(at);
        let text = unquoted(raw, &self.request.style);
        if let Some(before) = before {
            // Equal to what an export writes: no change, even if several records share a name.
            let stands = shown(field, before.get(field.name), &self.snapshot.directory);
            if stands == raw || stands == text {
                return;
            }
        }
        if empties(text) {
            return row.set(field.name, Value::Null);
        }
        let mut text = text;
        if is_code(self.request.def, field) {
            if spoiled(text.as_bytes()) || row.state(at) == CellState::Date {
                return row.wrong(&target.name, text, SPOILED.to_owned());
            }
            text = code(text);
        }
        let is_number = row.raw.numbers.get(at).copied().unwrap_or(false);
        match field.kind {
            Kind::Ref => {
                if let Some(id) = self.reference(row, &target.name, field.to, text) {
                    row.set(field.name, json!(id));
                }
            }
            // Files of other systems have codes alone.
            Kind::Items(_) if field.name == BARCODES && !text.contains(['=', '[']) => {
                let codes = text.split([';', '\n']).map(str::trim).filter(|code| !code.is_empty());
                let codes = codes.map(|text| json!({ "code": code(text) }));
                row.set(field.name, codes.collect());
            }
            Kind::Items(rule) => match items(rule, text) {
                Ok(mut listed) => {
                    for item in &mut listed {
                        self.resolve(row, target, item, rule.refs);
                    }
                    row.set(field.name, Value::Array(listed));
                }
                Err(message) => row.wrong(&target.name, text, message),
            },
            _ => match read(field, text, is_number, &self.request.style) {
                Ok(value) => {
                    let value = self.in_our_words(row, field, value, before);
                    row.set(field.name, value);
                }
                Err(message) => row.wrong(&target.name, text, message),
            },
        }
    }

    /// Resolves the references of a child record to ids.
    fn resolve(
        &self,
        row: &mut Row<'_>,
        target: &Target,
        item: &mut Value,
        refs: &[(&'static str, &'static str)],
    ) {
        for (member, table) in refs {
            let Some(text) = item.get(*member).and_then(Value::as_str).map(str::to_owned) else { continue };
            if let Some(id) = self.reference(row, &target.name, table, &text) {
                item[*member] = json!(id);
            }
        }
    }

    /// Translates account types of other systems.
    fn in_our_words(
        &self,
        row: &Row<'_>,
        field: &Field,
        value: Value,
        before: Option<&Map<String, Value>>,
    ) -> Value {
        match (self.request.def.kind, field.name, value.as_str()) {
            ("account", "type", Some(text)) => json!(accounts::type_name(text)),
            ("account", "detailType", Some(text)) => {
                let kind = row.sets.get("type").or_else(|| before?.get("type")).and_then(Value::as_str);
                json!(accounts::detail_name(kind, text))
            }
            _ => value,
        }
    }

    fn read_custom(&self, row: &mut Row<'_>, text: &str, before: Option<&Map<String, Value>>) {
        let def = self.request.def;
        if empties(text) {
            let held = before.map(|before| custom_of(def, before)).unwrap_or_default();
            row.sets.extend(held.into_iter().map(|(name, _)| (name, Value::Null)));
            return;
        }
        match custom(text) {
            Ok(members) => {
                // Exports include some system fields; a file cannot set them.
                for (name, value) in members.into_iter().filter(|(name, _)| !FRAME.contains(&name.as_str())) {
                    if def.field(&name).is_some() {
                        row.wrong(CUSTOM, &name, format!("«{name}» is no custom field; give it a column."));
                    } else {
                        row.set(&name, value);
                    }
                }
            }
            Err(message) => row.wrong(CUSTOM, text, message),
        }
    }

    fn read_price(
        &self,
        row: &mut Row<'_>,
        target: &Target,
        level: &str,
        at: usize,
        before: Option<&Map<String, Value>>,
    ) {
        const PRICE: Field = Field::new("price", "price", "price", "Price", Kind::Money, false);
        let text = unquoted(row.cell(at), &self.request.style);
        let of_level = |item: &Value| item["priceLevelId"] == level;
        let held = row.sets.get(PRICES).or_else(|| before?.get(PRICES)).and_then(Value::as_array);
        let mut prices = held.cloned().unwrap_or_default();
        if empties(text) {
            prices.retain(|item| !of_level(item));
            return row.set(PRICES, Value::Array(prices));
        }
        let is_number = row.raw.numbers.get(at).copied().unwrap_or(false);
        match read(&PRICE, text, is_number, &self.request.style) {
            Ok(price) => {
                match prices.iter_mut().find(|item| of_level(item)) {
                    Some(item) if item["price"] == price => return,
                    Some(item) => item["price"] = price,
                    None => prices.push(json!({ "priceLevelId": level, "price": price })),
                }
                row.set(PRICES, Value::Array(prices));
            }
            Err(message) => row.wrong(&target.name, text, message),
        }
    }

    /// `Parent:Child`: the name, and the parent unless another column sets it.
    fn read_path(&self, row: &mut Row<'_>, path: &str, before: Option<&Map<String, Value>>) {
        let def = self.request.def;
        let Some(tree) = def.tree else { return };
        let names: Vec<&str> = path.split(':').map(str::trim).collect();
        if names.iter().any(|name| name.is_empty()) {
            return row.wrong(
                PATH,
                path,
                "Write the names above it and its own, like Parent:Child.".to_owned(),
            );
        }
        let (name, above) = (names[names.len() - 1], &names[..names.len() - 1]);
        let held = |field: &str| before.and_then(|before| before.get(field)).and_then(Value::as_str);
        if !row.sets.contains_key(def.name) && held(def.name) != Some(name) {
            row.set(def.name, json!(name));
        }
        let said = self.text_of_any(row, tree);
        if said {
            return;
        }
        if above.is_empty() {
            if held(tree).is_some() && self.request.columns.iter().all(|(t, _)| t.name != tree) {
                row.set(tree, Value::Null);
            }
            return;
        }
        if let Some(id) = self.reference_path(row, above)
            && held(tree) != Some(id.as_str())
        {
            row.set(tree, json!(id));
        }
    }

    fn reference_path(&self, row: &mut Row<'_>, above: &[&str]) -> Option<String> {
        let table = self.request.def.table;
        let path = above.join(":");
        match self.snapshot.directory.with_path(table, &path) {
            Found::One(id) => Some(id.to_owned()),
            _ if above.len() == 1 => self.reference(row, PATH, table, above[0]),
            _ => self.reference(row, PATH, table, &path),
        }
    }

    fn text_of_any(&self, row: &Row<'_>, target: &str) -> bool {
        let column = self.request.columns.iter().find(|(known, _)| known.name == target);
        column.is_some_and(|(_, at)| !row.cell(*at).is_empty())
    }
}
