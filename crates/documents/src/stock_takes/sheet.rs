//! Lines of the sheet: products, units, areas and lots.

use std::collections::BTreeMap;

use super::*;
use larder_platform::http::text::fold;

/// What lines are made from.
pub(super) struct Sheet<'a> {
    ctx: Ctx<'a>,
    names: Names,
    /// Expiry dates of registered lots.
    expiries: BTreeMap<(String, String), Option<BusinessDay>>,
    pub products: HashMap<String, Product>,
}

impl<'a> Sheet<'a> {
    /// For some products and lots.
    pub async fn read(tx: &mut Tx<'_>, ctx: Ctx<'a>, of: &[(&str, Option<&str>)]) -> ApiResult<Self> {
        let ids: BTreeSet<&str> = of.iter().map(|(product, _)| *product).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        let known = products::by_id(tx, &ids).await?;
        let lots: Vec<(String, String)> = of
            .iter()
            .filter_map(|(product, lot)| Some(((*product).to_owned(), said(*lot)?.to_owned())))
            .collect();
        let names = Names::read(tx, known.values()).await?;
        let expiries = lots::expiries(tx, &lots).await?;
        Ok(Self { ctx, names, expiries, products: known })
    }

    /// A line for a product, or a lot of it, that was not proposed.
    pub fn line(&self, product: &Product, lot: Option<String>) -> Result<StockTakeLine, String> {
        if product.product_kind == "Service" {
            return Err(format!("{} is a service; it is not kept in stock.", product.name));
        }
        let line = self.names.line(self.ctx, product, lot, Qty::ZERO);
        line.ok_or_else(|| format!("{} has no unit to count it in.", product.name))
    }

    /// Changes the unit a line is counted in; none keeps it.
    pub fn change_unit(
        &self,
        line: &mut StockTakeLine,
        product: &Product,
        uom_id: Option<&str>,
    ) -> Result<(), String> {
        let Some(id) = said(uom_id).filter(|id| *id != line.uom_id) else { return Ok(()) };
        let unit = product.unit(id);
        let unit = unit.ok_or_else(|| format!("{} is not counted in this unit.", product.name))?;
        line.uom_code = self.names.unit(&unit.uom_id);
        line.factor = unit.factor;
        line.uom_id = unit.uom_id;
        Ok(())
    }

    /// Dates a line's lot. A registered lot keeps its expiry date.
    pub fn date_lot(&self, line: &mut StockTakeLine, sent: Option<BusinessDay>) {
        let Some(lot) = line.lot.clone() else { return };
        let registered = self.expiries.get(&(line.product_id.clone(), lot)).copied().flatten();
        line.expiry = registered.or(sent).or(line.expiry);
    }
}

/// Sorts the sheet: areas by name, what has none last; lots that expire first come first, what has no lot last.
pub(super) fn in_order(lines: &mut [StockTakeLine]) {
    lines.sort_by_cached_key(|line| {
        (
            (line.area.is_none(), line.area.as_deref().map(fold)),
            (fold(&line.name), line.product_id.clone()),
            (line.lot.is_none(), line.expiry.is_none(), line.expiry, line.lot.clone()),
        )
    });
}

/// Names of areas and units.
pub(super) struct Names {
    areas: HashMap<String, String>,
    units: HashMap<String, String>,
}

impl Names {
    /// The names of the areas and units of some products.
    pub async fn read(tx: &mut Tx<'_>, products: impl Iterator<Item = &Product> + Clone) -> ApiResult<Self> {
        let areas: BTreeSet<&str> =
            products.clone().filter_map(|product| product.storage_requirement_id.as_deref()).collect();
        let areas: Vec<&str> = areas.into_iter().collect();
        let areas: Vec<(String, String)> =
            tx.sql("select id, name from storage_requirements where id in ").push_ids(&areas).all().await?;
        let units: BTreeSet<String> = products.flat_map(Product::all_units).map(|unit| unit.uom_id).collect();
        let units: Vec<&str> = units.iter().map(String::as_str).collect();
        Ok(Self { areas: areas.into_iter().collect(), units: products::unit_codes(tx, &units).await? })
    }

    /// The label of a unit.
    pub fn unit(&self, uom_id: &str) -> String {
        self.units.get(uom_id).cloned().unwrap_or_default()
    }

    /// A line that is not counted yet, in the usual unit of orders if it holds the balance without a rest, otherwise in
    /// base units.
    pub fn line(
        &self,
        ctx: Ctx<'_>,
        product: &Product,
        lot: Option<String>,
        balance: Qty,
    ) -> Option<StockTakeLine> {
        let fits = |factor: i64| i128::from(balance.0) * 1_000 % i128::from(factor.max(1)) == 0;
        let base = || product.unit(product.base_uom_id.as_deref()?);
        let unit = product.usual_unit().filter(|unit| !unit.whole || fits(unit.factor.0)).or_else(base)?;
        let area = product.storage_requirement_id.as_ref().and_then(|id| self.areas.get(id)).cloned();
        Some(StockTakeLine {
            id: ctx.new_id(),
            document_id: String::new(),
            position: 0,
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            uom_code: self.unit(&unit.uom_id),
            uom_id: unit.uom_id,
            factor: unit.factor,
            area,
            lot,
            expiry: None,
            counted: None,
            counted_at: None,
            counted_by: None,
            op: None,
            typed_at: None,
            note: None,
            book: None,
            difference: None,
            worth: None,
        })
    }
}
