//! Z-readings of the last six weeks, for some stores from the month before on, derived from sales, with typical errors:
//! a missing day, a disputed one, one typed wrong, and some pending; a few have pictures.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::tender::Kind;
use larder_domain::{BusinessDay, Money, StoreScope};
use larder_ledgers::readings::write;
use larder_ledgers::readings::write::{Origin, Said};
use larder_ledgers::readings::{
    Draft, Place, Seen, SeenCheck, SeenField, SeenLine, Verdict, filling, pictures,
};
use larder_ledgers::verified_readings::Tender;
use larder_platform::http::ApiError;

use super::canvas::{self, Line};
use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::{Ids, terminals};
use super::people::BOOKKEEPER;
use super::queries;
use super::rng::{Rng, key};
use super::sales::BORROWED;

/// Days with readings, including the last one.
const DAYS: i32 = 42;
/// Readings older than this are reconciled; younger ones are pending.
const RECONCILED: i32 = 14;
const WAITING: i32 = 2;
/// Head office types for stores.
const CLERK: usize = 1;
/// Stores with readings of the whole month before the last day's, so that it can be certified.
const WHOLE_MONTHS: usize = 12;
/// Stores whose last readings came as pictures.
const PHOTOGRAPHED: usize = 4;

/// A till and its counters.
struct Till {
    store: usize,
    id: String,
    /// The share of the tills before it, and its own, of the store's sales, in percent.
    before: i64,
    share: i64,
    counter: i64,
    invoice: i64,
    total: i64,
    min: String,
    tin: String,
}

/// What a till sold on a day, in centavos.
#[derive(Debug, Clone, Copy)]
struct OfTill {
    net: i64,
    receipts: i64,
    /// Paid by card and by wallet, where the file says so.
    paid: Option<(i64, i64)>,
}

/// What a store sold on a day, in centavos.
#[derive(Debug, Default)]
struct OfStore {
    net: i64,
    receipts: i64,
    /// Net sales and receipts by till, where the file names tills.
    tills: BTreeMap<String, (i64, i64)>,
    card: i64,
    wallet: i64,
}

impl OfStore {
    /// A till's part; the parts of all tills add up to the store's day. None if the till sold nothing.
    fn of(&self, till: &Till) -> Option<OfTill> {
        if self.tills.is_empty() {
            let cut = |whole: i64| whole * (till.before + till.share) / 100 - whole * till.before / 100;
            return Some(OfTill { net: cut(self.net), receipts: cut(self.receipts), paid: None });
        }
        let (net, receipts) = *self.tills.get(&till.id)?;
        let all: i64 = self.tills.values().map(|(net, _)| net).sum();
        let before: i64 = self.tills.range(..till.id.clone()).map(|(_, (net, _))| net).sum();
        let upto = |whole: i64, net: i64| match all {
            0 => 0,
            all => i64::try_from(i128::from(whole) * i128::from(net) / i128::from(all)).unwrap_or_default(),
        };
        let cut = |whole: i64| upto(whole, before + net) - upto(whole, before);
        Some(OfTill { net, receipts, paid: Some((cut(self.card), cut(self.wallet))) })
    }
}

/// What stores sold by day, from the imported files.
async fn sold(
    db: &Db,
    first: BusinessDay,
    last: BusinessDay,
) -> Result<BTreeMap<(String, BusinessDay), OfStore>, DbError> {
    let mut sold: BTreeMap<(String, BusinessDay), OfStore> = BTreeMap::new();
    for (store, day, net, receipts) in queries::sold(db, first, last).await? {
        sold.insert((store, day), OfStore { net: net.0, receipts, ..OfStore::default() });
    }
    for (store, day, till, net, receipts) in queries::sold_at_tills(db, first, last).await? {
        let Some(of_store) = sold.get_mut(&(store, day)) else { continue };
        // The borrowed till stands in for the second one, which counts its sales.
        let till = if till == BORROWED { "02".to_owned() } else { till };
        let of_till = of_store.tills.entry(till).or_default();
        *of_till = (of_till.0 + net, of_till.1 + receipts);
    }
    for (store, day, label, amount) in queries::payments(db, first, last).await? {
        let Some(of_store) = sold.get_mut(&(store, day)) else { continue };
        match Kind::of_label(&label) {
            Kind::Card => of_store.card += amount,
            Kind::EWallet => of_store.wallet += amount,
            _ => {}
        }
    }
    Ok(sold)
}

/// Creates the readings of every till of every store.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, ids: &Ids) -> anyhow::Result<()> {
    let recent = world.last.plus(1 - DAYS);
    let whole = world.last.month().plus(-1).month().min(recent);
    let sold = sold(&demo.state.db, whole, world.last).await?;
    for (nth, store) in ids.stores.iter().enumerate() {
        let count = terminals(&world.places[nth]);
        let first = if nth < WHOLE_MONTHS { whole } else { recent };
        let mut before = 0;
        for number in 1..=count {
            let mut rng = Rng::of(world.seed, &[key("till"), nth as u64, number as u64]);
            let share = match (count, number) {
                (1, _) => 100,
                (_, 1) => 60,
                (count, _) => 40 / (count as i64 - 1),
            };
            let mut till = Till {
                store: nth,
                id: format!("{number:02}"),
                before,
                share,
                counter: 200 + rng.below(900) as i64,
                invoice: 10_000 + rng.below(400_000) as i64,
                total: 500_000_000 + rng.below(900_000_000) as i64,
                min: format!("{:017}", 17_000_000_000_000_000_u64 + rng.bits() % 900_000_000_000_000),
                tin: format!("607-747-{:03}-{:05}", rng.below(900) + 100, nth + 1),
            };
            before += share;
            for day in (first.0..=world.last.0).map(BusinessDay) {
                let of_store = sold.get(&(store.to_string(), day));
                let Some(of_till) = of_store.and_then(|of_store| of_store.of(&till)) else { continue };
                read(demo, world, store, &mut till, (day, world.last.0 - day.0), of_till).await?;
            }
        }
    }
    Ok(())
}

/// One day of a till.
async fn read(
    demo: &mut DemoActor<'_>,
    world: &World,
    store: &str,
    till: &mut Till,
    (day, ago): (BusinessDay, i32),
    sold: OfTill,
) -> anyhow::Result<()> {
    let mut rng = Rng::of(world.seed, &[key("reading"), till.store as u64, key(&till.id), day.0 as u64]);
    let draft = drafted(store, till, day, sold, &mut rng);
    till.counter += 1;
    till.total += draft.net.map_or(0, |net| net.0);
    till.invoice += draft.transactions.unwrap_or(1);
    let first = till.id == "01";
    if first && till.store == 0 && ago == 9 {
        // This one is missing: the calendar and the chain show it.
        return Ok(());
    }
    if first && ago == 0 && till.store < PHOTOGRAPHED {
        return photographed(demo, &draft, till.store).await;
    }
    let mut draft = draft;
    if first && till.store == 2 && ago == 1 {
        // Two digits of the net sales are swapped.
        draft.net = draft.net.map(|net| Money(net.0 + 90));
    }
    let id = demo.id(moment(day, 22, 30));
    let typed = demo.actor(CLERK, moment(day.plus(1), 9, 5));
    let (id, draft) = (&id, &draft);
    demo.state
        .db
        .write(&typed, async |tx| write::create(tx, &StoreScope::All, id.clone(), draft, Origin::Typed).await)
        .await?;
    if ago < WAITING {
        return Ok(());
    }
    let checked = demo.actor(BOOKKEEPER, moment(day.plus(1), 14, 20));
    let disputed = first && till.store == 1 && ago == 5;
    let reconciled = ago >= RECONCILED;
    demo.state
        .db
        .write(&checked, async |tx| {
            let all = &StoreScope::All;
            if disputed {
                let why = "The drawer held ₱500.00 less than this reading says; the manager is asked.";
                return write::take(tx, all, id, "dispute", Said { reason: Some(why), ..Said::default() })
                    .await
                    .map(drop);
            }
            let told = Said { sales_seen: true, ..Said::default() };
            write::take(tx, all, id, "verify", told).await?;
            if reconciled {
                let held = Said { reason: Some("Held against the imported sales."), ..Said::default() };
                write::take(tx, all, id, "reconcile", held).await?;
            }
            Ok::<_, ApiError>(())
        })
        .await?;
    Ok(())
}

/// The till's figures for its sales.
fn drafted(store: &str, till: &Till, day: BusinessDay, sold: OfTill, rng: &mut Rng) -> Draft {
    let net = Money(sold.net);
    let part = |of: i64, share: f64| (of as f64 * share) as i64;
    let exempt = part(net.0, rng.between(0.04, 0.09));
    let vatable = ((net.0 - exempt) * 100 + 56) / 112;
    let vat = net.0 - exempt - vatable;
    let senior = part(net.0, rng.between(0.006, 0.014));
    let pwd = part(net.0, rng.between(0.002, 0.006));
    let other = if rng.happens(0.3) { part(net.0, 0.01) } else { 0 };
    let voids = if rng.happens(0.2) { part(net.0, 0.004) } else { 0 };
    let adjustment = exempt * 12 / 100;
    let gross = net.0 + senior + pwd + other + voids + adjustment;
    let (card, wallet) = match sold.paid {
        Some(paid) => paid,
        None => (part(net.0, rng.between(0.15, 0.3)), part(net.0, rng.between(0.15, 0.25))),
    };
    let tender = |kind: &str, label: &str, amount: i64| Tender {
        kind: kind.to_owned(),
        label: label.to_owned(),
        amount: Money(amount),
    };
    let some = |amount: i64| Some(Money(amount));
    let transactions = sold.receipts.max(1);
    Draft {
        store_id: store.to_owned(),
        terminal_id: till.id.clone(),
        business_date: Some(day),
        began_at: Some(moment(day, 8, 0)),
        ended_at: Some(moment(day, 22, 15)),
        min: Some(till.min.clone()),
        tin: Some(till.tin.clone()),
        first_si: Some(format!("{:08}", till.invoice)),
        last_si: Some(format!("{:08}", till.invoice + transactions - 1)),
        transactions: Some(transactions),
        z_counter: Some(till.counter),
        reset_counter: Some(0),
        previous_total: some(till.total),
        present_total: some(till.total + net.0),
        gross: some(gross),
        net: Some(net),
        vatable: some(vatable),
        vat: some(vat),
        exempt: some(exempt),
        zero_rated: some(0),
        senior: some(senior),
        pwd: some(pwd),
        other_discount: some(other),
        voids: some(voids),
        returns: some(0),
        vat_adjustment: some(adjustment),
        tenders: vec![
            tender("cash", "CASH", net.0 - card - wallet),
            tender("card", "CREDIT CARD", card),
            tender("eWallet", "GCASH", wallet),
        ],
        ..Draft::default()
    }
}

/// A reading from a picture: two of its fields are doubtful.
async fn photographed(demo: &mut DemoActor<'_>, draft: &Draft, nth: usize) -> anyhow::Result<()> {
    let Some(day) = draft.business_date else { return Ok(()) };
    let printed = printed(draft);
    let mut lines: Vec<Line> = vec![("Z READING".to_owned(), day.to_string())];
    lines.extend(printed.iter().skip(1).map(|(_, label, figure)| ((*label).to_owned(), figure.clone())));
    let Some((picture, places)) = canvas::print(&lines) else { return Ok(()) };
    let seen = seen(&printed, &lines, &places, nth);
    let picture = pictures::keep(&demo.state.files, picture.into()).await?;
    let id = demo.id(moment(day, 22, 40));
    let sent = demo.actor(CLERK, moment(day, 22, 40));
    let begun = Draft {
        store_id: draft.store_id.clone(),
        terminal_id: draft.terminal_id.clone(),
        business_date: Some(day),
        ..Draft::default()
    };
    let (id, begun, seen, picture) = (&id, &begun, &seen, picture.as_str());
    demo.state
        .db
        .write(&sent, async |tx| {
            write::create(tx, &StoreScope::All, id.clone(), begun, Origin::Picture(picture)).await?;
            filling::put_seen(tx, id, &seen.clone().into()).await
        })
        .await?;
    Ok(())
}

/// Field, label and figure of each printed line, the date first.
fn printed(draft: &Draft) -> Vec<(&'static str, &'static str, String)> {
    let money = |amount: Option<Money>| {
        let amount = amount.unwrap_or_default();
        format!("{}.{:02}", amount.0 / 100, amount.0 % 100)
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let count = |count: Option<i64>| count.unwrap_or_default().to_string();
    let paid = |kind: &str| {
        money(draft.tenders.iter().find(|tender| tender.kind == kind).map(|tender| tender.amount))
    };
    vec![
        ("date", "Date", draft.business_date.map(|day| day.to_string()).unwrap_or_default()),
        ("tin", "VAT Reg TIN", text(&draft.tin)),
        ("min", "MIN", text(&draft.min)),
        ("z", "Z-Counter", count(draft.z_counter)),
        ("beg", "Beginning SI", text(&draft.first_si)),
        ("end", "Ending SI", text(&draft.last_si)),
        ("tx", "Transactions", count(draft.transactions)),
        ("gross", "Gross Sales", money(draft.gross)),
        ("sc", "SC Discount", money(draft.senior)),
        ("pwd", "PWD Discount", money(draft.pwd)),
        ("other", "Other Discount", money(draft.other_discount)),
        ("void", "Void", money(draft.voids)),
        ("refund", "Return", money(draft.returns)),
        ("vadj", "VAT Adjustment", money(draft.vat_adjustment)),
        ("net", "Net Sales", money(draft.net)),
        ("vatable", "VATable Sales", money(draft.vatable)),
        ("vat", "VAT Amount", money(draft.vat)),
        ("exempt", "VAT Exempt", money(draft.exempt)),
        ("zero", "Zero Rated", money(draft.zero_rated)),
        ("old", "Old Grand Total", money(draft.previous_total)),
        ("new", "New Grand Total", money(draft.present_total)),
        ("cash", "Cash", paid("cash")),
        ("card", "Credit Card", paid("card")),
        ("ewal", "GCash", paid("eWallet")),
    ]
}

fn seen(
    printed: &[(&'static str, &'static str, String)],
    lines: &[Line],
    places: &[Place],
    nth: usize,
) -> Seen {
    let doubtful: [(&str, &str); 2] =
        [("date", "unproven"), (["other", "tx", "void", "pwd"][nth % 4], "once")];
    let fields = printed.iter().zip(places).map(|((name, _, figure), place)| {
        let why = doubtful.iter().find(|(field, _)| field == name).map(|(_, why)| (*why).to_owned());
        let field = SeenField {
            value: Some(figure.clone()),
            confidence: if why.is_some() { 0.71 } else { 0.96 },
            doubtful: why.is_some(),
            why,
            place: Some(*place),
        };
        ((*name).to_owned(), field)
    });
    let line = |((left, right), place): (&Line, &Place)| SeenLine {
        text: format!("{left} {right}"),
        place: Place { x: 0.04, w: place.x + place.w - 0.04, ..*place },
    };
    Seen {
        verdict: Verdict::Review,
        advice: None,
        fields: fields.collect(),
        checks: Vec::<SeenCheck>::new(),
        lines: lines.iter().zip(places).map(line).collect(),
    }
}
