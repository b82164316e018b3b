//! Names of account types in other systems.

use larder_domain::account::{TYPES, account_type};

use super::super::fields::squeeze;

/// QuickBooks' singular and short names, and NetSuite's names and ids.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("accountsreceivable", "Accounts receivable (A/R)"),
    ("acctrec", "Accounts receivable (A/R)"),
    ("ar", "Accounts receivable (A/R)"),
    ("unbilledreceivable", "Accounts receivable (A/R)"),
    ("unbilledrec", "Accounts receivable (A/R)"),
    ("othercurrentasset", "Other current assets"),
    ("othcurrasset", "Other current assets"),
    ("deferredexpense", "Other current assets"),
    ("deferexpense", "Other current assets"),
    ("fixedasset", "Fixed assets"),
    ("otherasset", "Other assets"),
    ("othasset", "Other assets"),
    ("accountspayable", "Accounts payable (A/P)"),
    ("acctpay", "Accounts payable (A/P)"),
    ("ap", "Accounts payable (A/P)"),
    ("credcard", "Credit card"),
    ("othercurrentliability", "Other current liabilities"),
    ("othcurrliab", "Other current liabilities"),
    ("deferredrevenue", "Other current liabilities"),
    ("deferrevenue", "Other current liabilities"),
    ("longtermliability", "Long-term liabilities"),
    ("longtermliab", "Long-term liabilities"),
    ("revenue", "Income"),
    ("sales", "Income"),
    ("othincome", "Other income"),
    ("costofsales", "Cost of goods sold"),
    ("cogs", "Cost of goods sold"),
    ("expense", "Expenses"),
    ("othexpense", "Other expense"),
    ("otherexpenses", "Other expense"),
];

/// Our name of an account type; unknown ones are unchanged.
pub fn type_name(text: &str) -> String {
    if let Some(known) = account_type(text) {
        return known.name.to_owned();
    }
    let squeezed = squeeze(text);
    let ours = TYPES.iter().find(|kind| squeeze(kind.name) == squeezed).map(|kind| kind.name);
    let theirs = OTHER_NAMES.iter().find(|(name, _)| *name == squeezed).map(|(_, ours)| *ours);
    ours.or(theirs).unwrap_or(text).to_owned()
}

/// Our name of a detail type.
pub fn detail_name(kind: Option<&str>, text: &str) -> String {
    let Some(kind) = kind.and_then(account_type) else { return text.to_owned() };
    let plain = |name: &str| squeeze(&name.to_lowercase().replace('&', " and "));
    let wanted = plain(text);
    let known = kind.details.iter().find(|detail| plain(detail) == wanted);
    known.map_or_else(|| text.to_owned(), |detail| (*detail).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_account_types_of_other_systems() {
        assert_eq!(type_name("Accounts Receivable (A/R)"), "Accounts receivable (A/R)");
        assert_eq!(type_name("AcctRec"), "Accounts receivable (A/R)");
        assert_eq!(type_name("Other Current Asset"), "Other current assets");
        assert_eq!(type_name("Cost of Goods Sold"), "Cost of goods sold");
        assert_eq!(type_name("Expense"), "Expenses");
        assert_eq!(type_name("Mystery"), "Mystery");
        assert!(OTHER_NAMES.iter().all(|(_, ours)| account_type(ours).is_some()));
    }

    #[test]
    fn recognizes_detail_types_ignoring_case() {
        assert_eq!(detail_name(Some("Fixed assets"), "Furniture & Fixtures"), "Furniture and fixtures");
        assert_eq!(detail_name(Some("Bank"), "checking"), "Checking");
        assert_eq!(detail_name(Some("Bank"), "Shoebox"), "Shoebox");
    }
}
