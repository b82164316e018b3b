//! `sales.validate`: reads every row, counts, and lists what is wrong.

use std::collections::BTreeSet;

use larder_db::Json as Column;
use larder_domain::sales::line::{Line, LineReader, NONE, Problem};
use larder_domain::sales::names::{QuickMap, key};
use larder_domain::sales::packed::Packer;
use larder_domain::{BusinessDay, Money, Qty};
use serde_json::{Value, json};

use super::super::batches::refresh;
use super::super::directory::Directory;
use super::super::model::{BatchState, SeenTerminal, Summary};
use super::super::queries;
use super::{BatchArgs, Taker, lines_key, note_failure, read_lines, wire};
use crate::jobs::{JobCtx, JobError};

/// Problems kept of one file; more are only counted.
pub const KEPT: i64 = 10_000;

/// What was seen under one name.
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
}

impl Taker for Count {
    fn line(&mut self, line: Line) {
        self.packer.push(&line);
        let counts = line.kind != larder_domain::sales::Kind::Void || line.qty < 0;
        let line = if counts { line } else { Line { qty: 0, net: 0, ..line } };
        self.total.add(&line);
        let store = self.stores.entry(line.store).or_default();
        store.add(&line);
        store.days.insert(line.day);
        for (table, name) in [(&mut self.items, line.item), (&mut self.terminals, line.terminal)] {
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

/// Runs the job.
pub async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let BatchArgs { batch_id, .. } = ctx.args()?;
    let done = check(&ctx, &batch_id).await;
    if let Err(error) = &done {
        note_failure(&ctx.state, &ctx.actor(), &batch_id, error, BatchState::Uploaded).await?;
    }
    done
}

async fn check(ctx: &JobCtx, batch_id: &str) -> Result<Value, JobError> {
    let state = &ctx.state;
    let (batch, mapping) = super::batch(state, batch_id).await?;
    let source = mapping.source.clone();
    let fixed = mapping.store.as_ref().map(|store| store.fixed.clone());
    let (count, reader, rows, packed) =
        read_lines(ctx, &batch, mapping, Count::default(), "Checking rows", |mut count, reader, rows| {
            let packed = std::mem::take(&mut count.packer).finish(&reader.tables);
            (count, reader, rows, packed)
        })
        .await?;
    let key = queries::file_key(&state.db, batch_id).await?.unwrap_or_default();
    state.files.put(&lines_key(&key), packed.into()).await?;
    ctx.go_on()?;
    let directory = Directory::load(&state.db).await?;
    let mut summary = summarise(&count, &reader, rows, &directory);
    let problems = &problem_rows(batch_id, &count);
    let names = &name_rows(batch_id, &count, &reader, &directory, fixed.as_deref());
    let found = count.problem_count;
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            queries::clear_findings(tx, batch_id).await?;
            queries::set_problem_count(tx, batch_id, found).await?;
            tx.insert_rows("sales_batch_problems", &PROBLEM_COLUMNS, problems, "").await?;
            tx.insert_rows("sales_batch_names", &NAME_COLUMNS, names, "").await?;
            Ok(())
        })
        .await?;
    refresh(state, batch_id, &mut summary, &source, &directory).await?;
    let summary = &summary;
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            queries::set_summary(tx, batch_id, summary).await?;
            queries::end(tx, batch_id, BatchState::Validated, None).await?;
            Ok(())
        })
        .await?;
    ctx.progress(rows, rows, "Checked");
    Ok(json!({ "lines": summary.lines, "problems": found }))
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
    Summary {
        lines: i64::try_from(rows).unwrap_or(i64::MAX) - header,
        good_lines: count.total.lines,
        problem_lines: count.problem_rows,
        qty: Qty(count.total.qty),
        net: Money(count.total.net),
        receipts: many(count.receipts.len()),
        first_day: days.first().map(|day| BusinessDay(*day)),
        last_day: days.last().map(|day| BusinessDay(*day)),
        days: many(days.len()),
        stores: many(count.stores.len()),
        items: many(count.items.len()),
        store_days: count.stores.values().map(|seen| many(seen.days.len())).sum(),
        terminals,
        ..Summary::default()
    }
}

const PROBLEM_COLUMNS: [&str; 7] = ["batch_id", "seq", "row_no", "field", "value", "code", "message"];

type ProblemRow<'a> = (&'a str, i64, i64, Option<String>, &'a str, &'static str, &'a str);

fn problem_rows<'a>(batch_id: &'a str, count: &'a Count) -> Vec<ProblemRow<'a>> {
    (0i64..)
        .zip(&count.problems)
        .map(|(at, p)| {
            (batch_id, at, i64::from(p.row), p.field.map(wire), p.value.as_str(), p.code, p.message.as_str())
        })
        .collect()
}

const NAME_COLUMNS: [&str; 14] = [
    "batch_id",
    "kind",
    "name_key",
    "name",
    "code",
    "category",
    "price",
    "store_id",
    "lines",
    "qty",
    "net",
    "first_day",
    "last_day",
    "days",
];

type NameRow<'a> = (
    &'a str,
    &'static str,
    String,
    String,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<String>,
    i64,
    i64,
    i64,
    i32,
    i32,
    Option<Column<Vec<i32>>>,
);

fn name_rows<'a>(
    batch_id: &'a str,
    count: &Count,
    reader: &LineReader,
    directory: &Directory,
    fixed: Option<&str>,
) -> Vec<NameRow<'a>> {
    let mut rows: Vec<NameRow<'_>> = Vec::new();
    for (store, seen) in &count.stores {
        let (name, id) = if *store == NONE {
            (String::new(), fixed.map(str::to_owned))
        } else {
            let name = reader.tables.stores[*store as usize].clone();
            let id = directory.store(&name).map(|id| id.to_string());
            (name, id)
        };
        let (first, last) = (seen.days.first().copied().unwrap_or(0), seen.days.last().copied().unwrap_or(0));
        let days = Some(Column(seen.days.iter().copied().collect()));
        rows.push((
            batch_id,
            "store",
            key(&name),
            name,
            None,
            None,
            None,
            id,
            seen.lines,
            seen.qty,
            seen.net,
            first,
            last,
            days,
        ));
    }
    for (item, (seen, first, last)) in &count.items {
        let named = &reader.tables.items[*item as usize];
        rows.push((
            batch_id,
            "item",
            named.key.clone(),
            named.name.clone(),
            named.code.clone(),
            Some(named.category.clone()).filter(|c| !c.is_empty()),
            Some(named.price),
            None,
            seen.lines,
            seen.qty,
            seen.net,
            *first,
            *last,
            None,
        ));
    }
    let mut tills: std::collections::BTreeMap<String, NameRow<'_>> = std::collections::BTreeMap::new();
    for (terminal, (seen, first, last)) in &count.terminals {
        let name = reader.tables.terminals.text(*terminal).into_owned();
        tills.entry(key(&name)).or_insert_with(|| {
            (
                batch_id,
                "terminal",
                key(&name),
                name,
                None,
                None,
                None,
                None,
                seen.lines,
                seen.qty,
                seen.net,
                *first,
                *last,
                None,
            )
        });
    }
    rows.extend(tills.into_values());
    rows
}
