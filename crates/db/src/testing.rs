//! A separate database for each test, on either engine.
//!
//! SQLite's is a file in a temporary folder, copied from a migrated one. PostgreSQL's is created from a migrated
//! template in one cluster shared by all test processes of a user: the first one starts it, and a small script stops it
//! and removes its folder some seconds after the last one has exited, for any reason.

pub mod clock;
mod cluster;
mod own;
mod template;

use larder_domain::Timestamp;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use tempfile::TempDir;

use self::cluster::{Dropped, database};
pub use self::own::OwnCluster;
use crate::{Actor, Db, DbConfig, Engine, migrate, sqlite};

/// A migrated database, removed on drop.
pub struct Temp {
    pub db: Db,
    /// Its URL, for opening it again.
    pub url: String,
    _place: Place,
}

/// Removed on drop.
enum Place {
    Folder { _folder: TempDir },
    Database { _database: Dropped },
}

impl Temp {
    /// Creates a new database with all migrations applied.
    ///
    /// # Panics
    /// If it cannot be created; for PostgreSQL the message names what is missing.
    pub async fn new(engine: Engine) -> Temp {
        Temp::make(engine, true).await
    }

    /// Creates a new, empty database.
    ///
    /// # Panics
    /// Like [`new`](Self::new).
    pub async fn empty(engine: Engine) -> Temp {
        Temp::make(engine, false).await
    }

    async fn make(engine: Engine, migrated: bool) -> Temp {
        let (url, place) = match engine {
            Engine::Sqlite => {
                let folder = TempDir::with_prefix("larder-").expect("a temporary folder");
                let file = folder.path().join("larder.db");
                if migrated {
                    template::copy_to(&file).await;
                }
                let url = format!("sqlite:{}", file.display());
                (url, Place::Folder { _folder: folder })
            }
            Engine::Postgres => {
                let database = database(migrated).await;
                (database.url.clone(), Place::Database { _database: database })
            }
        };
        let db = Db::open(&DbConfig { url: url.clone(), readers: 3 }).await;
        Temp { db: db.expect("the temporary database opens"), url, _place: place }
    }

    /// Opens the same database again, as another node would.
    ///
    /// # Panics
    /// If it does not open.
    pub async fn another(&self) -> Db {
        let config = DbConfig { url: self.url.clone(), readers: 3 };
        Db::open(&config).await.expect("the temporary database opens once more")
    }

    /// Adds tables for one test, written like migrations.
    ///
    /// # Panics
    /// If the database refuses them.
    pub async fn schema(&self, source: &str) {
        let text = AssertSqlSafe(migrate::translate(source, self.db.engine()));
        let done = match self.db.engine() {
            Engine::Sqlite => {
                let options = sqlite::options(&self.url).expect("the URL is good");
                let mut connection = options.connect().await.expect("the database opens");
                sqlx::raw_sql(text).execute(&mut connection).await.map(drop)
            }
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&self.url).await.expect("the database opens");
                sqlx::raw_sql(text).execute(&mut connection).await.map(drop)
            }
        };
        done.expect("the schema is good");
    }
}

/// A test actor.
pub fn actor() -> Actor {
    Actor {
        uid: "tester".into(),
        name: "Tess Tester".into(),
        email: "tess@example.com".into(),
        from: "test".into(),
        at: Timestamp(1_700_000_000_000),
    }
}
