//! What may refer to a list is declared; the schema knows better.

use larder_server::lists::catalog;
use larder_server::lists::engine::uses_of;

use crate::support::{App, Engine};

#[tokio::test]
async fn every_foreign_key_to_a_list_is_a_declared_use() {
    let app = App::start_idle(Engine::Sqlite).await;
    let keys: Vec<(String, String, String)> = app
        .db
        .sql(
            "select m.name, f.\"from\", f.\"table\" from sqlite_master m
             join pragma_foreign_key_list(m.name) f where m.type = 'table' order by 1, 2",
        )
        .all()
        .await
        .expect("the schema's graph");
    assert!(keys.iter().any(|(_, _, to)| to == "store_formats"));
    // Stores are never deleted.
    for def in catalog::ALL.iter().filter(|def| !def.stores) {
        let uses = uses_of(def);
        for (table, column, _) in keys.iter().filter(|(_, _, to)| to == def.table) {
            let declared = uses.iter().any(|one| {
                one.table.split(' ').next() == Some(table)
                    && one.column.rsplit([' ', '.']).next() == Some(column)
            });
            assert!(declared, "{table}.{column} refers to {}: declare it in lists/engine/uses.rs", def.table);
        }
    }
}
