//! A store's day as a NetSuite record: exact lines, a permanent name, files within the importer's limits.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::decimal::div_round;
use crate::tender::{KINDS, Kind as TenderKind};
use crate::till_day::TillDay;
use crate::{BusinessDay, Money};

/// The transaction type of a store's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NetsuiteLayout))]
#[serde(rename_all = "camelCase")]
pub enum Layout {
    #[default]
    CashSale,
    Invoice,
    JournalEntry,
}

impl Layout {
    /// Its wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CashSale => "cashSale",
            Self::Invoice => "invoice",
            Self::JournalEntry => "journalEntry",
        }
    }

    /// The layout of a wire name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::CashSale, Self::Invoice, Self::JournalEntry].into_iter().find(|one| one.as_str() == name)
    }

    /// Its display name, as in NetSuite.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::CashSale => "Cash Sale",
            Self::Invoice => "Invoice",
            Self::JournalEntry => "Journal Entry",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::CashSale => "CS",
            Self::Invoice => "INV",
            Self::JournalEntry => "JE",
        }
    }
}

/// The first name of a record: `CS-MKT01-20261031`. It keeps that name even if the store is renamed.
#[must_use]
pub fn external_id(layout: Layout, pos_code: &str, day: BusinessDay) -> String {
    format!("{}-{}-{}", layout.prefix(), pos_code.trim(), day.to_string().replace('-', ""))
}

/// The meaning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NetsuiteLineKind))]
#[serde(rename_all = "camelCase")]
pub enum LineKind {
    VatableSales,
    ExemptSales,
    ZeroRatedSales,
    SeniorDiscount,
    PwdDiscount,
    NaacDiscount,
    SoloParentDiscount,
    ValorDiscount,
    PromoDiscount,
    EmployeeDiscount,
    VipDiscount,
    OtherDiscount,
    ServiceCharge,
    /// Output VAT; a line in journals only, elsewhere tax is a column.
    Vat,
    Rounding,
    Cash,
    Card,
    EWallet,
    Voucher,
    OnAccount,
    /// Payments more or less than sales.
    OverShort,
}

/// All kinds of lines, in record order.
pub const LINE_KINDS: [LineKind; 21] = [
    LineKind::VatableSales,
    LineKind::ExemptSales,
    LineKind::ZeroRatedSales,
    LineKind::SeniorDiscount,
    LineKind::PwdDiscount,
    LineKind::NaacDiscount,
    LineKind::SoloParentDiscount,
    LineKind::ValorDiscount,
    LineKind::PromoDiscount,
    LineKind::EmployeeDiscount,
    LineKind::VipDiscount,
    LineKind::OtherDiscount,
    LineKind::ServiceCharge,
    LineKind::Vat,
    LineKind::Rounding,
    LineKind::Cash,
    LineKind::Card,
    LineKind::EWallet,
    LineKind::Voucher,
    LineKind::OnAccount,
    LineKind::OverShort,
];

impl LineKind {
    /// Its display name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::VatableSales => "VATable sales",
            Self::ExemptSales => "VAT-exempt sales",
            Self::ZeroRatedSales => "Zero-rated sales",
            Self::SeniorDiscount => "Senior citizen discount",
            Self::PwdDiscount => "PWD discount",
            Self::NaacDiscount => "NAAC discount",
            Self::SoloParentDiscount => "Solo parent discount",
            Self::ValorDiscount => "Medal of Valor discount",
            Self::PromoDiscount => "Promo discount",
            Self::EmployeeDiscount => "Employee discount",
            Self::VipDiscount => "VIP discount",
            Self::OtherDiscount => "Other discount",
            Self::ServiceCharge => "Service charge",
            Self::Vat => "Output VAT",
            Self::Rounding => "Rounding",
            Self::Cash => "Cash",
            Self::Card => "Card",
            Self::EWallet => "E-wallet",
            Self::Voucher => "Voucher",
            Self::OnAccount => "On account",
            Self::OverShort => "Cash over and short",
        }
    }

    /// Its wire name.
    #[must_use]
    pub fn as_str(self) -> String {
        let name = format!("{self:?}");
        let mut letters = name.chars();
        letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
    }

    const fn of_tender(kind: TenderKind) -> Self {
        match kind {
            TenderKind::Cash => Self::Cash,
            TenderKind::Card => Self::Card,
            TenderKind::EWallet => Self::EWallet,
            TenderKind::Voucher => Self::Voucher,
            TenderKind::OnAccount => Self::OnAccount,
        }
    }
}

/// How a line is taxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NetsuiteTaxKind))]
#[serde(rename_all = "camelCase")]
pub enum TaxKind {
    Vat,
    Exempt,
    ZeroRated,
    /// Not a sale.
    None,
}

/// A line of a record. In journals a positive `amount` is a debit and a negative one a credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub kind: LineKind,
    pub tax_kind: TaxKind,
    /// Without VAT.
    pub amount: Money,
    pub tax: Money,
}

/// A day as a NetSuite record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub lines: Vec<Line>,
    /// The total of all lines with tax; zero for a journal.
    pub total: Money,
    /// Rounding, or a difference within the reading.
    pub rounding: Money,
}

/// A rounding line above this is more than rounding, and is reported.
pub const MUCH: Money = Money(100);

/// The lines of a day's sales: VAT-exclusive, a negative one for each discount, and a rounding line so that all of them
/// with tax equal the readings' net exactly.
fn sales(day: &TillDay) -> Vec<Line> {
    use LineKind as K;
    use TaxKind as T;
    let line = |kind, tax_kind, amount: i64, tax: i64| Line {
        kind,
        tax_kind,
        amount: Money(amount),
        tax: Money(tax),
    };
    // Statutory discounts on exempt sales contain no tax; the others were deducted from prices with VAT.
    let free = [(K::SeniorDiscount, day.senior), (K::PwdDiscount, day.pwd), (K::ValorDiscount, day.valor)];
    let taxed = [
        (K::NaacDiscount, day.naac),
        (K::SoloParentDiscount, day.solo_parent),
        (K::PromoDiscount, day.promo),
        (K::EmployeeDiscount, day.employee),
        (K::VipDiscount, day.vip),
        (K::OtherDiscount, day.unexplained),
    ];
    let mut discounts: Vec<Line> =
        free.iter().map(|(kind, amount)| line(*kind, T::Exempt, -amount.0, 0)).collect();
    discounts.extend(taxed.iter().map(|(kind, amount)| {
        let base = div_round(i128::from(amount.0) * 100, 112).unwrap_or_default();
        line(*kind, T::Vat, -base, base - amount.0)
    }));
    discounts.sort_by_key(|one| one.kind);
    let of = |tax: TaxKind, discounts: &[Line]| -> (i64, i64) {
        discounts
            .iter()
            .filter(|one| one.tax_kind == tax)
            .fold((0, 0), |sum, one| (sum.0 + one.amount.0, sum.1 + one.tax.0))
    };
    let ((vat_base, vat_tax), (free_base, _)) = (of(T::Vat, &discounts), of(T::Exempt, &discounts));
    // A till prints its service charge beside VATable sales or within them: choose the one that adds up.
    let parts = day.vatable.0 + day.vat.0 + day.exempt.0 + day.zero_rated.0;
    let charge = day.service_charge.0;
    let within = (day.net.0 - parts).abs() <= (day.net.0 - parts - charge).abs();
    let vatable = if within { day.vatable.0 - charge } else { day.vatable.0 };
    let mut lines = vec![
        line(K::VatableSales, T::Vat, vatable - vat_base, day.vat.0 - vat_tax),
        line(K::ExemptSales, T::Exempt, day.exempt.0 - free_base, 0),
        line(K::ZeroRatedSales, T::ZeroRated, day.zero_rated.0, 0),
    ];
    lines.append(&mut discounts);
    lines.push(line(K::ServiceCharge, T::None, charge, 0));
    let sum: i64 = lines.iter().map(|one| one.amount.0 + one.tax.0).sum();
    lines.push(line(K::Rounding, T::None, day.net.0 - sum, 0));
    lines.retain(|one| one.amount.0 != 0 || one.tax.0 != 0);
    lines
}

fn rounding_of(lines: &[Line]) -> Money {
    lines.iter().find(|one| one.kind == LineKind::Rounding).map_or(Money(0), |one| one.amount)
}

/// A day as a cash sale or an invoice: all lines with tax equal the readings' net.
fn sale(day: &TillDay) -> Record {
    let lines = sales(day);
    let total = Money(lines.iter().map(|one| one.amount.0 + one.tax.0).sum());
    Record { rounding: rounding_of(&lines), total, lines }
}

/// A day as a journal: tenders and discounts are debits, sales and VAT credits, and the difference between payments and
/// sales goes to over and short, so that both sides are equal to the centavo.
fn journal(day: &TillDay, tenders: &[(TenderKind, Money)]) -> Record {
    let sales = sales(day);
    let rounding = rounding_of(&sales);
    let plain =
        |kind, amount: i64| Line { kind, tax_kind: TaxKind::None, amount: Money(amount), tax: Money(0) };
    let vat: i64 = sales.iter().map(|one| one.tax.0).sum();
    let mut lines: Vec<Line> = sales.iter().map(|one| plain(one.kind, -one.amount.0)).collect();
    lines.push(plain(LineKind::Vat, -vat));
    for kind in KINDS {
        let amount: i64 = tenders.iter().filter(|(of, _)| *of == kind).map(|(_, amount)| amount.0).sum();
        lines.push(plain(LineKind::of_tender(kind), amount));
    }
    let left: i64 = lines.iter().map(|one| one.amount.0).sum();
    lines.push(plain(LineKind::OverShort, -left));
    lines.retain(|one| one.amount.0 != 0);
    lines.sort_by_key(|one| (one.amount.0 < 0, one.kind));
    Record { total: Money(lines.iter().map(|one| one.amount.0).sum()), rounding, lines }
}

/// The record of a store's day; `tenders` are used by journals only.
#[must_use]
pub fn record(layout: Layout, day: &TillDay, tenders: &[(TenderKind, Money)]) -> Record {
    match layout {
        Layout::CashSale | Layout::Invoice => sale(day),
        Layout::JournalEntry => journal(day, tenders),
    }
}

/// Maximum records per file in NetSuite's importer.
pub const MOST_RECORDS: usize = 25_000;
/// Maximum bytes per file.
pub const MOST_BYTES: usize = 50 * 1_000_000;

/// Splits records into runs that each fit into a file, without splitting a record. `sizes` are their bytes, `head`
/// those of a file's first line. A record larger than a file gets one of its own.
#[must_use]
pub fn split(sizes: &[usize], head: usize, most_records: usize, most_bytes: usize) -> Vec<Range<usize>> {
    let mut files = Vec::new();
    let (mut from, mut bytes) = (0, head);
    for (at, size) in sizes.iter().enumerate() {
        if at > from && (at - from >= most_records || bytes + size > most_bytes) {
            files.push(from..at);
            (from, bytes) = (at, head);
        }
        bytes += size;
    }
    if from < sizes.len() {
        files.push(from..sizes.len());
    }
    files
}

#[cfg(test)]
mod tests;
