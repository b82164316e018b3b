//! Cash and payments: leases, declarations and deposits, acquirers' settlements, certified months, and days exported to
//! NetSuite. Months and NetSuite days are based on the verified Z-readings there are.

use std::collections::BTreeMap;

use larder_domain::cmsr::{AddBack, Breakpoint, Figure, RentMode, Terms};
use larder_domain::netsuite::Layout;
use larder_domain::tender::{DENOMINATIONS, Kind, fee};
use larder_domain::{BusinessDay, Money, Qty, Span};
use larder_ledgers::cash::{declarations, deposits, settlements};
use larder_ledgers::forecasts::events;
use larder_ledgers::forecasts::events::Event;
use larder_ledgers::{leases, verified_readings};
use larder_pages_sales::cmsr;
use larder_pages_sales::cmsr::Step;
use larder_pages_sales::netsuite;
use larder_platform::http::ApiError;
use serde_json::json;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::Ids;
use super::people::BOOKKEEPER;
use super::queries;
use super::rng::{Rng, key};

/// Days with cash and settlements.
const DAYS: i32 = 35;
/// Months that may be certified.
const MONTHS: i32 = 4;
/// The user who declares.
const MANAGER: usize = 2;

/// The payments of a store-day.
#[derive(Debug, Clone, Copy, Default)]
struct Paid {
    cash: i64,
    card: i64,
    wallet: i64,
}

/// Creates all of it.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, ids: &Ids) -> Result<(), ApiError> {
    let stores: Vec<String> = ids.stores.iter().map(ToString::to_string).collect();
    let span = Span { from: world.last.plus(1 - DAYS), to: world.last };
    lease(demo, world, &stores).await?;
    let paid = paid(demo, &stores, span).await?;
    cash(demo, &paid, world.last).await?;
    settle(demo, &paid, world.last).await?;
    closures(demo, world, &stores).await?;
    certify(demo, world, &stores).await?;
    send(demo, world).await
}

/// A lease for two of three stores, some of them after an earlier one.
async fn lease(demo: &mut DemoActor<'_>, world: &World, stores: &[String]) -> Result<(), ApiError> {
    let at = moment(world.first, 10, 0);
    let mut rows = Vec::new();
    for (nth, store) in stores.iter().enumerate().filter(|(nth, _)| nth % 3 != 2) {
        let mut rng = Rng::of(1, &[key("lease"), nth as u64]);
        let rent = 1_000_000 * i64::try_from(6 + rng.below(20)).unwrap_or(6);
        let percent = Qty(500_000 * i64::try_from(8 + rng.below(8)).unwrap_or(8));
        let mode = if nth % 2 == 0 { RentMode::GreaterOf } else { RentMode::Additive };
        let back = |name: &str, amount, percent, of| AddBack { name: name.to_owned(), amount, percent, of };
        let mut terms =
            Terms { fixed: Money(rent), percent, mode, breakpoints: Vec::new(), add_backs: Vec::new() };
        if mode == RentMode::Additive {
            terms.fixed = Money(rent / 2);
            terms.add_backs = vec![
                back("Unapproved promos", None, Some(Qty(100_000_000)), Some(Figure::UnapprovedPromo)),
                back("Marketing fund", Some(Money(500_000)), None, None),
            ];
        }
        if nth % 4 == 0 {
            let over = Money(rent * 12);
            terms.breakpoints = vec![Breakpoint { over, percent: Qty(percent.0 * 3 / 4) }];
        }
        let begins = world.last.plus(-150).month();
        let mut earlier = terms.clone();
        earlier.fixed = Money(terms.fixed.0 * 9 / 10);
        if nth % 2 == 1 {
            rows.push((demo.id(at), store, world.first.plus(-700), Some(begins.plus(-1)), earlier));
        }
        let from = if nth % 2 == 1 { begins } else { world.first.plus(-400) };
        rows.push((demo.id(at), store, from, None, terms));
    }
    let (actor, rows) = (demo.actor(BOOKKEEPER, at), &rows);
    let written = demo.state.db.write(&actor, async |tx| {
        for (id, store, valid_from, valid_to, terms) in rows {
            let draft = leases::Draft {
                store_id: (*store).clone(),
                valid_from: *valid_from,
                valid_to: *valid_to,
                terms: terms.clone(),
                notes: String::new(),
            };
            leases::insert(tx, id, &draft).await?;
        }
        Ok::<_, ApiError>(())
    });
    written.await
}

/// The payments of days: from verified readings, else typical ones for the store.
async fn paid(
    demo: &DemoActor<'_>,
    stores: &[String],
    span: Span,
) -> Result<BTreeMap<(String, BusinessDay), Paid>, ApiError> {
    let db = &demo.state.db;
    let mut paid: BTreeMap<(String, BusinessDay), Paid> = BTreeMap::new();
    for (store, day, net) in queries::net_of_days(db, span).await? {
        if stores.contains(&store) && net > 0 {
            let (card, wallet) = (net * 27 / 100, net * 18 / 100);
            paid.insert((store, day), Paid { cash: net - card - wallet, card, wallet });
        }
    }
    let mut by_day: BTreeMap<(String, BusinessDay), Paid> = BTreeMap::new();
    for reading in verified_readings::verified(db, stores, span).await? {
        let one = by_day.entry((reading.store_id, reading.business_date)).or_default();
        for tender in reading.tenders.0 {
            match Kind::parse(&tender.kind) {
                Some(Kind::Cash) => one.cash += tender.amount.0,
                Some(Kind::Card) => one.card += tender.amount.0,
                Some(Kind::EWallet) => one.wallet += tender.amount.0,
                _ => {}
            }
        }
    }
    paid.extend(by_day);
    Ok(paid)
}

/// Cash counts, mostly right, and deposits: a weekend's cash on one slip, the last days not yet, and sometimes a
/// forgotten day.
async fn cash(
    demo: &mut DemoActor<'_>,
    paid: &BTreeMap<(String, BusinessDay), Paid>,
    last: BusinessDay,
) -> Result<(), ApiError> {
    let mut declared = Vec::new();
    let mut slips: BTreeMap<(String, BusinessDay), Vec<deposits::DayPart>> = BTreeMap::new();
    for ((store, day), one) in paid {
        let mut rng = Rng::of(2, &[key(store), u64::from(day.0.unsigned_abs())]);
        if *day == last && rng.happens(0.4) {
            continue;
        }
        let off =
            if rng.happens(0.15) { 100 * i64::try_from(rng.below(300)).unwrap_or(0) - 15_000 } else { 0 };
        let cash = (one.cash + off).max(0);
        let at = moment(*day, 21, 30);
        declared.push((demo.id(at), declaration(store, *day, cash, one)));
        if day.plus(2) > last || rng.happens(0.05) {
            continue;
        }
        // Banks take no cash on weekends.
        let banked = day.plus(match day.weekday() {
            5 => 3,
            6 => 2,
            _ => 1,
        });
        let part = deposits::DayPart { business_date: *day, amount: Money(cash) };
        if cash > 0 {
            slips.entry((store.clone(), banked)).or_default().push(part);
        }
    }
    let mut paid_in = Vec::new();
    for (nth, ((store_id, deposited_on), days)) in slips.into_iter().enumerate() {
        let draft = deposits::Draft {
            amount: Money(days.iter().map(|day| day.amount.0).sum()),
            bank: if nth % 3 == 0 { "BDO".to_owned() } else { "BPI".to_owned() },
            reference: format!("{:07}", 4_120_031 + nth * 17),
            photos: Vec::new(),
            notes: String::new(),
            store_id,
            deposited_on,
            days,
            another: false,
        };
        paid_in.push((demo.id(moment(draft.deposited_on, 10, 30)), draft));
    }
    let actor = demo.actor(MANAGER, moment(last, 22, 0));
    let (declared, paid_in) = (&declared, &paid_in);
    let written = demo.state.db.write(&actor, async |tx| {
        for (id, draft) in declared {
            declarations::insert(tx, id, draft).await?;
        }
        for (id, draft) in paid_in {
            deposits::insert(tx, id, draft).await?;
        }
        Ok::<_, ApiError>(())
    });
    written.await
}

fn declaration(store: &str, day: BusinessDay, cash: i64, paid: &Paid) -> declarations::Draft {
    let mut left = cash;
    let mut pieces = Vec::new();
    for piece in DENOMINATIONS {
        let count = left / piece.0;
        left -= count * piece.0;
        if count > 0 {
            pieces.push(declarations::Pieces { denomination: piece, pieces: count });
        }
    }
    let tender = |kind: Kind, amount: i64| declarations::Tender {
        kind: kind.as_str().to_owned(),
        amount: Money(amount),
    };
    declarations::Draft {
        store_id: store.to_owned(),
        business_date: day,
        terminal_id: String::new(),
        pieces,
        cash: Money(cash),
        tenders: vec![tender(Kind::Card, paid.card), tender(Kind::EWallet, paid.wallet)],
        notes: String::new(),
        photos: Vec::new(),
        counted_at: moment(day, 21, 30),
    }
}

/// Settlements: one file of cards and wallets, up to a few days ago, with an unknown terminal.
async fn settle(
    demo: &mut DemoActor<'_>,
    paid: &BTreeMap<(String, BusinessDay), Paid>,
    last: BusinessDay,
) -> Result<(), ApiError> {
    let at = moment(last, 9, 0);
    let id = demo.id(at);
    let mut lines = Vec::new();
    for ((store, day), one) in paid.iter().filter(|((_, day), _)| day.plus(3) <= last) {
        let mut rng = Rng::of(3, &[key(store), u64::from(day.0.unsigned_abs())]);
        let mut line = |kind: Kind, label: &str, gross: i64, percent: i64, store: Option<&String>| {
            if gross <= 0 {
                return;
            }
            let kept = fee(Money(gross), Qty(percent)).unwrap_or_default();
            let terminal =
                store.map_or("88104417".to_owned(), |store| format!("TID {}", &store[store.len() - 6..]));
            let number = i64::try_from(lines.len()).unwrap_or(0) + 2;
            lines.push(settlements::Line {
                line_key: format!("demo-{number}"),
                settlement_id: id.clone(),
                line: number,
                terminal_key: settlements::key_of(&terminal),
                terminal,
                store_id: store.cloned(),
                business_date: *day,
                kind: kind.as_str().to_owned(),
                label: label.to_owned(),
                gross: Money(gross),
                fee: kept,
                net: Money(gross - kept.0),
                reference: format!("{:06}", 100_000 + number * 37),
            });
        };
        if !rng.happens(0.03) {
            // Sometimes the fee is slightly higher than agreed.
            let percent = if rng.happens(0.05) { 2_900_000 } else { 2_500_000 };
            line(Kind::Card, "Visa", one.card, percent, Some(store));
        }
        line(Kind::EWallet, "GCash", one.wallet, 1_500_000, Some(store));
        if day.plus(6) == last {
            line(Kind::Card, "Mastercard", 184_500, 2_500_000, None);
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let actor = demo.actor(BOOKKEEPER, at);
    let (id, lines) = (&id, &lines);
    let written = demo.state.db.write(&actor, async |tx| {
        let new = settlements::New {
            id,
            file_name: "acquirer-settlement.csv",
            sha256: "demo",
            mapping: &json!({}),
            lines,
            left_out: 0,
            problems: &[],
        };
        settlements::insert(tx, new).await?;
        Ok::<_, ApiError>(())
    });
    written.await
}

/// The days on which storms and holidays kept stores closed, in the months that may be certified.
async fn closures(demo: &mut DemoActor<'_>, world: &World, stores: &[String]) -> Result<(), ApiError> {
    let first = world.last.plus(-31 * MONTHS).max(world.first);
    let mut shut: BTreeMap<BusinessDay, Vec<String>> = BTreeMap::new();
    for (nth, store) in stores.iter().enumerate() {
        let place = &world.places[nth];
        let (from, to) = (world.opened(place).max(first), world.closed(place));
        let days = (from.0..=to.0).map(BusinessDay);
        for day in days.filter(|day| world.receipts(nth, *day).is_none()) {
            shut.entry(day).or_default().push(store.clone());
        }
    }
    let mut closed = Vec::new();
    for (day, store_ids) in shut {
        closed.push(Event {
            id: demo.id(moment(day, 7, 0)),
            name: "Closed".to_owned(),
            kind: "closure".to_owned(),
            from: day,
            to: day,
            store_ids: Some(store_ids),
            area_id: None,
            factor: None,
            estimated: false,
            built_in: false,
            revision: 0,
            updated_at: None,
            updated_by: None,
        });
    }
    let (actor, closed) = (demo.actor(BOOKKEEPER, moment(world.last, 9, 0)), &closed);
    let written = demo.state.db.write(&actor, async |tx| {
        for event in closed {
            events::put(tx, event, 0).await?;
        }
        Ok::<_, ApiError>(())
    });
    written.await
}

/// Past months, where readings allow: older ones submitted, the last certified or still open, one amended.
async fn certify(demo: &DemoActor<'_>, world: &World, stores: &[String]) -> Result<(), ApiError> {
    let mut month = world.last.month();
    for back in 0..MONTHS {
        month = month.plus(-1).month();
        let at = moment(month.plus(36), 15, 0);
        let actor = demo.actor(BOOKKEEPER, at);
        for (nth, store) in stores.iter().enumerate() {
            // The newest month is still open in one store of three.
            if back == 0 && nth % 3 == 1 {
                continue;
            }
            let take = async |step| cmsr::take(demo.state, &actor, (store, month), step).await;
            let name = Step::Certify("Corazon Bautista", "Finance manager");
            // A month whose readings are not all verified stays a draft.
            if take(name).await.is_err() {
                continue;
            }
            if back > 0 {
                take(Step::Submit).await?;
            }
            if back == 2 && nth % 5 == 0 {
                take(Step::Amend("A Z-reading was read wrongly.")).await?;
                take(name).await?;
            }
        }
    }
    Ok(())
}

/// Days of a month exported to NetSuite: most confirmed, a few failed, the last ones not yet exported.
async fn send(demo: &DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    let actor = demo.actor(BOOKKEEPER, moment(world.last, 16, 0));
    let older = Span { from: world.last.plus(-30), to: world.last.plus(-7) };
    let Ok(names) = netsuite::export_all(demo.state, &actor, Layout::CashSale, older).await else {
        // Without verified readings nothing can be exported.
        return Ok(());
    };
    let said = names.into_iter().enumerate().map(|(nth, name)| {
        let failed = nth % 41 == 7;
        (name, failed.then(|| "Invalid location reference key 118 for subsidiary 3.".to_owned()))
    });
    netsuite::answered(demo.state, &actor, "results.csv", said).await?;
    let newer = Span { from: world.last.plus(-6), to: world.last.plus(-3) };
    let _nothing_new = netsuite::export_all(demo.state, &actor, Layout::CashSale, newer).await;
    Ok(())
}
