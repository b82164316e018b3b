//! `sales.validate`: reads every row, computes totals, and lists errors.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use larder_db::Json as Column;
use larder_domain::sales::detect::SplitEvidence;
use larder_domain::sales::line::{Line, NONE, Problem};
use larder_domain::sales::names::{QuickMap, key};
use larder_domain::sales::nights::Nights;
use larder_domain::sales::packed::Packer;
use larder_domain::sales::{KnownItems, LineReader, Mapping};
use larder_domain::sheet::Row;
use larder_domain::{BusinessDay, Money, Qty};
use serde_json::{Value, json};

use super::super::answers::{answered_before, without_stale};
use super::super::import::SalesImport;
use super::super::midnight::Ground;
use super::super::model::{Batch, LeftOutSum, SeenTerminal, Summary};
use super::super::queries;
use super::super::queries::findings::{NameRow, NewProblem};
use super::super::questions::{Ask, FileUnderTest, Raised};
use super::super::summary::refresh;
use super::receipts;
use super::{RowSink, lines_key, mapping_of, read_lines, wire};
use larder_ledgers::sales_names::Directory;
use larder_lists::imports;
use larder_lists::imports::files;
use larder_lists::imports::jobs::Work;
use larder_platform::jobs::{JobCtx, JobError};

/// Maximum number of errors stored per file; others are only counted.
pub const KEPT: i64 = 10_000;

/// Data collected for a name.
#[derive(Default, Clone)]
struct Seen {
    lines: i64,
    qty: i64,
    net: i64,
    days: BTreeSet<i32>,
}

impl Seen {
    fn add(&mut self, line: &Line) {
        self.lines += 1;
        self.qty = self.qty.saturating_add(line.qty);
        self.net = self.net.saturating_add(line.net);
    }
}

#[derive(Default)]
struct Count {
    packer: Packer,
    total: Seen,
    stores: QuickMap<u32, Seen>,
    items: QuickMap<u32, (Seen, i32, i32)>,
    terminals: QuickMap<u32, (Seen, i32, i32)>,
    receipts: QuickMap<(u32, i32, u32, u32), ()>,
    problems: Vec<Problem>,
    problem_count: i64,
    problem_rows: i64,
    last_row: u32,
    rows_seen: HashSet<u64, Hashed>,
    repeated: i64,
    split: Option<SplitEvidence>,
    nights: Nights,
}

/// Keys that are already hashes are not hashed again.
#[derive(Default, Clone, Copy)]
struct Hashed;

impl std::hash::BuildHasher for Hashed {
    type Hasher = PassHasher;

    fn build_hasher(&self) -> PassHasher {
        PassHasher(0)
    }
}

struct PassHasher(u64);

impl Hasher for PassHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl RowSink for Count {
    fn row(&mut self, row: &impl Row) {
        let mut hash = DefaultHasher::new();
        let mut filled = false;
        for column in 0..row.width() {
            let text = row.cell(column).text;
            filled |= !text.is_empty();
            text.hash(&mut hash);
        }
        self.repeated += i64::from(filled && !self.rows_seen.insert(hash.finish()));
        if let Some(split) = &mut self.split {
            split.see(row);
        }
    }

    fn line(&mut self, line: Line) {
        self.packer.push(&line);
        if line.is_carrier() {
            return;
        }
        self.nights.see(&line);
        let line = if line.counts() { line } else { Line { qty: 0, net: 0, ..line } };
        self.total.add(&line);
        let store = self.stores.entry(line.store).or_default();
        store.add(&line);
        store.days.insert(line.day);
        // A discount is taken off the other lines of its receipt and is no item.
        let item = if line.is_discount() && line.receipt != NONE { NONE } else { line.item };
        for (table, name) in [(&mut self.items, item), (&mut self.terminals, line.terminal)] {
            if name != NONE {
                let seen = table.entry(name).or_insert_with(|| (Seen::default(), line.day, line.day));
                seen.0.add(&line);
                seen.1 = seen.1.min(line.day);
                seen.2 = seen.2.max(line.day);
            }
        }
        if line.receipt != NONE {
            self.receipts.insert((line.store, line.day, line.terminal, line.receipt), ());
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problem_count += 1;
        self.problem_rows += i64::from(problem.row != self.last_row);
        self.last_row = problem.row;
        if self.problem_count <= KEPT {
            self.problems.push(problem);
        }
    }
}

/// A file as read with a mapping.
struct Checked {
    count: Count,
    reader: LineReader,
    rows: u64,
    packed: Vec<u8>,
    directory: Directory,
    summary: Summary,
}

/// Runs the step. The file is read again if answers were sent before the rows raised their questions.
pub async fn validate(work: Work<SalesImport>) -> Result<Value, JobError> {
    let (work, ctx, state, batch) = (&work, &work.ctx, &work.ctx.state, &work.batch);
    let batch_id = batch.id.as_str();
    let sent = mapping_of(batch)?;
    let fixed = sent.store.as_ref().map(|store| store.fixed.clone());
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    let suggested = layout.and_then(|layout| layout.suggestion.as_ref());
    let mut checked = check(ctx, batch, sent.clone()).await?;
    let told = answered_before(&sent, suggested, &checked.summary.asks);
    if let Some(told) = &told {
        ctx.go_on()?;
        checked = check(ctx, batch, told.clone()).await?;
    }
    let Checked { count, reader, rows, packed, directory, mut summary } = checked;
    state.files.put(&lines_key(batch), packed.into()).await?;
    ctx.go_on()?;
    let read = &without_stale(told.as_ref().unwrap_or(&sent), &summary.asks);
    let left_out = reader.control.rows.as_slice();
    let problems = &problem_rows(&count);
    let names = &name_rows(&count, &reader, &directory, fixed.as_deref());
    let found = count.problem_count;
    let changed = layout.filter(|_| *read != sent);
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            if let Some(layout) = changed {
                imports::set_mapping::<SalesImport>(tx, batch_id, layout, read).await?;
            }
            queries::findings::clear(tx, batch_id).await?;
            queries::findings::set_problem_count(tx, batch_id, found).await?;
            queries::findings::insert_problems(tx, batch_id, problems).await?;
            queries::findings::insert_names(tx, batch_id, names).await?;
            queries::findings::insert_left_out(tx, batch_id, left_out).await?;
            Ok(())
        })
        .await?;
    refresh(state, batch_id, &mut summary, batch.subject, &directory).await?;
    let summary = &summary;
    state.db.write(&ctx.actor(), async |tx| work.end(tx, Some(summary)).await).await?;
    ctx.progress(rows, rows, "Checked");
    Ok(json!({ "lines": summary.lines, "problems": found }))
}

/// Reads every row with a mapping.
async fn check(ctx: &JobCtx, batch: &Batch, mapping: Mapping) -> Result<Checked, JobError> {
    let directory = Directory::of(&ctx.state.db, batch.subject).await?;
    let known: Arc<KnownItems> = directory.known_items().into();
    let counting = Count { split: SplitEvidence::of(&mapping), ..Count::default() };
    let (mut count, reader, rows, packed) = read_lines(
        ctx,
        batch,
        mapping,
        Arc::clone(&known),
        counting,
        "Checking rows",
        |mut count, reader, rows| {
            let packed = std::mem::take(&mut count.packer).finish(&reader.tables);
            count.nights.finish();
            (count, reader, rows, packed)
        },
    )
    .await?;
    ctx.go_on()?;
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    let ground = Ground { mapping: reader.mapping(), layout, tables: &reader.tables, directory: &directory };
    for (store, days) in ground.business_days(&count.nights) {
        if let Some(seen) = count.stores.get_mut(&store) {
            seen.days = days;
        }
    }
    let mut summary = summarise(&count, &reader, rows, &directory);
    let raised = Raised {
        words: reader.unknown_words(),
        split: count.split.take().map(SplitEvidence::found).unwrap_or_default(),
        negatives: reader.negative_lines(),
        modifiers: reader.modifiers_found().clone(),
        parts: reader.parts_found().clone(),
        hidden: reader.hidden,
    };
    summary.notes.extend(receipts::raised(&raised, reader.mapping()));
    summary.asks = asks(ctx, batch, reader.mapping(), raised, known).await?;
    summary.asks.extend(ground.asks(&count.nights, (summary.good_lines, summary.qty, summary.net)));
    Ok(Checked { count, reader, rows, packed, directory, summary })
}

/// The questions about a file: those of its layout that are open, and what its rows have raised.
async fn asks(
    ctx: &JobCtx,
    batch: &Batch,
    mapping: &Mapping,
    raised: Raised,
    known: Arc<KnownItems>,
) -> Result<Vec<Ask>, JobError> {
    let Some(layout) = batch.layout.as_ref().map(|layout| layout.0.clone()) else { return Ok(Vec::new()) };
    let mut asks: Vec<Ask> = layout.asks.iter().filter(|ask| ask.is_open(mapping)).cloned().collect();
    if raised.asks(mapping) {
        let (mapping, today) = (mapping.clone(), BusinessDay::of(ctx.state.now()));
        let further = files::read(&ctx.state, &batch.file_key, layout.source(), move |file, source| {
            FileUnderTest { file, source, layout: &layout, most: u32::MAX, today, known }
                .further(&mapping, &raised)
        });
        asks.extend(further.await?);
    }
    Ok(asks)
}

fn summarise(count: &Count, reader: &LineReader, rows: u64, directory: &Directory) -> Summary {
    let days: BTreeSet<i32> = count.stores.values().flat_map(|seen| seen.days.iter().copied()).collect();
    let many = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let header = i64::from(reader.mapping().has_header);
    let mut terminals: Vec<SeenTerminal> = count
        .terminals
        .keys()
        .map(|id| reader.tables.terminals.text(*id).into_owned())
        .map(|id| SeenTerminal { known: directory.knows_terminal(&id), id })
        .collect();
    terminals.sort_by(|a, b| a.id.cmp(&b.id));
    terminals.truncate(1_000);
    let (facts, tenders, notes) = receipts::summary(reader, count.total.net);
    Summary {
        lines: i64::try_from(rows).unwrap_or(i64::MAX) - header,
        good_lines: count.total.lines,
        problem_lines: count.problem_rows,
        qty: Qty(count.total.qty),
        net: Money(count.total.net),
        file_qty: Some(Qty(reader.control.file.qty)),
        file_net: Some(Money(reader.control.file.net)),
        left_out: left_out(reader),
        repeated_rows: count.repeated,
        left_out_rows: i64::try_from(reader.left_out.rows).unwrap_or(i64::MAX),
        left_out_qty: Qty(reader.left_out.qty),
        left_out_net: Money(reader.left_out.net),
        facts,
        tenders,
        notes,
        receipts: many(count.receipts.len()),
        first_day: days.first().map(|day| BusinessDay(*day)),
        last_day: days.last().map(|day| BusinessDay(*day)),
        items: many(count.items.len()),
        terminals,
        ..Summary::default()
    }
}

/// The sums of the rows left out, by reason.
fn left_out(reader: &LineReader) -> Vec<LeftOutSum> {
    let sums = reader.control.sums().map(|(reason, sum)| LeftOutSum {
        reason: reason.key().to_owned(),
        label: reason.label().to_owned(),
        rows: i64::try_from(sum.rows).unwrap_or(i64::MAX),
        qty: Qty(sum.left.qty),
        net: Money(sum.left.net),
    });
    sums.collect()
}

fn problem_rows(count: &Count) -> Vec<NewProblem<'_>> {
    count
        .problems
        .iter()
        .map(|p| NewProblem {
            row: i64::from(p.row),
            field: p.field.map(wire),
            value: &p.value,
            code: p.code,
            message: &p.message,
        })
        .collect()
}

fn name_rows(count: &Count, reader: &LineReader, directory: &Directory, fixed: Option<&str>) -> Vec<NameRow> {
    let mut rows = Vec::new();
    for (store, seen) in &count.stores {
        let mut code = None;
        let (name, id) = if *store == NONE {
            (String::new(), fixed.map(str::to_owned))
        } else {
            let (name, beside) = reader.tables.coded_store(*store as usize);
            code = beside.map(str::to_owned);
            let id = directory.store_with_code(name, beside).map(|id| id.to_string());
            (name.to_owned(), id)
        };
        let (first, last) = (seen.days.first().copied().unwrap_or(0), seen.days.last().copied().unwrap_or(0));
        rows.push(NameRow {
            store_id: id,
            code,
            days: Some(Column(seen.days.iter().copied().collect())),
            ..name_row("store", key(&name), name, seen, first, last)
        });
    }
    for (item, (seen, first, last)) in &count.items {
        let named = &reader.tables.items[*item as usize];
        rows.push(NameRow {
            code: named.code.clone(),
            category: Some(named.category.clone()).filter(|c| !c.is_empty()),
            price: Some(named.price),
            parent: named.parent.clone(),
            ..name_row("item", named.key.clone(), named.name.clone(), seen, *first, *last)
        });
    }
    let mut tills: BTreeMap<String, NameRow> = BTreeMap::new();
    for (terminal, (seen, first, last)) in &count.terminals {
        let name = reader.tables.terminals.text(*terminal).into_owned();
        tills
            .entry(key(&name))
            .or_insert_with_key(|known| name_row("terminal", known.clone(), name, seen, *first, *last));
    }
    rows.extend(tills.into_values());
    rows
}

/// The collected data of a name as a row.
fn name_row(kind: &str, name_key: String, name: String, seen: &Seen, first: i32, last: i32) -> NameRow {
    NameRow {
        kind: kind.to_owned(),
        name_key,
        name,
        code: None,
        category: None,
        price: None,
        store_id: None,
        lines: seen.lines,
        qty: seen.qty,
        net: seen.net,
        first_day: BusinessDay(first),
        last_day: BusinessDay(last),
        days: None,
        parent: None,
    }
}
