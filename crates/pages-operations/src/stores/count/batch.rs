//! Count batches sent by devices.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use larder_db::{DbError, ViolationKind};
use larder_domain::count::{Op, Session, quantity, zero_warning};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde_json::Value;

use super::model::{BatchAnswer, CountBatch, CountSave, SaveAnswer, moment};
use super::photos;
use larder_ledgers::counts as book;
use larder_platform::AppState;
use larder_platform::http::gzip_body::GzipBody;
use larder_platform::http::question::{date, is_id};
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum body size; devices split larger batches. 400 saves are 90 kB, a tenth of that compressed, to get
/// through a weak network.
const BODY: GzipBody =
    GzipBody { what: "counts", most: 256 << 10, too_large: "Send at most 500 counts and 256 KiB at once." };
/// Maximum number of saves per batch.
const MAX_SAVES: usize = 500;
/// Maximum length of a note, in characters.
const MAX_NOTE: usize = 500;
/// Attempts to process a batch that conflicts with another one with the same saves.
const TRIES: usize = 3;

/// Upload counts. Each save gets its own result and is applied once, however often it is sent, so saves
/// without a response can be sent again. More than 500 saves or 256 KiB are refused (413). The body may be
/// compressed (`content-encoding: gzip`).
#[utoipa::path(post, path = "/api/stores/count/batch", tag = "counts", request_body = CountBatch,
    responses((status = 200, body = BatchAnswer)))]
pub(crate) async fn send_counts(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<BatchAnswer>> {
    let batch: CountBatch = BODY.read(&headers, body).await?;
    let (sent_at, device_id, saves) = envelope(&batch)?;
    let read: Vec<Result<book::Sent, (String, Vec<FieldError>)>> = saves.iter().map(save).collect();
    let sent: Vec<book::Sent> = read.iter().filter_map(|save| save.as_ref().ok().cloned()).collect();
    let batch = &book::SentBatch {
        sent_at,
        device_id,
        counted_by: batch.counted_by.as_ref().map(|by| by.uid.as_str()),
        scope: &who.scope,
        saves: &sent,
    };
    let mut answers = take(&state, &who, batch).await?.into_iter();
    let mut results = Vec::with_capacity(read.len());
    for (save, value) in read.into_iter().zip(saves) {
        let warning = value.get("qty").and_then(zero_warning);
        match save {
            Err((op, fields)) => results.push(SaveAnswer::rejected(op, fields)),
            Ok(sent) => {
                let answer = answers.next().map(|it| SaveAnswer::of(sent.op.to_string(), it));
                results.extend(answer.map(|it| it.warned(warning)));
            }
        }
    }
    Ok(Json(BatchAnswer { results, server_time: state.now() }))
}

/// Two batches with the same saves may run concurrently: the one that fails then finds the other's results.
async fn take(state: &AppState, who: &Who, batch: &book::SentBatch<'_>) -> ApiResult<Vec<book::Answer>> {
    let mut tries = 0;
    loop {
        let taken = state.db.write(&who.actor(), async |tx| book::take(tx, batch).await).await;
        match taken {
            Err(DbError::Violation(met)) if met.kind == ViolationKind::Unique && tries < TRIES => tries += 1,
            taken => return Ok(taken?),
        }
    }
}

fn envelope(batch: &CountBatch) -> ApiResult<(Timestamp, &str, &[Value])> {
    let mut wrong = Vec::new();
    let sent_at = batch.sent_at.as_ref().and_then(moment);
    if sent_at.is_none() {
        wrong.push(FieldError::new("sentAt", "Send the time on the device's clock."));
    }
    let device_id = batch.device_id.as_deref().filter(|id| Op::is_device(id));
    if device_id.is_none() {
        wrong.push(FieldError::new("deviceId", "Name the device by up to 64 letters, digits, - and _."));
    }
    let saves = batch.entries.as_deref().filter(|saves| !saves.is_empty());
    if saves.is_none() {
        wrong.push(FieldError::new("entries", "Send 1 to 500 counts."));
    }
    if saves.is_some_and(|saves| saves.len() > MAX_SAVES) {
        return Err(ApiError::too_large(BODY.too_large));
    }
    match (sent_at, device_id, saves) {
        (Some(sent_at), Some(device_id), Some(saves)) => Ok((sent_at, device_id, saves)),
        _ => Err(ApiError::invalid(wrong)),
    }
}

/// Validates a save; reports all invalid fields at once.
fn save(value: &Value) -> Result<book::Sent, (String, Vec<FieldError>)> {
    let name = value["op"].as_str().unwrap_or_default();
    let name: String = name.chars().take(100).collect();
    let save: CountSave = match serde_json::from_value(value.clone()) {
        Ok(save) => save,
        Err(_) => {
            return Err((name, vec![FieldError::new("op", "Send each count as an object with its fields.")]));
        }
    };
    let mut fields = Fields::default();
    let op = fields.read("op", op(&save));
    let store_id = fields.read("storeId", id(save.store_id.as_ref(), "Choose a store."));
    let day = fields.read("date", day(save.date.as_ref()));
    let session = fields.read("session", session(save.session.as_ref()));
    let item = save.item_id.as_ref().filter(|id| !id.is_null()).or(save.root_product_id.as_ref());
    let item_id = fields.read("itemId", id(item, "Choose an item."));
    // A save without a quantity means 0; items not counted have no save.
    let qty = fields.read("qty", save.qty.as_ref().map_or(Ok(Some(Qty::ZERO)), quantity));
    let at = save.at.as_ref().and_then(moment).ok_or("Send the time it was counted.");
    let at = fields.read("at", at);
    let base = fields.read("base", whole(save.base.as_ref()));
    let prev = fields.read("prev", prev(save.prev.as_ref()));
    let recounted = fields.read("recount", recounted(save.recount.as_ref()));
    let note = fields.read("note", note(save.note.as_ref()));
    let photo = fields.read("photo", photo(save.photo.as_ref()));
    let read = (|| {
        Some(book::Sent {
            op: op?,
            store_id: store_id?,
            date: day?,
            session: session?,
            item_id: item_id?,
            content: book::Content { qty: qty?, note: note?, photo: photo? },
            at: at?,
            base: base?,
            prev: prev?,
            recounted: recounted?,
        })
    })();
    read.ok_or((name, fields.wrong))
}

/// Field errors so far.
#[derive(Default)]
struct Fields {
    wrong: Vec<FieldError>,
}

impl Fields {
    fn read<T>(&mut self, field: &str, read: Result<T, &'static str>) -> Option<T> {
        read.map_err(|message| self.wrong.push(FieldError::new(field, message))).ok()
    }
}

fn op(save: &CountSave) -> Result<Op, &'static str> {
    const WHAT: &str = "Name each count deviceId:seq, with seq from 1.";
    let op = save.op.as_ref().and_then(Value::as_str).and_then(Op::parse).ok_or(WHAT)?;
    match &save.seq {
        Some(seq) if seq.as_i64() != Some(op.seq) => Err("The seq is not the number in the op."),
        _ => Ok(op),
    }
}

fn id(value: Option<&Value>, what: &'static str) -> Result<String, &'static str> {
    let text = value.and_then(Value::as_str).filter(|text| !text.is_empty() && is_id(text));
    text.map(str::to_owned).ok_or(what)
}

fn day(value: Option<&Value>) -> Result<BusinessDay, &'static str> {
    const WHAT: &str = "Enter a date as YYYY-MM-DD.";
    date("date", value.and_then(Value::as_str)).ok().flatten().ok_or(WHAT)
}

fn session(value: Option<&Value>) -> Result<Option<Session>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => Session::parse(text).map(Some).ok_or("Choose opening or closing."),
        Some(_) => Err("Choose opening or closing."),
    }
}

fn whole(value: Option<&Value>) -> Result<Option<i64>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_i64().map(Some).ok_or("A revision is a whole number."),
    }
}

fn prev(value: Option<&Value>) -> Result<Option<String>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() <= 100 && !has_unseen_in_lines(text) => {
            Ok(Some(text.clone()))
        }
        Some(_) => Err("Send the op of the count before it."),
    }
}

fn recounted(value: Option<&Value>) -> Result<Option<bool>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_bool().map(Some).ok_or("Say true or false."),
    }
}

/// Strips invisible characters: nobody types them, and a count is not refused because of them.
fn note(value: Option<&Value>) -> Result<Option<String>, &'static str> {
    let text = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text,
        Some(_) => return Err("A note is a text."),
    };
    let seen: String = text.chars().filter(|c| !has_unseen_in_lines(c.encode_utf8(&mut [0; 4]))).collect();
    match seen.trim() {
        "" => Ok(None),
        note if note.chars().count() > MAX_NOTE => Err("Use at most 500 characters."),
        note => Ok(Some(note.to_owned())),
    }
}

fn photo(value: Option<&Value>) -> Result<Option<String>, &'static str> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if photos::is_photo(text) => Ok(Some(text.clone())),
        Some(_) => Err("Send the name that the photo upload answered."),
    }
}
