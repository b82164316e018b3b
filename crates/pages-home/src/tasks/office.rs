//! Applications for access, and expiring company documents.

use futures::FutureExt as _;
use larder_domain::{Action, BusinessDay, Timestamp};

use super::model::{
    Arisen, Rings, Task, TaskContext, TaskSummary, TaskType, day_end, day_start, day_words, listed,
};
use larder_platform::http::ApiResult;
use larder_platform::people::applications;
use larder_platform::people::applications::Filter;
use larder_platform::people::visible_people::VisiblePeople;

/// A document is shown this many days before it expires.
const AHEAD: i32 = 60;
/// It is due on the day it expires, and notified again this many days before.
const SOON: i32 = 14;
/// An application is overdue after three days.
const PATIENCE_MS: i64 = 3 * 86_400_000;

/// Applications for access.
pub(super) static APPLICATIONS: TaskType = TaskType {
    name: "applications",
    title: "Requests for access",
    needs: &[("manageUsers/applications", Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    of_stores: false,
    changes: &["application"],
    read: |context| access(context).boxed(),
};

/// Company documents that expire within two months or have expired, unless a newer one replaces them.
pub(super) static PAPERS: TaskType = TaskType {
    name: "papers",
    title: "Papers running out",
    needs: &[("lists/allLists", Action::View)],
    rings: Rings::Always,
    on_home: true,
    of_stores: false,
    changes: &["companyDocument", "company"],
    read: |context| papers(context).boxed(),
};

async fn access(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let filter = Filter {
        state: Some("pending".to_owned()),
        oldest_first: true,
        limit: context.limit(),
        ..Filter::default()
    };
    // Everyone who may decide on applications sees a pending one.
    let (rows, count) = applications::list(context.db(), &VisiblePeople::Everybody, &filter).await?;
    let too_long = context.who.at.plus_ms(-PATIENCE_MS);
    let late = applications::waiting_from_before(context.db(), too_long).await?;
    let items = rows.into_iter().map(|row| Task {
        title: row.name,
        text: [row.position, row.store]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(", "),
        store_id: None,
        at: row.created_at,
        count: 1,
        late: row.created_at < too_long,
        urgent: false,
        href: "/users/applications".to_owned(),
        id: row.id,
    });
    let new = match context.since {
        Some(since) => count - applications::waiting_from_before(context.db(), since.plus_ms(1)).await?,
        None => 0,
    };
    Ok(TaskSummary {
        count,
        late,
        items: items.collect(),
        href: "/users/applications".to_owned(),
        arisen: Some(Arisen { count: new, urgent: false }),
        ..TaskSummary::default()
    })
}

/// Document id, company id, company name, title, expiry date.
type Paper = (String, String, String, String, BusinessDay);

async fn papers(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let rows: Vec<Paper> = context
        .db()
        .sql(
            "select d.id, d.company_id, c.name, d.title, d.expires from company_documents d
             join companies c on c.id = d.company_id
             where d.expires is not null and d.expires <= $1 and not exists (
               select 1 from company_documents n where n.company_id = d.company_id and n.kind = d.kind
                 and (n.kind <> 'other' or n.title = d.title) and n.expires > d.expires)
             order by d.expires, d.id",
        )
        .bind(context.today.plus(AHEAD))
        .all()
        .await?;
    let mut summary = TaskSummary { href: listed(PAPERS.name), ..TaskSummary::default() };
    // An expired document is urgent at once.
    let lateness = |expires| context.lateness(day_end(expires), Some(0));
    let mut soon = 0;
    for (.., expires) in &rows {
        soon += i64::from(*expires <= context.today.plus(SOON));
        let is = lateness(*expires);
        summary.add(*expires, 1, is);
        summary.arose(context, pressing(context, *expires), (1, is.urgent));
    }
    summary.words = match (summary.late, soon) {
        (0, 0) => String::new(),
        (0, soon) => format!("{soon} within two weeks"),
        (past, _) => format!("{past} ran out"),
    };
    let items = rows.into_iter().take(context.most).map(|(id, company_id, company, title, expires)| {
        let is = lateness(expires);
        let day = day_words(expires);
        Task {
            id,
            title: format!("{title} · {company}"),
            text: if is.late { format!("Ran out on {day}") } else { format!("Runs out on {day}") },
            store_id: None,
            at: pressing(context, expires),
            count: 1,
            late: is.late,
            urgent: is.urgent,
            href: format!("/lists/companies/{company_id}"),
        }
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Since when a document is shown as it is: it is notified again when it becomes pressing and when it has expired.
fn pressing(context: &TaskContext<'_>, expires: BusinessDay) -> Timestamp {
    let days = [expires.plus(-AHEAD), expires.plus(-SOON), expires.plus(1)];
    day_start(days.into_iter().rev().find(|day| *day <= context.today).unwrap_or(context.today))
}
