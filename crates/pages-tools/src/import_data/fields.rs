//! The fields a column can map to, and suggested mappings.

use larder_db::{Db, DbError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::model::ImportField;
use larder_lists::catalog::{PriceLevel, Product};
use larder_lists::engine::{Field, Form, Kind, ListDef, Name, Origin, lines, names};
use larder_lists::imports::records::list_of;

/// How a field's cells are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportKind {
    Id,
    /// A name with its ancestors: `Parent:Child`.
    Path,
    /// Single-line text.
    Text,
    /// Multi-line text.
    Lines,
    Quantity,
    /// Amount in pesos.
    Money,
    /// A factor with up to nine decimals.
    Factor,
    Integer,
    Boolean,
    Date,
    /// A record of another list, by id, code or name.
    Reference,
    /// A list of child records, as written by an export.
    Items,
    /// Custom fields as a JSON object.
    Custom,
}

/// Target of a cell's value.
#[derive(Debug, Clone)]
pub enum Destination {
    Id,
    /// Name and parent.
    Path,
    Field(&'static Field),
    /// An inverted yes-or-no field.
    Not(&'static Field),
    Custom,
    /// The price at a price level.
    Price(String),
}

/// A field a column can map to.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its key in a mapping.
    pub name: String,
    pub label: String,
    /// Target of its cells.
    pub destination: Destination,
}

/// Key of the target for custom fields.
pub const CUSTOM: &str = "customFields";
/// Key of the target for a name with its ancestors.
pub const PATH: &str = "fullName";
/// The product field that holds prices.
pub const PRICES: &str = "priceLevelPrices";

/// All fields a column of a file for this list can map to.
pub(crate) async fn targets(db: &Db, def: &'static ListDef) -> Result<Vec<Target>, DbError> {
    let levels = if def.kind == Product::DEF.kind { names(db, &PriceLevel::DEF).await? } else { Vec::new() };
    Ok(targets_with(def, &levels))
}

/// As [`targets`], with the given price levels.
pub fn targets_with(def: &'static ListDef, levels: &[Name]) -> Vec<Target> {
    let target =
        |name: &str, label: &str, destination| Target { name: name.into(), label: label.into(), destination };
    let mut all = vec![target("id", "Id", Destination::Id)];
    if def.tree.is_some() {
        all.push(target(PATH, "Full name", Destination::Path));
    }
    for field in def.fields.iter().filter(|field| field.origin == Origin::Given) {
        all.push(target(field.name, field.label, Destination::Field(field)));
    }
    if let Some(active) = def.field("active").filter(|_| def.field("inactive").is_none()) {
        all.push(target("inactive", "Inactive", Destination::Not(active)));
    }
    for level in levels {
        let name = format!("price:{}", level.id);
        all.push(target(&name, &format!("Price: {}", level.name), Destination::Price(level.id.clone())));
    }
    all.push(target(CUSTOM, "Custom fields", Destination::Custom));
    all
}

impl Target {
    /// How its cells are parsed.
    pub fn kind(&self) -> ImportKind {
        match &self.destination {
            Destination::Id => ImportKind::Id,
            Destination::Path => ImportKind::Path,
            Destination::Not(_) => ImportKind::Boolean,
            Destination::Custom => ImportKind::Custom,
            Destination::Price(_) => ImportKind::Money,
            Destination::Field(field) => match field.kind {
                Kind::Text => ImportKind::Text,
                Kind::Lines => ImportKind::Lines,
                Kind::Qty => ImportKind::Quantity,
                Kind::Money => ImportKind::Money,
                Kind::Factor => ImportKind::Factor,
                Kind::Int => ImportKind::Integer,
                Kind::Bool => ImportKind::Boolean,
                Kind::Day => ImportKind::Date,
                Kind::Ref => ImportKind::Reference,
                Kind::Items(_) => ImportKind::Items,
            },
        }
    }

    /// As a response.
    pub fn on_wire(&self) -> ImportField {
        let field = if let Destination::Field(field) = &self.destination { Some(*field) } else { None };
        let reference = field.filter(|field| matches!(field.kind, Kind::Ref)).and_then(|f| list_of(f.to));
        ImportField {
            name: self.name.clone(),
            label: self.label.clone(),
            kind: self.kind(),
            required: field.is_some_and(|f| f.required && f.usual.is_none() && !has_default(f)),
            reference: reference.map(slug),
            hint: self.hint(field),
        }
    }

    fn hint(&self, field: Option<&Field>) -> Option<String> {
        match (self.kind(), field.map(|field| field.form)) {
            (_, Some(Form::OneOf(words))) => Some(format!("One of: {}.", words.join(", "))),
            (ImportKind::Id, _) => {
                Some("As an export has it. A new one is kept where it is not taken.".to_owned())
            }
            (ImportKind::Path, _) => Some("With those above it: Parent:Child.".to_owned()),
            (ImportKind::Boolean, _) => Some("yes or no.".to_owned()),
            (ImportKind::Reference, _) => Some("Its name, code or id.".to_owned()),
            (ImportKind::Items, _) => match field.map(|field| field.kind) {
                Some(Kind::Items(items)) => Some(format!("{}.", lines::example(items))),
                _ => None,
            },
            (ImportKind::Custom, _) => Some("As an export writes them (a JSON object).".to_owned()),
            _ => None,
        }
    }

    /// Known column titles, normalized; the most likely first.
    fn words(&self, def: &ListDef) -> Vec<String> {
        let mut words = vec![squeeze(&self.label), squeeze(&self.name)];
        words.extend(other_words(def.kind, &self.name).iter().map(|word| squeeze(word)));
        if let Destination::Field(field) = &self.destination
            && matches!(field.kind, Kind::Ref)
        {
            words.extend(["name", "code", "number", "id"].map(|more| squeeze(&self.label) + more));
        }
        words
    }
}

fn has_default(field: &Field) -> bool {
    matches!(field.kind, Kind::Bool | Kind::Int | Kind::Items(_))
}

/// A list's slug.
pub fn slug(def: &'static ListDef) -> &'static str {
    if def.stores { "stores" } else { def.slug() }
}

/// Names of fields in other systems. Exports of QuickBooks Online or NetSuite need no manual mapping.
fn other_words(kind: &str, name: &str) -> &'static [&'static str] {
    match (kind, name) {
        ("account", PATH) => &["Account", "Account name", "Account full name", "Full account name"],
        ("account", "number") => &["Account #", "Account no.", "Account number", "Acct #", "No.", "Code"],
        ("account", "type") => &["Account type"],
        ("account", "detailType") => &["Detail type", "Account detail type", "Subtype", "Sub type"],
        ("account", "parentId") => &["Subaccount of", "Sub account of", "Parent"],
        ("account", "openingBalance") => {
            &["Balance", "Total balance", "Current balance", "QuickBooks balance"]
        }
        ("account", "openingBalanceDate") => &["As of", "As of date", "Balance date"],
        ("account", "description") => &["Memo", "Notes"],
        ("account", "inactive") => &["Is inactive"],
        (_, "id") => &["Internal ID", "Record ID", "Larder id"],
        ("product", "sku") => &["Item code", "Product code", "Item number", "Stock code", "Code", "Item no."],
        ("product", "name") => &["Product", "Item", "Item name", "Product name", "Product/Service name"],
        ("product", "baseUom") => &["UOM", "Unit", "Unit of measure", "Base UOM", "Stock unit"],
        ("product", "defaultSellingUom") => &["Selling UOM", "Sales unit", "Order unit"],
        ("product", "barcodes") => &["Barcode", "EAN", "UPC", "GTIN"],
        ("product", "description") => &["Sales description", "Item description"],
        ("product", "reorderPoint") => &["Reorder level", "Min stock"],
        ("product", "expenseAccountId") => &["COGS account", "Cost account"],
        ("product", "inventoryAssetAccountId") => &["Asset account", "Inventory account"],
        ("product", "shelfLife") => &["Shelf life", "Days of shelf life"],
        ("product", "baseUomWeight") => &["Weight", "Weight kg", "Base UOM weight"],
        ("product", "baseUomVolume") => &["Volume", "Base UOM volume"],
        ("rootItem", "rootProductId") => &["Root item id", "Code", "SKU"],
        ("rootItem", "name") => &["Root item", "Ingredient", "Root product"],
        ("posItem", "posItemId") => &["Item code", "PLU", "Code", "SKU"],
        ("posItem", "description") => &["Name", "Item name", "Menu item", "Item"],
        ("location", "name") => &["Store", "Store name", "Branch", "Location", "Branch name"],
        ("location", "code") => &["Store code", "Branch code", "Location code"],
        ("supplier", "name") => &["Supplier", "Vendor", "Vendor name", "Supplier name", "Display name"],
        ("supplier", "taxId") => &["TIN", "Tax ID no.", "Tax registration number"],
        ("supplier", "paymentTerms") => &["Terms"],
        ("supplier", "accountNumber") => &["Account no.", "Account #"],
        ("supplier", "streetAddress") => &["Street", "Address", "Address 1"],
        ("supplier", "zipCode") => &["ZIP", "Postal code"],
        ("supplier", "companyName") => &["Company"],
        ("company", "name") => &["Company", "Company name"],
        ("uom", "name") => &["Unit", "Unit of measure", "Unit name"],
        ("uom", "code") => &["UOM", "Unit code", "Abbreviation", "Symbol"],
        ("category" | "operationalArea", "parentId") => &["Parent", "Under", "Subcategory of"],
        ("category", "name") => &["Category", "Category name"],
        ("recipe", "name") => &["Recipe", "Recipe name"],
        (_, "city") => &["Town", "City/Town"],
        (_, "email") => &["E-mail", "Email address", "Main email"],
        (_, "phone") => &["Telephone", "Phone number", "Main phone"],
        (_, "mobileNumber") => &["Mobile"],
        (_, "description") => &["Details"],
        _ => &[],
    }
}

/// Normalizes a title for comparison: lower-case letters, digits and number signs only.
pub fn squeeze(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric() || *c == '#').flat_map(char::to_lowercase).collect()
}

/// The suggested target of each title. Better matches win, regardless of column order.
pub fn suggest<'t>(def: &ListDef, titles: &[String], targets: &'t [Target]) -> Vec<Option<&'t Target>> {
    let titles: Vec<String> = titles.iter().map(|title| squeeze(title)).collect();
    let words: Vec<Vec<String>> = targets.iter().map(|target| target.words(def)).collect();
    let mut found: Vec<Option<&Target>> = vec![None; titles.len()];
    let deepest = words.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..deepest {
        for (target, words) in targets.iter().zip(&words) {
            if found.iter().flatten().any(|known| known.name == target.name) {
                continue;
            }
            let Some(word) = words.get(rank).filter(|word| !word.is_empty()) else { continue };
            let free = |at: &usize| found[*at].is_none() && titles[*at] == *word;
            if let Some(at) = (0..titles.len()).find(free) {
                found[at] = Some(target);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_lists::catalog;
    use larder_lists::catalog::{Account, Uom};

    fn meant(def: &'static ListDef, titles: &[&str]) -> Vec<Option<String>> {
        let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
        let levels =
            [Name { id: "l1".into(), name: "Retail".into(), code: None, inactive: false, whole_only: None }];
        let targets = targets_with(def, if def.kind == "product" { &levels } else { &[] });
        suggest(def, &titles, &targets).into_iter().map(|found| found.map(|t| t.name.clone())).collect()
    }

    fn named(names: &[&str]) -> Vec<Option<String>> {
        names.iter().map(|name| (!name.is_empty()).then(|| (*name).to_owned())).collect()
    }

    #[test]
    fn recognizes_titles_ignoring_case_and_spaces() {
        assert_eq!(meant(&Uom::DEF, &["CODE", " name ", "Remarks"]), named(&["code", "name", ""]));
        assert_eq!(
            meant(&Product::DEF, &["Item code", "base uom", "Price: RETAIL", "Expense account number"]),
            named(&["sku", "baseUom", "price:l1", "expenseAccountId"])
        );
        assert_eq!(meant(&Product::DEF, &["EAN", "Name"]), named(&["barcodes", "name"]));
    }

    #[test]
    fn maps_account_exports_of_other_systems() {
        assert_eq!(
            meant(
                &Account::DEF,
                &["Account #", "Full name", "Type", "Detail type", "Description", "Total balance"]
            ),
            named(&["number", PATH, "type", "detailType", "description", "openingBalance"])
        );
        assert_eq!(
            meant(
                &Account::DEF,
                &["Internal ID", "Number", "Account", "Subaccount of", "Type", "Is Inactive"]
            ),
            named(&["id", "number", PATH, "parentId", "type", "inactive"])
        );
    }

    #[test]
    fn maps_every_column_of_an_export() {
        for def in catalog::ALL {
            let given: Vec<&Field> = def.fields.iter().filter(|f| f.origin == Origin::Given).collect();
            let titles: Vec<&str> = given.iter().map(|field| field.label).collect();
            let names: Vec<&str> = given.iter().map(|field| field.name).collect();
            assert_eq!(meant(def, &titles), named(&names), "{}", def.kind);
            assert_eq!(meant(def, &["Id", "Custom fields"]), named(&["id", CUSTOM]), "{}", def.kind);
        }
        assert_eq!(meant(&Account::DEF, &["Opening balance", "Balance"]), named(&["openingBalance", ""]));
    }
}
