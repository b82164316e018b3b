//! The parts of a report figure: single days in full, longer ranges by store and period. The parts always add
//! up to the figure, and each leads to a finer level, down to a day's lines.

use std::collections::HashMap;

use axum::extract::State;
use futures::future::try_join_all;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::{self, Run};
use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries::{self, Part, Subject};
use larder_engines::reports::figures::{too_large, total};
use larder_engines::reports::queries::{ItemNames, pos_names, stores};
use larder_engines::reports::{Question, ReportQuery};
use larder_platform::AppState;
use larder_platform::http::Who;
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::json::{Json, Query};

/// Up to this many days, every POS item of every day is listed.
const IN_FULL: i32 = 7;
const PAGE_SIZE: usize = 50;
const MAX_PAGE_SIZE: usize = 500;

/// Query parameters: the figure.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Figure {
    /// Root item of the figure; this or `posItemId`.
    pub root_item_id: Option<String>,
    /// POS item of the figure.
    pub pos_item_id: Option<String>,
    /// Page number, from 1.
    pub page: Option<usize>,
    /// Page size, at most 500; default 50.
    pub page_size: Option<usize>,
}

/// The parts of a figure.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breakdown {
    /// Latest first.
    pub items: Vec<BreakdownPart>,
    /// Number of parts on all pages.
    pub total: usize,
    /// Total of all parts, in root units or as sold.
    pub qty: Qty,
    /// Net sales of all parts of a POS item; null for a root item.
    pub net: Option<Money>,
}

/// One part.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BreakdownPart {
    pub store_id: String,
    pub store_name: String,
    /// First day.
    pub from: BusinessDay,
    /// Last day; equals `from` for a single day.
    pub to: BusinessDay,
    /// The POS item, if the part is for one.
    pub pos_item_id: Option<String>,
    pub pos_item_name: Option<String>,
    /// Quantity sold, if the part is for a POS item.
    pub sold: Option<Qty>,
    /// Root units per POS item.
    pub multiplier: Option<Factor>,
    /// Contribution to the figure.
    pub qty: Qty,
    /// Net sales, if the part is for a POS item.
    pub net: Option<Money>,
}

/// The store-days or store-periods behind a figure.
#[utoipa::path(get, path = "/api/reports/lines", tag = "reports", params(ReportQuery, Figure),
    responses((status = 200, body = Breakdown)))]
pub(crate) async fn list_breakdown(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReportQuery>,
    Query(figure): Query<Figure>,
) -> ApiResult<Json<Breakdown>> {
    let question = query.check(&state, &who).await?;
    let subject = match (&figure.root_item_id, &figure.pos_item_id) {
        (Some(id), None) => Subject::Root(id),
        (None, Some(id)) => Subject::Pos(id),
        _ => return Err(ApiError::field("rootItemId", "Choose a root item or a POS item.")),
    };
    let (stores, names) =
        tokio::try_join!(stores(&state.db, question.stores.as_deref()), pos_names(&state.db))?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let stores: HashMap<String, String> = stores.into_iter().collect();
    let mut lines = Vec::new();
    for (grain, parts) in parts(&state, &question, &ids, subject).await? {
        for part in parts {
            lines.push(line(part, grain, subject, &stores, &names)?);
        }
    }
    lines.sort_by(|a, b| {
        b.from.cmp(&a.from).then_with(|| a.store_name.cmp(&b.store_name)).then_with(|| b.qty.cmp(&a.qty))
    });
    let qty = total(lines.iter().map(|line| line.qty))?;
    let net = match subject {
        Subject::Pos(_) => Some(total(lines.iter().filter_map(|line| line.net))?),
        Subject::Root(_) => None,
    };
    let size = figure.page_size.unwrap_or(PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let skip = figure.page.unwrap_or(1).saturating_sub(1).saturating_mul(size);
    Ok(Json(Breakdown {
        total: lines.len(),
        qty,
        net,
        items: lines.into_iter().skip(skip).take(size).collect(),
    }))
}

async fn parts(
    state: &AppState,
    question: &Question,
    ids: &[String],
    subject: Subject<'_>,
) -> ApiResult<Vec<(Grain, Vec<Part>)>> {
    let db = &state.db;
    if question.span.days() <= IN_FULL {
        let days = Run { grain: Grain::Day, first: question.span.from, last: question.span.to };
        let parts = match subject {
            Subject::Root(id) => queries::root_days(db, days, ids, id).await?,
            Subject::Pos(id) => queries::pos_days(db, days, ids, id).await?,
        };
        return Ok(vec![(Grain::Day, parts)]);
    }
    let runs = question.span.runs();
    let found =
        try_join_all(runs.iter().map(|run| async {
            queries::periods(db, *run, ids, subject).await.map(|parts| (run.grain, parts))
        }))
        .await?;
    Ok(found)
}

fn line(
    part: Part,
    grain: Grain,
    subject: Subject<'_>,
    stores: &HashMap<String, String>,
    names: &ItemNames,
) -> ApiResult<BreakdownPart> {
    let root = matches!(subject, Subject::Root(_));
    let qty = match part.multiplier {
        Some(multiplier) => part.qty.scaled(multiplier).ok_or_else(too_large)?,
        None => part.qty,
    };
    Ok(BreakdownPart {
        store_name: stores.get(&part.store_id).cloned().unwrap_or_default(),
        store_id: part.store_id,
        from: part.period,
        to: span::next(grain, part.period).plus(-1),
        pos_item_name: part.pos_item_id.as_deref().and_then(|id| names.get(id)).map(|item| item.name.clone()),
        sold: (!root || part.multiplier.is_some()).then_some(part.qty),
        pos_item_id: part.pos_item_id,
        multiplier: part.multiplier,
        qty,
        net: part.net,
    })
}
