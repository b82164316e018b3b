//! The current state of a store's month.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, Reader};
use larder_domain::cmsr::{Changed, Figures, Foot, RentMode, Terms, changes, in_force};
use larder_domain::sales::Grain;
use larder_domain::sales::sources::Settled;
use larder_domain::{BusinessDay, Money, Qty, Span, span};

use super::model::{
    Cmsr, CmsrAbsence, CmsrContent, CmsrDay, CmsrDiffers, CmsrDoubled, CmsrLacking, CmsrVersion, TermsFrom,
    month_text,
};
use super::queries::{self, Store, Version};
use super::{layouts, model};
use larder_ledgers::completeness::{Completeness, Day};
use larder_ledgers::till_days::ReadingRef;
use larder_ledgers::{leases, till_days};
use larder_platform::http::{ApiError, ApiResult};

/// The month computed from current readings, corrections and leases.
pub(super) struct Live {
    pub content: CmsrContent,
    pub made_of: Vec<ReadingRef>,
    /// Days that are not complete.
    pub lacking: Vec<CmsrLacking>,
    pub blocking: Blocking,
    /// Days for which a source has to be chosen.
    pub undecided: Vec<BusinessDay>,
    /// Days with sales of which no reading exists, and no correction.
    pub unread: Vec<BusinessDay>,
}

/// The days of a month.
pub(super) fn days_of(month: BusinessDay) -> Span {
    Span { from: month, to: span::next(Grain::Month, month).plus(-1) }
}

/// A store the caller may access.
pub(super) async fn store(db: &Db, id: &str) -> ApiResult<Store> {
    let id = larder_platform::http::question::known_id(id, "store")?;
    queries::store(&mut Reader::Db(db), id).await?.ok_or_else(|| ApiError::not_found("store"))
}

/// The month as it would be certified now.
pub(super) async fn live(
    on: &mut Reader<'_, '_>,
    store: &Store,
    month: BusinessDay,
    today: BusinessDay,
) -> ApiResult<Live> {
    let days = days_of(month);
    let stores = [store.id.clone()];
    let mut found = till_days::read_from(on, &stores, days).await?;
    let said = queries::said(on, &stores, days).await?;
    let known = Completeness::read_from(on, &stores, days, today).await?;
    let mut content = CmsrContent {
        store_name: store.name.clone(),
        lessor: store.lessor.clone(),
        days: Vec::new(),
        total: Figures::default(),
        foot: Foot::default(),
        terms: None,
        terms_from: None,
        absences: absences(&known, &store.id),
    };
    let (mut made_of, mut undecided, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for (date, day) in known.days(&store.id) {
        let key = (store.id.clone(), date);
        let of_day = found.remove(&key);
        let said = said.iter().find(|one| one.business_date == date);
        let readings = of_day.as_ref().map_or(0, |day| day.readings.len());
        let corrections = said.map(|one| one.corrections.0.clone()).unwrap_or_default();
        let figures = of_day.as_ref().map(|day| Figures::of(&day.figures)).unwrap_or_default();
        if of_day.as_ref().is_some_and(|day| day.sources.open()) {
            undecided.push(date);
        }
        if of_day.is_none() && day.sold_without_reading() && corrections.is_empty() {
            unread.push(date);
        }
        let mut doubled = Vec::new();
        let (settled, expected) = day.counts();
        if let Some(day) = of_day {
            doubled.extend(day.sources.doubled.iter().map(|one| CmsrDoubled {
                sources: one.sources.clone(),
                counted: one.counted.clone(),
                open: one.settled == Settled::Open,
            }));
            made_of.extend(day.readings);
        }
        content.days.push(CmsrDay {
            date,
            figures: figures.corrected(&corrections),
            readings: i64::try_from(readings).unwrap_or(i64::MAX),
            waiting: day.waiting(date),
            closed: day.marked_closed && !day.is_contradicted(),
            missing: !day.is_complete(),
            corrections,
            reason: said.map(|one| one.reason.clone()).unwrap_or_default(),
            revision: said.map(|one| one.revision),
            doubled,
            source: said.and_then(|one| one.counted_source.clone()),
            contradicted: day.is_contradicted(),
            settled: i64::try_from(settled).unwrap_or(i64::MAX),
            expected: i64::try_from(expected).unwrap_or(i64::MAX),
            reasons: day.reasons(),
            read_on: day.read_later(date),
        });
    }
    let (terms, from) = terms(on, store, month).await?;
    content.total = Figures::sum(content.days.iter().map(|day| &day.figures));
    content.foot = Foot::of(&content.total, terms.as_ref());
    (content.terms, content.terms_from) = (terms, from);
    made_of.sort();
    let blocking = blocking(&known, &store.id, undecided.len());
    Ok(Live { content, made_of, lacking: lacking(&known, &store.id), blocking, undecided, unread })
}

/// What keeps a store's days from being certified.
pub(super) fn blocking(known: &Completeness, store: &str, undecided: usize) -> Blocking {
    Blocking::of(known.days(store).map(|(_, day)| day), undecided)
}

/// The days that keep a month from being certified, and what each lacks.
pub(super) fn lacking(known: &Completeness, store: &str) -> Vec<CmsrLacking> {
    let incomplete = known.days(store).filter(|(_, day)| !day.is_complete());
    incomplete.map(|(date, day)| CmsrLacking { date, reasons: day.reasons() }).collect()
}

/// The verified readings of a month's days, each with its revision.
pub(super) fn made_of<'a>(days: impl Iterator<Item = (BusinessDay, &'a Day)>) -> BTreeSet<(String, i64)> {
    days.flat_map(|(_, day)| day.verified()).collect()
}

/// Tills of which it is recorded that no reading exists.
fn absences(known: &Completeness, store: &str) -> Vec<CmsrAbsence> {
    let of_day = |(date, day): (BusinessDay, &Day)| -> Vec<CmsrAbsence> {
        let absent = day.tills.iter().filter_map(|till| {
            let absence = till.absent()?;
            Some(CmsrAbsence {
                date,
                terminal_id: till.terminal_id.to_string(),
                before: till.excused,
                reason: absence.reason.clone(),
                by: absence.by.clone(),
            })
        });
        absent.collect()
    };
    known.days(store).flat_map(of_day).collect()
}

/// The terms of the lease in force, or the store's percentage without one.
async fn terms(
    on: &mut Reader<'_, '_>,
    store: &Store,
    month: BusinessDay,
) -> ApiResult<(Option<Terms>, Option<TermsFrom>)> {
    let leases = leases::of_from(on, std::slice::from_ref(&store.id)).await?;
    let spans: Vec<(BusinessDay, Option<BusinessDay>)> =
        leases.iter().map(|one| (one.valid_from, one.valid_to)).collect();
    if let Some(lease) = in_force(&spans, month).and_then(|at| leases.get(at)) {
        return Ok((Some(lease.terms.0.clone()), Some(TermsFrom::Lease)));
    }
    let Some(percent) = store.rent_percent.filter(|percent| *percent > Qty(0)) else {
        return Ok((None, None));
    };
    let terms = Terms {
        fixed: Money(0),
        percent,
        mode: RentMode::Additive,
        breakpoints: Vec::new(),
        add_backs: Vec::new(),
    };
    Ok((Some(terms), Some(TermsFrom::Store)))
}

/// What keeps a month from being certified, in days.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Blocking {
    /// Days that are over and lack a verified reading.
    pub missing: usize,
    /// Days that are not over and lack one yet.
    pub not_over: usize,
    /// Days marked as closed although something was sold or read.
    pub contradicted: usize,
    /// Days for which a source has to be chosen.
    pub undecided: usize,
}

impl Blocking {
    /// That of some days.
    pub fn of<'a>(days: impl Iterator<Item = &'a Day>, undecided: usize) -> Self {
        days.fold(Self { undecided, ..Self::default() }, |sum, day| Self {
            missing: sum.missing + usize::from(day.over && day.lacks_readings()),
            not_over: sum.not_over + usize::from(!day.over && day.lacks_readings()),
            contradicted: sum.contradicted + usize::from(day.is_contradicted()),
            ..sum
        })
    }

    /// «3 days lack a verified Z-reading. 6 days are not over.» `None` if nothing keeps it.
    pub fn words(self) -> Option<String> {
        let day = |count: usize, one: &str, several: &str| match count {
            0 => None,
            1 => Some(format!("1 day {one}.")),
            n => Some(format!("{n} days {several}.")),
        };
        let words = [
            day(self.missing, "lacks a verified Z-reading", "lack a verified Z-reading"),
            day(
                self.contradicted,
                "is marked as closed but had sales or readings",
                "are marked as closed but had sales or readings",
            ),
            day(
                self.undecided,
                "has the same sales from several sources; choose which counts",
                "have the same sales from several sources; choose which counts",
            ),
            day(self.not_over, "is not over", "are not over"),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

fn by_day(content: &CmsrContent) -> Vec<(BusinessDay, Figures)> {
    content.days.iter().map(|day| (day.date, day.figures)).collect()
}

/// Differences between two versions of a month.
pub(super) fn changed(before: &CmsrContent, after: &CmsrContent) -> Vec<Changed> {
    changes(&by_day(before), &by_day(after))
}

/// Differences since certification; `None` if there are none.
pub(super) fn differs(version: &Version, kept: &CmsrContent, live: &Live) -> Option<CmsrDiffers> {
    let changes = changed(kept, &live.content);
    let was: BTreeSet<&ReadingRef> = version.made_of.iter().collect();
    let is: BTreeSet<&ReadingRef> = live.made_of.iter().collect();
    let readings: Vec<ReadingRef> = was.symmetric_difference(&is).map(|one| (*one).clone()).collect();
    let net_sales = Money(live.content.foot.net_sales.0 - kept.foot.net_sales.0);
    let rent = Money(live.content.foot.rent.0 - kept.foot.rent.0);
    // A reading that was only reconciled since has a new revision but the same figures.
    if changes.is_empty() && rent == Money(0) {
        return None;
    }
    let days: BTreeSet<BusinessDay> = changes.iter().map(|one| one.date).collect();
    let mut says = format!("Net sales less exempt differ by {}", net_sales.pesos());
    match days.len() {
        0 => {}
        1 => says.push_str(" on 1 day"),
        n => says.push_str(&format!(" on {n} days")),
    }
    says.push_str(&format!(", rent differs by {}. Amend it to certify the new figures.", rent.pesos()));
    Some(CmsrDiffers { says, net_sales, rent, changes, readings })
}

/// The complete response for a month.
pub(super) async fn shown(db: &Db, store: &Store, month: BusinessDay, today: BusinessDay) -> ApiResult<Cmsr> {
    let versions = queries::versions(db, &store.id, month).await?;
    let live = live(&mut Reader::Db(db), store, month, today).await?;
    let layout = layouts::of(db, store.lessor.as_deref()).await?;
    let latest = versions.first();
    let kept = match latest.filter(|one| one.state != "amended") {
        Some(one) => {
            let content = queries::content(&mut Reader::Db(db), &store.id, month, one.version).await?;
            content.map(|content| (one, content))
        }
        None => None,
    };
    let mut answer = Cmsr {
        store_id: store.id.clone(),
        store_code: store.code.clone(),
        month: month_text(month),
        state: "draft".to_owned(),
        version: latest.map_or(1, |one| one.version + 1),
        blocker: live.blocking.words(),
        warnings: warnings(&live),
        missing: live.lacking.iter().map(|one| one.date).collect(),
        lacking: live.lacking.clone(),
        undecided: live.undecided.clone(),
        content: live.content.clone(),
        versions: versions.iter().map(version).collect(),
        differs: None,
        layout,
    };
    if let Some((one, content)) = kept {
        answer.differs = differs(one, &content, &live);
        answer.state = one.state.clone();
        answer.version = one.version;
        answer.content = content;
        answer.blocker = None;
        answer.warnings.clear();
    }
    Ok(answer)
}

fn warnings(live: &Live) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    warnings.extend(counted_once(&live.content.days));
    for day in &live.unread {
        warnings.push(format!(
            "Something was sold on {}, and no Z-reading exists: its figures are zero. Correct them.",
            day.display()
        ));
    }
    match live.content.terms_from {
        None => warnings
            .push("No lease is in force and the store has no percentage: no rent is calculated.".into()),
        Some(TermsFrom::Store) => {
            warnings.push("No lease is in force: the store's percentage is used.".to_owned());
        }
        Some(TermsFrom::Lease) => {}
    }
    warnings
}

/// Days whose sales were reported twice with a clear choice of source.
fn counted_once(days: &[CmsrDay]) -> Vec<String> {
    let mut by_pair: BTreeMap<(String, &str), i64> = BTreeMap::new();
    for one in days.iter().flat_map(|day| &day.doubled).filter(|one| !one.open) {
        *by_pair.entry((one.sources.join(" and "), &one.counted)).or_default() += 1;
    }
    let words = |((sources, counted), days): ((String, &str), i64)| {
        let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
        format!("On {days} the same sales came from {sources}. Those from {counted} are counted, once.")
    };
    by_pair.into_iter().map(words).collect()
}

pub(super) fn version(one: &Version) -> CmsrVersion {
    CmsrVersion {
        version: one.version,
        state: one.state.clone(),
        certified_name: one.certified_name.clone(),
        certified_position: one.certified_position.clone(),
        certified_at: one.certified_at,
        certified_by: one.certified_by.0.clone(),
        submitted_at: one.submitted_at,
        submitted_by: one.submitted_by.as_ref().map(|by| by.0.clone()),
        amended_at: one.amended_at,
        amended_by: one.amended_by.as_ref().map(|by| by.0.clone()),
        amend_reason: one.amend_reason.clone(),
        net_sales: one.net_sales,
        rent: one.rent,
        changes: one.changes.0.clone(),
        readings: i64::try_from(one.made_of.len()).unwrap_or(i64::MAX),
    }
}

/// `October 2026`.
pub(super) fn title(month: BusinessDay) -> String {
    month.date().strftime("%B %Y").to_string()
}

/// The accessible store and month of a query.
pub(super) async fn asked(
    db: &Db,
    who: &larder_platform::http::Who,
    (store_id, text): (&str, &str),
) -> ApiResult<(Store, BusinessDay)> {
    who.check_store(store_id)?;
    let month = model::month_of(text)?;
    Ok((store(db, store_id).await?, month))
}
