//! Reports based on tills: tenders, the certified month, NetSuite.

mod cash_once;
mod cmsr;
mod completeness;
mod doubled;
mod hard_month;
mod month;
mod netsuite;
mod several_days;
mod tender_report;
mod two_sources;
pub mod z_reading;
mod z_reading_known_tills;
pub mod z_reading_pictures;
mod z_reading_review;

use larder_db::Json;
use larder_domain::BusinessDay;
use serde_json::{Value, json};

use crate::support::{App, Client, actor};
use larder_platform::Clock as _;

/// A store with the fields NetSuite needs.
pub async fn store(admin: &Client, name: &str, code: &str) -> String {
    let body = json!({
        "name": name, "code": code, "posCode": code, "lessor": "Baywalk Malls", "rentPercent": 5,
        "netsuiteCustomerName": format!("{name} walk-in"), "netsuiteLocationName": name,
        "openingDate": "2020-01-01",
    });
    let made = admin.post("/api/stores/locations", &body).await.expect(201);
    made["id"].as_str().expect("an id").to_owned()
}

/// A reading as the ledger stores it; amounts in centavos.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    pub terminal: String,
    pub state: String,
    pub z: i64,
    pub gross: i64,
    pub net: i64,
    pub vatable: i64,
    pub vat: i64,
    pub exempt: i64,
    pub zero: i64,
    pub senior: i64,
    pub pwd: i64,
    pub naac: i64,
    pub solo: i64,
    pub valor: i64,
    pub other: i64,
    pub voids: i64,
    pub returns: i64,
    pub vadj: i64,
    pub service: i64,
    pub tenders: Value,
}

impl Reading {
    /// A verified one with VATable sales only, of this many pesos excluding tax, paid in cash.
    pub fn of(pesos: i64) -> Self {
        let (vatable, vat) = (pesos * 100, pesos * 12);
        Self {
            terminal: "T1".into(),
            state: "verified".into(),
            gross: vatable + vat,
            net: vatable + vat,
            vatable,
            vat,
            tenders: json!([{ "kind": "cash", "label": "CASH", "amount": (vatable + vat) as f64 / 100.0 }]),
            ..Self::default()
        }
    }
}

/// Inserts a reading as if verified.
pub async fn put_reading(app: &App, store: &str, day: BusinessDay, one: &Reading) -> String {
    let at = app.clock.now();
    let id = format!("z-{store}-{day}-{}-{}", one.terminal, one.state);
    let (key, one) = (&id, one);
    let who = actor(at);
    let written = app.db.write(&who, async |tx| {
        let by = json!({ "uid": "u", "name": "Ana", "email": "" });
        tx.sql(
            "insert into z_readings (id, store_id, terminal_id, state, source, business_date, z_counter, reset_counter,
               gross, net, vatable, vat, exempt, zero_rated, senior, pwd, naac, solo_parent, valor, other_discount,
               voids, returns, vat_adjustment, service_charge, tenders, steps, search_key, revision, created_at,
               created_by, updated_at, updated_by)
             values ($1, $2, $3, $4, 'typed', $5, $6, 0, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
               $20, $21, $22, $23, $24, '', 1, $25, $26, $25, $26)",
        )
        .bind(key)
        .bind(store)
        .bind(&one.terminal)
        .bind(&one.state)
        .bind(day)
        .bind(if one.z == 0 { i64::from(day.0) } else { one.z })
        .bind(one.gross)
        .bind(one.net)
        .bind(one.vatable)
        .bind(one.vat)
        .bind(one.exempt)
        .bind(one.zero)
        .bind(one.senior)
        .bind(one.pwd)
        .bind(one.naac)
        .bind(one.solo)
        .bind(one.valor)
        .bind(one.other)
        .bind(one.voids)
        .bind(one.returns)
        .bind(one.vadj)
        .bind(one.service)
        .bind(Json(&one.tenders))
        .bind(Json(json!([])))
        .bind(at)
        .bind(Json(by))
        .execute()
        .await
    });
    written.await.expect("a reading");
    id
}

/// Inserts a source's receipts and tenders of a till and day, in centavos, as if posted.
///
/// # Errors
/// When the database refuses it.
pub async fn put_paid(
    tx: &mut larder_db::Tx<'_>,
    at: larder_domain::Timestamp,
    (store, day, source, till): (&str, BusinessDay, &str, &str),
    (net, tenders): (i64, &[(&str, i64)]),
) -> Result<(), larder_db::DbError> {
    tx.sql(
        "insert into sales_days (store_id, business_date, source, batch_id, lines, receipts, qty, gross, discount,
           net, digest, revision, posted_at) values ($1, $2, $3, null, 1, 1, 1, $4, 0, $4, $3, 1, $5)",
    )
    .bind(store)
    .bind(day)
    .bind(source)
    .bind(net)
    .bind(at)
    .execute()
    .await?;
    tx.sql(
        "insert into sales_tills (store_id, business_date, source, terminal_id, receipts, lines, qty, gross, discount,
           net) values ($1, $2, $3, $4, 1, 1, 1, $5, 0, $5)",
    )
    .bind(store)
    .bind(day)
    .bind(source)
    .bind(till)
    .bind(net)
    .execute()
    .await?;
    for (seq, (label, amount)) in (0i64..).zip(tenders) {
        tx.sql(
            "insert into sales_tenders (store_id, business_date, source, tender_seq, receipt_seq, kind, amount,
               reference) values ($1, $2, $3, $4, $4, $5, $6, '')",
        )
        .bind(store)
        .bind(day)
        .bind(source)
        .bind(seq)
        .bind(*label)
        .bind(*amount)
        .execute()
        .await?;
    }
    Ok(())
}

/// Changes net and gross of a reading, as a correction does.
pub async fn change_reading(app: &App, id: &str, by: i64) {
    let at = app.clock.now();
    let who = actor(at);
    let changed = app.db.write(&who, async |tx| {
        tx.sql(
            "update z_readings set gross = gross + $1, net = net + $1, revision = revision + 1 where id = $2",
        )
        .bind(by)
        .bind(id)
        .execute()
        .await
    });
    assert_eq!(changed.await.expect("a change"), 1);
}

/// A date as written in tests.
pub fn day(text: &str) -> BusinessDay {
    text.parse().expect("a date")
}
