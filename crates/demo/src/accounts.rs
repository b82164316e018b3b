//! The chart of accounts.

use std::collections::HashMap;
use std::sync::LazyLock;

use larder_lists::catalog::Account;
use larder_platform::http::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::set_up;
use super::people::BOOKKEEPER;
use super::table::table;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    number: &'static str,
    name: &'static str,
    r#type: &'static str,
    detail_type: &'static str,
    opening_balance: Option<&'static str>,
    /// Number of the parent account.
    parent: Option<&'static str>,
    description: Option<&'static str>,
    active: bool,
}

static ACCOUNTS: LazyLock<Vec<Row>> = table!("accounts");

/// Creates the accounts, parents first; returns their ids by number.
pub async fn load(
    demo: &mut DemoActor<'_>,
    world: &World,
) -> Result<HashMap<&'static str, String>, ApiError> {
    let day = set_up(world).plus(-1);
    let opened = format!("{}-01-01", world.first.date().year());
    let mut ids: HashMap<&str, String> = HashMap::new();
    for (hour, below) in [(10, false), (14, true)] {
        let level: Vec<&Row> = ACCOUNTS.iter().filter(|row| row.parent.is_some() == below).collect();
        let bodies = level.iter().map(|row| row.body(row.parent.and_then(|parent| ids.get(parent)), &opened));
        let made = demo.add_as::<Account>(BOOKKEEPER, moment(day, hour, 0), bodies.collect()).await?;
        ids.extend(level.iter().map(|row| row.number).zip(made));
    }
    Ok(ids)
}

impl Row {
    fn body(&self, parent: Option<&String>, opened: &str) -> Value {
        json!({
            "number": self.number,
            "name": self.name,
            "type": self.r#type,
            "detailType": self.detail_type,
            "parentId": parent,
            "openingBalance": self.opening_balance,
            "openingBalanceDate": self.opening_balance.map(|_| opened),
            "description": self.description,
            "active": self.active,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Money;
    use larder_domain::account::account_type;

    use super::*;

    #[test]
    fn every_account_has_a_type_and_a_side() {
        let all = &*ACCOUNTS;
        assert!((60..90).contains(&all.len()), "{}", all.len());
        assert_eq!(all.iter().map(|row| row.number).collect::<HashSet<_>>().len(), all.len());
        for row in all {
            let kind = account_type(row.r#type).expect(row.r#type);
            assert!(kind.detail(row.detail_type).is_some(), "{}: {}", row.name, row.detail_type);
            assert!(row.opening_balance.is_none_or(|sum| Money::parse(sum).is_ok()), "{}", row.name);
            let above = all.iter().find(|other| row.parent == Some(other.number));
            assert_eq!(above.is_none(), row.parent.is_none());
            assert!(above.is_none_or(|other| other.r#type == row.r#type && other.parent.is_none()));
        }
    }
}
