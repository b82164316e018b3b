//! Checks of sums and known values, each with both its sides as figures.

use std::collections::BTreeMap;

use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};

use crate::fields::field::{Field, Kind, Value};
use crate::fields::template::{Template, VatForm};

use super::equations::{NEAR, equations, vat_of};

/// Prior knowledge about a reading. The more is known, the more can be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Context {
    /// The terminal's TIN; dashes are ignored.
    pub tin: Option<String>,
    /// The terminal's machine identification number.
    pub min: Option<String>,
    /// The expected business date.
    pub date: Option<BusinessDay>,
    /// The terminal's previous verified reading.
    pub previous: Option<Previous>,
}

/// The final figures of the previous reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Previous {
    /// Its Z counter.
    pub z: Option<i64>,
    /// Its last invoice.
    pub end: Option<i64>,
    /// Its present accumulated total.
    pub new: Option<Money>,
}

/// A check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: &'static str,
    /// Both sides exist and agree: amounts within 0.05, all else exactly.
    pub holds: bool,
    /// Both sides are equal to the centavo; acceptance requires it.
    pub exact: bool,
    /// Formatted for display; `None` where a figure is missing.
    pub left: Option<String>,
    pub right: Option<String>,
    /// The fields involved.
    pub fields: Vec<Field>,
    /// It compares with prior knowledge, not within the picture.
    pub known: bool,
}

/// The expected value of a field by prior knowledge.
pub fn expected(context: &Context, field: Field) -> Option<Value> {
    let digits = |text: &String| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let previous = context.previous.unwrap_or_default();
    match field {
        Field::Date => context.date.map(Value::Date),
        Field::Tin => context.tin.as_ref().map(digits).map(Value::Digits),
        Field::Min => context.min.as_ref().map(digits).map(Value::Digits),
        Field::Z => previous.z.map(|z| Value::Count(z.saturating_add(1).to_string())),
        Field::Beg => previous.end.map(|end| Value::Count(end.saturating_add(1).to_string())),
        Field::Old => previous.new.map(Value::Money),
        _ => None,
    }
}

/// Whether two values are equal, ignoring leading zeros of counters.
pub fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.number().is_some() && a.number() == b.number())
}

const KNOWN: [(Field, &str); 6] = [
    (Field::Date, "Date = the day expected"),
    (Field::Tin, "TIN = the terminal's"),
    (Field::Min, "MIN = the terminal's"),
    (Field::Z, "Z counter = the one before + 1"),
    (Field::Beg, "First invoice = the last one before + 1"),
    (Field::Old, "Previous total = the present one before"),
];

/// All checks of a set of values.
#[must_use]
pub fn checks(values: &BTreeMap<Field, Value>, template: &Template, context: &Context) -> Vec<Check> {
    let number = |field: Field| values.get(&field).and_then(Value::number);
    let mut out: Vec<Check> = equations(template)
        .iter()
        .map(|equation| {
            let (left, right) = (equation.sum(number), number(equation.right));
            let kind = equation.right.kind();
            let near = if kind == Kind::Money { NEAR } else { 0 };
            compare(equation.name, left, right, near, kind, equation.fields().collect())
        })
        .collect();
    if !template.absent.contains(&Field::Vat) && !template.absent.contains(&Field::Vatable) {
        let name = match template.vat {
            VatForm::Exclusive => "VAT = 12% of VATable",
            VatForm::Inclusive => "VAT = 12/112 of VATable",
        };
        let left = number(Field::Vat);
        let right = number(Field::Vatable).map(|vatable| vat_of(vatable, template.vat));
        let mut check = compare(name, left, right, NEAR, Kind::Money, vec![Field::Vat, Field::Vatable]);
        // Rounded receipt by receipt it is rarely exact: it rejects, and proves only where nothing else does.
        if template.vat == VatForm::Exclusive {
            check.exact = check.holds;
        }
        out.push(check);
    }
    for (field, name) in KNOWN {
        if template.absent.contains(&field) {
            continue;
        }
        let Some(wanted) = expected(context, field) else { continue };
        let holds = values.get(&field).is_some_and(|value| same(value, &wanted));
        let left = values.get(&field).map(shown);
        let right = Some(shown(&wanted));
        out.push(Check { name, holds, exact: holds, left, right, fields: vec![field], known: true });
    }
    out
}

fn compare(
    name: &'static str,
    left: Option<i64>,
    right: Option<i64>,
    near: i64,
    kind: Kind,
    fields: Vec<Field>,
) -> Check {
    let apart = left.zip(right).map(|(left, right)| left.abs_diff(right));
    let text = |number: i64| match kind {
        Kind::Money => shown(&Value::Money(Money(number))),
        _ => number.to_string(),
    };
    Check {
        name,
        holds: apart.is_some_and(|apart| apart <= near.unsigned_abs()),
        exact: apart == Some(0),
        left: left.map(text),
        right: right.map(text),
        fields,
        known: false,
    }
}

/// A value for display, with thousands separators.
fn shown(value: &Value) -> String {
    let plain = value.to_string();
    let Value::Money(_) = value else { return plain };
    let (sign, rest) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
    let (whole, cents) = rest.split_once('.').unwrap_or((rest, "00"));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{cents}")
}
