//! Product data that lines need: status, units, price, weight.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::document::quantity;
use larder_domain::units::{self, Conversion, Units};
use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde::Deserialize;
use serde_json::Value;

use larder_ledgers::prices;
use larder_platform::http::{ApiError, ApiResult, FieldError};

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Converts {
    from_uom_id: String,
    to_uom_id: String,
    factor: Factor,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Other {
    uom_id: String,
    whole: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Priced {
    price_level_id: String,
    price: Money,
}

/// How much of a root item is in a base unit of a product.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InRoot {
    pub root_item_id: String,
    pub factor: Factor,
}

/// A product as lines need it.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Product {
    pub id: String,
    pub sku: Option<String>,
    pub name: String,
    pub product_kind: String,
    pub inactive: bool,
    pub base_uom_id: Option<String>,
    pub base_uom_weight: Option<Qty>,
    pub base_uom_volume: Option<Qty>,
    pub default_selling_uom_id: Option<String>,
    other_uoms: Json<Vec<Other>>,
    conversions: Json<Vec<Converts>>,
    pub root_item_conversions: Json<Vec<InRoot>>,
    price_level_prices: Json<Vec<Priced>>,
    pub storage_requirement_id: Option<String>,
    pub category_id: Option<String>,
    pub shelf_life: Option<i64>,
    pub image_url: Option<String>,
    /// Ids of all units limited to whole numbers, separated by spaces.
    whole_units: Option<String>,
}

const SELECT: &str = "select id, sku, name, product_kind, inactive, base_uom_id, base_uom_weight, base_uom_volume, \
     default_selling_uom_id, other_uoms, conversions, root_item_conversions, price_level_prices, \
     storage_requirement_id, category_id, shelf_life, image_url, \
     (select string_agg(u.id, ' ') from uoms u where u.whole_only = true) as whole_units from products p";

/// A unit of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub uom_id: String,
    /// Base units in one.
    pub factor: Factor,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

impl Product {
    /// The default unit of orders: the selling unit, else the base unit.
    #[must_use]
    pub fn usual_unit(&self) -> Option<Unit> {
        self.default_selling_uom_id.as_deref().or(self.base_uom_id.as_deref()).and_then(|id| self.unit(id))
    }

    /// A unit by its id, if it converts to the base unit.
    #[must_use]
    pub fn unit(&self, uom_id: &str) -> Option<Unit> {
        let base = self.base_uom_id.as_deref()?;
        let factor = self.units(base).factor(uom_id, base).filter(|factor| factor.0 > 0)?;
        let unit_is_whole =
            self.whole_units.as_deref().unwrap_or_default().split(' ').any(|whole| whole == uom_id);
        let says_whole = self.other_uoms.0.iter().any(|other| other.uom_id == uom_id && other.whole);
        let whole = units::comes_whole(unit_is_whole, says_whole);
        Some(Unit { uom_id: uom_id.to_owned(), factor, whole })
    }

    /// The least quantity of its usual unit that holds these base units.
    #[must_use]
    pub fn covering(&self, base: Qty) -> Option<(Qty, Unit)> {
        let unit = self.usual_unit()?;
        Some((quantity::covering(base, unit.factor, unit.whole)?, unit))
    }

    /// All units it can be handled in, the usual one first.
    #[must_use]
    pub fn all_units(&self) -> Vec<Unit> {
        let mut seen = BTreeSet::new();
        let ids = [self.default_selling_uom_id.as_deref(), self.base_uom_id.as_deref()].into_iter().flatten();
        ids.chain(self.other_uoms.0.iter().map(|other| other.uom_id.as_str()))
            .filter(|id| seen.insert(*id))
            .filter_map(|id| self.unit(id))
            .collect()
    }

    fn units<'a>(&'a self, base: &'a str) -> Units<'a> {
        let lines: Vec<Conversion<'_>> = self
            .conversions
            .0
            .iter()
            .map(|line| Conversion { from: &line.from_uom_id, to: &line.to_uom_id, factor: line.factor })
            .collect();
        Units::new(base, &lines)
    }

    /// What one of a unit costs at a price level; prices are kept for the selling unit.
    #[must_use]
    pub fn price(&self, price_level_id: Option<&str>, uom_id: &str) -> Option<Money> {
        let level = price_level_id?;
        let price = self.price_level_prices.0.iter().find(|priced| priced.price_level_id == level)?.price;
        let base = self.base_uom_id.as_deref()?;
        let selling = self.default_selling_uom_id.as_deref().unwrap_or(base);
        Qty(1_000_000).scaled(self.units(base).factor(uom_id, selling)?)?.times(price)
    }
}

/// Gives products the prices of a day that is past. At a level without kept prices, the one they have holds on all days.
///
/// # Errors
/// If the database fails.
pub async fn price_on<'a>(
    tx: &mut Tx<'_>,
    day: BusinessDay,
    products: impl IntoIterator<Item = &'a mut Product>,
) -> Result<(), DbError> {
    if day >= BusinessDay::of(tx.actor().at) {
        return Ok(());
    }
    let products: Vec<&mut Product> = products.into_iter().collect();
    let ids: Vec<&str> = products.iter().map(|product| product.id.as_str()).collect();
    let mut of: HashMap<String, Vec<(String, Option<Money>)>> = HashMap::new();
    for (product, level, price) in prices::products::in_force(tx, &ids, day).await? {
        of.entry(product).or_default().push((level, price));
    }
    for product in products {
        let Some(then) = of.get(&product.id) else { continue };
        let prices = &mut product.price_level_prices.0;
        prices.retain(|priced| then.iter().all(|(level, _)| *level != priced.price_level_id));
        prices.extend(
            then.iter().filter_map(|(level, price)| {
                Some(Priced { price_level_id: level.clone(), price: (*price)? })
            }),
        );
    }
    Ok(())
}

/// Products by their ids; those that do not exist are left out.
///
/// # Errors
/// If the database fails.
pub async fn by_id(tx: &mut Tx<'_>, ids: &[&str]) -> Result<HashMap<String, Product>, DbError> {
    named(tx.sql(SELECT).push(" where p.id in ").push_ids(ids)).await
}

/// As [`by_id`], outside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn by_id_now(db: &Db, ids: &[&str]) -> Result<HashMap<String, Product>, DbError> {
    named(db.sql(SELECT).push(" where p.id in ").push_ids(ids)).await
}

/// Active products that a recipe makes.
///
/// # Errors
/// If the database fails.
pub async fn made(db: &Db) -> Result<HashMap<String, Product>, DbError> {
    let query = db.sql(SELECT).push(" where p.inactive = ").push_bind(false);
    let of_recipes =
        " and p.id in (select product_id from recipes where product_id is not null and inactive = ";
    named(query.push(of_recipes).push_bind(false).push(")")).await
}

/// Active products that hold some root items, by name.
///
/// # Errors
/// If the database fails.
pub async fn of_root_items(tx: &mut Tx<'_>, root_ids: &[&str]) -> Result<Vec<Product>, DbError> {
    let found: Vec<Product> = tx
        .sql(SELECT)
        .push(" where p.inactive = ")
        .push_bind(false)
        .push(" and p.root_item_conversions <> '[]' order by p.name_key, p.id")
        .all()
        .await?;
    let holds = |product: &Product| {
        product.root_item_conversions.iter().any(|part| root_ids.contains(&part.root_item_id.as_str()))
    };
    Ok(found.into_iter().filter(holds).collect())
}

/// All active products that are kept in stock or bought, by name.
///
/// # Errors
/// If the database fails.
pub async fn orderable(db: &Db) -> Result<Vec<Product>, DbError> {
    db.sql(SELECT)
        .push(" where p.inactive = ")
        .push_bind(false)
        .push(" and p.product_kind <> 'Service' and p.base_uom_id is not null order by p.name_key, p.id")
        .all()
        .await
}

/// The product that brings each root item: the first by name that stands for that root item alone, and the root units
/// in one of its base units.
#[must_use]
pub fn bringing(products: &[Product]) -> HashMap<&str, (&Product, Factor)> {
    let mut brings: HashMap<&str, (&Product, Factor)> = HashMap::new();
    for product in products {
        let [part] = product.root_item_conversions.as_slice() else { continue };
        if part.factor.0 > 0 {
            brings.entry(&part.root_item_id).or_insert((product, part.factor));
        }
    }
    brings
}

/// Every product, inactive ones too.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db) -> Result<HashMap<String, Product>, DbError> {
    named(db.sql(SELECT)).await
}

async fn named(query: Query<'_>) -> Result<HashMap<String, Product>, DbError> {
    let found: Vec<Product> = query.all().await?;
    Ok(found.into_iter().map(|product| (product.id.clone(), product)).collect())
}

/// Whether only whole numbers of a unit are allowed; false if product or unit are unknown.
#[must_use]
pub fn comes_whole(known: &HashMap<String, Product>, product_id: &str, uom_id: &str) -> bool {
    known.get(product_id).and_then(|product| product.unit(uom_id)).is_some_and(|unit| unit.whole)
}

/// Unit labels of lines: their codes, else their names.
///
/// # Errors
/// If the database fails.
pub async fn unit_codes(tx: &mut Tx<'_>, ids: &[&str]) -> Result<HashMap<String, String>, DbError> {
    let found: Vec<(String, String)> =
        tx.sql("select id, coalesce(code, name) from uoms where id in ").push_ids(ids).all().await?;
    Ok(found.into_iter().collect())
}

/// A line to save.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = DocumentLineDraft)]
pub struct LineDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub product_id: Option<String>,
    /// The product's default unit when absent.
    #[serde(default)]
    pub uom_id: Option<String>,
    /// Quantity in the unit.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    pub qty: Option<Value>,
    #[serde(default)]
    pub reason: Option<String>,
}

/// A validated line: quantity, product and unit.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Its index in the request.
    pub at: usize,
    pub id: Option<String>,
    pub product: Product,
    pub unit: Unit,
    pub uom_code: String,
    pub qty: Qty,
    pub reason: Option<String>,
}

/// Most lines of a document.
pub const MOST_LINES: usize = 2_000;

/// Quantity of a line in base units. Checked when the line is written, so that an overflow is refused instead
/// of moving nothing.
///
/// # Errors
/// 422 at the line.
pub(super) fn base_of_line(at: usize, name: &str, qty: Qty, factor: Factor) -> ApiResult<Qty> {
    let too_large = || ApiError::field(format!("lines.{at}.{name}"), quantity::Wrong::TooLarge.message(""));
    quantity::base(qty, factor).ok_or_else(too_large)
}

/// How lines are read.
#[derive(Debug, Clone, Copy)]
struct How {
    /// Lines of the same product are merged, in the unit of the first.
    merged: bool,
    /// Inactive products are refused. What is in stock or on its way can be moved, used and thrown away all the same.
    ordered: bool,
}

/// Validates lines: products exist, units convert, quantities are valid. Lines of the same product are merged, in the
/// unit of the first.
///
/// # Errors
/// All errors, each at its field (`lines.2.qty`).
pub async fn read_lines(tx: &mut Tx<'_>, drafts: &[LineDraft]) -> Result<Vec<Wanted>, ApiError> {
    read(tx, drafts.iter().enumerate(), drafts.len(), How { merged: true, ordered: false }).await
}

/// As [`read_lines`], for orders: products are active.
///
/// # Errors
/// As [`read_lines`].
pub async fn read_ordered(tx: &mut Tx<'_>, drafts: &[LineDraft]) -> Result<Vec<Wanted>, ApiError> {
    read(tx, drafts.iter().enumerate(), drafts.len(), How { merged: true, ordered: true }).await
}

async fn read<'a>(
    tx: &mut Tx<'_>,
    drafts: impl Iterator<Item = (usize, &'a LineDraft)> + Clone,
    count: usize,
    how: How,
) -> Result<Vec<Wanted>, ApiError> {
    if count > MOST_LINES {
        return Err(ApiError::field("lines", format!("Send at most {MOST_LINES} lines.")));
    }
    let ids: BTreeSet<&str> = drafts.clone().filter_map(|(_, draft)| draft.product_id.as_deref()).collect();
    let products = by_id(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    let mut wrong = Vec::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut place_of: HashMap<String, usize> = HashMap::new();
    for (at, draft) in drafts {
        match read_line(&products, at, draft, how.ordered) {
            Err(error) => wrong.push(error),
            Ok(line) => match place_of.get(&line.product.id).filter(|_| how.merged) {
                None => {
                    place_of.insert(line.product.id.clone(), wanted.len());
                    wanted.push(line);
                }
                Some(&first) => {
                    if let Err(error) = merge(&mut wanted[first], &line) {
                        wrong.push(error);
                    }
                }
            },
        }
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let units: BTreeSet<&str> = wanted.iter().map(|line| line.unit.uom_id.as_str()).collect();
    let codes = unit_codes(tx, &units.into_iter().collect::<Vec<_>>()).await?;
    for line in &mut wanted {
        line.uom_code = codes.get(&line.unit.uom_id).cloned().unwrap_or_default();
        if let Err(error) = quantity::check(line.qty, line.unit.factor, line.unit.whole) {
            wrong.push(FieldError::new(format!("lines.{}.qty", line.at), error.message(&line.uom_code)));
        }
    }
    if wrong.is_empty() { Ok(wanted) } else { Err(ApiError::invalid(wrong)) }
}

/// As [`read_lines`] without merging: a product may occur twice, with two lots or two reasons.
///
/// # Errors
/// As [`read_lines`].
pub async fn read_each(tx: &mut Tx<'_>, drafts: &[LineDraft]) -> Result<Vec<Wanted>, ApiError> {
    read(tx, drafts.iter().enumerate(), drafts.len(), How { merged: false, ordered: false }).await
}

/// As [`read_each`], for some lines of a request, each with its index there.
///
/// # Errors
/// As [`read_lines`].
pub async fn read_some(tx: &mut Tx<'_>, drafts: &[(usize, LineDraft)]) -> Result<Vec<Wanted>, ApiError> {
    read(
        tx,
        drafts.iter().map(|(at, draft)| (*at, draft)),
        drafts.len(),
        How { merged: false, ordered: false },
    )
    .await
}

fn read_line(
    products: &HashMap<String, Product>,
    at: usize,
    draft: &LineDraft,
    ordered: bool,
) -> Result<Wanted, FieldError> {
    let field = |name: &str| format!("lines.{at}.{name}");
    let product = draft.product_id.as_deref().filter(|id| !id.is_empty());
    let product = product.ok_or_else(|| FieldError::new(field("productId"), "Choose a product."))?;
    let product = products
        .get(product)
        .ok_or_else(|| FieldError::new(field("productId"), "This product does not exist; choose another."))?;
    if ordered && product.inactive {
        return Err(FieldError::new(field("productId"), format!("{} is inactive.", product.name)));
    }
    if product.product_kind == "Service" {
        let words = format!("{} is a service; only goods are sent and taken in.", product.name);
        return Err(FieldError::new(field("productId"), words));
    }
    let unit = match draft.uom_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => product.unit(id),
        None => product.usual_unit(),
    };
    let unit = unit.ok_or_else(|| {
        let words = format!("{} is not counted in this unit; choose one of its units.", product.name);
        FieldError::new(field("uomId"), words)
    })?;
    let qty = qty(draft.qty.as_ref()).map_err(|message| FieldError::new(field("qty"), message))?;
    Ok(Wanted {
        at,
        id: draft.id.clone().filter(|id| !id.is_empty()),
        product: product.clone(),
        unit,
        uom_code: String::new(),
        qty,
        reason: draft.reason.clone(),
    })
}

/// Adds a second line of a product to its first.
fn merge(first: &mut Wanted, line: &Wanted) -> Result<(), FieldError> {
    let base = first.product.base_uom_id.clone().unwrap_or_default();
    let added = first.product.units(&base).convert(line.qty, &line.unit.uom_id, &first.unit.uom_id);
    let sum = added.and_then(|added| first.qty.checked_add(added));
    first.qty =
        sum.ok_or_else(|| FieldError::new(format!("lines.{}.qty", line.at), "This quantity is too large."))?;
    Ok(())
}

/// A quantity from a form or a client.
///
/// # Errors
/// A message.
pub fn qty(value: Option<&Value>) -> Result<Qty, String> {
    let value =
        value.filter(|value| value.is_number() || value.as_str().is_some_and(|text| !text.trim().is_empty()));
    let value = value.ok_or_else(|| "Enter a quantity.".to_owned())?;
    serde_json::from_value::<Qty>(value.clone()).map_err(|error| error.to_string())
}
