//! Declared references to lists, compared with the schema.

use std::collections::BTreeSet;

use larder_lists::catalog;
use larder_lists::engine::{Field, uses_of};

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

#[tokio::test]
async fn unique_indexes_match_the_declared_fields() {
    let app = App::start_idle(Engine::Sqlite).await;
    for def in catalog::ALL {
        let indexes: Vec<(String, String)> = app
            .db
            .sql(
                "select i.name, c.name from pragma_index_list($1) i, pragma_index_info(i.name) c
                 where i.\"unique\" = 1 and i.origin = 'c' order by i.name, c.seqno",
            )
            .bind(def.table)
            .all()
            .await
            .expect("the indexes");
        let names: BTreeSet<&str> = indexes.iter().map(|(index, _)| index.as_str()).collect();
        let fields_of = |name: &str| {
            let columns = indexes.iter().filter(|(index, _)| index == name).map(|(_, column)| column);
            let field = |column: &String| {
                let named = |f: &&Field| f.column == column || f.key() == Some(column.as_str());
                def.fields.iter().find(named).map_or("?", |field| field.name)
            };
            columns.map(field).collect::<Vec<_>>()
        };
        // Tree roots have an index of their own, and the single default is a separate rule.
        let theirs: BTreeSet<Vec<&str>> = names
            .into_iter()
            .map(fields_of)
            .filter(|set| !(def.tree.is_some() && *set == ["name"]) && *set != ["isDefault"])
            .collect();
        let ours: BTreeSet<Vec<&str>> = def.unique.iter().map(|key| key.to_vec()).collect();
        assert_eq!(ours, theirs, "{}", def.kind);
    }
}
