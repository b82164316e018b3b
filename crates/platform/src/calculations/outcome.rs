//! The result of a run.

use larder_domain::StoreScope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most failures listed by name; further ones are only counted.
const MOST_NAMED: usize = 200;

/// The result of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceOutcome)]
pub struct Outcome {
    /// A one-sentence summary.
    pub words: String,
    /// Figures, each with that of the previous run.
    pub figures: Vec<Figure>,
    /// What failed: the first 200.
    pub failed: Vec<Failed>,
    pub failed_total: i64,
}

/// A figure of a run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceFigure)]
pub struct Figure {
    pub label: String,
    pub value: f64,
    /// `%`, `days`, …; absent for a plain count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Its value in the previous run with the same parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
}

/// A part of a run that failed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceFailure)]
pub struct Failed {
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_item_id: Option<String>,
    /// The reason, and what would help.
    pub why: String,
}

/// Failures so far; part of the checkpoint, so that a resumed run keeps them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Failures {
    named: Vec<Failed>,
    total: i64,
}

impl Failures {
    /// Adds a failure.
    pub fn add(&mut self, failed: Failed) {
        if self.named.len() < MOST_NAMED {
            self.named.push(failed);
        }
        self.total += 1;
    }

    /// Number of failures.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }
}

impl Outcome {
    /// A summary together with the failures.
    #[must_use]
    pub fn of(words: impl Into<String>, failures: Failures) -> Self {
        Self {
            words: words.into(),
            figures: Vec::new(),
            failed: failures.named,
            failed_total: failures.total,
        }
    }

    /// Adds a plain count.
    #[must_use]
    pub fn count(self, label: &str, value: i64) -> Self {
        self.figure(label, value as f64, None)
    }

    /// A figure with its unit.
    #[must_use]
    pub fn figure(mut self, label: &str, value: f64, unit: Option<&str>) -> Self {
        // A value that is not finite is no figure.
        if value.is_finite() {
            let unit = unit.map(str::to_owned);
            self.figures.push(Figure { label: label.to_owned(), value, unit, before: None });
        }
        self
    }

    /// Adds the previous run's figures for comparison.
    pub(super) fn held_against(&mut self, before: &Outcome) {
        for figure in &mut self.figures {
            let same = before.figures.iter().find(|other| other.label == figure.label);
            figure.before = same.map(|other| other.value);
        }
    }

    /// Drops what concerns stores the user may not see. Summary and figures cover all stores of a run: `all`
    /// says whether the user may see every one of them.
    pub(super) fn within(mut self, scope: &StoreScope, all: bool) -> Self {
        if all {
            return self;
        }
        self.failed.retain(|failed| failed.store_id.is_some() && scope.includes(failed.store_id.as_deref()));
        self.failed_total = i64::try_from(self.failed.len()).unwrap_or(i64::MAX);
        self.words =
            "This run was for more stores than yours. What it found for yours is on its page.".to_owned();
        self.figures.clear();
        self
    }
}
