//! Payments per store day: what tills and readings report, what stores declared, what reached the bank.
//! Read-only.

mod days;
mod once;

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError};
use larder_domain::tender::{Figures, Kind, fee, is_delivery_app};
use larder_domain::{BusinessDay, Money, Qty, Span};

use super::cash::sums;
use super::verified_readings;
use larder_platform::http::text::fold;
use larder_platform::http::{ApiError, ApiResult};

use days::Facts;
pub use days::{Late, Line, days, late};
pub use once::once;

/// Days after which undeposited cash is late.
const CASH_DAYS: i64 = 1;

/// Tender types, looked up by a till's label.
pub struct Types(Vec<TenderType>);

impl Types {
    /// Reads the types in use.
    pub async fn read(db: &Db) -> Result<Self, DbError> {
        Ok(Self(tender_types(db).await?))
    }

    fn named(&self, label: &str) -> Option<&TenderType> {
        let key = fold(label);
        self.0.iter().find(|one| one.name_key == key || one.code_key.as_deref() == Some(&key))
    }

    /// The kind for a till's label: that of the tender type with this name or code, else guessed from its
    /// words.
    pub fn kind(&self, label: &str) -> Kind {
        let named = self.named(label).and_then(|one| Kind::parse(&one.tender_kind));
        named.unwrap_or_else(|| Kind::of_label(label))
    }

    /// The fee percentage of a tender type by name or code, else of its kind.
    fn percent(&self, label: &str, kind: Kind) -> Option<Qty> {
        let of_kind =
            || self.0.iter().find(|one| one.tender_kind == kind.as_str() && one.fee_percent.is_some());
        self.named(label).or_else(of_kind).and_then(|one| one.fee_percent)
    }

    /// Settlement time of a kind in days, at most.
    pub fn days(&self, kind: Kind) -> i64 {
        let of_kind = self.0.iter().filter(|one| one.tender_kind == kind.as_str());
        match kind {
            Kind::Cash => CASH_DAYS,
            _ => of_kind.filter_map(|one| one.settlement_days).max().unwrap_or(CASH_DAYS),
        }
    }

    /// Whether money of a kind from a day should have reached the bank before today.
    #[must_use]
    pub fn is_late(&self, kind: Kind, day: BusinessDay, today: BusinessDay) -> bool {
        i64::from(today.0) - i64::from(day.0) > self.days(kind)
    }
}

/// Payments of one kind on a store day.
#[derive(Debug, Default)]
pub struct Cell {
    pub figures: Figures,
    /// The fee the acquirer should have deducted.
    pub expected_fee: Option<Money>,
    /// Date of the last deposit.
    pub deposited_on: Option<BusinessDay>,
    /// Sources whose receipts are ignored because others report the same sales.
    pub pos_left: Vec<String>,
    /// What delivery apps sold of `figures.pos`, which is in no reading.
    apps: Money,
}

/// Store, day, payment kind.
pub type Key = (String, BusinessDay, Kind);

fn more(to: &mut Option<Money>, amount: Money) -> ApiResult<()> {
    let sum = to.get_or_insert_default().0.checked_add(amount.0).map(Money);
    *to = Some(
        sum.ok_or_else(|| ApiError::unprocessable("tooLarge", "These sums are too large to be shown."))?,
    );
    Ok(())
}

type StoreDay = (String, BusinessDay);
type Cells = BTreeMap<Key, Cell>;

/// Payments of some stores and days, and what is known of all payments of a day. `of_apps` says whether a source has
/// sales of delivery apps only on a store's day.
///
/// # Errors
/// If the database fails, or a sum overflows.
async fn gather(
    db: &Db,
    types: &Types,
    (ids, span): (&[String], Span),
    of_apps: &(dyn Fn(&str, BusinessDay, &str) -> bool + Sync),
) -> ApiResult<(Cells, BTreeMap<StoreDay, Facts>)> {
    let mut cells = Cells::new();
    let mut facts: BTreeMap<StoreDay, Facts> = BTreeMap::new();
    let verified = verified_readings::verified(db, ids, span).await?;
    let pos = pos(db, ids, span).await?;
    let once = once(db, (ids, span), &pos, &verified, types).await?;
    let mut read_apps: BTreeSet<StoreDay> = BTreeSet::new();
    for reading in verified {
        let covers = reading.covers();
        let at = (reading.store_id, reading.business_date);
        let tells = !reading.tenders.0.is_empty() || reading.net == Money(0);
        facts.entry(at.clone()).or_default().read(tells);
        for tender in reading.tenders.0 {
            let kind = Kind::parse(&tender.kind).unwrap_or_else(|| types.kind(&tender.label));
            if is_delivery_app(&tender.label) {
                read_apps.extend(covers.each().map(|day| (at.0.clone(), day)));
            }
            let cell = cells.entry((at.0.clone(), at.1, kind)).or_default();
            more(&mut cell.figures.z, tender.amount)?;
        }
    }
    for one in pos {
        let at = (one.store_id, one.business_date);
        let cell = cells.entry((at.0.clone(), at.1, types.kind(&one.label))).or_default();
        if once.get(&at).is_some_and(|sources| !sources.counts(&one.source)) {
            if !cell.pos_left.contains(&one.source) {
                cell.pos_left.push(one.source);
            }
            continue;
        }
        more(&mut cell.figures.pos, one.amount)?;
        let of_day = facts.entry(at.clone()).or_default();
        of_day.paid = Money(of_day.paid.0.saturating_add(one.amount.0));
        // A till that takes an app's orders has them in its reading.
        let is_rung_up = read_apps.contains(&at) || !is_delivery_app(&one.label);
        if of_apps(&at.0, at.1, &one.source) || !is_rung_up {
            cell.apps = Money(cell.apps.0.saturating_add(one.amount.0));
            of_day.paid_by_apps = Money(of_day.paid_by_apps.0.saturating_add(one.amount.0));
        } else {
            of_day.has_payments = true;
        }
    }
    for one in sums::declared(db, ids, span).await? {
        let of_day = facts.entry((one.store_id.clone(), one.business_date)).or_default();
        of_day.drawers.insert(one.terminal_id.clone());
        let at = |kind| (one.store_id.clone(), one.business_date, kind);
        more(&mut cells.entry(at(Kind::Cash)).or_default().figures.declared, one.cash)?;
        for tender in one.tenders.0 {
            let Some(kind) = Kind::parse(&tender.kind) else { continue };
            more(
                &mut cells
                    .entry((one.store_id.clone(), one.business_date, kind))
                    .or_default()
                    .figures
                    .declared,
                tender.amount,
            )?;
        }
    }
    for one in sums::deposited(db, ids, span).await? {
        let cell = cells.entry((one.store_id, one.business_date, Kind::Cash)).or_default();
        more(&mut cell.figures.deposited, one.amount)?;
        cell.deposited_on = Some(one.last_on);
    }
    for one in sums::settled(db, ids, span).await? {
        let Some(kind) = Kind::parse(&one.kind) else { continue };
        let cell = cells.entry((one.store_id, one.business_date, kind)).or_default();
        more(&mut cell.figures.settled, one.gross)?;
        more(&mut cell.figures.fee, one.fee)?;
        if let Some(expected) = types.percent(&one.label, kind).and_then(|percent| fee(one.gross, percent)) {
            more(&mut cell.expected_fee, expected)?;
        }
    }
    Ok((cells, facts))
}

/// Payments by a till's own label, from receipts of a store day.
#[derive(Debug, larder_db::FromRow)]
pub struct PosTender {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub source: String,
    pub label: String,
    pub amount: Money,
    pub receipts: i64,
}

/// How imported sales of some stores and days were paid.
pub async fn pos(db: &Db, stores: &[String], span: Span) -> Result<Vec<PosTender>, DbError> {
    db.sql(
        "select store_id, business_date, source, kind as label, cast(sum(amount) as bigint) as amount,
           cast(count(*) as bigint) as receipts
         from sales_tenders where business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by store_id, business_date, source, kind order by store_id, business_date, source, kind")
    .all()
    .await
}

/// As [`pos`], of the sources that count.
///
/// # Errors
/// If the database fails.
pub async fn pos_counted(db: &Db, types: &Types, stores: &[String], span: Span) -> ApiResult<Vec<PosTender>> {
    let mut pos = pos(db, stores, span).await?;
    let day = |one: &PosTender| (one.store_id.clone(), one.business_date);
    let several = |pair: &[PosTender]| day(&pair[0]) == day(&pair[1]) && pair[0].source != pair[1].source;
    if pos.windows(2).any(several) {
        let verified = verified_readings::verified(db, stores, span).await?;
        let once = once(db, (stores, span), &pos, &verified, types).await?;
        pos.retain(|one| once.get(&day(one)).is_none_or(|sources| sources.counts(&one.source)));
    }
    Ok(pos)
}

/// Net sales by source and till, of store days with several sources.
async fn tills_of_several(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, String, String, Money)>, DbError> {
    db.sql(
        "select store_id, business_date, source, terminal_id, net from sales_tills t
         where business_date between $1 and $2 and exists (select 1 from sales_days d
           where d.store_id = t.store_id and d.business_date = t.business_date and d.source <> t.source)
           and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" order by store_id, business_date, source, terminal_id")
    .all()
    .await
}

/// A tender type from the list.
#[derive(Debug, larder_db::FromRow)]
struct TenderType {
    name_key: String,
    code_key: Option<String>,
    tender_kind: String,
    fee_percent: Option<Qty>,
    settlement_days: Option<i64>,
}

/// The tender types in use.
async fn tender_types(db: &Db) -> Result<Vec<TenderType>, DbError> {
    db.sql(
        "select name_key, code_key, tender_kind, fee_percent, settlement_days from tender_types
         where active order by name_key",
    )
    .all()
    .await
}
