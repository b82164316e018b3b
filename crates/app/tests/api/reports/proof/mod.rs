//! Every figure of every sales report, recalculated from the rows of the imported files by plain counting: over random
//! sales with voids, returns, discounts, unmapped items, re-imported days and late corrections; random
//! readings, deposits and settlements; random counts; random deliveries. Figures that several reports share
//! must be equal.

mod alike;
mod counted;
mod money;
mod sales;
mod supply;
mod world;

use rand::RngExt as _;
use rstest::rstest;

use crate::support::{Engine, fresh_seed, one_engine};
use crate::tools::import_sales_product::agree;
use sales::{comparison, food, mix, movement, products, roots, scorecard, tills};
use world::{Book, DAYS, FIRST, Line, Range, World};

#[rstest]
#[tokio::test]
async fn every_figure_equals_the_sum_of_its_lines(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    figures_equal_their_lines(on, 20_261_125).await;
}

/// The seed follows from the committed sources; `PROOF_SEED` replays one.
#[rstest]
#[tokio::test]
async fn every_figure_equals_the_sum_of_its_lines_of_a_fresh_seed(#[from(one_engine)] on: Engine) {
    let seed = fresh_seed("PROOF_SEED");
    println!("PROOF_SEED={seed}");
    figures_equal_their_lines(on, seed).await;
}

async fn figures_equal_their_lines(on: Engine, seed: u64) {
    let mut world = World::build(on, seed).await;
    agree(&world.app).await;
    let lines = world.lines();
    // A name that is mapped later need not reach lines that count nowhere.
    let plain = |line: Line| Line { item: line.item.filter(|_| line.counts), ..line };
    let mut typed: Vec<Line> = lines.iter().cloned().map(plain).collect();
    let mut shown: Vec<Line> = world.shown().await.into_iter().map(plain).collect();
    typed.sort();
    shown.sort();
    assert_eq!(shown, typed, "seed {seed}: pages of store-days, and the files");
    let book = Book(&lines);
    assert!(lines.iter().any(|line| !line.counts) && lines.iter().any(|line| line.net < 0));
    assert!(lines.iter().any(|line| line.item.is_none()) && lines.iter().any(|line| line.receipt.is_none()));
    for round in 0..12 {
        let from = FIRST + world.random.random_range(-3..DAYS - 2);
        let to = (from + world.random.random_range(0..30)).min(FIRST + DAYS - 1);
        let stores = [vec![0, 1, 2], vec![1], vec![0, 2]][round % 3].clone();
        let range = Range { from, to: to.max(from), stores };
        let what = format!("seed {seed}, {range:?}");
        products(&world, &book, &range, &what).await;
        roots(&world, &book, &range, &what).await;
        mix(&world, &book, &range, &what).await;
        tills(&world, &book, &range, &what).await;
        comparison(&world, &book, &range, &what).await;
        food(&world, &book, &range, &what).await;
        scorecard(&world, &book, &range, &what).await;
        movement(&world, &book, &range, &what).await;
        alike::pairs(&world, &range, &what).await;
    }
}
