//! The chart of accounts: types, detail types and classifications, as QuickBooks Online has them.

/// A type of account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountType {
    pub name: &'static str,
    /// Its side in the books.
    pub classification: &'static str,
    /// Its detail types.
    pub details: &'static [&'static str],
}

/// Every type, in the order of a balance sheet and then of a profit and loss statement.
pub const TYPES: &[AccountType] = &[
    AccountType {
        name: "Bank",
        classification: "Asset",
        details: &[
            "Cash on hand",
            "Checking",
            "Money market",
            "Rents held in trust",
            "Savings",
            "Trust account",
        ],
    },
    AccountType {
        name: "Accounts receivable (A/R)",
        classification: "Asset",
        details: &["Accounts receivable (A/R)"],
    },
    AccountType {
        name: "Other current assets",
        classification: "Asset",
        details: &[
            "Allowance for bad debts",
            "Development costs",
            "Employee cash advances",
            "Inventory",
            "Investment - Mortgage/real estate loans",
            "Investment - Other",
            "Investment - Tax-exempt securities",
            "Investment - US government obligations",
            "Loans to officers",
            "Loans to others",
            "Loans to stockholders",
            "Other current assets",
            "Prepaid expenses",
            "Retainage",
            "Undeposited funds",
        ],
    },
    AccountType {
        name: "Fixed assets",
        classification: "Asset",
        details: &[
            "Accumulated amortization",
            "Accumulated depletion",
            "Accumulated depreciation",
            "Buildings",
            "Depletable assets",
            "Furniture and fixtures",
            "Intangible assets",
            "Land",
            "Leasehold improvements",
            "Machinery and equipment",
            "Other fixed assets",
            "Vehicles",
        ],
    },
    AccountType {
        name: "Other assets",
        classification: "Asset",
        details: &[
            "Accumulated amortization of other assets",
            "Goodwill",
            "Lease buyout",
            "Licenses",
            "Organizational costs",
            "Other long-term assets",
            "Security deposits",
        ],
    },
    AccountType {
        name: "Accounts payable (A/P)",
        classification: "Liability",
        details: &["Accounts payable (A/P)"],
    },
    AccountType { name: "Credit card", classification: "Liability", details: &["Credit card"] },
    AccountType {
        name: "Other current liabilities",
        classification: "Liability",
        details: &[
            "Deferred revenue",
            "Direct deposit payable",
            "Federal income tax payable",
            "Insurance payable",
            "Line of credit",
            "Loan payable",
            "Other current liabilities",
            "Payroll clearing",
            "Payroll tax payable",
            "Prepaid expenses payable",
            "Rents in trust - Liability",
            "Sales tax payable",
            "State/local income tax payable",
            "Trust accounts - Liabilities",
            "Undistributed tips",
        ],
    },
    AccountType {
        name: "Long-term liabilities",
        classification: "Liability",
        details: &["Notes payable", "Other long-term liabilities", "Shareholder notes payable"],
    },
    AccountType {
        name: "Equity",
        classification: "Equity",
        details: &[
            "Accumulated adjustment",
            "Common stock",
            "Estimated taxes",
            "Health insurance premium",
            "Health savings account contribution",
            "Opening balance equity",
            "Owner's equity",
            "Paid-in capital or surplus",
            "Partner contributions",
            "Partner distributions",
            "Partner's equity",
            "Personal expense",
            "Personal income",
            "Preferred stock",
            "Retained earnings",
            "Treasury stock",
        ],
    },
    AccountType {
        name: "Income",
        classification: "Revenue",
        details: &[
            "Discounts/refunds given",
            "Non-profit income",
            "Other primary income",
            "Sales of product income",
            "Service/fee income",
            "Unapplied cash payment income",
        ],
    },
    AccountType {
        name: "Other income",
        classification: "Revenue",
        details: &[
            "Dividend income",
            "Interest earned",
            "Other investment income",
            "Other miscellaneous income",
            "Tax-exempt interest",
        ],
    },
    AccountType {
        name: "Cost of goods sold",
        classification: "Expense",
        details: &[
            "Cost of labor - COS",
            "Equipment rental - COS",
            "Other costs of services - COS",
            "Shipping, freight & delivery - COS",
            "Supplies & materials - COGS",
        ],
    },
    AccountType {
        name: "Expenses",
        classification: "Expense",
        details: &[
            "Advertising/promotional",
            "Auto",
            "Bad debts",
            "Bank charges",
            "Charitable contributions",
            "Communication",
            "Cost of labor",
            "Dues & subscriptions",
            "Entertainment",
            "Entertainment meals",
            "Equipment rental",
            "Finance costs",
            "Insurance",
            "Interest paid",
            "Legal & professional fees",
            "Office/general administrative expenses",
            "Other business expenses",
            "Other miscellaneous service cost",
            "Payroll expenses",
            "Payroll tax expenses",
            "Payroll wage expenses",
            "Promotional meals",
            "Rent or lease of buildings",
            "Repair & maintenance",
            "Shipping, freight & delivery",
            "Supplies & materials",
            "Taxes paid",
            "Travel",
            "Travel meals",
            "Unapplied cash bill payment expense",
            "Utilities",
        ],
    },
    AccountType {
        name: "Other expense",
        classification: "Expense",
        details: &[
            "Amortization",
            "Depreciation",
            "Exchange gain or loss",
            "Gas and fuel",
            "Home office",
            "Other miscellaneous expense",
            "Penalties & settlements",
        ],
    },
];

pub const TYPE_NAMES: &[&str] = &[
    "Bank",
    "Accounts receivable (A/R)",
    "Other current assets",
    "Fixed assets",
    "Other assets",
    "Accounts payable (A/P)",
    "Credit card",
    "Other current liabilities",
    "Long-term liabilities",
    "Equity",
    "Income",
    "Other income",
    "Cost of goods sold",
    "Expenses",
    "Other expense",
];

/// The type of this name, ignoring case.
#[must_use]
pub fn account_type(name: &str) -> Option<&'static AccountType> {
    TYPES.iter().find(|kind| kind.name.eq_ignore_ascii_case(name.trim()))
}

impl AccountType {
    /// The detail type of this name, in its canonical spelling.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&'static str> {
        self.details.iter().copied().find(|detail| detail.eq_ignore_ascii_case(name.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_named_once_and_has_details() {
        let names: Vec<&str> = TYPES.iter().map(|kind| kind.name).collect();
        assert_eq!(names, TYPE_NAMES);
        assert!(TYPES.iter().all(|kind| !kind.details.is_empty()));
    }

    #[test]
    fn names_are_found_ignoring_case() {
        let bank = account_type(" bank ").expect("a type");
        assert_eq!((bank.classification, bank.detail("SAVINGS")), ("Asset", Some("Savings")));
        assert!(account_type("Piggy bank").is_none() && bank.detail("Inventory").is_none());
    }
}
