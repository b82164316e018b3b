//! Custom reports: one private, two shared, one with a paused email schedule.

use larder_db::{Json, Tx};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};

/// Its author, among the demo's users.
const HEAD_OFFICE: usize = 1;

struct Example {
    name: &'static str,
    about: &'static str,
    definition: Value,
    everybody: bool,
    role: Option<&'static str>,
    /// Whether it has a schedule, which is paused.
    mailed: bool,
}

/// Creates the reports.
pub async fn load(demo: &mut DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    let range = |name: &str| json!({ "named": name });
    let examples = [
        Example {
            name: "Sales by store and weekday",
            about: "Average net sales a day, for the Monday meeting.",
            definition: json!({
                "dataset": "sales", "range": range("last-13-weeks"), "rows": ["store"], "columns": ["weekday"],
                "measures": [{ "field": "net", "rule": "avgPerDay" }], "filters": [],
                "sort": { "measure": 0, "descending": true }, "top": null, "chart": "heat",
            }),
            everybody: true,
            role: None,
            mailed: true,
        },
        Example {
            name: "Waste by reason",
            about: "What was thrown away, and what it was worth.",
            definition: json!({
                "dataset": "waste", "range": range("this-month"), "rows": ["reason"], "columns": ["store"],
                "measures": [{ "field": "value", "rule": "sum" }], "filters": [], "sort": null, "top": null, "chart": "bars",
            }),
            everybody: false,
            role: Some("Store manager"),
            mailed: false,
        },
        Example {
            name: "Top 20 items against the four weeks before",
            about: "",
            definition: json!({
                "dataset": "sales", "range": range("last-4-weeks"), "rows": ["item"], "columns": [],
                "measures": [{ "field": "net", "rule": "sum" }, { "field": "net", "rule": "share" },
                             { "field": "net", "rule": "change" }],
                "filters": [], "sort": { "measure": 0, "descending": true }, "top": { "rows": 20, "other": true },
                "chart": "bars",
            }),
            everybody: false,
            role: Some("Accounting"),
            mailed: false,
        },
        Example {
            name: "What the kitchens sent, by product",
            about: "Quantities stand in their units.",
            definition: json!({
                "dataset": "deliveries", "range": range("last-4-weeks"), "rows": ["item"], "columns": [],
                "measures": [{ "field": "dispatched", "rule": "sum" }, { "field": "accepted", "rule": "sum" },
                             { "field": "fillRate", "rule": "sum" }],
                "filters": [], "sort": null, "top": null, "chart": "none",
            }),
            everybody: false,
            role: None,
            mailed: false,
        },
    ];
    for (at, example) in examples.into_iter().enumerate() {
        let at = moment(world.last.plus(-10 + i32::try_from(at).unwrap_or(0)), 10, 15);
        let (id, actor) = (demo.id(at), demo.actor(HEAD_OFFICE, at));
        let (id, example) = (id.as_str(), &example);
        demo.state
            .db
            .write(&actor, async |tx: &mut Tx<'_>| -> Result<(), ApiError> { write(tx, id, example).await })
            .await?;
    }
    Ok(())
}

async fn write(tx: &mut Tx<'_>, id: &str, example: &Example) -> Result<(), ApiError> {
    let actor = tx.actor();
    let by = json!({ "uid": actor.uid, "name": actor.name, "email": actor.email });
    let at = actor.at;
    let owner: String = tx.sql("select id from app_users where uid = $1").bind(&actor.uid).scalar().await?;
    tx.sql(
        "insert into custom_reports (id, name, name_key, about, definition, owner_id, everybody, revision, created_at,
           created_by, updated_at, updated_by, deleted_at)
         values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $8, $9, null)",
    )
    .bind(id)
    .bind(example.name)
    .bind(example.name.to_lowercase())
    .bind(example.about)
    .bind(Json(&example.definition))
    .bind(&owner)
    .bind(example.everybody)
    .bind(at)
    .bind(Json(&by))
    .execute()
    .await?;
    if let Some(role) = example.role {
        tx.sql(
            "insert into custom_report_roles (report_id, role_id) select $1, id from app_roles where name = $2",
        )
        .bind(id)
        .bind(role)
        .execute()
        .await?;
    }
    if example.mailed {
        tx.sql(
            "insert into custom_report_schedules (report_id, enabled, every, minutes, weekdays, month_day, note, last_due,
               revision, updated_at, updated_by)
             values ($1, $2, 'week', 420, 1, 1, 'For the Monday meeting.', null, 1, $3, $4)",
        )
        .bind(id)
        .bind(false)
        .bind(at)
        .bind(Json(&by))
        .execute()
        .await?;
        tx.sql(
            "insert into custom_report_recipients (report_id, user_id)
             select $1, id from app_users where email in ('store.manager@larder.example', 'accounting@larder.example')",
        )
        .bind(id)
        .execute()
        .await?;
    }
    Ok(())
}
