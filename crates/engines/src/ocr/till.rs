//! Reads a picture of a Z-reading with what is known of its till.

use std::sync::Arc;

use larder_db::{Db, DbError};
use larder_domain::zreading::{Basis, VatForm, number_of};
use larder_domain::{BusinessDay, Money};
use larder_tillread::{Context, Picture, Previous, Reading, Template, Verdict as Read, judge};

use super::{ENGINE, Turn, in_turn, open, refuse, turn};
use larder_ledgers::readings::{Place, Seen, SeenCheck, SeenField, SeenLine, Verdict, list, terminals};
use larder_platform::files::pictures::Upload;
use larder_platform::http::{ApiError, ApiResult};

/// What is known before the picture is read.
#[derive(Debug, Clone, Default)]
pub struct Till {
    /// Limits the search to tills of this store; `None`: any.
    pub store_id: Option<String>,
    /// Empty: read it from the picture.
    pub terminal_id: String,
    /// The business day it is filed for, if given.
    pub date: Option<BusinessDay>,
}

/// Reads a picture. Without a given till, the machine number on it decides. The result is checked against
/// what is known of the till.
///
/// # Errors
/// 415 and 422 if it is not a picture, 503 if the reader is not installed.
pub async fn read_till(db: &Db, upload: Upload, known: &Till) -> ApiResult<(Seen, Option<terminals::Kept>)> {
    let mut kept = match (&known.store_id, known.terminal_id.as_str()) {
        (Some(store), till) if !till.is_empty() => terminals::find(db, store, till).await?,
        _ => None,
    };
    let template = template_of(kept.as_ref())?;
    let context = Context { date: known.date, ..context_of(kept.as_ref()) };
    let turn = turn().await?;
    let picture = open(upload).await?;
    let mut reading = read(&turn, &picture, template, context).await?;
    if kept.is_none()
        && let Some(min) = value(&reading, "min")
    {
        kept = terminals::of_min(db, &min, known.store_id.as_deref()).await?;
        if kept.as_ref().is_some_and(|kept| kept.template.is_some()) {
            let context = Context { date: known.date, ..context_of(kept.as_ref()) };
            reading = read(&turn, &picture, template_of(kept.as_ref())?, context).await?;
        }
    }
    if let Some(kept) = &kept {
        let previous = previous(db, kept, &reading).await?;
        let context = Context { date: known.date, previous, ..context_of(Some(kept)) };
        reading.judgement = judge(&reading.votes, &template_of(Some(kept))?, &context);
    }
    Ok((seen(reading), kept))
}

async fn read(
    turn: &Turn,
    picture: &Arc<Picture>,
    template: Template,
    context: Context,
) -> ApiResult<Reading> {
    let picture = Arc::clone(picture);
    let read = move || larder_tillread::read_picture(&picture, &template, &context, &*ENGINE);
    in_turn(turn, read).await?.map_err(refuse)
}

/// The till's trained layout with its calculation rules; the default labels if it has none.
fn template_of(kept: Option<&terminals::Kept>) -> ApiResult<Template> {
    let Some(kept) = kept else { return Ok(Template::default()) };
    let mut template = match &kept.template {
        Some(taught) => serde_json::from_value(taught.0.clone()).map_err(ApiError::internal)?,
        None => Template::default(),
    };
    let terms = kept.terms();
    template.basis = match terms.basis {
        Basis::Net => larder_tillread::Basis::Net,
        Basis::Gross => larder_tillread::Basis::Gross,
    };
    template.vat = match terms.vat {
        VatForm::Inclusive => larder_tillread::VatForm::Inclusive,
        VatForm::Exclusive => larder_tillread::VatForm::Exclusive,
    };
    Ok(template)
}

fn context_of(kept: Option<&terminals::Kept>) -> Context {
    let Some(kept) = kept else { return Context::default() };
    Context { tin: kept.tin.clone(), min: kept.min.clone(), date: None, previous: None }
}

/// The closing values of the till's previous verified reading, if this one follows it by day or by counter.
/// Where readings are missing in between, nothing can be compared.
async fn previous(db: &Db, kept: &terminals::Kept, reading: &Reading) -> Result<Option<Previous>, DbError> {
    let Some(day) = value(reading, "date").and_then(|day| day.parse::<BusinessDay>().ok()) else {
        return Ok(None);
    };
    let before = list::verified_before(db, &kept.store_id, &kept.terminal_id, day).await?;
    let Some(before) = before else { return Ok(None) };
    let counter = value(reading, "z").and_then(|z| z.parse::<i64>().ok());
    let follows = before.business_date.plus(1) == day
        || before.z_counter.zip(counter).is_some_and(|(before, now)| before + 1 == now);
    let new: Option<Money> = before.present_total;
    Ok(follows.then_some(Previous {
        z: before.z_counter,
        end: before.last_si.as_deref().and_then(number_of),
        new,
    }))
}

fn value(reading: &Reading, name: &str) -> Option<String> {
    let field = reading.judgement.fields.iter().find(|(field, _)| field.as_str() == name)?.1;
    field.value.as_ref().map(ToString::to_string)
}

fn seen(reading: Reading) -> Seen {
    let place = |area: larder_tillread::Area| Place {
        x: f64::from(area.x),
        y: f64::from(area.y),
        w: f64::from(area.w),
        h: f64::from(area.h),
    };
    let fields = reading.judgement.fields.iter().map(|(field, read)| {
        let seen = SeenField {
            value: read.value.as_ref().map(ToString::to_string),
            confidence: (f64::from(read.confidence) * 100.0).round() / 100.0,
            doubtful: read.doubtful,
            why: read.why.and_then(|why| Some(serde_json::to_value(why).ok()?.as_str()?.to_owned())),
            place: read.area.map(place),
        };
        (field.as_str().to_owned(), seen)
    });
    let checks = reading.judgement.checks.iter().map(|check| SeenCheck {
        name: check.name.to_owned(),
        holds: check.holds,
        left: check.left.clone(),
        right: check.right.clone(),
    });
    Seen {
        verdict: match reading.judgement.verdict {
            Read::Holds => Verdict::Holds,
            Read::Review => Verdict::Review,
            Read::Unreadable => Verdict::Unreadable,
        },
        advice: reading.advice.map(|advice| advice.text().to_owned()),
        fields: fields.collect(),
        checks: checks.collect(),
        lines: reading
            .lines
            .into_iter()
            .map(|line| SeenLine { text: line.text, place: place(line.area) })
            .collect(),
    }
}
