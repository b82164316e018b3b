//! What was read from a picture.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reliability of a picture's reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReadingVerdict)]
pub enum Verdict {
    /// All equations hold and no field is doubtful.
    Holds,
    /// The doubtful fields need review.
    Review,
    /// Hardly anything was readable; the advice says what to do.
    Unreadable,
}

/// A rectangle in fractions of the upright picture: (0, 0) is the upper left corner, (1, 1) the lower right
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = PicturePlace)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// A field as read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SeenField)]
pub struct SeenField {
    /// In plain form: `2026-11-20`, `60724.89`, `00703235`; absent if nothing was found.
    pub value: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Whether it needs review.
    pub doubtful: bool,
    /// Why: `missing`, `supplied`, `form`, `unexpected`, `broken`, `differs`, `once` or `unproven`.
    #[serde(default)]
    pub why: Option<String>,
    /// Its position.
    #[serde(rename = "box")]
    pub place: Option<Place>,
}

/// A line of the picture, for choosing a field's label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SeenLine)]
pub struct SeenLine {
    pub text: String,
    #[serde(rename = "box")]
    pub place: Place,
}

/// A check of the values read, as the reader names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SeenCheck)]
pub struct SeenCheck {
    pub name: String,
    pub holds: bool,
    /// The two values; absent if one was not found.
    pub left: Option<String>,
    pub right: Option<String>,
}

/// What was read from a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SeenReading)]
pub struct Seen {
    pub verdict: Verdict,
    /// What to do about an unreadable or partly readable picture.
    #[serde(default)]
    pub advice: Option<String>,
    /// By printed field: `date`, `tin`, `min`, `z`, `beg`, `end`, `tx`, `gross`, `vatable`, `vat`, `exempt`,
    /// `zero`, `sc`, `pwd`, `other`, `void`, `refund`, `vadj`, `net`, `old`, `new`, `cash`, `card`, `ewal`.
    pub fields: BTreeMap<String, SeenField>,
    #[serde(default)]
    pub checks: Vec<SeenCheck>,
    /// All text of the picture, from top to bottom.
    #[serde(default)]
    pub lines: Vec<SeenLine>,
}

impl Seen {
    /// Only the advice.
    #[must_use]
    pub fn unreadable(advice: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Unreadable,
            advice: Some(advice.into()),
            fields: BTreeMap::new(),
            checks: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Number of fields that need review.
    #[must_use]
    pub fn doubtful(&self) -> usize {
        self.fields.values().filter(|field| field.doubtful).count()
    }

    /// The value of a field, if it was found.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&str> {
        self.fields.get(field)?.value.as_deref()
    }
}
