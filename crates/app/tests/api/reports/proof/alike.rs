//! Figures that several reports share must be equal: every such pair by name.

use larder_domain::BusinessDay;
use serde_json::{Value, json};

use super::world::{Range, STORES, World, centavos, millionths, row, sums};
use crate::tools::import_sales_product::HOME;

/// A figure in two reports.
pub(super) type Pair<'a> = (&'a str, &'a str, Value, Value);

/// All pairs of reports with a common figure.
pub(super) async fn pairs(world: &World, range: &Range, what: &str) {
    let product = world.ask("product-sales-by-store", range, "").await;
    let mix = world.ask("smbcd", range, "").await;
    let till = world.ask("sales-terminal", range, "").await;
    let against = world.ask("sales-comparison", range, "").await;
    let food = world.ask("food-cost", range, "").await;
    let food_items = world.ask("food-cost", range, "&by=item").await;
    let place = world.ask("occupancy", range, "").await;
    let score = world.ask("store-scorecard", range, "").await;
    let ranked = world.ask("sales-by-root-items", range, "").await;
    let moved = world.ask("root-item-movement-by-store", range, "").await;
    let uses = |rows: &Value, root: &str, field: &str, id: &str| -> i64 {
        let rows = rows.as_array().expect("rows").iter().filter(|row| row[id] == root);
        rows.map(|row| millionths(&row[field])).sum()
    };
    let net = |value: &Value| json!(centavos(value));
    let total = net(&product["totalNet"]);
    let mut pairs: Vec<Pair<'_>> = vec![
        ("product sales by store, net", "SMBCD, net", total.clone(), net(&mix["total"]["net"])),
        (
            "product sales by store, quantity",
            "SMBCD, quantity",
            json!(millionths(&product["totalQty"])),
            json!(millionths(&mix["total"]["qty"])),
        ),
        ("product sales by store, net", "sales by terminal, net", total.clone(), net(&till["total"]["net"])),
        (
            "product sales by store, net",
            "sales against before, net",
            total.clone(),
            net(&against["total"]["net"]),
        ),
        ("product sales by store, net", "food cost, net", total.clone(), net(&food["total"]["net"])),
        ("product sales by store, net", "occupancy, net", total.clone(), net(&place["total"]["net"])),
        ("product sales by store, net", "store scorecard, net", total, net(&score["total"]["net"])),
        (
            "sales by terminal, receipts",
            "store scorecard, receipts",
            till["total"]["receiptCount"].clone(),
            score["total"]["receipts"].clone(),
        ),
        (
            "sales by terminal, ticket",
            "store scorecard, ticket",
            till["total"]["ticket"].clone(),
            score["total"]["ticket"].clone(),
        ),
    ];
    pairs.push((
        "food cost by store, theoretical",
        "food cost by root item, theoretical",
        net(&food["total"]["theoretical"]),
        net(&food_items["total"]["theoretical"]),
    ));
    for root in &world.roots {
        let ranked = uses(&ranked["items"], root, "qty", "id");
        pairs.push((
            "sales by root items, use",
            "root item movement, theoretical use",
            json!(ranked),
            json!(uses(&moved["items"], root, "theoreticalUse", "rootItemId")),
        ));
        pairs.push((
            "sales by root items, use",
            "food cost by root item, use",
            json!(ranked),
            json!(uses(&food_items["items"], root, "use", "id")),
        ));
    }
    pairs.extend(builder(world, range, [&product, &mix, &till, &against, &ranked]).await);
    if BusinessDay(range.from).is_monday() && range.days() % 7 == 0 {
        let weekly = world.ask("weekly-root-item-sales", range, "&by=pos").await;
        let (weekly, product) = (net(&weekly["netTotal"]), net(&product["totalNet"]));
        pairs.push(("weekly sales, net", "product sales by store, net", weekly, product));
    }
    pairs.extend(days(world, range).await);
    for (one, other, left, right) in pairs {
        assert_eq!(left, right, "{one} and {other} differ, {what}");
    }
}

/// Sales in the report builder and in other reports.
async fn builder<'a>(
    world: &World,
    range: &Range,
    [product, mix, till, against, ranked]: [&Value; 5],
) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let lines = world.built("sales", range, (&[], &["net", "qty"])).await;
    let [net, qty] = &sums(&lines)[..] else {
        assert_eq!(product["items"], json!([]), "the builder has no sales where a report has some");
        return pairs;
    };
    pairs.push((
        "product sales by store, net",
        "builder: sales lines, net",
        json!(centavos(&product["totalNet"])),
        json!(centavos(net)),
    ));
    pairs.push((
        "product sales by store, quantity",
        "builder: sales lines, quantity",
        json!(millionths(&product["totalQty"])),
        json!(millionths(qty)),
    ));
    let of = |answer: &Value, key: &str| -> i64 {
        let rows = answer["rows"].as_array().expect("rows");
        rows.iter().find(|row| row["keys"][0] == key).map_or(0, |row| centavos(&row["total"][0]))
    };
    let by_category = world.built("sales", range, (&["category"], &["net"])).await;
    for category in ["Meals", "Drinks", ""] {
        let reply = row(&mix["items"], category);
        let reply = if reply.is_null() { 0 } else { centavos(&reply["net"]) };
        pairs.push((
            "SMBCD, net of a category",
            "builder: sales lines by category, net",
            json!(reply),
            json!(of(&by_category, category)),
        ));
    }
    let by_store = world.built("storeDays", range, (&["store"], &["net"])).await;
    for store in &range.stores {
        let reply = row(&against["items"], &world.stores[*store]);
        let reply = if reply.is_null() { 0 } else { centavos(&reply["net"]) };
        pairs.push((
            "sales against before, net of a store",
            "builder: store-days by store, net",
            json!(reply),
            json!(of(&by_store, &world.stores[*store])),
        ));
    }
    let receipts = world.built("storeDays", range, (&[], &["receipts", "tickets", "averageTicket"])).await;
    for (at, (field, one, other)) in [
        ("receiptCount", "sales by terminal, receipts", "builder: store-days, receipts"),
        ("ticketCount", "sales by terminal, tickets", "builder: store-days, tickets"),
        ("ticket", "sales by terminal, average ticket", "builder: store-days, average ticket"),
    ]
    .into_iter()
    .enumerate()
    {
        pairs.push((one, other, till["total"][field].clone(), sums(&receipts)[at].clone()));
    }
    let insights = ask_insights(world, range).await;
    pairs.push((
        "sales by terminal, average ticket",
        "transaction insights, average ticket",
        till["total"]["ticket"].clone(),
        insights["average"].clone(),
    ));
    let used = world.built("rootUse", range, (&["item"], &["qty"])).await;
    for root in &world.roots {
        let rows = used["rows"].as_array().expect("rows").iter();
        let built: i64 =
            rows.filter(|row| row["keys"][0] == root.as_str()).map(|row| millionths(&row["total"][0])).sum();
        let reply = row(&ranked["items"], root);
        let reply = if reply.is_null() { 0 } else { millionths(&reply["qty"]) };
        pairs.push((
            "sales by root items, use",
            "builder: root item use, quantity",
            json!(reply),
            json!(built),
        ));
    }
    pairs
}

/// The figures of transaction insights.
async fn ask_insights(world: &World, range: &Range) -> Value {
    let mut query = format!(
        "/api/tools/transaction-insights?from={}&to={}",
        BusinessDay(range.from),
        BusinessDay(range.to)
    );
    if range.stores.len() < STORES.len() {
        let ids: Vec<&str> = range.stores.iter().map(|at| world.stores[*at].as_str()).collect();
        query.push_str(&format!("&storeIds={}", ids.join(",")));
    }
    world.admin.get(&query).await.expect(200)["answer"]["figures"].clone()
}

/// The store-day page compared with reports of several days: receipt data besides lines, and tenders.
async fn days<'a>(world: &World, range: &Range) -> Vec<Pair<'a>> {
    let (mut pairs, mut paid) = (Vec::new(), 0);
    for at in &range.stores {
        for n in range.from..=range.to {
            let day = world.admin.get(&format!("{HOME}/days/{}/{}", world.stores[*at], BusinessDay(n))).await;
            // A day without sales has no page.
            if day.status == 404 {
                continue;
            }
            let day = day.expect(200);
            let sum = |of: &str, figure: &str| -> i64 {
                day[of].as_array().expect("parts").iter().map(|part| centavos(&part[figure])).sum()
            };
            pairs.push((
                "a day, net of its lines",
                "a day, net of what its receipts say",
                json!(centavos(&day["totals"]["net"])),
                json!(sum("facts", "net")),
            ));
            paid += sum("tenders", "amount");
        }
    }
    let mut query =
        format!("/api/sales/tender-report?from={}&to={}", BusinessDay(range.from), BusinessDay(range.to));
    if range.stores.len() < STORES.len() {
        let ids: Vec<&str> = range.stores.iter().map(|at| world.stores[*at].as_str()).collect();
        query.push_str(&format!("&storeIds={}", ids.join(",")));
    }
    let report = world.admin.get(&query).await.expect(200);
    let pos = report["items"].as_array().expect("rows").iter().filter(|row| !row["pos"].is_null());
    let pos: i64 = pos.map(|row| centavos(&row["pos"])).sum();
    pairs.push(("days, payments", "tender report, POS", json!(paid), json!(pos)));
    let built = world.built("tenders", range, (&[], &["amount"])).await;
    let built = sums(&built).first().map_or(0, centavos);
    pairs.push(("tender report, POS", "builder: tenders, amount", json!(pos), json!(built)));
    pairs
}
