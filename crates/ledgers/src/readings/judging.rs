//! What was read from a picture, judged with what is known of its till.

use larder_domain::BusinessDay;
use larder_domain::zreading::{Basis, VatForm, number_of};
use larder_tillread::{Context, Doubt, Field, Judgement, Previous, Template, Votes, judge_next};

use super::terminals::Kept;
use super::{Place, Reading, Seen, SeenCheck, SeenField, SeenLine, Verdict};
use larder_platform::http::{ApiError, ApiResult};

/// A picture that was read.
#[derive(Debug, Clone)]
pub struct PictureRead {
    pub seen: Seen,
    /// The till it shows, if its machine number or a user tells.
    pub till: Option<Kept>,
    /// The business day a user filed it for.
    pub day: Option<BusinessDay>,
    /// The readings of all passes, to be judged again when more is known; none of an unreadable file.
    pub votes: Option<Votes>,
}

impl From<Seen> for PictureRead {
    /// What cannot be judged again.
    fn from(seen: Seen) -> Self {
        Self { seen, till: None, day: None, votes: None }
    }
}

/// The till's trained layout with its calculation rules; the usual labels if it has none.
///
/// # Errors
/// If the stored layout cannot be read.
pub fn template_of(kept: Option<&Kept>) -> ApiResult<Template> {
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

/// What is known of a till's next reading but for the previous one. `day` is the one a user filed it for.
#[must_use]
pub fn context_of(kept: Option<&Kept>, day: Option<BusinessDay>) -> Context {
    let (tin, min) = kept.map(|kept| (kept.tin.clone(), kept.min.clone())).unwrap_or_default();
    Context { tin, min, date: day, previous: None }
}

/// The value of a field as read.
#[must_use]
pub fn value(judgement: &Judgement, field: Field) -> Option<String> {
    judgement.fields.get(&field)?.value.as_ref().map(ToString::to_string)
}

/// The business day as read.
#[must_use]
pub fn day_of(judgement: &Judgement) -> Option<BusinessDay> {
    value(judgement, Field::Date)?.parse().ok()
}

/// Judges votes with the till's previous verified reading, if this one follows it by day or by counter; where readings
/// are missing in between, nothing can be compared. `first` is the judgement without it.
#[must_use]
pub fn judged_after(
    votes: &Votes,
    template: &Template,
    context: &Context,
    first: Judgement,
    before: Option<&Reading>,
) -> Judgement {
    let Some(before) = before else { return first };
    let next = before.business_date.plus(1);
    let counter = value(&first, Field::Z).and_then(|z| z.parse::<i64>().ok());
    let follows = day_of(&first) == Some(next)
        || before.z_counter.zip(counter).is_some_and(|(before, now)| before + 1 == now);
    if !follows {
        return first;
    }
    let previous = Previous {
        z: before.z_counter,
        end: before.last_si.as_deref().and_then(number_of),
        new: before.present_total,
    };
    let context = Context { previous: Some(previous), ..context.clone() };
    let mut judgement = judge_next(votes, template, &context, next);
    doubt_lost_zeros(&mut judgement, before.last_si.as_deref().unwrap_or_default());
    judgement
}

/// Doubts invoice numbers that lack leading zeros of the previous reading's last one, which no sum reveals.
fn doubt_lost_zeros(judgement: &mut Judgement, last: &str) {
    if !last.starts_with('0') || !last.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    for field in [Field::Beg, Field::End] {
        let short = value(judgement, field).is_some_and(|text| text.len() < last.len());
        if let Some(read) = judgement.fields.get_mut(&field).filter(|it| short && !it.doubtful) {
            (read.doubtful, read.why) = (true, Some(Doubt::Form));
            if judgement.verdict == larder_tillread::Verdict::Holds {
                judgement.verdict = larder_tillread::Verdict::Review;
            }
        }
    }
}

impl Seen {
    /// A judgement as users see it. `advice` is left out where nothing is doubtful.
    #[must_use]
    pub fn of(judgement: &Judgement, lines: Vec<SeenLine>, advice: Option<String>) -> Self {
        let fields = judgement.fields.iter().map(|(field, read)| {
            let seen = SeenField {
                value: read.value.as_ref().map(ToString::to_string),
                confidence: (f64::from(read.confidence) * 100.0).round() / 100.0,
                doubtful: read.doubtful,
                why: read.why.and_then(|why| Some(serde_json::to_value(why).ok()?.as_str()?.to_owned())),
                place: read.area.map(Place::from),
            };
            (field.as_str().to_owned(), seen)
        });
        let checks = judgement.checks.iter().map(|check| SeenCheck {
            name: check.name.to_owned(),
            holds: check.holds,
            left: check.left.clone(),
            right: check.right.clone(),
        });
        let verdict = match judgement.verdict {
            larder_tillread::Verdict::Holds => Verdict::Holds,
            larder_tillread::Verdict::Review => Verdict::Review,
            larder_tillread::Verdict::Unreadable => Verdict::Unreadable,
        };
        Self {
            verdict,
            advice: advice.filter(|_| verdict != Verdict::Holds),
            fields: fields.collect(),
            checks: checks.collect(),
            lines,
        }
    }
}

impl From<larder_tillread::Area> for Place {
    fn from(area: larder_tillread::Area) -> Self {
        Self { x: area.x.into(), y: area.y.into(), w: area.w.into(), h: area.h.into() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use larder_tillread::{Doubt, Field, Template, Value, Votes, judge};

    use super::{context_of, doubt_lost_zeros};

    #[test]
    fn an_invoice_number_that_lost_a_zero_is_doubtful() {
        let read = |beg: &str, last: &str| {
            let values: BTreeMap<Field, Value> =
                [(Field::Beg, Value::Count(beg.into())), (Field::End, Value::Count(beg.into()))].into();
            let mut judgement =
                judge(&Votes::agreed(&values, 2), &Template::default(), &context_of(None, None));
            judgement.fields.values_mut().for_each(|field| (field.doubtful, field.why) = (false, None));
            doubt_lost_zeros(&mut judgement, last);
            judgement.fields[&Field::Beg].why
        };
        assert_eq!(read("0000901", "00000900"), Some(Doubt::Form));
        assert_eq!(read("00000901", "00000900"), None);
        assert_eq!(read("901", "900"), None, "a till without leading zeros");
        assert_eq!(read("901", "A-000900"), None, "a number with letters says nothing about its width");
    }
}
