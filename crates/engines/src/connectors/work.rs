//! Executes a run: days unit by unit, or one delivery. Each unit is posted as a whole with the run's
//! checkpoint in one transaction; rejected ones go to the dead letters and the run continues.

use std::collections::BTreeMap;
use std::sync::Arc;

use larder_db::Tx;
use larder_domain::sales::StoreDay;
use larder_domain::{BusinessDay, Span, plural};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::allowance::{left_out, open_days, spend};
use super::api::{Api, shown};
use super::asked::{Answers, Asked, ONCE};
use super::bigquery::{BigQuery, ServiceAccount};
use super::fetch::{Budget, Fault, Journal, Level, Patient, RAW_KEPT, apart, spoken};
use super::lines::{How, Question, Table, Taken, missing, take};
use super::model::{Kept, KeptRun, RunParams};
use super::queries::{self, Added, NewDeadLetter};
use super::settings::{ConnectorSettings, Holds, Kind};
use super::{feed, folder, store};
use larder_ledgers::sales::senders::batches_of;
use larder_ledgers::sales::{Posted, Sent, post_sent};
use larder_ledgers::sales_names::Directory;
use larder_platform::jobs::{JobCtx, JobError, part};
use larder_platform::outgoing::Caller;

/// Store days per statement.
const DAYS_AT_ONCE: usize = 200;
/// Attempts before a unit is retried later.
const TRIES: u32 = 5;
/// Longer waits make the unit retry later.
const WAIT_MS: i64 = 20_000;
/// The first delay of a later retry; each further one is three times as long.
const LATER_MS: i64 = 5 * 60_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    run_id: String,
    connector_id: String,
}

/// The units still to be read.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Left {
    units: Vec<(BusinessDay, BusinessDay)>,
    /// Whether any unit went to the dead letters.
    aside: bool,
}

struct Run {
    ctx: JobCtx,
    kept: Kept,
    run: KeptRun,
    journal: Journal,
    caller: Caller,
    secrets: BTreeMap<String, String>,
    budget: Budget,
}

/// Executes a run.
pub(super) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let Args { run_id, connector_id } = ctx.args()?;
    let gone = || JobError::Failed("The connector this belongs to is gone.".to_owned());
    let kept = queries::any(&ctx.state.db, &connector_id).await?.ok_or_else(gone)?;
    let run = queries::run(&ctx.state.db, &connector_id, &run_id).await?.ok_or_else(gone)?;
    if !matches!(run.state.as_str(), "queued" | "running") {
        return Ok(json!({ "runId": run_id }));
    }
    let secrets = store::open(&ctx.state, &kept)?;
    let (journal, caller) = (Journal::default(), store::caller(&ctx.state)?);
    secrets.values().for_each(|secret| journal.hide(secret));
    let budget = Budget::of_mib(ctx.state.config.connector_run_mib);
    let work = Run { ctx, kept, run, journal, caller, secrets, budget };
    let done = match &work.run.asked.0.file_key {
        Some(_) => work.delivery().await,
        None => work.days().await,
    };
    work.end(done).await
}

impl Run {
    /// Reads days, unit by unit.
    async fn days(&self) -> Result<bool, Fault> {
        let mut left =
            self.ctx.last_checkpoint::<Left>().unwrap_or_else(|| Left { units: self.units(), aside: false });
        let all = self.units().len();
        if self.ctx.attempt() > 1 {
            self.journal.info(format!(
                "Going on with {} of {}.",
                left.units.len(),
                plural(all, "unit", "units")
            ));
        }
        let reader = self.reader()?;
        let directory = Arc::new(Directory::load(&self.ctx.state.db).await.map_err(JobError::from)?);
        let mut later: Vec<(BusinessDay, BusinessDay)> = Vec::new();
        let mut wait: Option<i64> = None;
        let mut why = String::new();
        while let Some((from, to)) = left.units.first().copied() {
            let span = Span { from, to };
            let done = all - left.units.len() - later.len();
            self.ctx.progress(done as u64, all as u64, &format!("Reading {}", shown(span)));
            left.units.remove(0);
            let after = |left: &Left, later: &[(BusinessDay, BusinessDay)]| {
                let units = later.iter().chain(&left.units).copied().collect();
                json!(Left { units, aside: left.aside })
            };
            match reader.read(self, span).await {
                Ok(table) => {
                    left.aside |= self.post_unit(span, table, &directory, after(&left, &later)).await?
                }
                Err(Fault::Later { after_ms, words }) if !self.ctx.is_last_attempt() => {
                    self.journal.warn(format!("{}: {words} Left for later.", shown(span)));
                    later.push((from, to));
                    wait = wait.max(after_ms);
                    why = words;
                    self.flush().await?;
                }
                Err(Fault::Later { words, .. }) => {
                    left.aside = true;
                    let words = format!("{words} Tried {}.", plural(self.ctx.attempt(), "time", "times"));
                    self.dead_letter(span, &words, b"", None, after(&left, &later)).await?;
                }
                Err(Fault::Aside { words, raw }) => {
                    left.aside = true;
                    self.dead_letter(span, &words, &raw, None, after(&left, &later)).await?;
                }
                Err(other) => return Err(other),
            }
        }
        if later.is_empty() {
            return Ok(left.aside);
        }
        left.units = later;
        self.wait(&left, wait, why).await
    }

    /// Schedules a later retry of what failed.
    async fn wait(&self, left: &Left, asked: Option<i64>, why: String) -> Result<bool, Fault> {
        let times = u32::try_from(self.ctx.attempt() - 1).unwrap_or(0).min(6);
        let after_ms = asked.unwrap_or(0).max(LATER_MS * 3_i64.pow(times));
        let units = plural(left.units.len(), "unit is", "units are");
        self.journal.warn(format!("{units} tried again in {}.", spoken(after_ms)));
        let at = self.ctx.state.now().plus_ms(after_ms);
        let lines = self.journal.drain();
        let (id, lines) = (self.run.id.as_str(), &lines);
        part(&self.ctx, json!(left), async |tx: &mut Tx<'_>| {
            queries::log(tx, id, lines).await?;
            queries::set_next_try(tx, id, Some(at)).await?;
            tx.announce("connectorRun", id, None);
            Ok(())
        })
        .await?;
        Err(Fault::Job(JobError::Again { after_ms, why }))
    }

    /// The units of the requested days.
    fn units(&self) -> Vec<(BusinessDay, BusinessDay)> {
        let RunParams { from, to, .. } = self.run.asked.0.clone();
        let yesterday = BusinessDay::of(self.run.created_at).plus(-1);
        let (from, to) = (from.unwrap_or(yesterday), to.unwrap_or(yesterday));
        let at_once = match self.kept.settings.0.days_at_once() {
            None => return vec![(from, to)],
            Some(days) => i32::try_from(days).unwrap_or(1).max(1),
        };
        let count = (to.0 - from.0 + at_once) / at_once;
        (0..count)
            .map(|at| {
                let first = from.plus(at * at_once);
                (first, first.plus(at_once - 1).min(to))
            })
            .collect()
    }

    fn reader(&self) -> Result<Reader<'_>, Fault> {
        match &self.kept.settings.0 {
            ConnectorSettings::Api(settings) => Ok(Reader::Api(Api::new(settings, &self.secrets))),
            ConnectorSettings::Bigquery(settings) => {
                let text = self.secrets.get("serviceAccount").map(String::as_str).unwrap_or_default();
                let account = ServiceAccount::parse(text).map_err(|words| Fault::Stop(words.to_owned()))?;
                Ok(Reader::BigQuery(BigQuery::new(settings, account, &self.ctx.state.config.bigquery_url)))
            }
            ConnectorSettings::W3p(_) => Err(Fault::Stop("A feed is not asked for days.".to_owned())),
        }
    }

    /// Posts a completely read unit; returns whether any of it went to the dead letters.
    async fn post_unit(
        &self,
        span: Span,
        table: Table,
        directory: &Arc<Directory>,
        checkpoint: Value,
    ) -> Result<bool, Fault> {
        // A source that cannot be queried by day returned everything; a schedule takes the open days of it.
        let asked = match self.kept.settings.0.days_at_once() {
            Some(_) => Some(span),
            None => (self.run.cause == "schedule").then(|| open_days(&self.ctx.state)),
        };
        let reading = self.kept.settings.0.reading();
        let lacks = missing(reading, &table);
        if !table.rows.is_empty() && !lacks.is_empty() {
            let words = format!("The answer has no column «{}».", lacks.join("», «"));
            self.dead_letter(span, &words, table.columns.join(", ").as_bytes(), None, checkpoint).await?;
            return Ok(true);
        }
        let (reading, source, once) = (reading.clone(), self.kept.kind.clone(), self.answers().say(ONCE));
        let directory = Arc::clone(directory);
        let (taken, table) = apart(move || {
            let how = How { reading: &reading, source: &source, asked, look: 0, once };
            (take(&how, &table, &directory), table)
        })
        .await?;
        if taken.outside > 0 {
            let lines = plural(taken.outside, "line of another day was", "lines of other days were");
            let words = format!("{}: {lines} left out.", shown(span));
            self.journal.warn(words);
        }
        if taken.problem_count > 0 {
            let (words, raw) = unreadable(&taken, &table);
            self.dead_letter(span, &words, raw.as_bytes(), None, checkpoint).await?;
            return Ok(true);
        }
        if let Some((words, asked)) = self.question(&taken).or_else(|| self.future(&taken)) {
            self.dead_letter(span, &words, b"", asked, checkpoint).await?;
            return Ok(true);
        }
        if table.rows.is_empty() {
            self.journal.info(format!("{}: nothing was sold, or nothing is there yet.", shown(span)));
        }
        let unknown: Vec<String> = taken.unknown.keys().cloned().collect();
        let unit = unit_of(span);
        let reason = asked_words(&taken, &unknown);
        let post = self.post(&taken, taken.in_parts, &unit, "day", &unknown, checkpoint, (&reason, ""));
        Ok(!post.await?.is_empty())
    }

    /// What was answered about the unit being retried.
    fn answers(&self) -> Answers<'_> {
        Answers::new(self.run.asked.0.answer.as_deref())
    }

    /// What has to be asked about all rows. Who tries again after a question takes them as they are, unless they are known to
    /// be wrong and that was not answered.
    fn question(&self, taken: &Taken) -> Option<Refused> {
        let answers = self.answers();
        let is_open = |question: &&Question| match question.asked {
            Some(asked) if question.stands => !answers.answer(asked),
            Some(asked) => !answers.pass(asked),
            None => true,
        };
        let question = taken.questions.iter().find(is_open)?;
        let words = match question.stands {
            true => question.words.clone(),
            false => format!("{} Or try again: all rows count as they are.", question.words),
        };
        Some((words, question.asked))
    }

    /// What has to be asked about sales after today.
    fn future(&self, taken: &Taken) -> Option<Refused> {
        let today = BusinessDay::of(self.ctx.state.now());
        let last = taken.days.iter().map(|day| BusinessDay(day.day)).max()?;
        (last > today && !self.answers().pass(Asked::Future)).then(|| {
            let words = format!(
                "Sales of {} are after today. Is that date right? Correct it at the source.",
                last.display()
            );
            (words, Some(Asked::Future))
        })
    }

    /// Writes store days, closes the unit's dead letters, and adds one for the stores that have to be asked about: `reason` is
    /// the question, empty if there is none, and `raw` the content. Returns the question with what is asked about days of
    /// which another sender sent sales.
    #[expect(clippy::too_many_arguments, reason = "the parts of one transaction")]
    async fn post(
        &self,
        taken: &Taken,
        receipts: bool,
        unit: &str,
        what: &str,
        unknown: &[String],
        checkpoint: Value,
        (reason, raw): (&str, &str),
    ) -> Result<String, Fault> {
        let counted = self.journal.counts();
        let dead_letter_id = self.ctx.state.new_id();
        let earlier = self.journal.drain();
        let (run, kept, earlier, days) = (self.run.id.as_str(), self.kept.id.as_str(), &earlier, &taken.days);
        let dead_letter_id = dead_letter_id.as_str();
        let adds = self.answers().pass(Asked::SentTwice);
        let file_key = self.run.asked.0.file_key.as_deref();
        let posted = part(&self.ctx, checkpoint, async |tx: &mut Tx<'_>| {
            let mut posted = Posted::default();
            let mut asked: Vec<&StoreDay> = Vec::new();
            for days in days.chunks(DAYS_AT_ONCE) {
                let batches = batches_of(tx, days).await?;
                let others = &queries::other_senders(tx, &batches, kept).await?;
                let sent = Sent { days, receipts, batch_id: run, others, adds };
                let outcome = post_sent(tx, sent).await?;
                posted.add(outcome.posted);
                asked.extend(outcome.asked.into_iter().filter_map(|at| days.get(at)));
            }
            let asked_lines: usize = asked.iter().map(|day| day.lines.len()).sum();
            let mut reason = reason.to_owned();
            if let Some(first) = asked.first() {
                let store = queries::store_name(tx, &first.store_id).await?;
                reason = format!("{reason} {}", sent_twice(first, &store, asked.len() - 1));
            }
            let (reason, lines) = (reason.trim(), taken.lines - asked_lines);
            let mut log = earlier.clone();
            log.extend(told(unit, reason, lines, days.len() - asked.len()));
            let of = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
            let more = Added {
                lines: i64::try_from(lines).unwrap_or(i64::MAX),
                repeated: counted.repeated,
                pages: counted.pages,
                days_new: of(posted.new),
                days_replaced: of(posted.replaced),
                days_unchanged: of(posted.unchanged),
                put_aside: i64::from(!reason.is_empty()),
            };
            queries::add(tx, run, more).await?;
            queries::log(tx, run, &log).await?;
            let gone = if reason.is_empty() {
                queries::settle_unit(tx, kept, unit, what).await?
            } else {
                let new = NewDeadLetter {
                    connector: kept,
                    run,
                    unit,
                    what,
                    reason,
                    raw,
                    raw_cut: false,
                    file_key,
                    stores: unknown,
                    question: (!asked.is_empty()).then_some(Asked::SentTwice.as_str()),
                    answer: self.run.asked.0.answer.as_deref(),
                };
                queries::add_dead_letter(tx, dead_letter_id, &new).await?;
                Vec::new()
            };
            tx.announce("connectorRun", run, None);
            Ok((gone, reason.to_owned()))
        });
        let (gone, reason) = posted.await?;
        for key in gone {
            self.ctx.state.files.delete(&key).await.map_err(JobError::from)?;
        }
        Ok(reason)
    }

    /// Adds a dead letter for a unit of days.
    async fn dead_letter(
        &self,
        span: Span,
        words: &str,
        raw: &[u8],
        asked: Option<Asked>,
        checkpoint: Value,
    ) -> Result<(), Fault> {
        self.journal
            .say(Level::Error, format!("{}: {words} Put aside; nothing of it was posted.", shown(span)));
        self.add_dead_letter(&unit_of(span), "day", words, raw, None, asked, checkpoint).await
    }

    #[expect(clippy::too_many_arguments, reason = "the columns of one row")]
    async fn add_dead_letter(
        &self,
        unit: &str,
        what: &str,
        words: &str,
        raw: &[u8],
        file_key: Option<&str>,
        asked: Option<Asked>,
        checkpoint: Value,
    ) -> Result<(), Fault> {
        let (raw, raw_cut) = self.readable(raw);
        let reason = self.journal.clean(words);
        let counted = self.journal.counts();
        let lines = self.journal.drain();
        let id = self.ctx.state.new_id();
        let (run, kept) = (self.run.id.as_str(), self.kept.id.as_str());
        let new = &NewDeadLetter {
            connector: kept,
            run,
            unit,
            what,
            reason: &reason,
            raw: &raw,
            raw_cut,
            file_key,
            stores: &[],
            question: asked.map(Asked::as_str),
            answer: self.run.asked.0.answer.as_deref(),
        };
        let (id, lines) = (id.as_str(), &lines);
        part(&self.ctx, checkpoint, async |tx: &mut Tx<'_>| {
            queries::add_dead_letter(tx, id, new).await?;
            let more =
                Added { put_aside: 1, repeated: counted.repeated, pages: counted.pages, ..Added::default() };
            queries::add(tx, run, more).await?;
            queries::log(tx, run, lines).await?;
            tx.announce("connectorRun", run, None);
            Ok(())
        })
        .await?;
        Ok(())
    }

    /// Content as displayable text: cut, without invalid characters and secrets.
    fn readable(&self, raw: &[u8]) -> (String, bool) {
        let cut = raw.len() > RAW_KEPT;
        let text = String::from_utf8_lossy(&raw[..raw.len().min(RAW_KEPT)]).replace('\0', "␀");
        (self.journal.clean(&text), cut)
    }

    /// Processes a delivery or a file.
    async fn delivery(&self) -> Result<bool, Fault> {
        let ConnectorSettings::W3p(settings) = &self.kept.settings.0 else {
            return Err(Fault::Stop("Only a feed takes deliveries.".to_owned()));
        };
        let asked = &self.run.asked.0;
        let (key, unit) =
            (asked.file_key.as_deref().unwrap_or_default(), asked.unit.as_deref().unwrap_or_default());
        let what = if unit.starts_with("file ") { "file" } else { "delivery" };
        let bytes = self.bytes(key).await?;
        let directory = Directory::load(&self.ctx.state.db).await.map_err(JobError::from)?;
        let receipts = settings.holds == Holds::Receipts;
        let (reading, body, once) = (settings.reading.clone(), bytes.clone(), self.answers().say(ONCE));
        let read = apart(move || -> Result<(Taken, Table, usize), String> {
            let mut table = feed::table(&body, &reading)?;
            let repeated = table.once(reading.key.as_deref());
            let lacks = missing(&reading, &table);
            if !lacks.is_empty() {
                return Err(format!("There is no column «{}».", lacks.join("», «")));
            }
            let how = How { reading: &reading, source: Kind::W3p.as_str(), asked: None, look: 0, once };
            Ok((take(&how, &table, &directory), table, repeated))
        });
        let (words, question) = match read.await? {
            Err(words) => (words, None),
            Ok((taken, table, repeated)) => {
                self.journal.twice(repeated);
                let unknown: Vec<String> = taken.unknown.keys().cloned().collect();
                if let Some(refused) = self.refusal(&taken, &table, receipts).await? {
                    refused
                } else {
                    let reason = asked_words(&taken, &unknown);
                    let (raw, _) = self.readable(&bytes);
                    let in_parts = receipts || taken.in_parts;
                    let post = self.post(&taken, in_parts, unit, what, &unknown, json!({}), (&reason, &raw));
                    let reason = post.await?;
                    folder::finish(&self.ctx.state, &self.kept, unit, reason.is_empty(), &reason).await;
                    if reason.is_empty() {
                        self.ctx.state.files.delete(key).await.map_err(JobError::from)?;
                    }
                    return Ok(!reason.is_empty());
                }
            }
        };
        self.journal.say(Level::Error, format!("{unit}: {words} Put aside; nothing of it was posted."));
        self.add_dead_letter(unit, what, &words, &bytes, Some(key), question, json!({})).await?;
        folder::finish(&self.ctx.state, &self.kept, unit, false, &words).await;
        Ok(true)
    }

    /// Why a delivery is rejected. An unreadable one uses no hourly allowance.
    async fn refusal(&self, taken: &Taken, table: &Table, receipts: bool) -> Result<Option<Refused>, Fault> {
        if taken.problem_count > 0 {
            return Ok(Some((unreadable(taken, table).0, None)));
        }
        if let Some(refused) = self.question(taken) {
            return Ok(Some(refused));
        }
        if receipts && taken.days.iter().any(|day| day.lines.iter().any(|line| line.receipt < 0)) {
            let words = "A line has no receipt number, which receipts are told apart by.";
            return Ok(Some((words.to_owned(), None)));
        }
        Ok(self.not_allowed(taken).await?.map(|words| (words, None)))
    }

    /// Why a delivery may not be taken unattended; a user who has reviewed it may accept it.
    async fn not_allowed(&self, taken: &Taken) -> Result<Option<String>, Fault> {
        if self.run.cause == "retry" {
            return Ok(None);
        }
        let outside = left_out(open_days(&self.ctx.state), &taken.days);
        if outside.is_some() {
            return Ok(outside);
        }
        match spend(&self.ctx.state, &format!("feed {}", self.kept.id), &taken.days).await {
            Ok(()) => Ok(None),
            Err(refusal) if refusal.status.is_client_error() => Ok(Some(refusal.detail)),
            Err(error) => Err(Fault::Job(error.into())),
        }
    }

    async fn bytes(&self, key: &str) -> Result<bytes::Bytes, Fault> {
        use std::io::Read as _;
        let mut file = self.ctx.state.files.local_copy(key).await.map_err(JobError::from)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| JobError::Broken(error.into()))?;
        Ok(bytes.into())
    }

    /// Writes the log so far.
    async fn flush(&self) -> Result<(), JobError> {
        let lines = self.journal.drain();
        let (id, lines) = (self.run.id.as_str(), &lines);
        self.ctx
            .state
            .db
            .write(&self.ctx.actor(), async |tx| -> Result<(), JobError> {
                queries::log(tx, id, lines).await?;
                tx.announce("connectorRun", id, None);
                Ok(())
            })
            .await
    }

    /// Stores how the run ended; one to be retried stays open.
    async fn end(&self, done: Result<bool, Fault>) -> Result<Value, JobError> {
        let (state, words, result) = match done {
            Ok(aside) => (if aside { "partly" } else { "done" }, None, Ok(())),
            Err(Fault::Job(JobError::Cancelled)) => {
                ("cancelled", Some("Stopped on request.".to_owned()), Err(JobError::Cancelled))
            }
            Err(Fault::Job(
                error @ (JobError::Interrupted | JobError::Again { .. } | JobError::Later { .. }),
            )) => {
                self.flush().await?;
                return Err(error);
            }
            Err(
                Fault::Job(JobError::Failed(words))
                | Fault::Stop(words)
                | Fault::Later { words, .. }
                | Fault::Aside { words, .. },
            ) => ("failed", Some(words.clone()), Err(JobError::Failed(words))),
            Err(Fault::Job(JobError::Broken(error))) => (
                "failed",
                Some("Something went wrong on our side. Try again.".to_owned()),
                Err(JobError::Broken(error)),
            ),
        };
        if let (Some(words), "failed") = (&words, state) {
            self.journal.say(Level::Error, words);
        }
        let words = words.map(|words| self.journal.clean(&words));
        let lines = self.journal.drain();
        let (id, kept, lines, words) = (self.run.id.as_str(), self.kept.id.as_str(), &lines, &words);
        let read_to =
            self.run.asked.0.to.filter(|_| self.run.cause != "retry" && matches!(state, "done" | "partly"));
        let read_to = read_to.filter(|_| self.forward());
        self.ctx
            .state
            .db
            .write(&self.ctx.actor(), async |tx| -> Result<(), JobError> {
                queries::log(tx, id, lines).await?;
                let words = match words {
                    Some(words) => words.clone(),
                    None => summary(queries::counted(tx, id).await?),
                };
                queries::end_run(tx, id, state, &words).await?;
                if let Some(day) = read_to {
                    queries::set_cursor(tx, kept, day).await?;
                }
                queries::prune(tx, kept).await?;
                tx.announce("connectorRun", id, None);
                Ok(())
            })
            .await?;
        result.map(|()| json!({ "runId": self.run.id }))
    }

    /// Whether the run began where the previous one ended, so that no day was skipped.
    fn forward(&self) -> bool {
        match (self.kept.cursor_day, self.run.asked.0.from) {
            (Some(read), Some(from)) => from <= read.plus(1),
            (None, _) => true,
            _ => false,
        }
    }
}

/// Why a unit is put aside, and what is asked about it where a user can decide.
type Refused = (String, Option<Asked>);

enum Reader<'a> {
    Api(Api<'a>),
    BigQuery(BigQuery<'a>),
}

impl Reader<'_> {
    async fn read(&self, run: &Run, span: Span) -> Result<Table, Fault> {
        let go_on = || run.ctx.go_on();
        let patient = Patient {
            caller: &run.caller,
            journal: &run.journal,
            tries: TRIES,
            wait_ms: WAIT_MS,
            go_on: &go_on,
            now: run.ctx.state.now(),
            budget: &run.budget,
        };
        match self {
            Self::Api(api) => api.read(&patient, span).await,
            Self::BigQuery(query) => query.read(&patient, span, None).await,
        }
    }
}

/// Name of a unit of days: `2026-11-04` or `2026-11-01…2026-11-07`.
fn unit_of(span: Span) -> String {
    if span.from == span.to { span.from.to_string() } else { format!("{}…{}", span.from, span.to) }
}

fn unknown_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("The store «{one}» is not known. Say which store it is."),
        many => format!("{} stores are not known. Say which stores they are.", many.len()),
    }
}

/// What has to be asked about stores before their lines are posted; empty if nothing.
fn asked_words(taken: &Taken, unknown: &[String]) -> String {
    let unknown = Some(unknown_words(unknown)).filter(|words| !words.is_empty());
    unknown.into_iter().chain(taken.nights.iter().cloned()).collect::<Vec<_>>().join(" ")
}

/// What is asked about store days of which another sender sent sales: the first of them and `more`.
fn sent_twice(first: &StoreDay, store: &str, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        more => format!(" and {}", plural(more, "other store-day", "other store-days")),
    };
    format!(
        "Another connector or key sent sales of {store} on {}{more} too, and they may be the same. Try again: they are \
         added.",
        BusinessDay(first.day).display()
    )
}

/// What is logged about a posted unit.
fn told(unit: &str, reason: &str, lines: usize, store_days: usize) -> Vec<(Level, String)> {
    let mut told = Vec::new();
    if store_days > 0 {
        let (lines, days) = (plural(lines, "line", "lines"), plural(store_days, "store-day", "store-days"));
        told.push((Level::Info, format!("{unit}: {lines} of {days} posted.")));
    }
    if !reason.is_empty() {
        let words: String =
            format!("{unit}: {reason} Their lines are put aside.").chars().take(600).collect();
        told.push((Level::Error, words));
    }
    told
}

/// Errors in words, with the rows concerned.
fn unreadable(taken: &Taken, table: &Table) -> (String, String) {
    let first = taken.problems.first();
    let words = match (first, taken.problem_rows.len()) {
        (Some(problem), 1) => {
            format!("A line cannot be read: {} It says «{}».", problem.message, problem.value)
        }
        (Some(problem), many) => format!(
            "{many} lines cannot be read. The first: {} It says «{}».",
            problem.message, problem.value
        ),
        (None, _) => "Lines cannot be read.".to_owned(),
    };
    let rows =
        taken.problem_rows.iter().take(50).filter_map(|at| table.rows.get(*at)).map(|row| row.join(" | "));
    let raw = std::iter::once(table.columns.join(" | ")).chain(rows).collect::<Vec<_>>().join("\n");
    (words, raw)
}

/// The result of a run in one sentence.
fn summary((lines, new, replaced, unchanged, aside): (i64, i64, i64, i64, i64)) -> String {
    let mut words = format!(
        "{} taken: {} new, {replaced} replaced, {unchanged} unchanged.",
        plural(lines, "line", "lines"),
        plural(new, "store-day", "store-days")
    );
    if aside > 0 {
        words.push_str(&format!(" {aside} put aside."));
    }
    words
}
