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
    /// Whether the usual words ([`usual_labels`]) count as well.
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

/// The words Philippine tills print beside a field, in no order.
#[must_use]
pub fn usual_labels(field: Field) -> &'static [&'static str] {
    match field {
        Field::Date => &[
            "Report Date",
            "Date",
            "Business Date",
            "Transaction Date",
            "Trans Date",
            "Reading Date",
            "Sales Date",
            "Z Date",
            "Date of Report",
            "Bus. Date",
            "For the Day",
        ],
        Field::Tin => &[
            "VAT REG TIN",
            "TIN",
            "VAT Registered TIN",
            "VAT REG TIN No",
            "TIN No",
            "VATREG TIN",
            "VAT TIN",
            "TIN #",
        ],
        Field::Min => &["MIN", "MIN No", "MIN #", "Machine Identification No", "Machine ID No", "MIN Number"],
        Field::Z => &[
            "Z-Counter",
            "Z Count",
            "Z Counter No",
            "Z Reading No",
            "Z-Reading Counter",
            "Z No",
            "Z Counter #",
            "Z-Read No",
            "Z Reading Count",
            "Z Read Counter",
            "Zread Counter",
            "Z Reading #",
            "Z #",
        ],
        Field::Beg => &[
            "Beg. SI No",
            "Beg. OR #",
            "Beginning SI",
            "Beginning OR",
            "Beg SI #",
            "Beg OR No",
            "Beginning SI No",
            "Beginning OR No",
            "First SI No",
            "First OR No",
            "Start SI No",
            "Starting Invoice",
            "Beginning Invoice No",
            "Beg. Invoice No",
            "Begin SI",
            "From SI",
            "From OR",
            "Beg. SI",
            "Beg. OR",
            "SI Start",
            "OR Start",
            "Beginning SI #",
            "Beginning OR #",
            "First Invoice No",
            "Start OR No",
            "From Invoice",
            "Beg Trans No",
        ],
        Field::End => &[
            "End. SI No",
            "End. OR #",
            "Ending SI",
            "Ending OR",
            "End SI #",
            "End OR No",
            "Ending SI No",
            "Ending OR No",
            "Last SI No",
            "Last OR No",
            "Ending Invoice No",
            "End. Invoice No",
            "To SI",
            "To OR",
            "End. SI",
            "End. OR",
            "SI End",
            "OR End",
            "Ending SI #",
            "Ending OR #",
            "Last Invoice No",
            "Ending Invoice",
            "To Invoice",
            "End Trans No",
        ],
        Field::Tx => &[
            "Trans Count",
            "No. of Trans",
            "Transaction Count",
            "No. of Transactions",
            "Number of Transactions",
            "Trx Count",
            "Total Transactions",
            "Customer Count",
            "Txn Count",
            "Total Trans",
            "Ticket Count",
            "No of Tickets",
            "Total No. of Transactions",
            "Transactions",
            "Invoice Count",
            "Receipt Count",
        ],
        Field::Gross => &[
            "Gross Sales",
            "Gross Amount",
            "Total Gross Sales",
            "Gross",
            "Gross Total",
            "Total Gross",
            "Gross Sales Amount",
            "Daily Gross Sales",
            "Gross Amt",
        ],
        Field::Vatable => &[
            "VATable Sales",
            "VATable Amount",
            "VATable",
            "VAT Sales",
            "Vatable Sales (V)",
            "Total VATable Sales",
            "VATable Sale",
            "Sales Subject to VAT",
            "Taxable Sales",
        ],
        Field::Vat => &[
            "VAT Amount",
            "12% VAT",
            "VAT 12%",
            "VAT",
            "VAT (12%)",
            "Output VAT",
            "Total VAT",
            "Value Added Tax",
            "VAT Amt",
            "VAT Tax",
            "Output Tax",
            "Add VAT",
        ],
        Field::Exempt => &[
            "VAT Exempt Sales",
            "VAT-Exempt Sales",
            "VAT Exempt",
            "Exempt Sales",
            "VAT Exempt Amount",
            "Non-VAT Sales",
            "VAT Exempt Sales (E)",
            "Non VATable Sales",
            "VAT Exempt Sale",
        ],
        Field::Zero => &[
            "Zero Rated Sales",
            "Zero-Rated Sales",
            "Zero Rated",
            "VAT Zero Rated Sales",
            "Zero Rated Amount",
            "Zero Rated Sales (Z)",
            "VAT Zero-Rated",
            "Zero Rated Sale",
        ],
        Field::Sc => &[
            "SC Discount",
            "Less SC Disc",
            "Senior Citizen Discount",
            "Senior Discount",
            "SC Disc",
            "Less Senior Discount",
            "Senior Citizen Disc",
            "Disc SC",
            "Discount SC",
            "Less SC Discount",
            "Senior Citizen",
            "SCD",
            "SC",
            "Less Senior Citizen",
            "Senior Disc",
        ],
        Field::Pwd => &[
            "PWD Discount",
            "Less PWD Disc",
            "PWD Disc",
            "Less PWD Discount",
            "Disc PWD",
            "Discount PWD",
            "PWD",
            "Less PWD",
        ],
        Field::Other => &[
            "Other Discount",
            "Less Reg. Disc",
            "Other Discounts",
            "Regular Discount",
            "Reg Disc",
            "Other Disc",
            "Less Other Discount",
            "Less Discount",
            "Promo Discount",
            "Employee Discount",
            "Discounts",
            "Less Other Disc",
            "Regular Disc",
            "Less Regular Discount",
            "Disc Others",
            "Discount Others",
            "Other Less",
            "Total Other Discount",
        ],
        Field::Void => &[
            "Void",
            "Less Void",
            "Voids",
            "Total Void",
            "Void Amount",
            "Void Sales",
            "Voided Sales",
            "Total Voids",
            "Less Voids",
            "Voided",
            "Void Total",
        ],
        Field::Refund => &[
            "Return",
            "Less Refund",
            "Refund",
            "Returns",
            "Refunds",
            "Less Returns",
            "Less Return",
            "Total Refund",
            "Total Returns",
            "Refund Amount",
            "Return Amount",
            "Sales Return",
            "Sales Returns",
            "Less Refunds",
            "Total Return",
        ],
        Field::Vadj => &[
            "VAT Adjustment",
            "Less VAT Adj",
            "VAT Adj",
            "Less VAT Adjustment",
            "VAT Adjustments",
            "VAT Exemption",
            "Less VAT",
            "Less VAT Exempt",
            "VAT on SC/PWD",
            "SC/PWD VAT",
            "Total VAT Adjustment",
        ],
        Field::Net => &[
            "Net Sales",
            "Net Amount",
            "Total Net Sales",
            "Net Total",
            "Net",
            "Total Net",
            "Net Sales Amount",
            "Daily Net Sales",
            "Net Amt",
        ],
        Field::Old => &[
            "Old Grand Total",
            "Prev. Accum. Sales",
            "Previous Accumulated Sales",
            "Previous Grand Total",
            "Old GT",
            "Previous Accumulated Grand Total",
            "Prev Grand Total",
            "Beginning Balance",
            "Beg Grand Total",
            "Old Accum. Sales",
            "Old Accumulated Total",
            "Beginning Grand Total",
            "Previous Reading",
            "Prev Accumulated Sales",
            "Accum. Old",
            "Previous Accumulated Total",
            "Old Accum Total",
            "Prev. GT",
            "Previous Accum. Sales",
        ],
        Field::New => &[
            "New Grand Total",
            "Present Accum. Sales",
            "Present Accumulated Sales",
            "Present Grand Total",
            "New GT",
            "Present Accumulated Grand Total",
            "Current Grand Total",
            "Ending Balance",
            "End Grand Total",
            "New Accum. Sales",
            "New Accumulated Total",
            "Ending Grand Total",
            "Present Reading",
            "Accumulated Grand Total",
            "Accum. New",
            "Present Accumulated Total",
            "New Accum Total",
            "Pres. GT",
            "Current Accumulated Sales",
            "Running Total",
            "Accum. Grand Total",
        ],
        Field::Cash => {
            &["Cash", "Cash Payment", "Cash Sales", "Total Cash", "Cash Tender", "Cash Total", "Cash Amount"]
        }
        Field::Card => &[
            "Credit Card",
            "Card Payment",
            "Card",
            "Credit Card Sales",
            "Card Sales",
            "Cards",
            "Credit/Debit Card",
            "Total Card",
            "Card Tender",
            "Total Credit Card",
            "Debit/Credit Card",
            "Credit Cards",
            "Charge Card",
        ],
        Field::Ewal => &[
            "GCash",
            "E-Wallet",
            "eWallet",
            "E-Wallets",
            "Maya",
            "PayMaya",
            "E-Wallet Sales",
            "GCash/Maya",
            "E-Money",
            "QR Payment",
            "QRPh",
            "Digital Wallet",
            "E-Payment",
            "Total E-Wallet",
            "E-Wallet Payment",
            "GCash Payment",
        ],
    }
}
