//! Reads the members of a legacy document under their legacy names.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Actor, Db};
use larder_domain::decimal::DecimalError;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp, Word};
use serde_json::{Map, Value};

use crate::convert::{day, editor, moment, reference, written};
use larder_documents::products;
use larder_documents::products::{Product, Unit};
use larder_documents::{Head, Taken};
use larder_lists::catalog::{Commissary, Location, Product as Products, Supplier, Uom, Warehouse};
use larder_lists::imports::records::Directory;
use larder_platform::audit::Editor;

/// Members that every document may have; they go to the head.
const FRAME: [&str; 7] = ["id", "_id", "createdAt", "updatedAt", "updatedBy", "createdBy", "revision"];

/// Kinds of source places, the member that refers to one, and their table.
const SOURCES: [(&str, &str, &str); 3] = [
    ("commissary", "commissaryId", Commissary::DEF.table),
    ("warehouse", "warehouseId", Warehouse::DEF.table),
    ("supplier", "supplierId", Supplier::DEF.table),
];

/// Records that documents refer to.
pub struct Names {
    directory: Directory,
    products: HashMap<String, Product>,
    units: HashMap<String, String>,
}

/// The product and unit of a line.
pub struct Named<'n> {
    pub product: &'n Product,
    pub uom_id: String,
    pub uom_code: String,
    pub factor: Factor,
}

impl Names {
    /// Loads all records that can be referred to.
    pub async fn load(db: &Db) -> anyhow::Result<Self> {
        let mut directory = Directory::default();
        let places = SOURCES.iter().map(|(.., table)| *table);
        for table in [Location::DEF.table, Products::DEF.table, Uom::DEF.table].into_iter().chain(places) {
            directory.load_table(db, table).await?;
        }
        let units: Vec<(String, String)> = db.sql("select id, coalesce(code, name) from uoms").all().await?;
        Ok(Self { directory, products: products::all(db).await?, units: units.into_iter().collect() })
    }

    /// Resolves a value to an id in a table.
    pub fn id(&self, table: &str, value: &Value) -> Result<String, String> {
        let id = reference(table, value, &self.directory)?;
        Ok(id.as_str().unwrap_or_default().to_owned())
    }

    /// The product of a line and its unit; with the original factor, if the line has one.
    pub fn line(&self, from: &mut Members<'_>) -> Result<Named<'_>, String> {
        let named = from.get(&["productId", "product", "sku"]).ok_or("It names no product.")?;
        let id = self.id(Products::DEF.table, named)?;
        let product = self.products.get(&id).ok_or_else(|| format!("There is no product «{id}»."))?;
        let unit: Option<Unit> = match from.get(&["uomId", "uom", "unit"]) {
            None => product.usual_unit(),
            Some(named) => {
                let uom_id = self.id(Uom::DEF.table, named)?;
                let factor = Factor(0);
                product.unit(&uom_id).or(Some(Unit { uom_id, factor, whole: false }))
            }
        };
        let unit = unit.ok_or_else(|| format!("{} has no unit.", product.name))?;
        let factor = match from.get(&["factorToBase", "factor", "conversionFactor"]) {
            None => unit.factor,
            Some(said) => {
                let text = written(said, Factor::PLACES).ok_or("The factor is no number.")?;
                Factor::typed(&text).map_err(|error| format!("The factor: {error}"))?
            }
        };
        if factor.0 <= 0 {
            return Err(format!("It does not say how much of {} one of its unit is.", product.name));
        }
        let uom_code = self.units.get(&unit.uom_id).cloned().unwrap_or_default();
        Ok(Named { product, uom_id: unit.uom_id, uom_code, factor })
    }

    /// The store of a document.
    pub fn store(&self, from: &mut Members<'_>) -> Result<String, String> {
        let store = from.get(&["storeId", "store", "locationId", "toStoreId"]).ok_or("It names no store.")?;
        self.id(Location::DEF.table, store)
    }

    /// Kind and id of the place a document's goods come from.
    pub fn source(&self, from: &mut Members<'_>) -> Result<(String, String), String> {
        let said = from.state(&["sourceType"]);
        for (kind, own, table) in SOURCES {
            if let Some(named) = from.get(&[own]) {
                let id = self.id(table, named).map_err(|words| format!("{own}: {words}"))?;
                return Ok((kind.to_owned(), id));
            }
        }
        let named =
            from.get(&["sourceId", "source", "fromId"]).ok_or("It does not say where it comes from.")?;
        let kinds = SOURCES.iter().filter(|(kind, ..)| said.as_deref().is_none_or(|said| said == *kind));
        let mut found: Vec<(&str, String)> =
            kinds.filter_map(|(kind, _, table)| Some((*kind, self.id(table, named).ok()?))).collect();
        match (found.pop(), found.is_empty()) {
            (Some((kind, id)), true) => Ok((kind.to_owned(), id)),
            (None, _) => Err(format!("There is no place {named} that it could come from.")),
            _ => Err(format!("Several places are called {named}.")),
        }
    }
}

/// A document or line, tracking which of its members were read.
pub struct Members<'d> {
    of: &'d Map<String, Value>,
    asked: BTreeSet<&'static str>,
    of_lines: BTreeSet<String>,
    /// Notes for the report.
    pub notes: Vec<String>,
}

impl<'d> Members<'d> {
    /// Starts reading a document, with no member read yet.
    pub fn of(document: &'d Map<String, Value>) -> Self {
        Self { of: document, asked: FRAME.into(), of_lines: BTreeSet::new(), notes: Vec::new() }
    }

    /// The first non-empty member among these names.
    pub fn get(&mut self, names: &[&'static str]) -> Option<&'d Value> {
        self.asked.extend(names);
        let said = |value: &&Value| match value {
            Value::Null => false,
            Value::String(text) => !text.trim().is_empty(),
            _ => true,
        };
        names.iter().find_map(|name| self.of.get(*name).filter(said))
    }

    /// A text; a number is read as written.
    pub fn text(&mut self, names: &[&'static str]) -> Option<String> {
        match self.get(names)? {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// A text in comparison form: `Partially Received` is `partiallyreceived`.
    pub fn state(&mut self, names: &[&'static str]) -> Option<String> {
        let text = self.text(names)?;
        Some(text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase())
    }

    /// A quantity that is not negative.
    pub fn qty(&mut self, names: &[&'static str]) -> Result<Option<Qty>, String> {
        let Some(value) = self.get(names) else { return Ok(None) };
        let name = names.first().copied().unwrap_or_default();
        match written(value, Qty::PLACES).map(|text| Qty::typed(&text)) {
            Some(Ok(qty)) if qty.0 >= 0 => Ok(Some(qty)),
            Some(Ok(_)) => Err(format!("{name} is below zero.")),
            Some(Err(error @ DecimalError::Undecided)) => Err(format!("{name}: {error}")),
            Some(Err(_)) | None => Err(format!("{name} is no quantity.")),
        }
    }

    /// A temperature or another number that may be negative.
    pub fn number(&mut self, names: &[&'static str]) -> Option<Qty> {
        written(self.get(names)?, Qty::PLACES).and_then(|text| Qty::parse(&text).ok())
    }

    /// An amount; `None` if invalid.
    pub fn money(&mut self, names: &[&'static str]) -> Option<Money> {
        written(self.get(names)?, Money::PLACES).and_then(|text| Money::typed(&text).ok())
    }

    /// A date; the error names the member.
    pub fn day(&mut self, names: &[&'static str]) -> Result<Option<BusinessDay>, String> {
        let Some(value) = self.get(names) else { return Ok(None) };
        let name = names.first().copied().unwrap_or_default();
        let text = day(value).map_err(|_| format!("{name} is no date."))?;
        serde_json::from_value(text).map(Some).map_err(|_| format!("{name} is no date."))
    }

    /// A time; `None` if invalid.
    pub fn moment(&mut self, names: &[&'static str]) -> Option<Timestamp> {
        self.get(names).and_then(moment)
    }

    /// The lines of a document; errors name the line.
    pub fn lines(&mut self) -> Result<Vec<Members<'d>>, String> {
        let Some(Value::Array(lines)) = self.get(&["lines", "items", "products"]) else {
            return Err("It has no lines.".to_owned());
        };
        let each = lines.iter().zip(1..).map(|(line, at)| match line {
            Value::Object(line) => Ok(Members::of(line)),
            _ => Err(format!("Line {at} is no object.")),
        });
        let lines: Vec<_> = each.collect::<Result<_, _>>()?;
        if lines.is_empty() { Err("It has no lines.".to_owned()) } else { Ok(lines) }
    }

    /// Id of a line: its document's, and its own legacy id or position.
    pub fn line_id(&mut self, document: &str, at: usize) -> String {
        let own = self.of.get("id").or_else(|| self.of.get("lineId")).and_then(|id| match id {
            Value::String(id) => Some(id.trim().to_owned()).filter(|id| !id.is_empty()),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        });
        self.asked.insert("lineId");
        format!("{document}_{}", own.unwrap_or_else(|| at.to_string()))
    }

    /// The head members common to every type.
    pub fn head<S: Word>(&mut self, id: &str, actor: &Actor) -> Head<S> {
        let created = self.moment(&["createdAt"]);
        let updated = self.moment(&["updatedAt"]);
        let by = |value: Option<&Value>| value.and_then(editor);
        let (maker, last) = (by(self.get(&["createdBy"])), by(self.get(&["updatedBy"])));
        let made = created.or(updated).unwrap_or(actor.at).min(actor.at);
        Head {
            id: id.to_owned(),
            number: String::new(),
            state: S::ALL[0],
            store_id: None,
            source_type: None,
            source_id: None,
            on_date: BusinessDay::of(made),
            notes: self.text(&["notes", "remarks", "comments"]),
            steps: Vec::new(),
            line_count: 0,
            amount: None,
            revision: 1,
            created_at: made,
            created_by: maker.or_else(|| last.clone()).unwrap_or_else(|| Editor::from(actor)),
            updated_at: updated.unwrap_or(made).min(actor.at),
            updated_by: last.unwrap_or_else(|| Editor::from(actor)),
        }
    }

    /// Workflow steps with a recorded time: step, and the members for time and author.
    pub fn steps<S>(&mut self, head: &mut Head<S>, steps: &[(impl Word, &'static str, &'static str)]) {
        for (step, at, by) in steps {
            let who = self.get(&[by]).and_then(editor);
            if let Some(at) = self.moment(&[at]) {
                let by = who.unwrap_or_else(|| head.created_by.clone());
                head.steps.push(Taken { step: step.as_str().to_owned(), at, by, reason: None });
            }
        }
        head.steps.sort_by_key(|taken| taken.at);
    }

    /// Unread members, including those of lines.
    pub fn unknown(&self) -> Vec<String> {
        let unknown =
            self.of.iter().filter(|(name, value)| !value.is_null() && !self.asked.contains(name.as_str()));
        unknown.map(|(name, _)| name.to_owned()).chain(self.of_lines.iter().cloned()).collect()
    }

    /// Merges the unread members and notes of a line.
    pub fn read(&mut self, line: Members<'_>, at: usize) {
        self.of_lines.extend(line.unknown().into_iter().map(|name| format!("lines.{name}")));
        self.notes.extend(line.notes.iter().map(|words| format!("Line {at}: {words}")));
    }
}

/// Closes a document that was open in the legacy system, with a step that records why.
pub fn end<S>(head: &mut Head<S>, actor: &Actor, step: impl Word, was: &str) {
    let reason = Some(format!("It was still «{was}» when it came from the former system."));
    head.steps.push(Taken { step: step.as_str().to_owned(), at: actor.at, by: Editor::from(actor), reason });
}
