//! `larder`: the server and the operator's commands.

mod admin;
mod config;
mod example;
#[cfg(feature = "legacy")]
mod import_documents;
mod keys;
mod ledger;
mod log;
mod plan;
mod rollups;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Operations console of a food retail and commissary group.
#[derive(Debug, Parser)]
#[command(name = "larder", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the console and its API.
    Serve(Serve),
    /// Migrate the database to this version's schema.
    Migrate(Common),
    /// Manage administrators.
    #[command(subcommand)]
    Admin(Admin),
    #[cfg(feature = "demo")]
    /// Fill an empty database with a realistic group of stores.
    Demo(Demo),
    #[cfg(feature = "legacy")]
    /// Import from the former system: a folder with a file of JSON documents for each collection.
    ImportDocuments(ImportDocuments),
    /// Run services (forecasts, plans) and show their results.
    #[command(subcommand)]
    Plan(Plan),
    /// Verify or repair the sales rollups.
    #[command(subcommand)]
    Rollups(Rollups),
    /// Verify the stock ledger.
    #[command(subcommand)]
    Ledger(Ledger),
    /// Manage the key that encrypts the database's secrets.
    #[command(subcommand)]
    Keys(Keys),
    /// Print the API's contract.
    Openapi,
    /// Print the console's copy of the registry of entity types.
    Kinds,
}

/// Options of every command on a database. Unset flags come from `LARDER_*`, then `larder.toml`.
#[derive(Debug, Args, Clone)]
struct Common {
    /// Folder for the database and uploaded files (`larder-data`).
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// A PostgreSQL address instead of the SQLite file in the data folder.
    #[arg(long)]
    database: Option<String>,
    /// A settings file other than `larder.toml`.
    #[arg(long)]
    config: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    common: Common,
    /// Address to listen on (`127.0.0.1:8080`).
    #[arg(long)]
    listen: Option<std::net::SocketAddr>,
    /// Address for Prometheus metrics; none when unset.
    #[arg(long)]
    metrics_listen: Option<std::net::SocketAddr>,
    /// Load the small demo data when the database is empty.
    #[cfg(feature = "demo")]
    #[arg(long)]
    demo_if_empty: bool,
}

#[derive(Debug, Subcommand)]
enum Admin {
    /// Create a super admin.
    Create {
        #[command(flatten)]
        common: Common,
        /// Address to sign in with.
        #[arg(long)]
        email: String,
        /// Name shown to colleagues.
        #[arg(long)]
        name: String,
        /// Read the password from standard input.
        #[arg(long, required = true)]
        password_stdin: bool,
    },
}

#[cfg(feature = "demo")]
#[derive(Debug, Args)]
struct Demo {
    #[command(flatten)]
    common: Common,
    /// Eight stores and six months instead of forty and two years.
    #[arg(long)]
    small: bool,
    /// The same seed makes the same data.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[cfg(feature = "legacy")]
#[derive(Debug, Args)]
struct ImportDocuments {
    #[command(flatten)]
    common: Common,
    /// Folder with the files: `products.jsonl`, `uoms.jsonl` …
    #[arg(required_unless_present = "kept")]
    folder: Option<PathBuf>,
    /// Instead of a folder, import the documents that earlier imports kept for lack of a table.
    #[arg(long, conflicts_with = "folder")]
    kept: bool,
    /// Path of the report (`import-report.json` in the data folder).
    #[arg(long)]
    report: Option<PathBuf>,
    /// Email every new user a link to set a password; a running server sends them.
    #[arg(long)]
    send_reset_links: bool,
}

#[derive(Debug, Subcommand)]
enum Plan {
    /// Run services to completion, one after the other, and print each result; fails when one does.
    Run {
        #[command(flatten)]
        common: Common,
        /// Services by their URL names; all nightly ones if none is given.
        services: Vec<String>,
    },
    /// List the services with their schedules and last runs.
    Status {
        #[command(flatten)]
        common: Common,
        /// Number of runs.
        #[arg(long, default_value_t = 10)]
        runs: u16,
    },
}

#[derive(Debug, Subcommand)]
enum Rollups {
    /// Recompute everything and list the differences; fails when there are any.
    Verify(Common),
    /// Recompute everything and correct the rollups.
    Rebuild(Common),
}

#[derive(Debug, Subcommand)]
enum Ledger {
    /// Add up all movements and list the balances and quantities that differ; fails when any does.
    Verify(Common),
}

#[derive(Debug, Subcommand)]
enum Keys {
    /// Print a new key, for LARDER_KEY or a file.
    New,
    /// Re-encrypt everything with another key. Stop every server first.
    Reseal {
        #[command(flatten)]
        common: Common,
        /// A file with the new key; without it one is created and replaces the key file.
        #[arg(long)]
        new_key_file: Option<PathBuf>,
    },
    /// When the key is lost for good: delete everything encrypted with it.
    Forget {
        #[command(flatten)]
        common: Common,
        /// Confirm.
        #[arg(long)]
        yes: bool,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    match runtime.block_on(run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("larder: {error:#}");
    ExitCode::FAILURE
}

async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::serve(args).await,
        Command::Migrate(common) => migrate(&common).await,
        Command::Admin(Admin::Create { common, email, name, password_stdin: _ }) => {
            admin::create(&common, &email, &name).await
        }
        #[cfg(feature = "demo")]
        Command::Demo(args) => demo(&args).await,
        #[cfg(feature = "legacy")]
        Command::ImportDocuments(args) => import_documents::command(&args).await,
        Command::Plan(Plan::Run { common, services }) => plan::run(&common, &services).await,
        Command::Plan(Plan::Status { common, runs }) => plan::status(&common, runs.into()).await,
        Command::Rollups(Rollups::Verify(common)) => rollups::verify(&common).await,
        Command::Rollups(Rollups::Rebuild(common)) => rollups::rebuild(&common).await,
        Command::Ledger(Ledger::Verify(common)) => ledger::verify(&common).await,
        Command::Keys(Keys::New) => {
            keys::new();
            Ok(())
        }
        Command::Keys(Keys::Reseal { common, new_key_file }) => {
            keys::reencrypt(&common, new_key_file.as_deref()).await
        }
        Command::Keys(Keys::Forget { common, yes }) => keys::forget(&common, yes).await,
        Command::Kinds => {
            print!("{}", larder_app::entity_types::all().typescript());
            Ok(())
        }
        Command::Openapi => {
            print!("{}", larder_app::openapi_text().await?);
            Ok(())
        }
    }
}

/// Fills an empty database and prints who can sign in.
#[cfg(feature = "demo")]
async fn demo(args: &Demo) -> anyhow::Result<()> {
    let state = larder_app::open(config::load(&args.common)?).await?;
    let filled = larder_demo::fill(&state, args.small, args.seed).await;
    state.db.close().await;
    println!("{}", filled?);
    Ok(())
}

async fn migrate(common: &Common) -> anyhow::Result<()> {
    let config = config::load(common)?;
    let db = larder_app::open_database(&config, 1).await?;
    let applied = db.migrate().await?;
    db.close().await;
    match applied.len() {
        0 => println!("The database is up to date."),
        n => println!("Applied {n} migrations: {}.", applied.join(", ")),
    }
    Ok(())
}
