//! Consistency of a reading's figures. Each failed check names both figures.

use serde::{Serialize, Serializer};

use super::{Basis, Figures, TOLERANCE, Terms, VatForm, grown, next_number, number_of};
use crate::Money;

/// One side of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Amount(Money),
    /// A counter or an invoice number.
    Count(i64),
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Amount(amount) => amount.serialize(serializer),
            Self::Count(count) => count.serialize(serializer),
        }
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Side {}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Side {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Money::schema()
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Amount(amount) => f.write_str(&amount.pesos()),
            Self::Count(count) => count.fmt(f),
        }
    }
}

/// A check of a reading's figures, and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReadingCheck))]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// `net`, `vat`, `parts`, `present`, `tenders`, `invoices` within the reading; `previousTotal`, `zCounter`,
    /// `firstInvoice` against the previous reading; `receiptsNet`, `receiptsGross` against the day's imported sales.
    pub name: &'static str,
    pub holds: bool,
    /// The reading's figure.
    pub left: Side,
    /// The figure it should equal.
    pub right: Side,
    /// A message with both figures.
    pub words: String,
    /// Whether verifying needs a reason while this fails.
    pub blocks: bool,
    /// The wire names of the figures concerned.
    pub fields: &'static [&'static str],
}

/// The adjacent reading of the same till.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Neighbour {
    pub z_counter: i64,
    pub reset_counter: i64,
    pub last_si: Option<String>,
    pub present_total: Option<Money>,
}

/// The imported sales of the till's day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sold {
    pub net: Money,
    pub gross: Money,
}

/// The readings whose sum is compared with imported sales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readings {
    One,
    /// All of one till.
    OfTill,
    /// All of the store.
    OfStore,
}

impl Check {
    /// Whether it compares with imported sales.
    #[must_use]
    pub fn is_of_sales(&self) -> bool {
        self.name.starts_with("receipts")
    }
}

/// All checks possible with a reading's own figures and the previous reading.
#[must_use]
pub fn all(figures: &Figures, terms: Terms, before: Option<&Neighbour>) -> Vec<Check> {
    let mut checks = of_itself(figures, terms);
    checks.extend(before.into_iter().flat_map(|before| against(figures, before)));
    checks
}

/// The equations within a reading whose figures were all read.
#[must_use]
pub fn of_itself(figures: &Figures, terms: Terms) -> Vec<Check> {
    let candidates = [
        net(figures),
        vat(figures, terms.vat),
        parts(figures, terms.vat),
        present(figures, terms.basis),
        tenders(figures),
        invoices(figures),
    ];
    candidates.into_iter().flatten().collect()
}

fn centavos(sum: i128) -> Money {
    Money(i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX }))
}

fn amounts(
    name: &'static str,
    fields: &'static [&'static str],
    left: (Money, &str),
    right: (Money, &str),
) -> Check {
    within(TOLERANCE, name, fields, left, right)
}

/// Two amounts that may differ by `tolerance`.
fn within(
    tolerance: Money,
    name: &'static str,
    fields: &'static [&'static str],
    (left, of_left): (Money, &str),
    (right, of_right): (Money, &str),
) -> Check {
    let apart = (i128::from(left.0) - i128::from(right.0)).abs();
    let holds = apart <= i128::from(tolerance.0);
    let words = if holds {
        format!("{of_left} {}.", left.pesos())
    } else {
        format!("{of_left} {}, but {of_right} {}.", left.pesos(), right.pesos())
    };
    Check { name, holds, left: Side::Amount(left), right: Side::Amount(right), words, blocks: true, fields }
}

fn net(figures: &Figures) -> Option<Check> {
    let (net, gross) = (figures.net?, figures.gross?);
    let right = centavos(i128::from(gross.0) - figures.deductions());
    let fields = &[
        "net",
        "gross",
        "senior",
        "pwd",
        "naac",
        "soloParent",
        "valor",
        "otherDiscount",
        "voids",
        "returns",
        "vatAdjustment",
    ];
    let of_right = "gross less discounts, returns, voids and VAT adjustment is";
    Some(amounts("net", fields, (net, "Net sales are"), (right, of_right)))
}

fn vat(figures: &Figures, form: VatForm) -> Option<Check> {
    let (vat, vatable) = (figures.vat?, figures.vatable?);
    let share = |of: i128, whole: i128| {
        let times = i128::from(vatable.0) * of;
        (2 * times + whole * times.signum()) / (2 * whole)
    };
    let (right, words) = match form {
        VatForm::Inclusive => (share(12, 112), "12/112 of the VATable sales is"),
        VatForm::Exclusive => (share(12, 100), "12% of the VATable sales is"),
    };
    Some(amounts("vat", &["vat", "vatable"], (vat, "VAT is"), (centavos(right), words)))
}

fn parts(figures: &Figures, form: VatForm) -> Option<Check> {
    let (net, vatable, vat) = (figures.net?, figures.vatable?, figures.vat?);
    let rest: i128 =
        [figures.exempt, figures.zero_rated].into_iter().flatten().map(|m| i128::from(m.0)).sum();
    let (sum, words) = match form {
        VatForm::Inclusive => (i128::from(vatable.0) + rest, "VATable, exempt and zero-rated come to"),
        VatForm::Exclusive => {
            (i128::from(vatable.0) + i128::from(vat.0) + rest, "VATable, VAT, exempt and zero-rated come to")
        }
    };
    let fields = &["net", "vatable", "vat", "exempt", "zeroRated"];
    Some(amounts("parts", fields, (net, "Net sales are"), (centavos(sum), words)))
}

fn present(figures: &Figures, basis: Basis) -> Option<Check> {
    let (previous, present) = (figures.previous_total?, figures.present_total?);
    let right = grown(previous, figures.sales(basis)?);
    let (fields, words): (&[&str], _) = match basis {
        Basis::Net => (&["presentTotal", "previousTotal", "net"], "the old one and the net sales come to"),
        Basis::Gross => {
            (&["presentTotal", "previousTotal", "gross"], "the old one and the gross sales come to")
        }
    };
    Some(amounts("present", fields, (present, "The new grand total is"), (right, words)))
}

/// Service charge is paid too: where a till excludes it from net sales, tenders include it.
fn tenders(figures: &Figures) -> Option<Check> {
    let net = figures.net?;
    if figures.tenders.is_empty() {
        return None;
    }
    let paid: i128 = figures.tenders.iter().map(|amount| i128::from(amount.0)).sum();
    let charge = figures.service_charge.map_or(0, |charge| i128::from(charge.0));
    let apart = |sum: i128| (paid - sum).abs();
    let net = i128::from(net.0);
    let (right, words) = if charge > 0 && apart(net + charge) < apart(net) {
        (net + charge, "net sales and service charge are")
    } else {
        (net, "net sales are")
    };
    let fields = &["tenders", "net", "serviceCharge"];
    Some(amounts("tenders", fields, (centavos(paid), "The tenders come to"), (centavos(right), words)))
}

fn counts(
    name: &'static str,
    fields: &'static [&'static str],
    (left, of_left): (i64, &str),
    (right, of_right): (i64, &str),
) -> Check {
    let holds = left == right;
    let words = if holds {
        format!("{of_left} {left}.")
    } else {
        format!("{of_left} {left}, but {of_right} {right}.")
    };
    Check { name, holds, left: Side::Count(left), right: Side::Count(right), words, blocks: true, fields }
}

fn invoices(figures: &Figures) -> Option<Check> {
    let transactions = figures.transactions?;
    let (first, last) = (number_of(figures.first_si.as_deref()?)?, number_of(figures.last_si.as_deref()?)?);
    let digits = figures.last_si.as_deref()?.chars().filter(char::is_ascii_digit).count();
    let round = 10_i64.checked_pow(u32::try_from(digits).ok()?)?.checked_sub(1)?;
    // After its maximum a till restarts from 1.
    let span = if last >= first { last - first + 1 } else { round - first + 1 + last };
    let fields = &["transactions", "firstSi", "lastSi"];
    Some(counts("invoices", fields, (transactions, "Transactions are"), (span, "first to last invoice are")))
}

/// Against the previous reading: the grand total continues, the counter increases by one, invoices have no gap. With
/// missing readings in between, only the counter check applies.
#[must_use]
pub fn against(figures: &Figures, before: &Neighbour) -> Vec<Check> {
    let mut checks = Vec::new();
    let Some(counter) = figures.z_counter else { return checks };
    if figures.reset_counter != before.reset_counter {
        return checks;
    }
    let goes_on = counter == before.z_counter + 1;
    let mut one = counts(
        "zCounter",
        &["zCounter"],
        (counter, "The Z counter is"),
        (before.z_counter + 1, "after the reading before it should be"),
    );
    one.blocks = false;
    checks.push(one);
    if !goes_on {
        return checks;
    }
    if let (Some(previous), Some(present)) = (figures.previous_total, before.present_total) {
        let right = (present, "the reading before ended at");
        checks.push(amounts(
            "previousTotal",
            &["previousTotal"],
            (previous, "The old grand total is"),
            right,
        ));
    }
    let first = figures.first_si.as_deref().and_then(number_of);
    let after = before.last_si.as_deref().and_then(next_number);
    if let (Some(first), Some(after)) = (first, after) {
        let right = (after, "after the reading before it should be");
        let mut one = counts("firstInvoice", &["firstSi"], (first, "The first invoice is"), right);
        one.blocks = false;
        checks.push(one);
    }
    checks
}

/// Against the imported sales of the same days. `figures` are sums over `readings`; a difference up to `tolerance` is
/// none.
#[must_use]
pub fn with_sales(figures: &Figures, sold: Sold, readings: Readings, tolerance: Money) -> Vec<Check> {
    let all = match readings {
        Readings::One => "",
        Readings::OfTill => " of all readings of the till",
        Readings::OfStore => " of all tills",
    };
    let check = |name, fields, of: &str, left: Option<Money>, right| {
        let of_left = format!("{of} sales{all} are");
        let right = (right, "the imported receipts come to");
        let mut check = within(tolerance, name, fields, (left?, &of_left), right);
        check.blocks = false;
        Some(check)
    };
    let net = check("receiptsNet", &["net"], "Net", figures.net, sold.net);
    let gross = check("receiptsGross", &["gross"], "Gross", figures.gross, sold.gross);
    net.into_iter().chain(gross).collect()
}

#[cfg(test)]
mod tests;
