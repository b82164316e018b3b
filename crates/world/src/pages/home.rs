//! Home of the whole server, the bell, and the lists behind Home's tiles.

use super::{Figure, Measure, Row, find, list};
use crate::client::{Client, Done};

/// Tiles of Home that link to a list: the tile, and what differs in the list's query to the server.
const LISTS: [(&str, [(&str, &str); 2]); 7] = [
    ("onTheWay", [("/stores/receive", "/stores/receive/expected"), ("", "")]),
    ("ordersToApprove", [("", ""); 2]),
    ("receiptDifferences", [("", ""); 2]),
    ("stockTakesOpen", [("", ""); 2]),
    ("recalls", [("only=recalled", "recalled=true"), ("", "")]),
    ("cashMissing", [("kind=", "kinds="), ("", "")]),
    ("shortAtKitchen", [("?tab=short", "/short"), ("", "")]),
];

/// Home of the whole server, and what its tiles link to.
///
/// # Errors
/// If a page does not answer.
pub async fn home(client: &Client) -> Done<Vec<Figure>> {
    let mut figures = Vec::new();
    let home = client.get("/api/dashboard/main").await?.expect(200)?;
    let bell = client.get("/api/notifications").await?.expect(200)?;
    let bell = list(&bell["items"])?;
    for (tile, changes) in LISTS {
        let waiting = &find(&home["tiles"], "name", tile)["waiting"];
        let (Some(count), Some(href)) = (waiting["count"].as_i64(), waiting["href"].as_str()) else {
            continue;
        };
        let query =
            changes.iter().fold(
                href.to_owned(),
                |href, (from, to)| {
                    if from.is_empty() { href } else { href.replace(from, to) }
                },
            );
        let page = client.get(&format!("/api{query}")).await?.expect(200)?;
        let rows = page["items"].as_array().and_then(|items| i64::try_from(items.len()).ok());
        let listed = page["total"].as_i64().or(rows);
        let about = format!("{tile} on Home, and its list {href}");
        figures.push(Figure::of(Row::Home, Measure::Number, about, (Some(count), listed)));
        let rung = bell.iter().filter(|item| item["kind"] == tile).count();
        // Only what always rings, one by one, is in the bell as often as on Home; it has at most 50 of a kind, and 200.
        if ["recalls", "receiptDifferences", "ordersToApprove"].contains(&tile) && bell.len() < 200 {
            let about = format!("{tile} in the bell, and on Home");
            let rung = i64::try_from(rung).ok();
            figures.push(Figure::of(Row::Home, Measure::Number, about, (rung, Some(count.min(50)))));
        }
    }
    Ok(figures)
}
