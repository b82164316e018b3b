//! Posting a stock-take: the ledger is corrected by the differences, in one posting.

use super::compare::{Asked, compare, roots_of};
use super::sheet::Names;
use super::*;
use larder_db::Reader;
use larder_ledgers::prices;

pub(super) async fn post(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<StockTake>,
) -> ApiResult<()> {
    if doc.lines.iter().all(|line| line.counted.is_none()) {
        return Err(ApiError::field("lines", "Count something first, or cancel the stock-take."));
    }
    let place = place(doc)?;
    let asked = Asked::of(doc);
    let ids: Vec<&str> = asked.products.iter().copied().collect();
    let known = products::by_id(tx, &ids).await?;
    let prices = prices::of(&mut Reader::Tx(tx), &roots_of(&known)).await?;
    // Locked in the ledger's order, before anything is refused.
    let book = place_stock::hold_book(tx, &place, &asked.products, asked.since).await?;
    refuse_counted_later(&doc.lines, &book)?;
    refuse_unknown_lots(tx, &doc.lines, &known).await?;
    may_post::<StockTake>(tx, ctx, body, doc.head.on_date).await?;
    add_below_zero(tx, ctx, doc, &book, &known).await?;
    let compared = compare(&doc.lines, &book, &known, (&prices, doc.head.on_date))?;
    let mut movements = Vec::new();
    for (line, compared) in doc.lines.iter_mut().zip(compared) {
        let Some(difference) = compared.difference else {
            // It stays below zero, as nobody counted it. The sheet says so.
            line.book = Some(compared.book).filter(|book| book.0 < 0);
            continue;
        };
        (line.book, line.difference, line.worth) = (Some(compared.book), Some(difference), compared.worth);
        if difference.is_zero() {
            continue;
        }
        movements.push(Movement {
            item: stock::product(&line.product_id),
            place: place.clone(),
            qty: difference,
            unit_cost: None,
            line: line.position,
            leg: Leg::Only,
            lot: line.lot.clone(),
        });
    }
    let reason = said(body.reason.as_deref()).map(str::to_owned);
    doc.details.reason = Some(reason.unwrap_or_else(|| format!("Stock-take {}", doc.head.number)));
    if movements.is_empty() {
        return Ok(());
    }
    for line in doc.lines.iter().filter(|line| line.difference.is_some_and(|qty| !qty.is_zero())) {
        if let Some(code) = &line.lot {
            let lot = lots::Lot { code: code.clone(), expiry: line.expiry };
            lots::register(tx, &line.product_id, &lot, DocumentType::StockTake, &doc.head.id).await?;
        }
    }
    doc.details.postings += 1;
    let posting = Posting {
        document: document(doc, doc.details.postings),
        business_date: doc.head.on_date,
        happened_at: None,
        reason: doc.details.reason.as_deref(),
        movements: &movements,
    };
    stock::post(tx, &posting).await?;
    Ok(())
}

pub(super) async fn reverse(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<StockTake>,
) -> ApiResult<()> {
    let posted = doc.details.postings;
    // Everything was as the ledger had it.
    if posted == 0 {
        return Ok(());
    }
    if !overridden::<StockTake>(ctx, body, "Say why.")? {
        let products: BTreeSet<&str> = found_more(doc).map(|(line, _)| line.product_id.as_str()).collect();
        // Locked in the ledger's order, before anything is refused.
        let book = place_stock::hold_book(tx, &place(doc)?, &products, ctx.who.at).await?;
        refuse_gone(doc, &book)?;
    }
    doc.details.postings += 1;
    let day = BusinessDay::of(ctx.who.at);
    stock::reverse(tx, document(doc, posted), document(doc, posted + 1), day, body.reason.as_deref()).await?;
    Ok(())
}

/// Adds what is below zero in the ledger and not on the sheet, of the products on it.
async fn add_below_zero(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    doc: &mut Doc<StockTake>,
    book: &Book,
    known: &HashMap<String, Product>,
) -> ApiResult<()> {
    let on_sheet: HashSet<OfLot> = doc.lines.iter().map(StockTakeLine::of_lot).collect();
    let missing: Vec<(&OfLot, Qty)> =
        book.balances().filter(|(of, qty)| qty.0 < 0 && !on_sheet.contains(*of)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = Names::read(tx, known.values()).await?;
    let lines = missing
        .into_iter()
        .filter_map(|((product_id, lot), qty)| names.line(ctx, known.get(product_id)?, lot.clone(), qty));
    doc.lines.extend(lines);
    Ok(())
}

/// The lines whose reversal takes stock away, and how much, in base units.
fn found_more(doc: &Doc<StockTake>) -> impl Iterator<Item = (&StockTakeLine, Qty)> {
    doc.lines.iter().filter_map(|line| Some((line, line.difference.filter(|more| more.0 > 0)?)))
}

/// Refuses a reversal that takes away more of a lot, or of a product in all, than is there.
fn refuse_gone(doc: &Doc<StockTake>, book: &Book) -> ApiResult<()> {
    let mut of_products: HashMap<&str, (i64, i64)> = HashMap::new();
    for line in &doc.lines {
        let (taken, _) = of_products.entry(&line.product_id).or_default();
        *taken = taken.saturating_add(line.difference.map_or(0, |more| more.0));
    }
    for ((product_id, _), qty) in book.balances() {
        let (_, there) = of_products.entry(product_id).or_default();
        *there = there.saturating_add(qty.0);
    }
    for (line, more) in found_more(doc) {
        let of_lot = line.lot.as_ref().map(|lot| format!(", lot {lot}")).unwrap_or_default();
        let (taken, there) = of_products.get(line.product_id.as_str()).copied().unwrap_or_default();
        let of_line = (more, book.balance(&line.of_lot()), of_lot);
        for (more, there, of_lot) in [of_line, (Qty(taken), Qty(there), String::new())] {
            if more.0 > 0 && there < more {
                let [more, there] = [more, there].map(|qty| quantity::in_units(qty, line.factor));
                let (name, uom) = (&line.name, &line.uom_code);
                let words =
                    format!("This takes away {more} {uom} of {name}{of_lot}: only {there} {uom} on hand.");
                return Err(ApiError::conflict("notEnough", words));
            }
        }
    }
    Ok(())
}

fn document(doc: &Doc<StockTake>, posting: i64) -> stock::Document<'_> {
    stock::Document { kind: DocumentType::StockTake, id: &doc.head.id, posting }
}

/// Refuses counts that are older than another stock-take's, or than a merge: the difference would be posted twice.
fn refuse_counted_later(lines: &[StockTakeLine], book: &Book) -> ApiResult<()> {
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(counted_at) = line.counted_at else { continue };
        let of = line.of_lot();
        let later = |kind: DocumentType| {
            let mut moved = book.moved(&of).iter();
            moved.any(|moved| moved.document_type == kind && moved.at > counted_at)
        };
        let name = &line.name;
        let words = if later(DocumentType::StockTake) {
            format!("Another stock-take counted {name} later. Count it again, or clear it.")
        } else if later(DocumentType::Merge) {
            format!("Another product was merged into {name} since it was counted. Count it again.")
        } else if !seen.insert(of) {
            format!("{name} is on the sheet twice. Clear one of the numbers.")
        } else {
            continue;
        };
        wrong.push(FieldError::new(format!("lines.{at}.counted"), words));
    }
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(ApiError::conflict("countAgain", first.message.clone()).at(wrong)),
    }
}

/// A lot that was never seen before needs its expiry date, if the product has a shelf life.
async fn refuse_unknown_lots(
    tx: &mut Tx<'_>,
    lines: &[StockTakeLine],
    known: &HashMap<String, Product>,
) -> ApiResult<()> {
    let undated = |line: &&StockTakeLine| {
        let ages =
            known.get(&line.product_id).and_then(|product| product.shelf_life).is_some_and(|days| days > 0);
        ages && line.expiry.is_none() && line.counted.is_some_and(|counted| counted.0 > 0)
    };
    let named: Vec<(String, String)> = lines
        .iter()
        .filter(undated)
        .filter_map(|line| Some((line.product_id.clone(), line.lot.clone()?)))
        .collect();
    let registered = lots::expiries(tx, &named).await?;
    let wrong = lines.iter().enumerate().filter(|(_, line)| undated(line)).filter_map(|(at, line)| {
        let lot = line.lot.clone()?;
        let words = format!("When does lot {lot} of {} expire?", line.name);
        let known = registered.contains_key(&(line.product_id.clone(), lot));
        (!known).then(|| FieldError::new(format!("lines.{at}.expiry"), words))
    });
    let wrong: Vec<FieldError> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}
