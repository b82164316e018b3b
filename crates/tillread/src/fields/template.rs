//! Which words a till prints beside which field, and how it reckons.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::field::Field;
use super::parse::DateOrder;

/// What the accumulated grand total grows by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    Gross,
    #[default]
    Net,
}

/// Whether the printed VATable sales hold their VAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VatForm {
    /// VAT is 12/112 of VATable sales.
    Inclusive,
    /// VAT is 12% of them and added.
    #[default]
    Exclusive,
}

/// How a terminal prints its Z-reading. Kept as JSON beside the terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Template {
    /// The terminal's own words, as it prints them; where a field has any, they come before all others.
    pub labels: BTreeMap<Field, Vec<String>>,
    /// Whether the usual words ([`crate::usual_labels`]) count as well.
    pub usual: bool,
    /// Fields this till does not print; equations take them as nothing.
    pub absent: BTreeSet<Field>,
    /// What is taken off gross sales to give net sales.
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

/// What tills usually take off gross sales.
const DEDUCTIONS: [Field; 6] = [Field::Sc, Field::Pwd, Field::Other, Field::Void, Field::Refund, Field::Vadj];

/// The longest label kept, in characters.
const LONGEST_LABEL: usize = 60;

impl Template {
    /// A new template in which `label`, as it was read off this till's paper, means `field`. The last word on a label
    /// wins: it is taken away from other fields. The field counts as printed from now on.
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
