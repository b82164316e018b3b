//! A bounded query per entry type: one store, from a position, limited, by an index that starts with the
//! store.

use larder_db::{Db, DbError, Json, Query};
use larder_domain::document::DocumentKind;
use larder_domain::{BusinessDay, Money, Timestamp};

use super::kind::EntryKind;
use larder_ledgers::sales_count;
use larder_ledgers::store_items::Conversion;

/// A query for one type.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub store: String,
    pub from: Option<BusinessDay>,
    pub to: Option<BusinessDay>,
    /// Include only these states, or exclude them.
    pub states: Option<(Vec<String>, bool)>,
    /// A `like` pattern on folded text.
    pub like: Option<String>,
    pub person: Option<String>,
    /// The position to continue after: a day, and which of its entries remain.
    pub after: Option<(BusinessDay, Rest)>,
    pub limit: i64,
}

/// The remaining entries of a page's last day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rest {
    /// None: the type comes before the position.
    Nothing,
    /// Those after this id.
    Behind(String),
    /// All: the type comes after the position.
    All,
}

/// An entry as read.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Row {
    pub id: String,
    /// Unique sort key among entries of one type and day.
    pub key: String,
    pub number: Option<String>,
    pub date: BusinessDay,
    pub state: String,
    pub other_kind: Option<String>,
    pub other_id: Option<String>,
    pub about: Option<String>,
    pub lines: Option<i64>,
    pub amount: Option<Money>,
    pub at: Timestamp,
    pub uid: Option<String>,
    pub name: Option<String>,
}

impl Wanted {
    /// Conditions on day, position, state and person, for the given columns.
    fn push<'q>(&self, mut query: Query<'q>, of: &Columns) -> Query<'q> {
        if let Some(from) = self.from {
            query = query.push(" and ").push(of.date).push(" >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query = query.push(" and ").push(of.date).push(" <= ").push_bind(to);
        }
        if let Some((day, rest)) = &self.after {
            let upto = if *rest == Rest::Nothing { " < " } else { " <= " };
            query = query.push(" and ").push(of.date).push(upto).push_bind(*day);
            if let Rest::Behind(id) = rest {
                query = query.push(" and (").push(of.date).push(" < ").push_bind(*day);
                query = query.push(" or ").push(of.key).push(" < ").push_bind(id.clone()).push(")");
            }
        }
        if let (Some((states, these)), Some(state)) = (&self.states, of.state) {
            query =
                query.push(" and ").push(if *these { "" } else { "not " }).push("(").push(state).push(" in ");
            query = query.push_in(states.iter().cloned()).push(")");
        }
        if let Some(person) = &self.person {
            query = query.push(" and (").push(of.by).push(" = ").push_bind(person.clone());
            if let Some(also) = of.also_by {
                query = query.push(" or ").push(also).push(" = ").push_bind(person.clone());
            }
            query = query.push(")");
        }
        query
    }
}

struct Columns {
    date: &'static str,
    key: &'static str,
    state: Option<&'static str>,
    by: &'static str,
    also_by: Option<&'static str>,
}

const DOCUMENTS: Columns = Columns {
    date: "d.on_date",
    key: "d.id",
    state: Some("d.state"),
    by: "d.updated_by->>'uid'",
    also_by: Some("d.created_by->>'uid'"),
};

/// The documents of a type for a store, or sent by it.
async fn documents(db: &Db, kind: DocumentKind, wanted: &Wanted, sent: bool) -> Result<Vec<Row>, DbError> {
    let query = db
        .sql("select d.id, d.id as key, d.number, d.on_date as date, d.state, d.source_type as other_kind, ");
    let query = query.push(if sent { "d.store_id" } else { "d.source_id" }).push(
        " as other_id, cast(null as text) as about, d.line_count as lines, d.amount, d.updated_at as at, \
         d.updated_by->>'uid' as uid, d.updated_by->>'name' as name from documents d where d.",
    );
    let query =
        query.push(if sent { "source_id" } else { "store_id" }).push(" = ").push_bind(wanted.store.clone());
    let mut query = wanted.push(query.push(" and d.kind = ").push_bind(kind), &DOCUMENTS);
    if let Some(like) = &wanted.like {
        query = query.push(" and d.search_key like ").push_bind(like.clone()).push(" escape '\\'");
    }
    let query = query.push(" order by d.on_date desc, d.id desc limit ").push_bind(wanted.limit);
    query.all().await
}

const ADJUSTMENTS: Columns = Columns {
    date: "m.business_date",
    key: "m.document_id",
    state: None,
    by: "m.actor->>'uid'",
    also_by: None,
};

async fn adjustments(db: &Db, wanted: &Wanted) -> Result<Vec<Row>, DbError> {
    let query = db.sql(
        "select m.item_id as id, m.document_id as key, cast(null as text) as number, m.business_date as date, \
         'posted' as state, m.item_kind as other_kind, m.item_id as other_id, m.reason as about, \
         cast(null as bigint) as lines, cast(null as bigint) as amount, m.posted_at as at, m.actor->>'uid' as uid, \
         m.actor->>'name' as name from stock_movements m where m.document_type = 'adjustment' and m.place_kind = 'store' \
         and m.place_id = ",
    );
    let query = wanted.push(query.push_bind(wanted.store.clone()), &ADJUSTMENTS);
    query
        .push(" order by m.business_date desc, m.document_id desc limit ")
        .push_bind(wanted.limit)
        .all()
        .await
}

const COUNTS: Columns = Columns {
    date: "c.date",
    key: "c.session",
    state: None,
    by: "c.counted_by->>'uid'",
    also_by: Some("c.updated_by->>'uid'"),
};

async fn counts(db: &Db, wanted: &Wanted) -> Result<Vec<Row>, DbError> {
    // Days are limited first, by key; then the details of each are read.
    let query = db.sql(
        "select k.session as id, k.session as key, cast(null as text) as number, k.date, \
         case when s.finished_at is null then 'counted' else 'finished' end as state, cast(null as text) as other_kind, \
         cast(null as text) as other_id, cast(null as text) as about, k.lines, cast(null as bigint) as amount, k.at, \
         l.counted_by->>'uid' as uid, l.counted_by->>'name' as name \
         from (select c.store_id, c.date, c.session, cast(count(*) as bigint) as lines, max(c.stands_at) as at \
               from store_counts c where c.qty is not null and c.store_id = ",
    );
    let query = wanted.push(query.push_bind(wanted.store.clone()), &COUNTS);
    let query = query.push(" group by c.store_id, c.date, c.session");
    let query = match &wanted.states {
        None => query,
        Some((states, these)) => {
            let asked = |state: &str| states.iter().any(|one| one == state) == *these;
            let finished = " exists (select 1 from store_count_sessions f where f.store_id = c.store_id \
                 and f.date = c.date and f.session = c.session and f.finished_at is not null)";
            match (asked("finished"), asked("counted")) {
                (true, true) => query,
                (true, false) => query.push(" having").push(finished),
                (false, true) => query.push(" having not").push(finished),
                (false, false) => query.push(" having 1 = 0"),
            }
        }
    };
    let query = query.push(" order by c.date desc, c.session desc limit ").push_bind(wanted.limit).push(
        ") k left join store_count_sessions s on s.store_id = k.store_id and s.date = k.date and s.session = k.session \
         left join store_counts l on l.store_id = k.store_id and l.date = k.date and l.session = k.session \
           and l.item_id = (select min(n.item_id) from store_counts n where n.store_id = k.store_id and n.date = k.date \
             and n.session = k.session and n.qty is not null and n.stands_at = k.at)",
    );
    query.push(" order by k.date desc, k.session desc").all().await
}

const SALES: Columns = Columns {
    date: "d.business_date",
    key: "d.source",
    state: None,
    by: "b.created_by->>'uid'",
    also_by: None,
};

async fn sales_days(db: &Db, wanted: &Wanted) -> Result<Vec<Row>, DbError> {
    let query = db.sql(
        "select d.source as id, d.source as key, cast(null as text) as number, d.business_date as date, \
         'posted' as state, cast(null as text) as other_kind, cast(null as text) as other_id, \
         cast(null as text) as about, d.receipts as lines, d.net as amount, d.posted_at as at, \
         b.created_by->>'uid' as uid, b.created_by->>'name' as name \
         from sales_days d left join sales_batches b on b.id = d.batch_id where d.store_id = ",
    );
    let query = query.push_bind(wanted.store.clone()).push(sales_count!("d"));
    let query = wanted.push(query, &SALES);
    query.push(" order by d.business_date desc, d.source desc limit ").push_bind(wanted.limit).all().await
}

const READINGS: Columns = Columns {
    date: "r.business_date",
    key: "r.id",
    state: Some("r.state"),
    by: "r.updated_by->>'uid'",
    also_by: Some("r.created_by->>'uid'"),
};

async fn readings(db: &Db, wanted: &Wanted) -> Result<Vec<Row>, DbError> {
    let query = db.sql(
        "select r.id, r.id as key, cast(r.z_counter as text) as number, r.business_date as date, r.state, \
         cast(null as text) as other_kind, cast(null as text) as other_id, r.terminal_id as about, \
         r.transactions as lines, r.net as amount, r.updated_at as at, r.updated_by->>'uid' as uid, \
         r.updated_by->>'name' as name from z_readings r where r.store_id = ",
    );
    let mut query = wanted.push(query.push_bind(wanted.store.clone()), &READINGS);
    if wanted.states.is_none() {
        query = query.push(" and r.state <> 'discarded'");
    }
    if let Some(like) = &wanted.like {
        query = query.push(" and r.search_key like ").push_bind(like.clone()).push(" escape '\\'");
    }
    query.push(" order by r.business_date desc, r.id desc limit ").push_bind(wanted.limit).all().await
}

/// Entries of a type in order, each with whether the store sent it.
pub async fn of_kind(db: &Db, kind: EntryKind, wanted: &Wanted) -> Result<Vec<(Row, bool)>, DbError> {
    let got = |rows: Vec<Row>| rows.into_iter().map(|row| (row, false)).collect::<Vec<_>>();
    Ok(got(match kind {
        EntryKind::Documents(document) => {
            let mut rows = got(documents(db, document, wanted, false).await?);
            if document == DocumentKind::Transfer {
                rows.extend(documents(db, document, wanted, true).await?.into_iter().map(|row| (row, true)));
                rows.sort_by(|(a, _), (b, _)| (b.date, &b.key).cmp(&(a.date, &a.key)));
                rows.truncate(usize::try_from(wanted.limit).unwrap_or_default());
            }
            return Ok(rows);
        }
        EntryKind::Adjustment => adjustments(db, wanted).await?,
        EntryKind::Count => counts(db, wanted).await?,
        EntryKind::SalesDay => sales_days(db, wanted).await?,
        EntryKind::ZReading => readings(db, wanted).await?,
    }))
}

/// A store's name, if it exists.
pub(crate) async fn store_name(db: &Db, id: &str) -> Result<Option<String>, DbError> {
    db.sql("select name from locations where id = $1")
        .bind(id)
        .optional::<(String,)>()
        .await
        .map(|row| row.map(|row| row.0))
}

/// Names of counterparties and items, by id.
pub async fn names(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from locations where id in ")
        .push_ids(ids)
        .push(" union all select id, name from commissaries where id in ")
        .push_ids(ids)
        .push(" union all select id, name from warehouses where id in ")
        .push_ids(ids)
        .push(" union all select id, name from suppliers where id in ")
        .push_ids(ids)
        .push(" union all select id, name from products where id in ")
        .push_ids(ids)
        .push(" union all select id, name from root_items where id in ")
        .push_ids(ids)
        .push(" union all select id, number from documents where id in ")
        .push_ids(ids)
        .all()
        .await
}

/// The root items in a base unit of a product, by name.
pub(crate) async fn roots_of(db: &Db, product: &str) -> Result<Vec<(String, String)>, DbError> {
    let conversions: Option<(Json<Vec<Conversion>>,)> =
        db.sql("select root_item_conversions from products where id = $1").bind(product).optional().await?;
    let ids: Vec<String> =
        conversions.map(|row| row.0.0.into_iter().map(|one| one.root_item_id).collect()).unwrap_or_default();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    db.sql("select id, name from root_items where id in ")
        .push_ids(&ids)
        .push(" order by name_key, id")
        .all()
        .await
}
