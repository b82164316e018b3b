//! Orders from a plan: a draft for a store, a source and a day, or more lines in an existing one.

use std::collections::HashSet;

use super::*;

/// A plan's request to order for a store.
#[derive(Debug, Clone)]
pub struct Planned {
    pub plan_run_id: String,
    pub store_id: String,
    pub source_type: String,
    pub source_id: String,
    pub needed_date: BusinessDay,
    pub lines: Vec<PlannedLine>,
}

/// A product to order.
#[derive(Debug, Clone)]
pub struct PlannedLine {
    pub product_id: String,
    pub uom_id: String,
    pub qty: Qty,
    /// The plan's suggestion, regardless of the quantity ordered.
    pub suggested: Qty,
    pub why: Vec<Why>,
}

/// The result.
#[derive(Debug)]
pub struct PlannedOrder {
    pub id: String,
    pub number: String,
    pub added: usize,
    /// Products already in the draft, left unchanged.
    pub there: HashSet<String>,
}

/// Creates a draft from a plan. An existing draft of the store for that source and day gets the missing
/// products; existing lines stay.
///
/// # Errors
/// As when creating a draft by hand: an invalid day, an inactive product, a store the user may not see.
pub async fn order_planned(tx: &mut Tx<'_>, ctx: Ctx<'_>, planned: &Planned) -> ApiResult<PlannedOrder> {
    larder_platform::http::scope::check(Some(&planned.store_id), &ctx.who.scope)?;
    let Some(id) = open_draft(tx, planned).await? else {
        let draft = draft(planned, planned.lines.iter(), true);
        let doc: Doc<StoreOrder> = write::create(tx, ctx, &draft).await?;
        let there = HashSet::new();
        return Ok(PlannedOrder { id: doc.head.id, number: doc.head.number, added: doc.lines.len(), there });
    };
    let held = store::hold::<StoreOrder>(tx, &[id]).await?;
    let mut doc = held.into_iter().next().ok_or_else(|| ApiError::not_found(FLOW.one))?;
    let there: HashSet<String> = doc.lines.iter().map(|line| line.product_id.clone()).collect();
    let new = draft(planned, planned.lines.iter().filter(|line| !there.contains(&line.product_id)), false);
    let added = new.lines.as_ref().map_or(0, Vec::len);
    if added > 0 {
        let before = doc.told();
        let store = find_store(tx, &planned.store_id).await?;
        let wanted = products::read_ordered(tx, new.lines.as_deref().unwrap_or_default()).await?;
        for wanted in &wanted {
            let mut line = OrderLine::of(ctx.new_id(), wanted, store.price_level_id.as_deref());
            let advised = new.advice.get(&(line.product_id.clone(), line.uom_id.clone()));
            suggest(&mut line, &[], advised);
            doc.lines.push(line);
        }
        doc.head.revision += 1;
        store::save(tx, &mut doc).await?;
        write::record(tx, Some(before), &doc).await?;
    }
    Ok(PlannedOrder { id: doc.head.id, number: doc.head.number, added, there })
}

async fn open_draft(tx: &mut Tx<'_>, planned: &Planned) -> ApiResult<Option<String>> {
    let found: Option<(String,)> = tx
        .sql(
            "select id from documents where kind = 'storeOrder' and state = 'draft' and store_id = $1
               and source_type = $2 and source_id = $3 and on_date = $4",
        )
        .bind(&planned.store_id)
        .bind(&planned.source_type)
        .bind(&planned.source_id)
        .bind(planned.needed_date)
        .optional()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The equivalent draft.
fn draft<'a>(planned: &Planned, lines: impl Iterator<Item = &'a PlannedLine>, whole: bool) -> OrderDraft {
    let mut advice = HashMap::new();
    let mut drafts = Vec::new();
    for line in lines {
        let advised = Advised {
            suggested: Some(line.suggested),
            why: line.why.clone(),
            plan_run_id: Some(planned.plan_run_id.clone()),
        };
        advice.insert((line.product_id.clone(), line.uom_id.clone()), advised);
        drafts.push(LineDraft {
            product_id: Some(line.product_id.clone()),
            uom_id: Some(line.uom_id.clone()),
            qty: serde_json::to_value(line.qty).ok(),
            ..LineDraft::default()
        });
    }
    OrderDraft {
        store_id: Some(planned.store_id.clone()),
        source_type: Some(planned.source_type.clone()),
        source_id: Some(planned.source_id.clone()),
        needed_date: Some(planned.needed_date.to_string()),
        lines: Some(drafts),
        advice,
        plan_run_id: whole.then(|| planned.plan_run_id.clone()),
        ..OrderDraft::default()
    }
}
