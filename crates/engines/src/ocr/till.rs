//! Reads a picture of a Z-reading with what is known of its till.

use std::sync::Arc;

use larder_db::Db;
use larder_domain::BusinessDay;
use larder_tillread::{Context, Doubt, Field, Picture, Reading, Template, judge};

use super::{ENGINE, Turn, in_turn, open, refuse, turn};
use larder_ledgers::readings::judging::{PictureRead, context_of, day_of, judged_after, template_of, value};
use larder_ledgers::readings::{Seen, SeenLine, list, terminals};
use larder_platform::files::pictures::Upload;
use larder_platform::http::ApiResult;

/// What is known before the picture is read.
#[derive(Debug, Clone, Default)]
pub struct Till {
    /// The stores whose tills it may show; `None`: all.
    pub stores: Option<Vec<String>>,
    /// A till of the only store; empty: read it from the picture.
    pub terminal_id: String,
    /// The business day it is filed for, if given.
    pub date: Option<BusinessDay>,
}

/// Reads a picture. Without a given till, the machine number on it decides, if only one till has it. The result is
/// checked against what is known of the till.
///
/// # Errors
/// 415 and 422 if it is not a picture, 503 if the reader is not installed.
pub async fn read_till(db: &Db, upload: Upload, known: &Till) -> ApiResult<PictureRead> {
    let mut kept = match (known.stores.as_deref(), known.terminal_id.as_str()) {
        (Some([store]), till) if !till.is_empty() => terminals::find(db, store, till).await?,
        _ => None,
    };
    let mut template = template_of(kept.as_ref())?;
    let mut context = context_of(kept.as_ref(), known.date);
    let turn = turn().await?;
    let picture = open(upload).await?;
    let mut reading = read(&turn, &picture, template.clone(), context.clone()).await?;
    if kept.is_none()
        && let Some(min) = machine_number(&reading, known)
    {
        kept = only(terminals::of_min(db, &min, known.stores.as_deref()).await?);
        template = template_of(kept.as_ref())?;
        context = context_of(kept.as_ref(), known.date);
        if kept.as_ref().is_some_and(|kept| kept.template.is_some()) {
            reading = read(&turn, &picture, template.clone(), context.clone()).await?;
        }
    }
    if let Some(kept) = &kept {
        let first = judge(&reading.votes, &template, &context);
        let before = list::verified_before(db, &kept.store_id, &kept.terminal_id, day_of(&first)).await?;
        reading.judgement = judged_after(&reading.votes, &template, &context, first, before.as_ref());
    }
    let lines = reading.lines.into_iter().map(|line| SeenLine { text: line.text, place: line.area.into() });
    let advice = reading.advice.map(|advice| advice.text().to_owned());
    let seen = Seen::of(&reading.judgement, lines.collect(), advice);
    Ok(PictureRead { seen, till: kept, day: known.date, votes: Some(reading.votes) })
}

/// The machine number. It decides between stores only if passes agree on it.
fn machine_number(reading: &Reading, known: &Till) -> Option<String> {
    let agreed = matches!(reading.judgement.fields.get(&Field::Min)?.why, None | Some(Doubt::Unproven));
    let of_one_store = known.stores.as_ref().is_some_and(|stores| stores.len() == 1);
    value(&reading.judgement, Field::Min).filter(|_| agreed || of_one_store)
}

/// The only one of these tills, if there is just one.
fn only(tills: Vec<terminals::Kept>) -> Option<terminals::Kept> {
    <[terminals::Kept; 1]>::try_from(tills).ok().map(|[till]| till)
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
