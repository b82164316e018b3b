//! Failed background work.

use futures::FutureExt as _;
use larder_domain::{Action, StoreScope, Timestamp};

use super::model::{Rings, Task, TaskContext, TaskSummary, TaskType, listed};
use larder_engines::connectors;
use larder_platform::http::ApiResult;
use larder_platform::{calculations, jobs};

/// Days for which a failed job is shown.
const DAYS: i64 = 7;
/// Jobs looked at for a few items: they are shown by the time they ended.
const NEWEST: i64 = 200;

/// Services whose last run failed, connectors that could not read, and the user's own failed jobs. They have no deadline.
pub(super) static FAILED: TaskType = TaskType {
    name: "failedWork",
    title: "Failed jobs",
    needs: &[],
    rings: Rings::Always,
    on_home: true,
    of_stores: false,
    changes: &["jobFailed", "serviceRun", "connectorRun", "connector", "salesBatch", "importBatch"],
    read: |context| failed(context).boxed(),
};

async fn failed(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let who = context.who;
    let may_calculations = who.can(calculations::PAGE, Action::View);
    let mut items = Vec::new();
    if may_calculations {
        for run in calculations::failing(context.state, who).await? {
            items.push(Task {
                id: run.id.clone(),
                title: run.title.to_owned(),
                text: run.error,
                store_id: None,
                at: run.at,
                count: 1,
                late: false,
                urgent: false,
                href: run.page.to_owned(),
            });
        }
    }
    // A connector reads for all stores.
    if who.scope == StoreScope::All {
        for run in connectors::failing(context.db()).await? {
            let (path, right) = run.page();
            if !who.can(right, Action::View) {
                continue;
            }
            items.push(Task {
                href: format!("{path}?open={}", run.connector_id),
                id: run.id,
                title: run.name,
                text: run.words,
                store_id: None,
                at: run.at,
                count: 1,
                late: false,
                urgent: false,
            });
        }
    }
    let since = Timestamp(who.at.0 - DAYS * 86_400_000);
    let (newest, failed) = jobs::queries::failed_since(
        context.db(),
        since,
        &who.uid,
        who.super_admin,
        context.limit().max(NEWEST),
    )
    .await?;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX).saturating_add(failed);
    for job in newest {
        let (title, page, right) = job_words(&job.kind);
        let href = if who.can(right, Action::View) { page.to_owned() } else { listed(FAILED.name) };
        items.push(Task {
            id: job.id,
            title: title.to_owned(),
            text: job.error.unwrap_or_default(),
            store_id: None,
            at: job.finished_at.unwrap_or(job.created_at),
            count: 1,
            late: false,
            urgent: false,
            href,
        });
    }
    let mut summary = TaskSummary { href: listed(FAILED.name), count, ..TaskSummary::default() };
    for item in &items {
        summary.arose(context, item.at, (item.count, false));
    }
    items.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.id.cmp(&b.id)));
    items.truncate(context.most);
    summary.items = items;
    Ok(summary)
}

/// A job's label, the page it was started from, and that page's permission.
fn job_words(kind: &str) -> (&'static str, &'static str, &'static str) {
    const USERS: &str = "manageUsers/users";
    match kind.split('.').next().unwrap_or_default() {
        "mail" => ("An email could not be sent", "/users", USERS),
        "sales" => ("Sales import", "/tools/import-sales-product", "tools/importSalesProduct"),
        "imports" | "import" | "importData" => ("Import of data", "/tools/import-data", "tools/importData"),
        "readings" => ("Reading of pictures", "/tools/services/zreading-ocr", calculations::PAGE),
        "users" => ("Work on users", "/users", USERS),
        "insights" => ("Transaction insights", "/tools/transaction-insights", "tools/transactionInsights"),
        "reports" => ("Custom report", "/reports/custom", "reports/reports"),
        _ => ("A job", "/tools/services", calculations::PAGE),
    }
}
