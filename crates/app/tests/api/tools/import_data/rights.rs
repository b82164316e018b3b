//! Permissions to import into lists.

use larder_domain::Action::{Create, Edit, Import, View};
use rstest::rstest;
use serde_json::json;

use super::{HOME, check, counts, make, path, problem, rows, suggested, upload};
use crate::support::{App, Engine, one_engine};

const PAGE: (&str, &[larder_domain::Action]) = ("tools/importData", &[View, Import]);

#[rstest]
#[tokio::test]
async fn importing_needs_the_permission_to_create_and_edit(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let editor = app.user(&[PAGE, ("lists/allLists", &[View, Create, Edit])], None).await;
    let viewer = app.user(&[PAGE, ("lists/allLists", &[View, Edit])], None).await;
    let outside = app.user(&[("lists/allLists", &[View, Create, Edit])], None).await;
    let lists = editor.get(&format!("{HOME}/lists")).await.expect(200);
    let slugs: Vec<&str> =
        lists.as_array().expect("lists").iter().filter_map(|l| l["slug"].as_str()).collect();
    assert!(
        slugs.contains(&"uoms") && !slugs.contains(&"products") && !slugs.contains(&"stores"),
        "{slugs:?}"
    );
    assert_eq!(viewer.get(&format!("{HOME}/lists")).await.expect(200), json!([]));
    assert_eq!(outside.get(&format!("{HOME}/lists")).await.status, 403);
    let wish = format!("{HOME}/uploads?list=products&fileName=a.csv");
    assert_eq!(editor.upload(&wish, "Name\nPork\n").await.status, 403);
    assert_eq!(editor.get(&format!("{HOME}/lists/products/template")).await.status, 403);
    let batch = upload(&editor, "uoms", "uoms.csv", "Name,Code\nPiece,pc\n").await;
    assert_eq!(viewer.get(&path(&batch)).await.status, 404);
    assert_eq!(viewer.get(&format!("{HOME}/batches")).await.expect(200)["total"], 0);
}

#[rstest]
#[tokio::test]
async fn inaccessible_stores_stay_inaccessible(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut ids = Vec::new();
    for code in ["MKT", "QC"] {
        let body = json!({ "name": format!("Store {code}"), "code": code });
        let store = make(&admin, "/api/stores/locations", &body).await;
        ids.push(store["id"].as_str().expect("an id").to_owned());
    }
    make(&admin, "/api/lists/root-items", &json!({ "name": "Rice" })).await;
    let rights = [
        PAGE,
        ("stores/storeList", &[View, Create, Edit][..]),
        ("lists/storeInventoryItems", &[View, Create, Edit]),
    ];
    let near = app.user(&rights, Some(&ids[..1])).await;

    let file = "Code,Name,City\nMKT,Store MKT,Makati\nQC,Store QC,Quezon City\nNEW,New store,Pasig\n";
    let batch = upload(&near, "stores", "stores.csv", file).await;
    let checked = check(&app, &near, &batch, &suggested(&batch, "code")).await;
    assert_eq!(counts(&checked), (0, 1, 0, 2), "{checked}");
    let failed = rows(&near, &batch, "failed").await;
    assert!(
        failed.iter().all(|row| problem(row).contains("You don't have access to this store.")),
        "{failed:?}"
    );

    let file = "Store,Root item,Par level\nmkt,Rice,10\nQC,Rice,10\n";
    let batch = upload(&near, "store-root-items", "pars.csv", file).await;
    let checked = check(&app, &near, &batch, &suggested(&batch, "id")).await;
    assert_eq!(counts(&checked), (1, 0, 0, 1), "{checked}");
    // Another store-limited user does not see the file.
    let other = app.user(&rights, Some(&ids[..1])).await;
    assert_eq!(other.get(&path(&batch)).await.status, 404);
    assert_eq!(admin.get(&path(&batch)).await.status, 200);
}
