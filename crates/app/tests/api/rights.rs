//! The rights that operations ask for, held against a table written by hand (`rights.txt`), and tried by users of a single
//! page.

use std::collections::BTreeSet;

use larder_domain::access::meaningful;
use rstest::rstest;

use crate::authorization::{Operation, Site, Verdict, operations, pages};
use crate::support::{Engine, one_engine};

const TABLE: &str = include_str!("rights.txt");

/// The lines of a section of the table, in words.
fn section(name: &str) -> Vec<Vec<&'static str>> {
    let lines = TABLE.lines().map(str::trim).skip_while(|line| *line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let filled = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    filled.map(|line| line.split_whitespace().collect()).collect()
}

/// Whether a path fits a pattern of segments, where `*` is any one and `**` any number of them.
fn fits(pattern: &[&str], path: &[&str]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ["**", rest @ ..] => (0..=path.len()).any(|at| fits(rest, &path[at..])),
        [one, rest @ ..] => {
            path.first().is_some_and(|segment| one == segment || *one == "*") && fits(rest, &path[1..])
        }
    }
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

/// The page and the action that the table says, and the lines that say it.
fn wanted(operation: &Operation) -> Option<((&'static str, &'static str), [String; 2])> {
    let path = segments(&operation.path);
    let pages = section("[pages]");
    let begins = |line: &&Vec<&str>| {
        let pattern = segments(line[0]);
        fits(&pattern, &path) || fits(&[&pattern[..], &["**"]].concat(), &path)
    };
    let page = pages.iter().filter(begins).max_by_key(|line| line[0].len())?;
    let actions = section("[actions]");
    let action =
        actions.iter().find(|line| line[0] == operation.method && fits(&segments(line[1]), &path))?;
    Some(((page[1], action[2]), [page.join(" "), action.join(" ")]))
}

/// Operations that ask for the right to a page.
async fn guarded() -> Vec<Operation> {
    let has_page = |operation: &Operation| operation.said["x-permission"].get("page").is_some();
    operations().await.into_iter().filter(has_page).collect()
}

#[tokio::test]
async fn operations_ask_for_the_rights_of_the_table() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for operation in guarded().await {
        let permission = &operation.said["x-permission"];
        let (page, action) = (
            permission["page"].as_str().unwrap_or_default(),
            permission["action"].as_str().unwrap_or_default(),
        );
        let said = format!("{} {}: {page}:{action}", operation.method, operation.path);
        match wanted(&operation) {
            None => wrong.push(format!("{said}, not in the table")),
            Some((right, lines)) => {
                if right != (page, action) {
                    wrong.push(format!("{said}, {}:{} in the table", right.0, right.1));
                }
                used.extend(lines);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = [section("[pages]"), section("[actions]")].concat();
    let unused: Vec<String> =
        all.iter().map(|line| line.join(" ")).filter(|line| !used.contains(line)).collect();
    assert!(unused.is_empty(), "lines of no operation: {unused:?}");
}

/// A user with all rights to one page and no other opens what the table says of that page, and nothing else.
#[rstest]
#[tokio::test]
async fn users_of_one_page_open_that_page_only(#[from(one_engine)] on: Engine) {
    let site = Site::build(on).await;
    let (all, mut wrong, mut opened) = (guarded().await, Vec::new(), 0);
    for page in pages() {
        let client = site.app.user(&[(&page, meaningful(&page))], None).await;
        for operation in &all {
            let Some((right, _)) = wanted(operation) else { continue };
            // Some handlers ask for a right to what they touch as well; a template for that to import its list.
            let asks_more =
                operation.said.get("x-also-permission").is_some() || operation.id == "get_import_template";
            let own = right.0 == page;
            let (verdict, answer) = site.verdict(&client, operation).await;
            let fits = match verdict {
                Verdict::In => own,
                Verdict::Forbidden => !own || asks_more,
                Verdict::Unknown | Verdict::OutOfScope => false,
            };
            opened += usize::from(own && verdict == Verdict::In);
            if !fits {
                wrong.push(format!("{page}: {} {}: {answer}", operation.method, operation.path));
            }
        }
    }
    assert!(opened > 600, "only {opened} operations opened");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
