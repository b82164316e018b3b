//! The group's suppliers; some are entered carelessly.

use std::sync::LazyLock;

use larder_lists::catalog::Supplier;
use larder_platform::http::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::set_up;
use super::rng::{Rng, key};
use super::table::table;

/// Head office maintains the suppliers.
const BUYER: usize = 1;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: &'static str,
    contact: Option<&'static str>,
    phone: Option<&'static str>,
    email: Option<&'static str>,
    street: Option<&'static str>,
    city: Option<&'static str>,
    province: Option<&'static str>,
    terms: Option<&'static str>,
    expense_category: Option<&'static str>,
    notes: Option<&'static str>,
}

static SUPPLIERS: LazyLock<Vec<Row>> = table!("suppliers");

/// Creates the suppliers; a duplicate is entered weeks after the others.
pub async fn load(demo: &mut DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    let bodies: Vec<Value> = SUPPLIERS.iter().map(|row| body(world, row)).collect();
    let (first, late) = bodies.split_at(bodies.len() - 1);
    let day = set_up(world).plus(1);
    demo.add_as::<Supplier>(BUYER, moment(day, 9, 40), first.to_vec()).await?;
    demo.add_as::<Supplier>(3, moment(world.last.plus(-17), 16, 5), late.to_vec()).await?;
    Ok(())
}

fn body(world: &World, row: &Row) -> Value {
    let mut rng = Rng::of(world.seed, &[key("supplier"), key(row.name)]);
    let mut digits = |count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + u8::try_from(rng.below(10)).unwrap_or(0))).collect()
    };
    let (first_name, last_name) = row.contact.and_then(|who| who.rsplit_once(' ')).unzip();
    let tax_id = format!("{}-{}-{}-000", digits(3), digits(3), digits(3));
    let mobile = format!("0917 {} {}", digits(3), digits(4));
    // Nothing is owed for payment on delivery.
    let owed = row.terms.filter(|terms| terms.contains("days")).map(|_| 5_000 + 250 * rng.below(400));
    json!({
        "name": row.name,
        "firstName": first_name,
        "lastName": last_name,
        "companyName": row.name,
        "contactPerson": row.contact,
        "phone": row.phone,
        "mobileNumber": mobile,
        "email": row.email,
        "streetAddress": row.street,
        "city": row.city,
        "province": row.province,
        "country": "Philippines",
        "taxId": tax_id,
        "paymentTerms": row.terms,
        "expenseCategory": row.expense_category,
        "notes": row.notes,
        "openingBalance": owed,
        "openingBalanceDate": owed.map(|_| world.first.month()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_supplier() {
        assert_eq!(SUPPLIERS.len(), 25);
        assert!(SUPPLIERS.iter().all(|row| row.contact.is_some_and(|who| who.contains(' '))));
    }
}
