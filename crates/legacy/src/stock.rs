//! Opening stock of products, posted to the default commissary.

use larder_domain::ledger::{DocumentType, Leg, Movement};
use larder_domain::{BusinessDay, Qty};

use super::Run;
use larder_ledgers::stock as book;
use larder_lists::catalog::Product;
use larder_lists::engine::ListDef;
use larder_platform::http::ApiError;

/// Reason of the movement.
const REASON: &str = "Stock in the former system";

/// Posts the opening stock of imported products: (line, id, quantity).
pub async fn open(run: &mut Run<'_>, def: &ListDef, openings: &[(u64, String, Qty)]) -> anyhow::Result<()> {
    if def.kind != Product::DEF.kind || openings.is_empty() {
        return Ok(());
    }
    let refused = run
        .state
        .db
        .write(run.actor, async |tx| -> Result<Vec<(u64, String, String)>, ApiError> {
            let mut refused = Vec::new();
            let place = book::default_commissary(tx).await?;
            for (line, id, qty) in openings {
                let Some((place, _)) = &place else {
                    let words =
                        format!("There is no commissary for the stock of {qty}; adjust the quantity later.");
                    refused.push((*line, id.clone(), words));
                    continue;
                };
                let movement = Movement {
                    item: book::product(id),
                    place: place.clone(),
                    qty: *qty,
                    unit_cost: None,
                    line: 1,
                    leg: Leg::Only,
                    lot: None,
                };
                let document = format!("opening-{id}");
                let posting = book::Posting {
                    document: book::Document::first(DocumentType::Adjustment, &document),
                    business_date: BusinessDay::of(tx.actor().at),
                    happened_at: None,
                    reason: Some(REASON),
                    movements: std::slice::from_ref(&movement),
                };
                match tx.savepoint(async |tx| book::post(tx, &posting).await).await {
                    Ok(_) => {}
                    Err(error) if error.status.is_server_error() => return Err(error),
                    Err(error) => {
                        refused.push((
                            *line,
                            id.clone(),
                            format!("The stock of {qty} was not posted: {}", error.detail),
                        ));
                    }
                }
            }
            Ok(refused)
        })
        .await?;
    for (line, id, words) in refused {
        run.note(line, &id, words);
    }
    Ok(())
}
