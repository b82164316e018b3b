//! The sums a Z-reading must satisfy, depending on its terminal.

use crate::fields::field::Field;
use crate::fields::template::{Basis, Template, VatForm};

/// An accumulated total restarts at zero after 9,999,999,999.99, in centavos.
pub const WRAP: i64 = 1_000_000_000_000;
/// Tolerance of sums, in centavos. Acceptance allows none.
pub const NEAR: i64 = 5;

/// `Σ left + plus = right`, in centavos or counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equation {
    pub name: &'static str,
    /// Summands with their signs.
    pub left: Vec<(Field, i64)>,
    pub plus: i64,
    pub right: Field,
    /// The result wraps.
    pub wraps: bool,
}

impl Equation {
    /// Every field in it.
    pub fn fields(&self) -> impl Iterator<Item = Field> + '_ {
        self.left.iter().map(|it| it.0).chain([self.right])
    }

    /// The left side for given values; `None` on overflow.
    pub fn sum(&self, value: impl Fn(Field) -> Option<i64>) -> Option<i64> {
        let mut sum = self.plus;
        for (field, sign) in &self.left {
            sum = sum.checked_add(value(*field)?.checked_mul(*sign)?)?;
        }
        Some(if self.wraps { sum.rem_euclid(WRAP) } else { sum })
    }

    /// The value of one field, given all others.
    pub fn solve(&self, wanted: Field, value: impl Fn(Field) -> Option<i64>) -> Option<i64> {
        if wanted == self.right {
            return self.sum(value);
        }
        let sign = self.left.iter().find(|it| it.0 == wanted)?.1;
        let rest = self.sum(|field| if field == wanted { Some(0) } else { value(field) })?;
        let needed = value(self.right)?.checked_sub(rest)?.checked_mul(sign)?;
        Some(if self.wraps { needed.rem_euclid(WRAP) } else { needed })
    }
}

/// The equations of a terminal. Fields it does not print are left out; so are equations with nothing left to compare.
#[must_use]
pub fn equations(template: &Template) -> Vec<Equation> {
    let printed = |field: &Field| !template.absent.contains(field);
    let sum = |name, fields: &[Field], right: Field, plus, wraps| {
        let left: Vec<(Field, i64)> =
            fields.iter().copied().filter(printed).map(|field| (field, 1)).collect();
        (printed(&right) && !left.is_empty()).then_some(Equation { name, left, plus, right, wraps })
    };
    let mut net_and_more = vec![Field::Net];
    net_and_more
        .extend(template.deductions.iter().copied().filter(|it| !matches!(it, Field::Net | Field::Gross)));
    let vatable: &[Field] = match template.vat {
        VatForm::Exclusive => &[Field::Vatable, Field::Vat, Field::Exempt, Field::Zero],
        VatForm::Inclusive => &[Field::Vatable, Field::Exempt, Field::Zero],
    };
    let (day, accumulated) = match template.basis {
        Basis::Net => (Field::Net, "Previous + net = present"),
        Basis::Gross => (Field::Gross, "Previous + gross = present"),
    };
    let all_there = |fields: &[Field]| fields.iter().all(printed);
    let mut out = Vec::new();
    out.extend(
        sum("Net + deductions = gross", &net_and_more, Field::Gross, 0, false)
            .filter(|_| printed(&Field::Net)),
    );
    if all_there(&[Field::Old, day]) {
        out.extend(sum(accumulated, &[Field::Old, day], Field::New, 0, true));
    }
    let name = match template.vat {
        VatForm::Exclusive => "VATable + VAT + exempt + zero-rated = net",
        VatForm::Inclusive => "VATable + exempt + zero-rated = net",
    };
    out.extend(sum(name, vatable, Field::Net, 0, false).filter(|_| printed(&Field::Vatable)));
    out.extend(sum("Tenders = net", &[Field::Cash, Field::Card, Field::Ewal], Field::Net, 0, false));
    if all_there(&[Field::Beg, Field::End, Field::Tx]) {
        let left = vec![(Field::End, 1), (Field::Beg, -1)];
        let name = "Last − first invoice + 1 = transactions";
        out.push(Equation { name, left, plus: 1, right: Field::Tx, wraps: false });
    }
    out
}

/// The VAT included in or added to VATable sales in centavos, rounded to the centavo.
#[must_use]
pub fn vat_of(vatable: i64, form: VatForm) -> i64 {
    let (part, of) = match form {
        VatForm::Inclusive => (12, 112),
        VatForm::Exclusive => (12, 100),
    };
    let scaled = i128::from(vatable) * part;
    let rounded = (scaled.abs() * 2 + of) / (of * 2) * scaled.signum();
    i64::try_from(rounded).unwrap_or(i64::MAX)
}
