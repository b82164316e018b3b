//! Where recalled lots may still be: at all places where more came than left, even where that is unlikely, until they answer
//! what they found. Goods that come later ask again. Users limited to stores do not see kitchens and warehouses.
//!
//! Which places those are is in the book and in the answers alone; how much is there is allocated for a page only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Query};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, StoreScope};

use super::lots_at::{LotPlace, Spot, lots_of_spots, named, place_words, seen};
use crate::stock::lots::RecalledLot;
use crate::stock::trace::LotKey;

/// Lots `l` at places `b` that have not answered: the few recalled lots first, then the places of each. «between» has SQLite
/// seek the lot: with «=» it reads all lots of the product in the primary key.
const OPEN: &str = " from lots l join products p on p.id = l.product_id cross join lot_balances b \
     left join recall_answers a on a.product_id = b.product_id and a.lot = b.lot \
       and a.place_kind = b.place_kind and a.place_id = b.place_id \
     where l.recalled_at is not null and b.lot = l.lot and b.product_id between l.product_id and l.product_id \
       and b.qty > 0 \
       and (a.came is null or b.came > a.came)";

const SPOT: &str = "select l.product_id, l.lot, b.place_kind, b.place_id";
type SpotRow = (String, String, PlaceKind, String);

fn spot((product, lot, kind, id): SpotRow) -> Spot {
    ((product, lot), Place { kind, id })
}

/// All places that may have recalled lots and have not answered.
///
/// # Errors
/// If the database fails.
pub async fn open_recalls(db: &Db, scope: &StoreScope) -> Result<BTreeSet<Spot>, DbError> {
    let rows: Vec<SpotRow> = open_at(db.sql(SPOT), scope, true).all().await?;
    Ok(rows.into_iter().map(spot).collect())
}

/// Recalled lots by place, and how many there are.
#[derive(Debug, Clone)]
pub struct RecallsPage {
    pub items: Vec<(RecalledLot, LotPlace)>,
    pub total: i64,
}

/// What a user sees of places that have not answered; without `stores`, of those that keep a balance.
fn open_at<'q>(query: Query<'q>, scope: &StoreScope, stores: bool) -> Query<'q> {
    let query = seen(query.push(OPEN), scope, false);
    if stores { query } else { query.push(" and b.place_kind not in ('store', 'inTransit')") }
}

/// A page of recalled lots by place, latest recall first. Before it, `skipped` are left out. Without `stores`, only at places
/// that keep a balance.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn recalls(
    db: &Db,
    (scope, stores): (&StoreScope, bool),
    (skipped, size): (i64, i64),
    day: BusinessDay,
) -> Result<RecallsPage, DbError> {
    let total: i64 = open_at(db.sql("select cast(count(*) as bigint)"), scope, stores).scalar().await?;
    let rows: Vec<SpotRow> = open_at(db.sql(SPOT), scope, stores)
        .push(" order by l.recalled_at desc, l.lot, l.product_id, b.place_kind, b.place_id limit ")
        .push_bind(size)
        .push(" offset ")
        .push_bind(skipped)
        .all()
        .await?;
    let asked: Vec<Spot> = rows.into_iter().map(spot).collect();
    let lots = of_keys(db, &asked.iter().map(|(lot, _)| lot).collect()).await?;
    let spots: BTreeSet<Spot> = asked.iter().cloned().collect();
    let mut places: HashMap<Spot, LotPlace> = HashMap::with_capacity(asked.len());
    for place in named(db, lots_of_spots(db, &spots, day).await?).await? {
        let at = Place { kind: place.place_kind, id: place.place_id.clone() };
        places.insert(((place.product_id.clone(), place.lot.clone()), at), place);
    }
    let item = |spot: Spot| Some((lots.get(&spot.0)?.clone(), places.remove(&spot)?));
    Ok(RecallsPage { items: asked.into_iter().filter_map(item).collect(), total })
}

const LOT: &str = "select l.product_id, p.name, l.lot, p.base_uom_id as uom_id, \
       (select coalesce(u.code, u.name) from uoms u where u.id = p.base_uom_id) as uom_code, \
       l.recall_reason as reason, l.recalled_at, l.recalled_by from ";

async fn of_keys(db: &Db, keys: &BTreeSet<&LotKey>) -> Result<HashMap<LotKey, RecalledLot>, DbError> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<RecalledLot> = db
        .sql(LOT)
        .push_rows(&["product_id", "lot"], keys.iter().copied())
        .push(
            " wanted join lots l on l.product_id = wanted.product_id and l.lot = wanted.lot \
             join products p on p.id = l.product_id where l.recalled_at is not null",
        )
        .all()
        .await?;
    Ok(rows.into_iter().map(|lot| ((lot.product_id.clone(), lot.lot.clone()), lot)).collect())
}

/// Recalled lots, and the names of the places that have not answered.
#[derive(Debug, Clone, Default)]
pub struct AskedLots {
    /// The number of lots.
    pub total: usize,
    pub lots: Vec<(RecalledLot, Vec<String>)>,
}

/// Recalled lots that some place may have and has not answered about, latest recall first, at most `most` of them.
///
/// # Errors
/// If the database fails.
pub async fn recalled_lots(db: &Db, scope: &StoreScope, most: usize) -> Result<AskedLots, DbError> {
    let mut places: BTreeMap<LotKey, BTreeSet<Place>> = BTreeMap::new();
    for (lot, place) in open_recalls(db, scope).await? {
        places.entry(lot).or_default().insert(place);
    }
    let mut lots: Vec<RecalledLot> = of_keys(db, &places.keys().collect()).await?.into_values().collect();
    let total = lots.len();
    lots.sort_by(|a, b| {
        let by_key = || (&a.lot, &a.product_id).cmp(&(&b.lot, &b.product_id));
        b.recalled_at.cmp(&a.recalled_at).then_with(by_key)
    });
    lots.truncate(most);
    let of_lot = |lot: &RecalledLot| places.get(&(lot.product_id.clone(), lot.lot.clone()));
    let words = place_words(db, &lots.iter().filter_map(of_lot).flatten().collect()).await?;
    let with_places = |lot: RecalledLot| {
        let at = of_lot(&lot).into_iter().flatten();
        let at = at.map(|place| words.get(place).cloned().unwrap_or_default()).collect();
        (lot, at)
    };
    Ok(AskedLots { total, lots: lots.into_iter().map(with_places).collect() })
}
