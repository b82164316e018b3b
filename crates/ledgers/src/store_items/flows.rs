//! Receipts, issues and use of root items in stores.

use std::collections::{BTreeSet, HashMap, HashSet};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::timeline::{cut, needs_times};
use larder_domain::on_hand::{EventTime, Flow, Moment, Passed};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::recounts::Recounts;
use super::versions;
use crate::sales::{numbers, sums, times};

/// The latest time of a sale, in seconds since midnight of its business date: noon of the next day.
const LATEST: i64 = 36 * 3_600;

/// By store and root item; of `wanted` root items, or of all with any flow.
pub type Flows = HashMap<String, HashMap<String, Flow>>;

type Happened = HashMap<String, HashMap<String, Vec<(EventTime, Passed)>>>;

/// The counts that flows are asked between, by store: sales are read by time only on days that one of them divides.
pub type Moments = HashMap<String, BTreeSet<Moment>>;

/// Flows in some stores: those of the days, and of a day before and after, since a count includes what happened until it
/// was made, whatever the date. Product movements count by the root items that were in them when they moved; use is
/// sales times bills of materials.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn flows(
    db: &Db,
    stores: &[String],
    span: Span,
    wanted: Option<&BTreeSet<&str>>,
    counts: &Moments,
) -> Result<Flows, DbError> {
    let mut happened = Happened::new();
    if !stores.is_empty() && span.from <= span.to {
        let span = Span { from: span.from.plus(-1), to: span.to.plus(1) };
        moved(db, stores, span, wanted, &mut happened).await?;
        used(db, stores, span, (wanted, counts), &mut happened).await?;
    }
    let flow = |(root, events): (String, Vec<(EventTime, Passed)>)| (root, Flow::timed(&events));
    let mut flows: Flows =
        happened.into_iter().map(|(store, roots)| (store, roots.into_iter().map(flow).collect())).collect();
    if !counts.is_empty() {
        answered(db, stores, span, counts, &mut flows).await?;
    }
    Ok(flows)
}

/// What people answered about goods close to a count: a line of goods, the count, whether that included it, and when that
/// was answered.
type AnswerRow =
    (String, BusinessDay, String, bool, Timestamp, String, String, BusinessDay, Option<Timestamp>, Qty);

/// The movements of lines that were answered about. A receipt's line moves what was expected and what came beyond it; an
/// answer about its delivery line stands for it unless it was answered about itself.
const ANSWERED: [&str; 5] = [
    "join receipt_lines l on l.id = a.line_id \
     join stock_movements m on m.document_type = 'receipt' and m.document_id = l.document_id \
       and m.document_line in (l.position * 10, l.position * 10 + 1)",
    "join receipt_lines l on l.source_line_id = a.line_id and not exists (select 1 from count_answers o \
       where o.store_id = a.store_id and o.date = a.date and o.session = a.session and o.line_id = l.id) \
     join stock_movements m on m.document_type = 'receipt' and m.document_id = l.document_id \
       and m.document_line in (l.position * 10, l.position * 10 + 1)",
    "join shipment_lines l on l.id = a.line_id \
     join stock_movements m on m.document_type = 'transfer' and m.document_id = l.document_id \
       and m.document_line in (l.position, l.position + 1000000)",
    "join waste_lines l on l.id = a.line_id \
     join stock_movements m on m.document_type = 'waste' and m.document_id = l.document_id \
       and m.document_line = l.position",
    "join supplier_return_lines l on l.id = a.line_id \
     join stock_movements m on m.document_type = 'supplierReturn' and m.document_id = l.document_id \
       and m.document_line = l.position",
];

/// Applies what people answered about goods close to a count: it takes precedence over the times for that count.
async fn answered(
    db: &Db,
    stores: &[String],
    span: Span,
    counts: &Moments,
    flows: &mut Flows,
) -> Result<(), DbError> {
    let any: Option<(i64,)> = db
        .sql("select cast(1 as bigint) from count_answers where date between $1 and $2 and store_id in ")
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" limit 1")
        .optional()
        .await?;
    if any.is_none() {
        return Ok(());
    }
    let mut rows: Vec<AnswerRow> = Vec::new();
    for lines in ANSWERED {
        let found: Vec<AnswerRow> = db
            .sql(
                "select a.store_id, a.date, a.session, a.included, a.answered_at, m.item_kind, m.item_id, m.business_date, \
                 m.happened_at, cast(sum(m.qty) as bigint) from count_answers a ",
            )
            .push(lines)
            .push(" and m.place_kind = 'store' and m.place_id = a.store_id where a.date between ")
            .push_bind(span.from)
            .push(" and ")
            .push_bind(span.to)
            .push(" and a.store_id in ")
            .push_ids(stores)
            .push(
                " group by a.store_id, a.date, a.session, a.included, a.answered_at, m.item_kind, m.item_id, \
                 m.business_date, m.happened_at",
            )
            .all()
            .await?;
        rows.extend(found);
    }
    let products: BTreeSet<&str> = rows.iter().map(|row| row.6.as_str()).collect();
    let recounts = Recounts::read(db, stores, span, &products.into_iter().collect::<Vec<_>>()).await?;
    rows.retain(|(store, date, session, _, answered, _, product, ..)| {
        !recounts.since(store, (*date, session), product, *answered)
    });
    let sums = rows.into_iter().map(|(store, date, session, included, _, kind, item, moved_on, at, qty)| {
        let session = Session::parse(&session).unwrap_or_default();
        let time = EventTime { date: moved_on, at };
        Sum { store, kind, item, qty, time, of: (date, session, included) }
    });
    for Sum { store, item, qty, time, of: (date, session, included), .. } in
        in_roots(db, sums.collect()).await?
    {
        let Some(flow) = flows.get_mut(&store).and_then(|roots| roots.get_mut(&item)) else { continue };
        let of_day = Moment::before(date)..=Moment::after(date);
        for count in counts.get(&store).into_iter().flat_map(|counts| counts.range(of_day.clone())) {
            if !count.is_of(session) {
                continue;
            }
            let event = (time, Passed { moved: qty, used: Qty::ZERO });
            let corrected = std::mem::take(flow).with_answer(*count, event, included);
            let words = || DbError::Invalid("a movement comes to more than can be stored".to_owned());
            *flow = corrected.ok_or_else(words)?;
        }
    }
    Ok(())
}

async fn moved(
    db: &Db,
    stores: &[String],
    span: Span,
    wanted: Option<&BTreeSet<&str>>,
    happened: &mut Happened,
) -> Result<(), DbError> {
    // Merges are not movements.
    let rows: Vec<(String, String, String, BusinessDay, Option<Timestamp>, Qty)> = db
        .sql(
            "select place_id, item_kind, item_id, business_date, happened_at, cast(sum(qty) as bigint) \
             from stock_movements where place_kind = 'store' and document_type <> 'merge' \
             and business_date between $1 and $2 and place_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" group by place_id, item_kind, item_id, business_date, happened_at")
        .all()
        .await?;
    let sums = rows.into_iter().map(|(store, kind, item, date, at, qty)| Sum {
        store,
        kind,
        item,
        qty,
        time: EventTime { date, at },
        of: (),
    });
    for sum in in_roots(db, sums.collect()).await? {
        if wanted.is_none_or(|wanted| wanted.contains(sum.item.as_str())) {
            let passed = Passed { moved: sum.qty, used: Qty::ZERO };
            happened.entry(sum.store).or_default().entry(sum.item).or_default().push((sum.time, passed));
        }
    }
    Ok(())
}

/// Movements of an item in a store.
pub(super) struct Sum<T> {
    pub store: String,
    pub kind: String,
    pub item: String,
    pub qty: Qty,
    /// When they moved.
    pub time: EventTime,
    /// Further keys.
    pub of: T,
}

/// Converts movements to root items, products by what they consisted of when they moved.
pub(super) async fn in_roots<T: Copy>(db: &Db, sums: Vec<Sum<T>>) -> Result<Vec<Sum<T>>, DbError> {
    let products: BTreeSet<&str> =
        sums.iter().filter(|sum| sum.kind == "product").map(|sum| sum.item.as_str()).collect();
    let products: Vec<&str> = products.into_iter().collect();
    let made_of = versions::of_products(db, &products).await?;
    let mut in_roots = Vec::with_capacity(sums.len());
    for sum in sums {
        if sum.kind != "product" {
            in_roots.push(sum);
            continue;
        }
        let parts = made_of.get(&sum.item).map(|versions| versions.at(sum.time.or_noon()));
        for (root, factor) in parts.into_iter().flatten() {
            let words = || DbError::Invalid("a movement comes to more than can be stored".to_owned());
            in_roots.push(Sum {
                store: sum.store.clone(),
                kind: "rootItem".to_owned(),
                item: root.clone(),
                qty: sum.qty.scaled(*factor).ok_or_else(words)?,
                time: sum.time,
                of: sum.of,
            });
        }
    }
    Ok(in_roots)
}

async fn used(
    db: &Db,
    stores: &[String],
    span: Span,
    (wanted, counts): (Option<&BTreeSet<&str>>, &Moments),
    happened: &mut Happened,
) -> Result<(), DbError> {
    let ids = numbers::all(db).await?;
    let known: Option<HashSet<u32>> = wanted.map(|wanted| {
        let named = ids.iter().filter(|(_, id)| wanted.contains(id.as_ref()));
        named.map(|(number, _)| *number).collect()
    });
    let is_wanted = |item: u32| known.as_ref().is_none_or(|known| known.contains(&item));
    let divided = divided(db, stores, span, counts).await?;
    let mut add = |store: &str, time: EventTime, item: u32, qty: i64| {
        if let Some(root) = ids.get(&item) {
            let passed = Passed { moved: Qty::ZERO, used: Qty(qty) };
            let roots = happened.entry(store.to_owned()).or_default();
            roots.entry(root.to_string()).or_default().push((time, passed));
        }
    };
    for (store, date, item, [qty]) in sums::days(db, sums::ROOT, span, stores, is_wanted).await? {
        let key = (store, date);
        if !divided.contains_key(&key) {
            add(&key.0, EventTime { date, at: None }, item, qty);
        }
    }
    for part in times::used(db, &divided).await? {
        if is_wanted(part.root) {
            let time = EventTime::of_sale(part.date, part.at.unwrap_or(-1));
            add(&part.store_id, time, part.root, part.qty);
        }
    }
    Ok(())
}

/// The store days whose sales have to be read by time, with the times of the counts that divide them.
async fn divided(
    db: &Db,
    stores: &[String],
    span: Span,
    counts: &Moments,
) -> Result<times::Divided, DbError> {
    let mut divided = times::Divided::new();
    if counts.values().all(BTreeSet::is_empty) {
        return Ok(divided);
    }
    for day in times::hours(db, stores, span).await? {
        let Some(counts) = counts.get(&day.store_id) else { continue };
        let date = day.business_date;
        let second = |seconds: i64| EventTime::of_sale(date, i32::try_from(seconds).unwrap_or(i32::MAX)).at;
        // Where the hours are not known yet, sales could have been made at any time of the day.
        let (first, last) = (day.first_sold.unwrap_or(0), day.last_sold.unwrap_or(LATEST));
        let Some(hours) = second(first).zip(second(last)) else { continue };
        // A count is made between its midnight and noon of the next day, so no other one can divide this day.
        let near = || counts.range(Moment::before(date.plus(-1))..=Moment::after(date.plus(1))).copied();
        if needs_times(date, hours, near()) {
            let within = |second: &i32| (0..=LATEST).contains(&i64::from(*second));
            let cuts = near().filter_map(|count| cut(date, count)).filter(within);
            divided.insert((day.store_id, date), cuts.collect());
        }
    }
    Ok(divided)
}
