//! What a run comes to.

use larder_domain::StoreScope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// So many failures are kept by name; the rest is counted.
const MOST_NAMED: usize = 200;

/// What a run came to.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceOutcome)]
pub struct Outcome {
    /// In a sentence.
    pub words: String,
    /// In figures, each with that of the run before.
    pub figures: Vec<Figure>,
    /// What could not be done: the first 200.
    pub failed: Vec<Failed>,
    pub failed_total: i64,
}

/// A figure of a run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceFigure)]
pub struct Figure {
    /// What it counts.
    pub label: String,
    pub value: f64,
    /// `%`, `days`, …; none for a plain count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it was in the run before that was asked the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
}

/// Something that a run could not do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceFailure)]
pub struct Failed {
    /// What, in words.
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_item_id: Option<String>,
    /// Why, and what would help.
    pub why: String,
}

/// What could not be done so far; part of a checkpoint, so that a run that goes on still knows it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Failures {
    named: Vec<Failed>,
    total: i64,
}

impl Failures {
    /// One more.
    pub fn add(&mut self, failed: Failed) {
        if self.named.len() < MOST_NAMED {
            self.named.push(failed);
        }
        self.total += 1;
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }
}

impl Outcome {
    /// In a sentence, with what could not be done.
    #[must_use]
    pub fn of(words: impl Into<String>, failures: Failures) -> Self {
        Self {
            words: words.into(),
            figures: Vec::new(),
            failed: failures.named,
            failed_total: failures.total,
        }
    }

    /// A plain count.
    #[must_use]
    pub fn count(self, label: &str, value: i64) -> Self {
        self.figure(label, value as f64, None)
    }

    /// A figure with its unit.
    #[must_use]
    pub fn figure(mut self, label: &str, value: f64, unit: Option<&str>) -> Self {
        // Nothing to tell is no figure.
        if value.is_finite() {
            let unit = unit.map(str::to_owned);
            self.figures.push(Figure { label: label.to_owned(), value, unit, before: None });
        }
        self
    }

    /// Puts the figures of the run before beside these.
    pub(super) fn held_against(&mut self, before: &Outcome) {
        for figure in &mut self.figures {
            let same = before.figures.iter().find(|other| other.label == figure.label);
            figure.before = same.map(|other| other.value);
        }
    }

    /// Without what tells of stores out of reach. Sentence and figures are of all stores of a run: `all` says whether
    /// these are all within reach.
    pub(super) fn within(mut self, scope: &StoreScope, all: bool) -> Self {
        if all {
            return self;
        }
        self.failed.retain(|failed| failed.store_id.is_some() && scope.reaches(failed.store_id.as_deref()));
        self.failed_total = i64::try_from(self.failed.len()).unwrap_or(i64::MAX);
        self.words =
            "This run was for more stores than yours. What it found for yours is on its page.".to_owned();
        self.figures.clear();
        self
    }
}
