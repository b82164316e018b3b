//! The chart of accounts, a line an account.

use std::collections::HashMap;

use larder_server::http::ApiError;
use larder_server::lists::catalog::Account;
use serde_json::{Value, json};

use super::author::{Author, moment};
use super::demand::World;
use super::masters::set_up;
use super::people::BOOKKEEPER;

/// Enters the accounts, those above first; answers their ids by number.
pub async fn load(author: &mut Author<'_>, world: &World) -> Result<HashMap<&'static str, String>, ApiError> {
    let day = set_up(world).plus(-1);
    let opened = format!("{}-01-01", world.first.date().year());
    let mut ids: HashMap<&str, String> = HashMap::new();
    let rows = rows();
    for (hour, below) in [(10, false), (14, true)] {
        let level: Vec<&Row> = rows.iter().filter(|row| row.above.is_empty() != below).collect();
        let bodies = level.iter().map(|row| row.body(ids.get(row.above), &opened));
        let made = author.add_as::<Account>(BOOKKEEPER, moment(day, hour, 0), bodies.collect()).await?;
        ids.extend(level.iter().map(|row| row.number).zip(made));
    }
    Ok(ids)
}

struct Row {
    number: &'static str,
    name: &'static str,
    kind: &'static str,
    detail: &'static str,
    opening: &'static str,
    above: &'static str,
}

impl Row {
    fn body(&self, above: Option<&String>, opened: &str) -> Value {
        let balance = (!self.opening.is_empty()).then_some(self.opening);
        json!({
            "number": self.number,
            "name": self.name,
            "type": self.kind,
            "detailType": self.detail,
            "parentId": above,
            "openingBalance": balance,
            "openingBalanceDate": balance.map(|_| opened),
            "description": self.name.contains("Landlines").then_some("Closed when the office moved to fibre."),
            "active": !self.name.contains("Landlines"),
        })
    }
}

fn rows() -> Vec<Row> {
    let mut kind = "";
    let mut all = Vec::new();
    for line in ACCOUNTS.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            kind = title;
            continue;
        }
        let mut fields = line.split('|').map(str::trim);
        let mut next = || fields.next().unwrap_or_default();
        let (number, name, detail, opening, above) = (next(), next(), next(), next(), next());
        all.push(Row { number, name, kind, detail, opening, above });
    }
    all
}

/// Types; then number | name | detail type | opening balance | number of the account above.
const ACCOUNTS: &str = "\
# Bank
1010|Cash on hand|Cash on hand||
1011|Petty cash, head office|Cash on hand|20000|1010
1012|Store change funds|Cash on hand|165000|1010
1020|Kapatiran Bank, operations|Checking|4826310.55|
1021|Bayani Bank, payroll|Checking|1250000|
1022|Bayani Bank, savings|Savings|3100000|
# Accounts receivable (A/R)
1110|Accounts receivable, delivery platforms|Accounts receivable (A/R)|912480.4|
1120|Accounts receivable, corporate|Accounts receivable (A/R)|236500|
# Other current assets
1210|Advances to employees|Employee cash advances|48200|
1220|Input VAT|Other current assets|318744.12|
1230|Creditable withholding tax|Other current assets|142310|
1240|Prepaid rent|Prepaid expenses|1480000|
1250|Prepaid insurance|Prepaid expenses|96000|
1300|Inventory|Inventory||
1310|Raw materials inventory|Inventory|2140650.75|1300
1320|Commissary products inventory|Inventory|1385220|1300
1330|Beverages inventory|Inventory|412900.5|1300
1340|Packaging inventory|Inventory|356480|1300
1350|Supplies inventory|Inventory|88310|1300
1390|Undeposited sales|Undeposited funds|274115|
# Fixed assets
1510|Kitchen equipment|Machinery and equipment|8640000|
1520|Leasehold improvements|Leasehold improvements|12350000|
1530|Furniture and fixtures|Furniture and fixtures|3120000|
1540|Delivery trucks|Vehicles|4260000|
1590|Accumulated depreciation|Accumulated depreciation|-9845000|
# Other assets
1610|Security deposits, lessors|Security deposits|5280000|
1620|Trademark and licences|Licenses|350000|
# Accounts payable (A/P)
2010|Accounts payable, trade|Accounts payable (A/P)|3964120.8|
2020|Accounts payable, lessors|Accounts payable (A/P)|871300|
# Credit card
2110|Kapatiran Bank corporate card|Credit card|64210.35|
# Other current liabilities
2210|Output VAT|Sales tax payable|688430|
2220|Withholding tax payable, expanded|Other current liabilities|94220|
2230|Withholding tax payable, compensation|Payroll tax payable|118660|
2240|SSS, PhilHealth and Pag-IBIG payable|Payroll tax payable|231480|
2250|Service charge payable to staff|Undistributed tips|156900|
2260|Gift certificates outstanding|Deferred revenue|82500|
2270|Income tax payable|Federal income tax payable|512000|
# Long-term liabilities
2510|Truck loan, Bayani Bank|Notes payable|2180000|
2520|Advances from shareholders|Shareholder notes payable|6000000|
# Equity
3010|Share capital|Common stock|15000000|
3020|Retained earnings|Retained earnings|8943260.12|
3090|Opening balance equity|Opening balance equity||
# Income
4010|Sales, dine-in and takeout|Sales of product income||
4020|Sales, delivery platforms|Sales of product income||
4030|Sales to franchisees|Sales of product income||
4090|Senior citizen and PWD discounts|Discounts/refunds given||
4091|Promotional discounts|Discounts/refunds given||
# Other income
4510|Interest income|Interest earned||
4520|Scrap and used oil sales|Other miscellaneous income||
# Cost of goods sold
5110|Food cost|Supplies & materials - COGS||
5120|Beverage cost|Supplies & materials - COGS||
5130|Packaging cost|Supplies & materials - COGS||
5140|Commissary labour|Cost of labor - COS||
5150|Freight in and cold chain|Shipping, freight & delivery - COS||
5190|Spoilage and inventory adjustments|Supplies & materials - COGS||
# Expenses
6010|Salaries and wages, stores|Payroll wage expenses||
6020|SSS, PhilHealth and Pag-IBIG, employer|Payroll tax expenses||
6110|Rent, fixed|Rent or lease of buildings||
6120|Rent, percentage|Rent or lease of buildings||
6130|CUSA and air conditioning|Utilities||
6210|Electricity|Utilities||
6220|Water|Utilities||
6230|LPG|Utilities||
6240|Telephone and internet|Communication||
6241|Landlines|Communication||6240
6310|Repairs and maintenance|Repair & maintenance||
6320|Pest control|Other business expenses||
6410|Advertising|Advertising/promotional||
6420|Platform commissions|Other business expenses||
6520|Cleaning supplies|Supplies & materials||
6530|Store supplies and uniforms|Supplies & materials||
6610|Permits and licences|Taxes paid||
6620|Professional fees|Legal & professional fees||
6630|Bank and card charges|Bank charges||
# Other expense
7010|Depreciation|Depreciation||
7020|Penalties and surcharges|Penalties & settlements||
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Money;
    use larder_domain::account::account_type;

    use super::*;

    #[test]
    fn every_account_has_a_type_and_a_side() {
        let all = rows();
        assert!((60..90).contains(&all.len()), "{}", all.len());
        assert_eq!(all.iter().map(|row| row.number).collect::<HashSet<_>>().len(), all.len());
        for row in &all {
            let kind = account_type(row.kind).expect(row.kind);
            assert!(kind.detail(row.detail).is_some(), "{}: {}", row.name, row.detail);
            assert!(row.opening.is_empty() || Money::parse(row.opening).is_ok(), "{}", row.name);
            let above = all.iter().find(|other| other.number == row.above);
            assert_eq!(above.is_none(), row.above.is_empty());
            assert!(above.is_none_or(|other| other.kind == row.kind && other.above.is_empty()));
        }
    }
}
