//! Applications for access, and expiring company documents.

use futures::FutureExt as _;
use larder_domain::{Action, BusinessDay, Timestamp};

use super::model::{DayCount, Rings, Task, TaskContext, TaskSummary, TaskType, day_words, listed};
use larder_platform::http::ApiResult;
use larder_platform::people::applications;
use larder_platform::people::applications::Filter;
use larder_platform::people::visible_people::VisiblePeople;

/// A document is shown this many days before it expires.
const AHEAD: i32 = 60;
/// It is pressing this many days before it expires.
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
        late: row.created_at < too_long,
        href: "/users/applications".to_owned(),
        id: row.id,
    });
    Ok(TaskSummary {
        count,
        late,
        items: items.collect(),
        href: "/users/applications".to_owned(),
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
    let mut past = 0;
    for (.., expires) in &rows {
        let late = *expires < context.today.plus(SOON);
        past += i64::from(*expires < context.today);
        summary.count += 1;
        summary.late += i64::from(late);
        match summary.days.last_mut() {
            Some(last) if last.day == *expires => last.count += 1,
            _ => summary.days.push(DayCount { day: *expires, count: 1, late }),
        }
    }
    summary.words = match (past, summary.late) {
        (0, 0) => String::new(),
        (0, soon) => format!("{soon} within two weeks"),
        (past, _) => format!("{past} ran out"),
    };
    let items = rows.into_iter().take(context.most).map(|(id, company_id, company, title, expires)| {
        let past = expires < context.today;
        let day = day_words(expires);
        // Notify again when it becomes pressing and when it has expired.
        let since = [expires.plus(-AHEAD), expires.plus(-SOON), expires.plus(1)];
        let since = since.into_iter().rev().find(|day| *day <= context.today).unwrap_or(context.today);
        Task {
            id,
            title: format!("{title} · {company}"),
            text: if past { format!("Ran out on {day}") } else { format!("Runs out on {day}") },
            store_id: None,
            at: Timestamp(i64::from(since.0) * 86_400_000 - 8 * 3_600_000),
            late: expires < context.today.plus(SOON),
            href: format!("/lists/companies/{company_id}"),
        }
    });
    summary.items = items.collect();
    Ok(summary)
}
