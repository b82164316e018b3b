//! `/reports/occupancy`: occupancy cost as a share of each store's sales: rent by lease, and charges by floor
//! area.

use std::collections::HashMap;

use larder_domain::cmsr::{RentMode, Terms, in_force};
use larder_domain::occupancy::{self, Rent};
use larder_domain::sales::Grain;
use larder_domain::span::next;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::store_queries::{self as queries, Place};
use super::store_rows::{self, ByStore, NamedStore, Row};
use larder_engines::reports::figures::{add, share, too_large, total};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::leases;
use larder_ledgers::leases::Lease;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Occupancy cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occupancy {
    /// First day.
    pub from: BusinessDay,
    /// Last day: of the range, or the last with sales of any of the stores.
    pub to: BusinessDay,
    /// Highest share of net sales first; rows without one last.
    pub items: Vec<OccupancyRow>,
    /// All stores together.
    pub total: OccupancyRow,
    /// Stores without a lease and without rent in their record: excluded from shares.
    pub without_rent: Vec<NamedStore>,
    /// Stores with charges per m² but unknown floor area: those charges are left out.
    pub without_area: Vec<NamedStore>,
    /// Stores whose record has no charges besides rent.
    pub without_charges: Vec<NamedStore>,
}

/// A store, an area, a region or a format.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OccupancyRow {
    pub id: String,
    pub name: String,
    /// Its stores.
    pub store_ids: Vec<String>,
    /// Net sales.
    pub net: Money,
    /// Net sales of the stores with known rent: the base of the share.
    pub net_with_rent: Money,
    /// Fixed rent.
    pub fixed: Option<Money>,
    /// Percentage rent on top of it.
    pub percentage: Option<Money>,
    /// Common area charges.
    pub cusa: Option<Money>,
    /// Air conditioning.
    pub aircon: Option<Money>,
    pub other: Option<Money>,
    /// Total cost of the stores with known rent.
    pub cost: Option<Money>,
    /// Cost as a share of their net sales.
    pub share: Option<f64>,
    /// Source of a store's rent: `certified` months, its `lease` or its own record (`store`).
    pub rent_from: Option<RentFrom>,
}

/// Source of rent; for several months, the least certain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RentFrom {
    /// Certified months.
    Certified,
    Lease,
    /// Rent per m² and percentage rent in the store's record.
    Store,
}

/// Report definition.
pub struct OccupancyReport;

impl Report for OccupancyReport {
    const NAME: &'static str = "occupancy";
    const SUMMARY: &'static str = "What rent and charges take of net sales.";
    const MOST_DAYS: i32 = 366;
    type Params = ByStore;
    type ExportParams = NoParams;
    type Answer = Occupancy;

    async fn answer(state: &AppState, question: &Question, params: &ByStore) -> ApiResult<Occupancy> {
        let known = Known::read(state, question).await?;
        let costs = known.costs()?;
        let row = |row: &Row| known.row(row, &costs);
        let rows = store_rows::rows(&known.places, params.by);
        let mut items = rows.iter().map(row).collect::<ApiResult<Vec<_>>>()?;
        items.retain(|row| !row.net.is_zero() || row.cost.is_some());
        items.sort_by(|a, b| or_last(b.share).total_cmp(&or_last(a.share)).then_with(|| a.name.cmp(&b.name)));
        let sold = |at: usize| costs[at].net != Money::ZERO;
        let charges = |place: &Place| {
            [place.cusa_cost_per_sqm, place.aircon_cost_per_sqm, place.other_charges_cost_per_sqm]
                .into_iter()
                .flatten()
                .any(|per_m2| per_m2 > Qty::ZERO)
        };
        Ok(Occupancy {
            from: known.span.from,
            to: known.span.to,
            items,
            total: row(&store_rows::all(&known.places))?,
            without_rent: store_rows::named(&known.places, |at, _| sold(at) && costs[at].rent.is_none()),
            without_area: store_rows::named(&known.places, |at, place| {
                sold(at) && charges(place) && area(place).is_none()
            }),
            without_charges: store_rows::named(&known.places, |at, place| sold(at) && !charges(place)),
        })
    }

    fn sheet(report: &Occupancy, params: &ByStore, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, OccupancyRow>;
        let columns = vec![
            Col::text(params.by.word(), 24, |row| row.name.clone()),
            Col::money("Net sales", 14, |row| row.net),
            Col::money("Net sales with known rent", 14, |row| row.net_with_rent),
            Col::money("Fixed rent", 14, |row| row.fixed),
            Col::money("Percentage rent", 14, |row| row.percentage),
            Col::money("Common area", 14, |row| row.cusa),
            Col::money("Air conditioning", 14, |row| row.aircon),
            Col::money("Other charges", 14, |row| row.other),
            Col::money("Occupancy cost", 14, |row| row.cost),
            Col::share("Of net sales", 12, |row| row.share),
            Col::text("Rent from", 14, |row| row.rent_from.map(|from| from.word().to_owned())),
        ];
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

impl RentFrom {
    const fn word(self) -> &'static str {
        match self {
            Self::Certified => "Certified month",
            Self::Lease => "Lease",
            Self::Store => "Store's record",
        }
    }
}

/// Sort key of a share; rows without one come last.
fn or_last(share: Option<f64>) -> f64 {
    share.unwrap_or(f64::NEG_INFINITY)
}

fn area(place: &Place) -> Option<Qty> {
    place.store_area_m2.filter(|area| *area > Qty::ZERO)
}

/// A month of the range: first day, days within the range, days in total.
#[derive(Debug, Clone, Copy)]
struct Month {
    first: BusinessDay,
    within: Span,
    of: i32,
}

fn months(span: Span) -> Vec<Month> {
    let mut months = Vec::new();
    let mut first = span.from.month();
    while first <= span.to {
        let after = next(Grain::Month, first);
        let within = Span { from: first.max(span.from), to: after.plus(-1).min(span.to) };
        months.push(Month { first, within, of: after.0 - first.0 });
        first = after;
    }
    months
}

struct Known {
    span: Span,
    places: Vec<Place>,
    leases: HashMap<String, Vec<Lease>>,
    certified: HashMap<(String, BusinessDay), Money>,
    /// Net sales by store and month.
    nets: HashMap<(String, BusinessDay), Money>,
}

/// A store's occupancy cost.
#[derive(Debug, Clone, Default)]
struct StoreCost {
    net: Money,
    rent: Option<(Rent, RentFrom)>,
    charges: [Option<Money>; 3],
}

impl Known {
    async fn read(state: &AppState, question: &Question) -> ApiResult<Self> {
        let (db, span) = (&state.db, question.span);
        let places = queries::places(db, question.stores.as_deref()).await?;
        let ids: Vec<String> = places.iter().map(|place| place.id.clone()).collect();
        let (of, certified, days) = tokio::try_join!(
            leases::of(db, &ids),
            queries::certified(db, &ids, span),
            queries::nets(db, &ids, span)
        )?;
        // Rent for days without sales yet would have no sales to compare with.
        let last = days.iter().map(|day| day.business_date).max();
        let span = Span { to: last.unwrap_or(span.to), ..span };
        let mut nets: HashMap<(String, BusinessDay), Money> = HashMap::new();
        for day in days {
            add(nets.entry((day.store_id, day.business_date.month())).or_default(), day.net)?;
        }
        let mut leases: HashMap<String, Vec<Lease>> = HashMap::new();
        for lease in of {
            leases.entry(lease.store_id.clone()).or_default().push(lease);
        }
        let certified = certified.into_iter().map(|(store, month, rent)| ((store, month), rent)).collect();
        Ok(Self { span, places, leases, certified, nets })
    }

    fn costs(&self) -> ApiResult<Vec<StoreCost>> {
        self.places.iter().map(|place| self.cost(place)).collect()
    }

    fn cost(&self, place: &Place) -> ApiResult<StoreCost> {
        let mut cost = StoreCost::default();
        let mut rent = Some((Rent::default(), RentFrom::Certified));
        for month in months(self.span) {
            let net = self.nets.get(&(place.id.clone(), month.first)).copied();
            let terms = self.terms(place, month.first);
            // A store without sales still pays under a lease; by its record alone it does not.
            if net.is_none() && terms.as_ref().is_none_or(|(_, from)| *from == RentFrom::Store) {
                continue;
            }
            let net = net.unwrap_or_default();
            add(&mut cost.net, net)?;
            let more = self.rent(place, month, terms, net)?;
            rent = match (rent, more) {
                (Some((sum, from)), Some((more, also))) => Some((together(sum, more)?, from.max(also))),
                _ => None,
            };
            let rates =
                [place.cusa_cost_per_sqm, place.aircon_cost_per_sqm, place.other_charges_cost_per_sqm];
            for (sum, per_m2) in cost.charges.iter_mut().zip(rates) {
                let Some((per_m2, area)) = per_m2.filter(|it| *it > Qty::ZERO).zip(area(place)) else {
                    continue;
                };
                let more = occupancy::by_area(per_m2, area, month.within.days(), month.of);
                add(sum.get_or_insert_default(), more.ok_or_else(too_large)?)?;
            }
        }
        cost.rent = rent;
        Ok(cost)
    }

    /// Rent for the days of a month: as certified, by the lease in force, else by the store's record.
    fn rent(
        &self,
        place: &Place,
        month: Month,
        terms: Option<(Terms, RentFrom)>,
        net: Money,
    ) -> ApiResult<Option<(Rent, RentFrom)>> {
        let days = month.within.days();
        let Some((terms, from)) = terms else { return Ok(None) };
        let whole = self.certified.get(&(place.id.clone(), month.first)).filter(|_| days == month.of);
        if let Some(rent) = whole {
            let fixed = terms.fixed.min(*rent);
            return Ok(Some((Rent { fixed, percentage: Money(rent.0 - fixed.0) }, RentFrom::Certified)));
        }
        let rent = occupancy::rent(&terms, net, days, month.of).ok_or_else(too_large)?;
        Ok(Some((rent, from)))
    }

    fn terms(&self, place: &Place, month: BusinessDay) -> Option<(Terms, RentFrom)> {
        let leases = self.leases.get(&place.id).map(Vec::as_slice).unwrap_or_default();
        let spans: Vec<_> = leases.iter().map(|one| (one.valid_from, one.valid_to)).collect();
        if let Some(lease) = in_force(&spans, month).and_then(|at| leases.get(at)) {
            return Some((lease.terms.0.clone(), RentFrom::Lease));
        }
        let by_area = place.rent_cost_per_sqm.filter(|rent| *rent > Qty::ZERO).zip(area(place));
        let fixed = by_area.and_then(|(per_m2, area)| occupancy::by_area(per_m2, area, 1, 1));
        let percent = place.rent_percent.filter(|percent| *percent > Qty::ZERO);
        if fixed.is_none() && percent.is_none() {
            return None;
        }
        let terms = Terms {
            fixed: fixed.unwrap_or_default(),
            percent: percent.unwrap_or_default(),
            mode: RentMode::Additive,
            breakpoints: Vec::new(),
            add_backs: Vec::new(),
        };
        Some((terms, RentFrom::Store))
    }

    fn row(&self, row: &Row, costs: &[StoreCost]) -> ApiResult<OccupancyRow> {
        let mut made = OccupancyRow {
            id: row.id.clone(),
            name: row.name.clone(),
            store_ids: row.ids(&self.places),
            ..OccupancyRow::default()
        };
        // Cost of stores without imported sales would have no sales to compare with.
        let mut of_sales = None;
        for (cost, place) in row.stores.iter().filter_map(|at| costs.get(*at).zip(self.places.get(*at))) {
            add(&mut made.net, cost.net)?;
            let Some((rent, from)) = cost.rent else { continue };
            if cost.net.is_zero() && rent == Rent::default() {
                continue;
            }
            add(&mut made.net_with_rent, cost.net)?;
            made.rent_from = made.rent_from.max(Some(from));
            let parts =
                [Some(rent.fixed), Some(rent.percentage), cost.charges[0], cost.charges[1], cost.charges[2]];
            let sums =
                [&mut made.fixed, &mut made.percentage, &mut made.cusa, &mut made.aircon, &mut made.other];
            for (sum, part) in sums.into_iter().zip(parts) {
                if let Some(part) = part {
                    add(sum.get_or_insert_default(), part)?;
                }
            }
            let whole = total(parts.into_iter().flatten())?;
            add(made.cost.get_or_insert_default(), whole)?;
            if place.first_sold.is_some() {
                add(of_sales.get_or_insert_default(), whole)?;
            }
        }
        made.share = of_sales.and_then(|cost| share(cost, made.net_with_rent));
        Ok(made)
    }
}

fn together(sum: Rent, more: Rent) -> ApiResult<Rent> {
    Ok(Rent { fixed: total([sum.fixed, more.fixed])?, percentage: total([sum.percentage, more.percentage])? })
}
