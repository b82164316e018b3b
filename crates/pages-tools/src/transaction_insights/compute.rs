//! Reads the tickets and computes the result.

use larder_db::{Db, DbError};
use larder_domain::Span;
use larder_domain::day_starts::DayStarts;

use super::model::{DaypartTickets, Insights, ReceiptCoverage, StoreTickets, TicketSize};
use super::question::{Daypart, InsightsFilter};
use super::sums::{LARGEST, Sums, Tally};
use super::together::Together;
use larder_engines::reports::Question;
use larder_engines::reports::queries::{pos_names, stores};
use larder_ledgers::day_starts;
use larder_ledgers::sales::tickets;
use larder_ledgers::sales::tickets::Known;
use larder_platform::http::{ApiError, ApiResult};

/// Maximum number of receipts per query.
const MOST_RECEIPTS: i64 = 10_000_000;

/// What is known before the calculation.
pub struct Ground {
    /// Id and name of the stores, sorted by name.
    stores: Vec<(String, String)>,
    now: (Span, Vec<Known>),
    before: Option<(Span, Vec<Known>)>,
    starts: day_starts::OfStores,
}

impl Ground {
    /// Reads the available store-days.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read(db: &Db, question: &Question, filter: &InsightsFilter) -> Result<Self, DbError> {
        let stores = stores(db, question.stores.as_deref()).await?;
        let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
        let now = (question.span, tickets::known(db, &ids, question.span).await?);
        let before = match filter.against() {
            Some(span) => Some((span, tickets::known(db, &ids, span).await?)),
            None => None,
        };
        let starts = day_starts::of_stores(db, Some(&ids)).await?;
        Ok(Self { stores, now, before, starts })
    }

    /// Coverage of the range and of the comparison range.
    #[must_use]
    pub fn coverage(&self) -> (ReceiptCoverage, Option<ReceiptCoverage>) {
        (coverage(&self.now.1), self.before.as_ref().map(|(_, known)| coverage(known)))
    }

    /// Number of receipts to read.
    #[must_use]
    pub fn receipts(&self) -> i64 {
        let (now, before) = self.coverage();
        now.receipts.saturating_add(before.map_or(0, |before| before.receipts))
    }

    /// When one of the store-days was last posted.
    #[must_use]
    pub fn posted_at(&self) -> Option<larder_domain::Timestamp> {
        let before = self.before.iter().flat_map(|(_, known)| known);
        self.now.1.iter().chain(before).map(|store| store.posted_at).max()
    }

    /// Refuses queries that need too much memory.
    ///
    /// # Errors
    /// 422 at `to`.
    pub fn check(&self) -> ApiResult<()> {
        if self.receipts() <= MOST_RECEIPTS {
            return Ok(());
        }
        let words = format!(
            "Choose fewer stores or days: at most {MOST_RECEIPTS} receipts, these have {}.",
            self.receipts()
        );
        Err(ApiError::field("to", words))
    }

    /// Number of stores to read, over both ranges.
    fn parts(&self) -> usize {
        let with = |known: &[Known]| known.iter().filter(|store| store.with_receipts > 0).count();
        with(&self.now.1) + self.before.as_ref().map_or(0, |(_, known)| with(known))
    }
}

fn coverage(known: &[Known]) -> ReceiptCoverage {
    let mut all = ReceiptCoverage::default();
    for store in known {
        all.store_days += store.days;
        all.with_receipts += store.with_receipts;
        all.receipts = all.receipts.saturating_add(store.receipts);
    }
    all
}

/// Computes the result. `step` receives the number of stores done and in total before each store, and may
/// cancel.
///
/// # Errors
/// When the database does not answer; errors of `step`.
pub async fn compute<E: From<DbError> + From<ApiError>>(
    db: &Db,
    ground: &Ground,
    filter: &InsightsFilter,
    step: impl Fn(usize, usize, &str) -> Result<(), E>,
) -> Result<Insights, E> {
    let (parts, mut done) = (ground.parts(), 0);
    let mut now = read(db, ground, &ground.now, filter.part, &mut |name| {
        done += 1;
        step(done - 1, parts, name)
    })
    .await?;
    let together = mine::<E>(&mut now).await?;
    let mut before = None;
    if let Some(range) = &ground.before {
        let mut sums = read(db, ground, range, filter.part, &mut |name| {
            done += 1;
            step(done - 1, parts, name)
        })
        .await?;
        let together = mine::<E>(&mut sums).await?;
        before = Some((sums, together));
    }
    step(parts, parts, "")?;
    let names = pos_names(db).await?;
    let (sums_before, together_before) = before.as_ref().map(|(sums, together)| (sums, together)).unzip();
    let sets = |which| together.sets(which, together_before, &names);
    Ok(Insights {
        figures: now.all.figures(),
        before: sums_before.map(|before| before.all.figures()),
        hours: now.hours(),
        first_hour: now.first_hour(),
        sizes: sizes(&now, sums_before),
        stores: by_store(ground, &now, sums_before),
        dayparts: by_part(&now, sums_before, filter.part),
        pairs: sets(0),
        triples: sets(1),
    })
}

async fn read<E: From<DbError>>(
    db: &Db,
    ground: &Ground,
    (span, known): &(Span, Vec<Known>),
    part: Option<Daypart>,
    step: &mut impl FnMut(&str) -> Result<(), E>,
) -> Result<Sums, E> {
    let (mut sums, midnight) = (Sums::new(), DayStarts::default());
    for store in known.iter().filter(|store| store.with_receipts > 0) {
        let name = ground.stores.iter().find(|(id, _)| *id == store.store_id).map_or("", |(_, name)| name);
        step(name)?;
        let starts = ground.starts.get(store.store_id.as_str()).unwrap_or(&midnight);
        let (mut tally, mut open, mut last) = (Tally::default(), None, None);
        tickets::each_day(db, &store.store_id, *span, |day, unpacked| {
            if let Some(over) = last.filter(|last| *last != day) {
                sums.close(&mut tally, over, &mut open, part);
            }
            last = Some(day);
            sums.add(&mut tally, (day, starts), unpacked, part, &mut open);
        })
        .await?;
        if let Some(over) = last {
            sums.close(&mut tally, over, &mut open, part);
        }
        sums.take(&store.store_id, tally);
    }
    Ok(sums)
}

/// Mines item sets on a blocking thread.
async fn mine<E: From<ApiError>>(sums: &mut Sums) -> Result<Together, E> {
    let (baskets, ids) = sums.baskets();
    let mined = tokio::task::spawn_blocking(move || Together::of(&baskets, ids)).await;
    Ok(mined.map_err(ApiError::internal)?)
}

fn sizes(now: &Sums, before: Option<&Sums>) -> Vec<TicketSize> {
    let size = |at: usize| TicketSize {
        items: at as i64 + 1,
        tickets: now.sizes[at],
        before: before.map(|before| before.sizes[at]),
    };
    (0..LARGEST).map(size).collect()
}

fn by_store(ground: &Ground, now: &Sums, before: Option<&Sums>) -> Vec<StoreTickets> {
    let mut all = Vec::new();
    for (store_id, name) in &ground.stores {
        let of = |sums: &Sums| sums.by_store.get(store_id).copied();
        let (here, there) = (of(now), before.map(|before| of(before).unwrap_or_default()));
        if here.is_some() || there.is_some_and(|there| there != Tally::default()) {
            all.push(StoreTickets {
                store_id: store_id.clone(),
                name: name.clone(),
                figures: here.unwrap_or_default().figures(),
                before: there.map(|there| there.figures()),
            });
        }
    }
    all
}

fn by_part(now: &Sums, before: Option<&Sums>, filter: Option<Daypart>) -> Vec<DaypartTickets> {
    let of = |sums: &Sums, part| sums.by_part.get(&part).copied().unwrap_or_default().figures();
    let parts = Daypart::ALL.into_iter().filter(|part| filter.is_none_or(|filter| filter == *part));
    let tickets_of = |daypart| DaypartTickets {
        daypart,
        figures: of(now, daypart),
        before: before.map(|before| of(before, daypart)),
    };
    parts.map(tickets_of).collect()
}
