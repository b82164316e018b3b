//! The chart of accounts.

use larder_db::Tx;
use larder_domain::account::{TYPE_NAMES, account_type};
use larder_domain::{BusinessDay, Money, plural};
use serde_json::{Map, Value};

use crate::engine::{Cell, Draft, Hidden, Retires, list, wrong};
use larder_platform::http::error::{ApiError, FieldError};

list! {
    /// An account of the general ledger.
    Account = "account" in "chart_accounts", "yourCompany/chartOfAccounts",
        "/api/your-company/chart-of-accounts" {
        number: Option<String> = "Number" [keyed, searched, max(50), taken("Account number already exists.")],
        name: String = "Name" [keyed, searched],
        account_type as "type": String = "Type" [searched, one_of(TYPE_NAMES)],
        detail_type: Option<String> = "Detail type" [searched, max(100)],
        classification: Option<String> = "Classification" [kept],
        description: Option<String> = "Description" [lines],
        currency: String = "Currency" [max(3), usual("PHP")],
        parent_id: Option<String> = "Parent account" [to("chart_accounts")],
        opening_balance: Option<Money> = "Opening balance" [signed, added],
        opening_balance_date: Option<BusinessDay> = "Opening balance date",
        balance: Option<Money> = "Balance" [kept, signed],
        active: bool = "Active" [on],
    }
    one: "account", many: "Accounts", icon: "IconBinaryTree2",
    unique: &[&["number"], &["parentId", "name"]], refreshes: &["lists/products"], code: Some("number"),
    tree: Some("parentId"),
    hidden: Some(Hidden { column: "active", when: false, unless: "includeInactive" }),
    retires: Some(Retires { field: "active", value: false, always: true }),
    ;

    fn check(draft: &Draft, findings: &mut Vec<FieldError>) {
        check_detail(draft, findings);
        let currency = draft.text("currency").unwrap_or_default();
        if currency.len() != 3 || !currency.chars().all(|c| c.is_ascii_uppercase()) {
            findings.push(wrong("currency", "Enter the three letters of a currency, like PHP."));
        }
    }

    async fn prepare(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), ApiError> {
        fill(draft);
        agree_with_parent(tx, draft).await
    }

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        let Some(before) = before else { return Ok(()) };
        if before.account_type != after.account_type {
            refuse_new_type(tx, before, after).await?;
        }
        if (&before.name, &before.number) != (&after.name, &after.number) {
            rename(tx, after).await?;
        }
        Ok(())
    }

    async fn before_merge(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
        refuse_other_kind(tx, id, into).await
    }

    fn in_use(uses: &[(&'static str, i64)]) -> Option<String> {
        let products = uses.iter().find(|(kind, _)| *kind == "product").map(|(_, count)| *count)?;
        Some(format!("Used by {}; reassign first.", plural(products, "product", "products")))
    }
}

fn check_detail(draft: &Draft, findings: &mut Vec<FieldError>) {
    let Some(kind) = draft.text("type").and_then(account_type) else { return };
    if let Some(detail) = draft.text("detailType")
        && kind.detail(detail).is_none()
    {
        let message = format!("Choose a detail type of {}: {}.", kind.name, kind.details.join(", "));
        findings.push(wrong("detailType", message));
    }
}

/// Fields derived from the type and the opening balance.
fn fill(draft: &mut Draft) {
    let kind = draft.text("type").and_then(account_type);
    let detail = draft.text("detailType").and_then(|text| kind?.detail(text)).map(str::to_owned);
    if let Some(cell) = draft.cell_mut("classification") {
        *cell = Cell::Text(kind.map(|kind| kind.classification.to_owned()));
    }
    if let (Some(cell), Some(detail)) = (draft.cell_mut("detailType"), detail) {
        *cell = Cell::Text(Some(detail));
    }
    // Nothing posts to accounts yet, so the balance is the opening balance.
    let opened = draft.int("openingBalance").unwrap_or(0);
    if let Some(cell) = draft.cell_mut("balance") {
        *cell = Cell::Int(Some(opened));
    }
}

async fn agree_with_parent(tx: &mut Tx<'_>, draft: &Draft) -> Result<(), ApiError> {
    let Some(parent) = draft.text("parentId") else { return Ok(()) };
    let above: Option<(String,)> =
        tx.sql("select account_type from chart_accounts where id = $1").bind(parent).optional().await?;
    match above {
        Some((kind,)) if Some(kind.as_str()) != draft.text("type") => Err(ApiError::field(
            "parentId",
            format!("Choose a parent of the same type; this one is of the type {kind}."),
        )),
        _ => Ok(()),
    }
}

/// The type is fixed once products or child accounts rely on it.
async fn refuse_new_type(tx: &mut Tx<'_>, before: &Account, after: &Account) -> Result<(), ApiError> {
    let (products, below): (i64, i64) = tx
        .sql(
            "select cast((select count(*) from products
                          where inventory_asset_account_id = $1 or expense_account_id = $1) as bigint),
                    cast((select count(*) from chart_accounts where parent_id = $1) as bigint)",
        )
        .bind(&after.id)
        .one()
        .await?;
    let users = match (products, below) {
        (0, 0) => return Ok(()),
        (0, below) => plural(below, "account below it", "accounts below it"),
        (products, _) => plural(products, "product", "products"),
    };
    let message = format!("The type of a used account is fixed ({}); it has {users}.", before.account_type);
    Err(ApiError::field("type", message))
}

/// Only balances of one kind can be added; a bank account and a debt cannot.
async fn refuse_other_kind(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
    let kinds: Vec<(String, Option<String>, String)> = tx
        .sql(
            "select account_type, detail_type, currency from chart_accounts where id in ($1, $2)
             order by case when id = $1 then 0 else 1 end",
        )
        .bind(id)
        .bind(into)
        .all()
        .await?;
    let [(kind, detail, currency), (other_kind, other_detail, other_currency)] = kinds.as_slice() else {
        return Ok(());
    };
    let described = |kind: &str, detail: &Option<String>| match detail {
        Some(detail) => format!("{kind}, {detail}"),
        None => format!("{kind} without a detail type"),
    };
    let why = if (kind, detail) != (other_kind, other_detail) {
        format!(
            "This account is {}; the other is {}",
            described(kind, detail),
            described(other_kind, other_detail)
        )
    } else if currency != other_currency {
        format!("This account is in {currency}; the other is in {other_currency}")
    } else {
        return Ok(());
    };
    let words = "Only accounts of the same type, detail type and currency can be merged.";
    Err(ApiError::field("into", format!("{why}. {words}")))
}

/// Updates the name shown on products.
async fn rename(tx: &mut Tx<'_>, after: &Account) -> Result<(), ApiError> {
    tx.sql(
        "update products set inventory_asset_account_number = $2, inventory_asset_account_name = $3
         where inventory_asset_account_id = $1",
    )
    .bind(&after.id)
    .bind(&after.number)
    .bind(&after.name)
    .execute()
    .await?;
    tx.sql(
        "update products set expense_account_number = $2, expense_account_name = $3
         where expense_account_id = $1",
    )
    .bind(&after.id)
    .bind(&after.number)
    .bind(&after.name)
    .execute()
    .await?;
    Ok(())
}
