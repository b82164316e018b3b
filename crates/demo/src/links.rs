//! Every link that Home and the bell show, as each of the demo's users: the console lets the user open its page, the server
//! answers what the page asks for, and counts and sums are those that led there. Emails have the links of the tiles.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::DbError;
use larder_domain::Money;
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use serde::Deserialize;
use serde_json::Value;

use super::people::PEOPLE;
use super::tests::{Client, Folder, Service};

/// The console's pages, with their permissions.
const PAGES: &str = include_str!("../../../web/src/paths.ts");
/// What the pages ask the server for.
const REQUESTS: &str = include_str!("../../../testdata/page-requests.json");
/// What the lists behind the tiles ask for.
const LISTS: &str = include_str!("../../../testdata/tile-lists.json");

/// How long ago the users were here last.
const AWAY_MS: i64 = 3 * 86_400_000;
/// The fewest links that each user is shown.
const FEWEST: usize = 12;

/// What a page asks the server for.
#[derive(Deserialize)]
struct Request {
    page: String,
    /// It does so only with this parameter.
    #[serde(rename = "with")]
    only_with: Option<String>,
    /// The page's parameters: the server's name, `:name` of a part of the path, or empty if it is not sent.
    #[serde(default)]
    params: BTreeMap<String, String>,
    api: String,
    /// Where the number of rows is.
    count: Option<String>,
    sum: Option<String>,
}

/// The list behind a tile: what differs in its request, and where its number and sum are.
#[derive(Deserialize)]
struct TileList {
    replace: Vec<(String, String)>,
    count: String,
    sum: Option<String>,
}

/// A page of the console.
struct Page {
    path: &'static str,
    permission: Option<&'static str>,
    is_built: bool,
}

/// A link, and what is said beside it.
#[derive(Default, Clone)]
struct Link {
    /// What shows it.
    of: String,
    href: String,
    count: Option<i64>,
    /// In centavos.
    sum: Option<i64>,
    /// The tile whose list it leads to.
    tile: Option<String>,
}

/// Where a link's figures are.
struct Asked {
    path: String,
    count: Option<String>,
    sum: Option<String>,
}

#[tokio::test]
async fn every_link_leads_to_what_it_says() {
    let folder = Folder::new();
    let state = folder.demo_to_yesterday(5).await;
    state.jobs.drain(&state).await.expect("what the demo began ends");
    were_here(&state).await;
    let service = Service::open(&state).await;
    let console = Console::read();
    let mut faults = Vec::new();
    for person in PEOPLE {
        let client = service.sign_in(person.email, person.password).await;
        let (me, home) = (client.get("/api/me").await, client.get("/api/dashboard/main").await);
        let bell = client.get("/api/notifications").await;
        let links = shown(&home, &bell, may(&me, "reports/reports"));
        assert!(links.len() >= FEWEST, "{} is shown only {} links", person.email, links.len());
        let mut asked = BTreeSet::new();
        for link in links {
            if asked.insert((link.href.clone(), link.count, link.sum, link.tile.clone())) {
                let found = console.follow(&client, &me, &home, &link).await;
                faults.extend(
                    found.err().map(|fault| {
                        format!("{}: {} leads to {}: {fault}", person.email, link.of, link.href)
                    }),
                );
            }
        }
        faults.extend(told_too_much(&home).into_iter().map(|fault| format!("{}: {fault}", person.email)));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    state.db.close().await;
}

/// All users were here some days ago, so that Home tells them what changed since.
async fn were_here(state: &AppState) {
    let now = state.now();
    let seen = now.plus_ms(-AWAY_MS);
    let who = system_actor("test", now);
    let written = state.db.write(&who, async |tx| -> Result<u64, DbError> {
        let insert =
            "insert into home_pages (uid, tiles, hidden, seen_at) select uid, '[]', '[]', $1 from accounts";
        tx.sql(insert).bind(seen).execute().await
    });
    assert!(written.await.expect("visits") >= 6);
}

/// The links of Home and the bell.
fn shown(home: &Value, bell: &Value, has_reports: bool) -> Vec<Link> {
    let mut links = Vec::new();
    for tile in rows(&home["tiles"]) {
        let name = text(&tile["name"]);
        assert!(tile.get("failed").is_none(), "{name} could not be read");
        if let Some(sales) = tile.get("sales").filter(|_| has_reports) {
            links.extend(of_sales(sales));
        }
        if let Some(map) = tile.get("stores") {
            links.extend(of_stores(map));
        }
        let Some(waiting) = tile.get("waiting") else { continue };
        links.push(Link {
            of: format!("the tile {name}"),
            href: text(&waiting["href"]),
            count: waiting["count"].as_i64(),
            sum: cents(&waiting["amount"]),
            tile: Some(name.clone()),
        });
        links.extend(rows(&waiting["items"]).iter().map(|item| of_task(format!("an item of {name}"), item)));
    }
    for item in rows(&bell["items"]) {
        let kind = text(&item["kind"]);
        // One entry for all of a type leads to the tile's list.
        let tile = Some(kind.clone()).filter(|_| item["id"] == "all");
        links.push(Link { tile, ..of_task(format!("{kind} in the bell"), item) });
    }
    let since = rows(&home["since"]["items"]).iter();
    links.extend(since.map(|item| Link {
        of: format!("«{}»", text(&item["text"])),
        href: text(&item["href"]),
        ..Link::default()
    }));
    links
}

/// The console links the day and the week to the report.
fn of_sales(sales: &Value) -> Vec<Link> {
    let day = text(&sales["day"]);
    let of = |from: &Value, net: &Value| Link {
        of: format!("sales from {}", text(from)),
        href: format!("/reports/smbcd?from={}&to={day}", text(from)),
        sum: cents(net),
        ..Link::default()
    };
    let week = text(&sales["weekFrom"]) <= day;
    let week = week.then(|| of(&sales["weekFrom"], &sales["week"]));
    std::iter::once(of(&sales["day"], &sales["net"])).chain(week).collect()
}

fn of_stores(map: &Value) -> Vec<Link> {
    let stores = rows(&map["stores"]);
    let sum = stores.iter().filter_map(|store| cents(&store["net"])).sum();
    let all = map["href"].as_str().map(|href| Link {
        of: "the stores' day".to_owned(),
        href: href.to_owned(),
        sum: Some(sum).filter(|_| map["withSales"] == true),
        ..Link::default()
    });
    let cells = stores.iter().filter_map(|store| {
        Some(Link {
            of: format!("the day of {}", text(&store["name"])),
            href: store["href"].as_str()?.to_owned(),
            sum: cents(&store["net"]),
            ..Link::default()
        })
    });
    all.into_iter().chain(cells).collect()
}

fn of_task(of: String, item: &Value) -> Link {
    Link { of, href: text(&item["href"]), count: item["count"].as_i64(), ..Link::default() }
}

/// What is told to be new is part of what the tile counts.
fn told_too_much(home: &Value) -> Vec<String> {
    let of_tile = |item: &Value| {
        let title = text(&item["text"]).rsplit_once(": ").map(|(title, _)| title.to_owned())?;
        rows(&home["tiles"]).iter().find(|tile| tile["title"] == title.as_str())
    };
    let faults = rows(&home["since"]["items"]).iter().filter_map(|item| {
        let waiting = &of_tile(item)?["waiting"];
        let (new, all) = (item["count"].as_i64()?, waiting["count"].as_i64()?);
        (new > all || item["href"] != waiting["href"]).then(|| format!("{item} of {all}"))
    });
    faults.collect()
}

/// The pages of the console, and what they ask for.
struct Console {
    pages: Vec<Page>,
    requests: Vec<Request>,
    lists: BTreeMap<String, TileList>,
}

impl Console {
    fn read() -> Self {
        let quoted = |text: &'static str| text.split('\'').next().unwrap_or_default();
        let pages: Vec<Page> = PAGES
            .split("path: '")
            .skip(1)
            .map(|page| Page {
                path: quoted(page),
                permission: page.split("can: '").nth(1).map(quoted),
                is_built: page.contains("built: true"),
            })
            .collect();
        assert!(pages.len() > 100, "only {} pages are found", pages.len());
        let requests = serde_json::from_str(REQUESTS).expect("requests");
        Self { pages, requests, lists: serde_json::from_str(LISTS).expect("lists") }
    }

    /// Opens a link as the user and compares its figures with the page's.
    async fn follow(&self, client: &Client, me: &Value, home: &Value, link: &Link) -> Result<(), String> {
        let (path, query) = link.href.split_once('?').unwrap_or((&link.href, ""));
        let pages = self.pages.iter().filter(|page| fits(page.path, path).is_some());
        // Of several, the one with the fewest placeholders.
        let page = pages.min_by_key(|page| page.path.matches(':').count()).ok_or("no page")?;
        if !page.is_built || !page.permission.is_none_or(|permission| may(me, permission)) {
            return Err(format!("it may not be opened without {:?}", page.permission));
        }
        let asked = match &link.tile {
            Some(tile) => self.of_tile(tile, &link.href)?,
            None => self.of_page(path, query, &text(&home["today"]))?,
        };
        let (head, body) = client.ask("GET", &asked.path, None).await;
        if head.split(' ').nth(1) != Some("200") {
            return Err(format!("{}: {head}\n{body}", asked.path));
        }
        let answer: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
        let at = |pointer: &Option<String>| pointer.as_deref().and_then(|pointer| answer.pointer(pointer));
        let listed = at(&asked.count).map(|count| match count.as_array() {
            Some(rows) => i64::try_from(rows.len()).unwrap_or(i64::MAX),
            None => count.as_i64().unwrap_or(-1),
        });
        if let (Some(said), Some(_)) = (link.count, &asked.count)
            && listed != Some(said)
        {
            return Err(format!("it counts {said}, the page {listed:?}"));
        }
        if let (Some(said), Some(_)) = (link.sum, &asked.sum) {
            let sum = at(&asked.sum).and_then(cents);
            if sum != Some(said) {
                return Err(format!("it sums {said}, the page {sum:?}"));
            }
        }
        Ok(())
    }

    fn of_tile(&self, tile: &str, href: &str) -> Result<Asked, String> {
        let list = self.lists.get(tile).ok_or("its tile has no list")?;
        let path = list.replace.iter().fold(href.to_owned(), |href, (from, to)| href.replace(from, to));
        Ok(Asked { path: format!("/api{path}"), count: Some(list.count.clone()), sum: list.sum.clone() })
    }

    fn of_page(&self, path: &str, query: &str, today: &str) -> Result<Asked, String> {
        let params: Vec<(&str, &str)> = query.split('&').filter_map(|param| param.split_once('=')).collect();
        let has = |name: &str| params.iter().any(|(known, _)| *known == name);
        let fitting = self
            .requests
            .iter()
            .filter(|one| fits(&one.page, path).is_some() && one.only_with.as_deref().is_none_or(has));
        let request = fitting.min_by_key(|one| one.only_with.is_none());
        let request = request.ok_or("testdata/page-requests.json has no such page")?;
        let mut parts = fits(&request.page, path).unwrap_or_default();
        parts.push((":today", today));
        let (mut sent, mut is_of_store) = (Vec::new(), false);
        for (name, value) in params {
            match request.params.get(name).map(String::as_str) {
                None => return Err(format!("the page does not read {name}")),
                Some("") => {}
                Some(part) if part.starts_with(':') => parts.push((part, value)),
                Some(name) => {
                    is_of_store |= name.starts_with("storeId");
                    sent.push(format!("{name}={value}"));
                }
            }
        }
        let mut path = request.api.clone();
        for (name, value) in parts {
            path = path.replace(name, value);
        }
        if !sent.is_empty() {
            path.push(if path.contains('?') { '&' } else { '?' });
            path.push_str(&sent.join("&"));
        }
        // A link to one store's part of a list counts that part.
        let count = request.count.clone().filter(|_| is_of_store);
        Ok(Asked { path: format!("/api{path}"), count, sum: request.sum.clone() })
    }
}

/// The parts of a path that fill a page's placeholders; `None` if it is of another page.
fn fits<'a>(page: &'a str, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    if page.split('/').count() != path.split('/').count() {
        return None;
    }
    let parts = page.split('/').zip(path.split('/'));
    let fit = parts.clone().all(|(page, path)| page.starts_with(':') || page == path);
    fit.then(|| parts.filter(|(page, _)| page.starts_with(':')).collect())
}

fn may(me: &Value, permission: &str) -> bool {
    let (category, page) = permission.split_once('/').unwrap_or_default();
    me["user"]["superAdmin"] == true || me["permissions"][category][page]["view"] == true
}

fn rows(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn cents(pesos: &Value) -> Option<i64> {
    Money::parse(&pesos.as_number()?.to_string()).ok().map(|money| money.0)
}
