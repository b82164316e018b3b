//! Applications for access, and expiring company documents.

use futures::FutureExt as _;
use larder_domain::{Action, BusinessDay, Timestamp};

use super::model::{Asked, DayCount, Kind, Rings, Waiting, WaitingItem, day_words};
use larder_platform::http::ApiResult;
use larder_platform::people::applications;
use larder_platform::people::applications::Filter;
use larder_platform::people::reach::Reach;

/// A document is shown this many days before it expires.
const AHEAD: i32 = 60;
/// It is pressing this many days before it expires.
const SOON: i32 = 14;
/// An application is overdue after three days.
const PATIENCE_MS: i64 = 3 * 86_400_000;

/// Applications for access.
pub(super) static APPLICATIONS: Kind = Kind {
    name: "applications",
    title: "Requests for access",
    needs: &[("manageUsers/applications", Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    changes: &["application"],
    read: |asked| access(asked).boxed(),
};

/// Company documents that expire within two months or have expired, unless a newer one replaces them.
pub(super) static PAPERS: Kind = Kind {
    name: "papers",
    title: "Papers running out",
    needs: &[("lists/allLists", Action::View)],
    rings: Rings::Always,
    on_home: true,
    changes: &["companyDocument", "company"],
    read: |asked| papers(asked).boxed(),
};

async fn access(asked: &Asked<'_>) -> ApiResult<Waiting> {
    let filter = Filter {
        state: Some("pending".to_owned()),
        oldest_first: true,
        limit: asked.limit(),
        ..Filter::default()
    };
    // Everyone who may decide on applications sees a pending one.
    let (rows, count) = applications::list(asked.db(), &Reach::Everybody, &filter).await?;
    let too_long = asked.who.at.plus_ms(-PATIENCE_MS);
    let late = applications::waiting_from_before(asked.db(), too_long).await?;
    let items = rows.into_iter().map(|row| WaitingItem {
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
    Ok(Waiting {
        count,
        late,
        items: items.collect(),
        href: "/users/applications".to_owned(),
        ..Waiting::default()
    })
}

/// Document id, company id, company name, title, expiry date.
type Paper = (String, String, String, String, BusinessDay);

async fn papers(asked: &Asked<'_>) -> ApiResult<Waiting> {
    let rows: Vec<Paper> = asked
        .db()
        .sql(
            "select d.id, d.company_id, c.name, d.title, d.expires from company_documents d
             join companies c on c.id = d.company_id
             where d.expires is not null and d.expires <= $1 and not exists (
               select 1 from company_documents n where n.company_id = d.company_id and n.kind = d.kind
                 and (n.kind <> 'other' or n.title = d.title) and n.expires > d.expires)
             order by d.expires, d.id",
        )
        .bind(asked.today.plus(AHEAD))
        .all()
        .await?;
    let mut waiting = Waiting { href: "/lists/companies".to_owned(), ..Waiting::default() };
    let mut past = 0;
    for (.., expires) in &rows {
        let late = *expires < asked.today.plus(SOON);
        past += i64::from(*expires < asked.today);
        waiting.count += 1;
        waiting.late += i64::from(late);
        match waiting.days.last_mut() {
            Some(last) if last.day == *expires => last.count += 1,
            _ => waiting.days.push(DayCount { day: *expires, count: 1, late }),
        }
    }
    waiting.words = match (past, waiting.late) {
        (0, 0) => String::new(),
        (0, soon) => format!("{soon} within two weeks"),
        (past, _) => format!("{past} ran out"),
    };
    let told = rows.into_iter().take(asked.most).map(|(id, company_id, company, title, expires)| {
        let past = expires < asked.today;
        let day = day_words(expires);
        // Notify again when it becomes pressing and when it has expired.
        let since = [expires.plus(-AHEAD), expires.plus(-SOON), expires.plus(1)];
        let since = since.into_iter().rev().find(|day| *day <= asked.today).unwrap_or(asked.today);
        WaitingItem {
            id,
            title: format!("{title} · {company}"),
            text: if past { format!("Ran out on {day}") } else { format!("Runs out on {day}") },
            store_id: None,
            at: Timestamp(i64::from(since.0) * 86_400_000 - 8 * 3_600_000),
            late: expires < asked.today.plus(SOON),
            href: format!("/lists/companies/{company_id}"),
        }
    });
    waiting.items = told.collect();
    Ok(waiting)
}
