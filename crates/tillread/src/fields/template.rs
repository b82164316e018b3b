//! The labels a till prints for its fields, and how it computes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::field::Field;
use super::parse::DateOrder;

/// The basis of the accumulated grand total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    Gross,
    #[default]
    Net,
}

/// Whether printed VATable sales include VAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VatForm {
    /// VAT is 12/112 of VATable sales.
    Inclusive,
    /// VAT is 12% of them and added.
    #[default]
    Exclusive,
}

/// How a terminal prints its Z-reading. Stored as JSON with the terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Template {
    /// The terminal's own labels, as printed; where a field has any, they take precedence.
    pub labels: BTreeMap<Field, Vec<String>>,
    /// Whether the usual labels ([`crate::usual_labels`]) apply too.
    pub usual: bool,
    /// Fields this till does not print; equations take them as zero.
    pub absent: BTreeSet<Field>,
    /// The deductions from gross to net sales.
    pub deductions: BTreeSet<Field>,
    pub date_order: DateOrder,
    pub basis: Basis,
    pub vat: VatForm,
}

impl Default for Template {
    fn default() -> Self {
        Self {
            labels: BTreeMap::new(),
            usual: true,
            absent: BTreeSet::new(),
            deductions: DEDUCTIONS.into(),
            date_order: DateOrder::default(),
            basis: Basis::default(),
            vat: VatForm::default(),
        }
    }
}

/// The usual deductions from gross sales.
const DEDUCTIONS: [Field; 6] = [Field::Sc, Field::Pwd, Field::Other, Field::Void, Field::Refund, Field::Vadj];

/// Maximum length of a stored label, in characters.
const LONGEST_LABEL: usize = 60;

impl Template {
    /// A new template in which `label`, as read from this till's paper, means `field`. The last assignment of a label
    /// wins: it is removed from other fields. The field counts as printed from then on.
    #[must_use]
    pub fn teach(&self, label: &str, field: Field) -> Self {
        let mut taught = self.clone();
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let label: String =
            label.trim_end_matches([':', '.', '-', '#', ' ']).chars().take(LONGEST_LABEL).collect();
        if super::label::normal(&label).is_empty() {
            return taught;
        }
        let same = |other: &String| super::label::normal(other) == super::label::normal(&label);
        for labels in taught.labels.values_mut() {
            labels.retain(|other| !same(other));
        }
        taught.labels.retain(|_, labels| !labels.is_empty());
        taught.absent.remove(&field);
        taught.labels.entry(field).or_default().push(label);
        taught
    }

    /// A new template for a till that does not print `field`.
    #[must_use]
    pub fn without(&self, field: Field) -> Self {
        let mut taught = self.clone();
        taught.labels.remove(&field);
        taught.absent.insert(field);
        taught
    }
}
