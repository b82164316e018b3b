//! `larder-world`: plays simulated groups on a server that it starts, and reports where its pages differ from the truth.
//!
//! ```sh
//! larder-world --larder target/fuzz/larder --seeds 200 --days 28
//! ```

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use larder_world::client::{Done, failed};
use larder_world::host::Started;
use larder_world::{Options, Report, run};

const USAGE: &str =
    "larder-world --larder PROGRAM [--data-dir EMPTY] [--listen ADDRESS]
             [--seeds HOW-MANY | --seed ONE] [--days DAYS] [--errors SEEDS] [--at-once SEEDS] [--shorten yes|no]";

#[derive(Debug, Default)]
struct Args {
    larder: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    listen: Option<String>,
    seeds: Option<u64>,
    seed: Option<u64>,
    days: Option<usize>,
    errors: Option<usize>,
    at_once: Option<usize>,
    shorten: Option<bool>,
}

fn number<T: std::str::FromStr>(text: &str) -> Done<Option<T>> {
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => failed(format!("«{text}» is no number.\n{USAGE}")),
    }
}

fn args() -> Done<Args> {
    let (mut args, mut given) = (Args::default(), std::env::args().skip(1));
    while let Some(name) = given.next() {
        let Some(value) = given.next() else { return failed(format!("{name} has no value.\n{USAGE}")) };
        match name.as_str() {
            "--larder" => args.larder = Some(value.into()),
            "--data-dir" => args.data_dir = Some(value.into()),
            "--listen" => args.listen = Some(value),
            "--seeds" => args.seeds = number(&value)?,
            "--seed" => args.seed = number(&value)?,
            "--days" => args.days = number(&value)?,
            "--errors" => args.errors = number(&value)?,
            "--at-once" => args.at_once = number(&value)?,
            "--shorten" => args.shorten = Some(value != "no"),
            _ => return failed(format!("{name} is unknown.\n{USAGE}")),
        }
    }
    Ok(args)
}

async fn play(args: Args) -> Done<Report> {
    let first: u64 = args.seed.unwrap_or_else(|| u64::from(rand::random::<u32>()));
    let many = if args.seed.is_some() { 1 } else { args.seeds.unwrap_or(10) };
    let days = args.days.unwrap_or(28);
    let options = Options {
        seeds: (first..first + many).collect(),
        days,
        at_once: args.at_once.unwrap_or(8),
        shorten: args.shorten.unwrap_or(true),
        errors: args.errors.unwrap_or(1),
        most: None,
        tag: format!("{:x}", rand::random::<u16>()),
    };
    println!("Seeds {first} to {}.", first + many - 1);
    let Some(program) = args.larder else { return failed(USAGE) };
    let folder = args.data_dir.unwrap_or_else(|| Path::new("larder-world-data").to_owned());
    let listen = args.listen.as_deref().unwrap_or("127.0.0.1:8981");
    run(&mut Started::new(&program, &folder, listen)?, &options).await
}

#[tokio::main]
async fn main() -> ExitCode {
    let played = match args() {
        Ok(args) => play(args).await,
        Err(failure) => Err(failure),
    };
    match played {
        Ok(report) => {
            print!("{}", report.text);
            if report.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
