//! Each sales report, figure by figure.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::BusinessDay;
use larder_domain::sales::names::key;
use serde_json::{Value, json};

use super::world::{
    Book, Line, MILLION, PRICES, Range, World, YEAR, centavos, change, each, millionths, ratio, row,
    some_centavos,
};

/// Product sales by store.
pub(super) async fn products(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("product-sales-by-store", range, "").await;
    let columns = reported["stores"].as_array().expect("stores");
    let place = |id: &str| columns.iter().position(|column| column["id"] == id).expect("a column");
    let mut seen = 0;
    for item in reported["items"].as_array().expect("items") {
        let of = |line: &Line| match &line.item {
            Some(id) => item["id"] == id.as_str(),
            None => item["id"].as_str().is_some_and(|id| id.ends_with(&key(&line.source_item))),
        };
        assert_eq!(millionths(&item["qty"]), book.qty(range, of), "{what}: {item}");
        assert_eq!(centavos(&item["net"]), book.net(range, of), "{what}: {item}");
        for store in
            range.stores.iter().filter(|at| columns.iter().any(|one| one["id"] == world.stores[**at]))
        {
            let (at, one) = (place(&world.stores[*store]), Range { stores: vec![*store], ..range.clone() });
            assert_eq!(millionths(&item["quantities"][at]), book.qty(&one, of), "{what}: {item}");
            assert_eq!(centavos(&item["nets"][at]), book.net(&one, of), "{what}: {item}");
        }
        seen += 1;
    }
    let sold: BTreeSet<_> =
        book.within(range).map(|line| line.item.clone().unwrap_or(key(&line.source_item))).collect();
    assert_eq!(seen, sold.len(), "{what}");
    assert_eq!(centavos(&reported["totalNet"]), book.net(range, |_| true), "{what}");
    assert_eq!(millionths(&reported["totalQty"]), book.qty(range, |_| true), "{what}");
}

/// Weekly root item sales, and sales by root items.
pub(super) async fn roots(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let ranked = world.ask("sales-by-root-items", range, "").await;
    let before = range.moved(range.days());
    let has = |store: usize, day: i32| book.0.iter().any(|line| line.store == store && line.day == day);
    for (at, root) in world.roots.iter().enumerate() {
        let (now, then) = (book.used(range, &world.items, at), book.used(&before, &world.items, at));
        let row = row(&ranked["items"], root);
        if row.is_null() {
            // Items not used in the range have no row, whatever was used before.
            assert_eq!(now, 0, "{what}");
            continue;
        }
        assert_eq!((millionths(&row["qty"]), millionths(&row["previousQty"])), (now, then), "{what}");
        let (mut now, mut then) = (0, 0);
        for store in &range.stores {
            let used = |day| book.used(&Range { stores: vec![*store], from: day, to: day }, &world.items, at);
            for day in range.from..=range.to {
                if has(*store, day) && has(*store, day - range.days()) {
                    now += used(day);
                    then += used(day - range.days());
                }
            }
        }
        let compared = (millionths(&row["comparedQty"]), millionths(&row["comparedPrevious"]));
        assert_eq!(compared, (now, then), "{what}");
        assert_eq!(row["change"], change(now, then), "{what}");
    }
    let weekly = world.ask("weekly-root-item-sales", range, "").await;
    let products = world.ask("weekly-root-item-sales", range, "&by=pos").await;
    let mut whole = range.clone();
    (whole.from, whole.to) = (BusinessDay(range.from).week().0, BusinessDay(range.to).week().0 + 6);
    assert_eq!(centavos(&products["netTotal"]), book.net(&whole, |_| true), "{what}");
    let weeks = weekly["weeks"].as_array().expect("weeks");
    assert_eq!(weeks.len() as i32, (whole.to + 1 - whole.from) / 7, "{what}");
    for (n, monday) in weeks.iter().enumerate() {
        let monday = monday.as_str().expect("a day").parse::<BusinessDay>().expect("a day").0;
        let week = Range { from: monday, to: monday + 6, ..range.clone() };
        assert_eq!(centavos(&products["net"][n]), book.net(&week, |_| true), "{what}");
        for (at, root) in world.roots.iter().enumerate() {
            let row = row(&weekly["items"], root);
            let reported = if row.is_null() { 0 } else { millionths(&row["quantities"][n]) };
            assert_eq!(reported, book.used(&week, &world.items, at), "{what}, week {monday}");
        }
    }
}

/// Sales Mix By Category, Daily.
pub(super) async fn mix(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("smbcd", range, "").await;
    let has = |store: usize, day: i32| book.0.iter().any(|line| line.store == store && line.day == day);
    // Of the stores with sales on a day and a week before: now and then.
    let pairs = |day: i32, of: &dyn Fn(&Line) -> bool| {
        let stores: Vec<usize> =
            range.stores.iter().copied().filter(|store| has(*store, day) && has(*store, day - 7)).collect();
        let net = |day| book.net(&Range { stores: stores.clone(), from: day, to: day }, of);
        (net(day), net(day - 7))
    };
    for (category, item) in [("Meals", Some(0)), ("Drinks", Some(1)), ("", None)] {
        let of = |line: &Line| match (&line.item, item) {
            (Some(id), Some(at)) => id == &world.items[at],
            (Some(id), None) => id == &world.items[2],
            (None, at) => at.is_none(),
        };
        let row = row(&reported["items"], category);
        if row.is_null() {
            assert_eq!(book.net(range, of), 0, "{what}: {category}");
            continue;
        }
        let (net, all) = (book.net(range, of), book.net(range, |_| true));
        assert_eq!((centavos(&row["net"]), millionths(&row["qty"])), (net, book.qty(range, of)), "{what}");
        let (now, then) = (range.from..=range.to)
            .map(|day| pairs(day, &of))
            .fold((0, 0), |(now, then), pair| (now + pair.0, then + pair.1));
        assert_eq!((&row["mix"], &row["change"]), (&ratio(net, all), &change(now, then)), "{what}");
        for n in 0..range.days() {
            let day = Range { from: range.from + n, to: range.from + n, ..range.clone() };
            let at = usize::try_from(n).expect("a day");
            let net = book.net(&day, of);
            assert_eq!(centavos(&row["nets"][at]), net, "{what}: {category} {n}");
            assert_eq!(millionths(&row["quantities"][at]), book.qty(&day, of), "{what}: {category} {n}");
            assert_eq!(row["mixes"][at], ratio(net, book.net(&day, |_| true)), "{what}: {category} {n}");
            let (now, then) = pairs(day.from, &of);
            assert_eq!(row["changes"][at], change(now, then), "{what}: {category} {n}");
        }
    }
    let unmapped: BTreeSet<&str> =
        book.within(range).filter(|line| line.item.is_none()).map(|line| line.source_item.as_str()).collect();
    assert_eq!(reported["unmapped"]["items"], json!(unmapped.len()), "{what}");
    assert_eq!(
        millionths(&reported["unmapped"]["qty"]),
        book.qty(range, |line| line.item.is_none()),
        "{what}"
    );
}

/// Sales by terminal.
pub(super) async fn tills(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("sales-terminal", range, "").await;
    let rows = reported["items"].as_array().expect("tills");
    let all = book.net(range, |_| true);
    let mut net = 0;
    for till in rows {
        let store =
            range.stores.iter().copied().find(|at| till["storeId"] == world.stores[*at]).expect("a store");
        let name = till["terminal"].as_str().expect("a till");
        let one = Range { stores: vec![store], ..range.clone() };
        let of = |line: &Line| line.receipt.as_ref().map_or("", |(till, _)| till) == name;
        assert_eq!(centavos(&till["net"]), book.net(&one, of), "{what}: {till}");
        let receipts = book.receipts(&one, |_, till| till == name).len();
        assert_eq!(till["receiptCount"], json!(receipts), "{what}: {till}");
        let tickets = till["ticketCount"].as_u64().expect("a count");
        assert!(tickets <= u64::try_from(receipts).expect("few"), "{what}: {till}");
        assert_eq!(tickets == 0, till["ticket"].is_null(), "{what}: {till}");
        assert_eq!(till["share"], ratio(book.net(&one, of), all), "{what}: {till}");
        for n in 0..range.days() {
            let day = Range { from: range.from + n, to: range.from + n, ..one.clone() };
            let at = usize::try_from(n).expect("a day");
            let receipts = book.receipts(&day, |_, till| till == name).len();
            assert_eq!(centavos(&till["nets"][at]), book.net(&day, of), "{what}: {till}");
            assert_eq!(till["receipts"][at], json!(receipts), "{what}: {till}");
            let whole = Range { stores: range.stores.clone(), ..day.clone() };
            assert_eq!(till["shares"][at], ratio(book.net(&day, of), book.net(&whole, |_| true)), "{what}");
        }
        net += centavos(&till["net"]);
    }
    assert_eq!((net, centavos(&reported["total"]["net"])), (all, all), "{what}");
    assert_eq!(reported["total"]["receiptCount"], json!(book.receipts(range, |_, _| true).len()), "{what}");
}

/// Sales against the previous period and the previous year.
pub(super) async fn comparison(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let last = book
        .0
        .iter()
        .filter(|line| (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store))
        .map(|line| line.day)
        .max();
    let now = Range { to: last.unwrap_or(range.to), ..range.clone() };
    let before = [now.moved((now.days() + 6) / 7 * 7), now.moved(YEAR)];
    let has = |store: usize, day: i32| book.0.iter().any(|line| line.store == store && line.day == day);
    // The days that both ranges have: net sales now and then, and how many days these are.
    let pairs = |stores: &[usize], then: &Range| {
        let mut sums = (0, 0, 0);
        for &store in stores {
            for n in (0..now.days()).filter(|n| has(store, now.from + n) && has(store, then.from + n)) {
                let net = |day| book.net(&Range { stores: vec![store], from: day, to: day }, |_| true);
                sums = (sums.0 + net(now.from + n), sums.1 + net(then.from + n), sums.2 + 1);
            }
        }
        sums
    };
    let first = |store: usize| book.0.iter().filter(|line| line.store == store).map(|line| line.day).min();
    for by in ["store", "area"] {
        let reported = world.ask("sales-comparison", range, &format!("&by={by}")).await;
        let groups: Vec<(String, Vec<usize>)> = match by {
            "store" => now.stores.iter().map(|at| (world.stores[*at].clone(), vec![*at])).collect(),
            _ => {
                let (south, none) = now.stores.iter().partition::<Vec<usize>, _>(|at| **at < 2);
                vec![(world.area.clone(), south), (String::new(), none)]
            }
        };
        for (id, stores) in groups.into_iter().chain([("*".to_owned(), now.stores.clone())]) {
            let row = if id == "*" { &reported["total"] } else { row(&reported["items"], &id) };
            let of = |range: &Range| Range { stores: stores.clone(), ..range.clone() };
            let sold = book.net(&of(&now), |_| true);
            if row.is_null() {
                assert_eq!(sold, 0, "{what}");
                continue;
            }
            assert_eq!(centavos(&row["net"]), sold, "{what} by {by}: {row}");
            for (side, then) in [("previous", &before[0]), ("year", &before[1])] {
                let row = &row[side];
                assert_eq!(centavos(&row["before"]), book.net(&of(then), |_| true), "{what} by {by}: {row}");
                let (sold, earlier, days) = pairs(&stores, then);
                assert_eq!(
                    (centavos(&row["comparedNet"]), centavos(&row["comparedBefore"])),
                    (sold, earlier),
                    "{what} by {by}: {row}"
                );
                let all = i32::try_from(stores.len()).expect("few") * now.days();
                assert_eq!(
                    (&row["comparedDays"], &row["leftOut"]),
                    (&json!(days), &json!(all - days)),
                    "{what}"
                );
                assert_eq!(row["change"], change(sold, earlier), "{what}");
                let like =
                    |at: &usize| pairs(&[*at], then).2 > 0 && first(*at).is_some_and(|day| day <= then.from);
                let like: Vec<usize> = stores.iter().copied().filter(like).collect();
                let (sold, earlier, _) = pairs(&like, then);
                assert_eq!(row["likeStores"], json!(like.len()), "{what} by {by}, {side}");
                assert_eq!(
                    (centavos(&row["likeNet"]), centavos(&row["likeBefore"])),
                    (sold, earlier),
                    "{what}"
                );
                assert_eq!(row["likeChange"], change(sold, earlier), "{what}");
            }
        }
        for (nets, days) in [
            (&reported["nets"], &now),
            (&reported["previous"]["nets"], &before[0]),
            (&reported["year"]["nets"], &before[1]),
        ] {
            let nets = nets.as_array().expect("days");
            assert_eq!(nets.len() as i32, days.to + 1 - days.from, "{what}");
            for (n, net) in nets.iter().enumerate() {
                let day = days.from + i32::try_from(n).expect("a day");
                let day = Range { from: day, to: day, ..days.clone() };
                assert_eq!(centavos(net), book.net(&day, |_| true), "{what}");
            }
        }
    }
}

/// Theoretical food cost.
pub(super) async fn food(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("food-cost", range, "").await;
    let worth = |range: &Range, root: usize| {
        i128::from(book.used(range, &world.items, root)) * i128::from(PRICES[root])
    };
    let round = |worth: i128| {
        ((worth.abs() * 2 + i128::from(MILLION)) / (2 * i128::from(MILLION)) * worth.signum()) as i64
    };
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        let row = row(&reported["items"], &world.stores[*at]);
        let (net, cost) = (book.net(&one, |_| true), round(worth(&one, 0) + worth(&one, 1)));
        if row.is_null() {
            assert_eq!((net, cost), (0, 0), "{what}");
            continue;
        }
        assert_eq!((centavos(&row["net"]), centavos(&row["theoretical"])), (net, cost), "{what}: {row}");
        assert_eq!(row["theoreticalShare"], ratio(cost, net), "{what}: {row}");
    }
    let all = round(worth(range, 0) + worth(range, 1));
    assert_eq!(centavos(&reported["total"]["theoretical"]), all, "{what}");
    let bare = |line: &Line| line.item.as_ref().is_none_or(|id| id == &world.items[2]);
    assert_eq!(centavos(&reported["netWithoutBom"]), book.net(range, bare), "{what}");
    let by_item = world.ask("food-cost", range, "&by=item").await;
    for (at, root) in world.roots.iter().enumerate() {
        let row = row(&by_item["items"], root);
        let used = book.used(range, &world.items, at);
        if row.is_null() {
            assert_eq!(used, 0, "{what}");
        } else {
            assert_eq!(
                (millionths(&row["use"]), centavos(&row["theoretical"])),
                (used, round(worth(range, at))),
                "{what}"
            );
        }
    }
}

/// Sales in the scorecard.
pub(super) async fn scorecard(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("store-scorecard", range, "").await;
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        let net = book.net(&one, |_| true);
        let row = row(&reported["items"], &world.stores[*at]);
        if row.is_null() {
            assert_eq!(net, 0, "{what}");
            continue;
        }
        // Sales per square metre are unknown for days without sales.
        let came = |line: &Line| line.store == *at && (range.from..=range.to).contains(&line.day);
        if !book.0.iter().any(came) {
            assert_eq!(
                (net, &row["perM2"], &row["perSeat"]),
                (0, &Value::Null, &Value::Null),
                "{what}: {row}"
            );
            continue;
        }
        let receipts = i64::try_from(book.receipts(&one, |_, _| true).len()).expect("few");
        let n = i64::try_from(*at).expect("few");
        assert_eq!((centavos(&row["net"]), &row["receipts"]), (net, &json!(receipts)), "{what}: {row}");
        assert_eq!(some_centavos(&row["perM2"]), each(net, 80 + 10 * n, 1), "{what}: {row}");
        let seats = if *at < 2 { each(net, 30 + n, 1) } else { Value::Null };
        assert_eq!(some_centavos(&row["perSeat"]), seats, "{what}: {row}");
    }
}

/// Use of root items by sales, in their movement.
pub(super) async fn movement(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let reported = world.ask("root-item-movement-by-store", range, "").await;
    let mut used: BTreeMap<(String, String), i64> = BTreeMap::new();
    for row in reported["items"].as_array().expect("rows") {
        let text = |field: &str| row[field].as_str().expect("an id").to_owned();
        used.insert((text("storeId"), text("rootItemId")), millionths(&row["theoreticalUse"]));
    }
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        for (root, id) in world.roots.iter().enumerate() {
            let reported = used.get(&(world.stores[*at].clone(), id.clone())).copied().unwrap_or_default();
            assert_eq!(reported, book.used(&one, &world.items, root), "{what}: {id} in store {at}");
        }
    }
}
