//! Wire shapes of visibility, groups and mixes.

use std::collections::BTreeSet;

use larder_domain::mix::{self, Split};
use larder_domain::{Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::store_items::{Chosen, Group, GroupChange, Mix, Shown, mix_id};
use larder_platform::audit::Editor;
use larder_platform::http::question::is_id;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Most ids of one choice.
const MOST_IDS: usize = 5_000;
/// Most parts of one mix.
const MOST_SPLITS: usize = 50;
/// Longest name, in characters.
const MAX_NAME: usize = 100;

/// Where what a store counts comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisibilitySource {
    /// Its own items.
    Own,
    /// Its group's.
    Group,
    /// All there are.
    All,
}

/// What a store counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreVisibility {
    pub store_id: String,
    /// Its own items; null leaves it to the group.
    pub item_ids: Option<BTreeSet<String>>,
    pub group_id: Option<String>,
    /// Which of the two is in force.
    pub source: VisibilitySource,
    /// How often it was chosen; zero where nobody ever did.
    pub revision: i64,
    /// When it was chosen last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl StoreVisibility {
    /// As the book has it.
    #[must_use]
    pub fn of(store_id: String, shown: Shown) -> Self {
        let (updated_at, updated_by) = shown.updated.unzip();
        Self {
            source: source(&shown.chosen),
            store_id,
            item_ids: shown.chosen.item_ids,
            group_id: shown.chosen.group_id,
            revision: shown.revision,
            updated_at,
            updated_by,
        }
    }
}

fn source(chosen: &Chosen) -> VisibilitySource {
    match chosen {
        Chosen { item_ids: Some(_), .. } => VisibilitySource::Own,
        Chosen { group_id: Some(_), .. } => VisibilitySource::Group,
        _ => VisibilitySource::All,
    }
}

/// A store, and how much of the items it counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreVisibilityRow {
    pub store_id: String,
    pub store_name: String,
    pub group_id: Option<String>,
    /// What is in force.
    pub source: VisibilitySource,
    /// How many items it counts.
    pub counted: i64,
    /// How often it was chosen.
    pub revision: i64,
}

impl StoreVisibilityRow {
    /// As the book has it.
    #[must_use]
    pub fn of((store_id, store_name, shown, counted): (String, String, Shown, i64)) -> Self {
        let source = source(&shown.chosen);
        let (group_id, revision) = (shown.chosen.group_id, shown.revision);
        Self { store_id, store_name, group_id, source, counted, revision }
    }
}

/// What a store is to count.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutVisibility {
    /// Its own items; null or absent leaves it to the group. Doubles count once.
    #[schema(value_type = Option<Vec<String>>)]
    pub item_ids: Option<Vec<Value>>,
    /// Its group; null or absent is none.
    pub group_id: Option<String>,
    /// The revision it starts from; without it the latest is meant.
    pub revision: Option<i64>,
}

impl PutVisibility {
    /// What was chosen.
    ///
    /// # Errors
    /// 422 at the fields that are wrong.
    pub fn read(&self) -> ApiResult<Chosen> {
        let item_ids = self.item_ids.as_deref().map(|ids| read_ids("itemIds", ids)).transpose()?;
        let group_id = self.group_id.clone().filter(|id| !id.is_empty());
        if group_id.as_deref().is_some_and(|id| !is_id(id)) {
            return Err(ApiError::field("groupId", "This group does not exist; choose one from the list."));
        }
        Ok(Chosen { item_ids, group_id })
    }
}

/// Ids as texts, each once.
fn read_ids(field: &str, ids: &[Value]) -> ApiResult<BTreeSet<String>> {
    if ids.len() > MOST_IDS {
        return Err(ApiError::field(field, format!("Choose at most {MOST_IDS}.")));
    }
    let mut read = BTreeSet::new();
    for (at, id) in ids.iter().enumerate() {
        let text = match id {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        if text.is_empty() || !is_id(&text) {
            return Err(ApiError::field(format!("{field}.{at}"), "Choose one from the list."));
        }
        read.insert(text);
    }
    Ok(read)
}

/// Where to copy from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyVisibility {
    /// The store whose choice is taken over.
    pub from_store_id: String,
    /// Its mixes too; mixes of items that it does not split stay as they are.
    #[serde(default)]
    pub mixes: bool,
}

/// Stores that count the same.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityGroup {
    pub id: String,
    pub name: String,
    /// What its stores count.
    pub item_ids: BTreeSet<String>,
    /// Its stores within reach.
    pub store_ids: BTreeSet<String>,
    /// How many more it has; then it cannot be changed from here.
    pub stores_out_of_reach: usize,
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    pub revision: i64,
}

impl VisibilityGroup {
    /// As the book has it, for somebody who reaches these stores.
    #[must_use]
    pub fn of(group: Group, scope: &larder_domain::StoreScope) -> Self {
        let (store_ids, far): (BTreeSet<String>, BTreeSet<String>) =
            group.store_ids.into_iter().partition(|id| scope.contains(id));
        Self {
            id: group.id,
            name: group.name,
            item_ids: group.item_ids,
            store_ids,
            stores_out_of_reach: far.len(),
            created_at: group.created_at,
            updated_at: group.updated_at,
            updated_by: group.updated_by,
            revision: group.revision,
        }
    }
}

/// What a group is to be; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutVisibilityGroup {
    pub name: Option<String>,
    /// What its stores count. Doubles count once.
    #[schema(value_type = Option<Vec<String>>)]
    pub item_ids: Option<Vec<Value>>,
    /// Its stores; they leave the group they were in.
    #[schema(value_type = Option<Vec<String>>)]
    pub store_ids: Option<Vec<Value>>,
    /// The revision it starts from, of a group that there is.
    pub revision: Option<i64>,
}

impl PutVisibilityGroup {
    /// What was said.
    ///
    /// # Errors
    /// 422 at the fields that are wrong.
    pub fn read(&self) -> ApiResult<GroupChange> {
        let name = self.name.as_deref().map(str::trim);
        if let Some(name) = name
            && (name.is_empty() || name.chars().count() > MAX_NAME || has_unseen(name))
        {
            let message = format!("Enter a name of at most {MAX_NAME} visible characters.");
            return Err(ApiError::field("name", message));
        }
        Ok(GroupChange {
            name: name.map(str::to_owned),
            item_ids: self.item_ids.as_deref().map(|ids| read_ids("itemIds", ids)).transpose()?,
            store_ids: self.store_ids.as_deref().map(|ids| read_ids("storeIds", ids)).transpose()?,
        })
    }
}

/// How an item is split over recipes in a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemMix {
    /// `storeId_itemId`.
    pub id: String,
    pub store_id: String,
    pub item_id: String,
    /// The parts.
    pub splits: Vec<Split>,
    /// What they add up to, in percent.
    pub total: Qty,
    /// Whether that is a hundred.
    pub whole: bool,
    /// When it was changed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
    /// How often it was written; zero where there is none.
    pub revision: i64,
}

impl ItemMix {
    /// As the book has it.
    #[must_use]
    pub fn of(mix: Mix) -> Self {
        let total = mix::total(&mix.splits);
        Self {
            id: mix_id(&mix.row.store_id, &mix.row.item_id),
            store_id: mix.row.store_id,
            item_id: mix.row.item_id,
            total,
            whole: total == mix::WHOLE,
            splits: mix.splits,
            updated_at: Some(mix.row.updated_at),
            updated_by: Some(mix.row.updated_by.0),
            revision: mix.row.revision,
        }
    }

    /// An item that is not split.
    #[must_use]
    pub fn none(store_id: String, item_id: String) -> Self {
        Self {
            id: mix_id(&store_id, &item_id),
            store_id,
            item_id,
            splits: Vec::new(),
            total: Qty::ZERO,
            whole: false,
            updated_at: None,
            updated_by: None,
            revision: 0,
        }
    }
}

/// Mixes.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemMixes {
    /// By store, then by item.
    pub items: Vec<ItemMix>,
    /// How many there are.
    pub total: usize,
}

/// Which mixes are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MixesQuery {
    /// Of this store; without it, of all within reach.
    pub store_id: Option<String>,
    pub item_id: Option<String>,
}

/// A part of a mix, as somebody wrote it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PutSplit {
    #[serde(default)]
    pub recipe_id: String,
    /// In percent; what is no number counts as zero.
    #[schema(value_type = Option<Qty>)]
    pub percent: Option<Value>,
}

/// What a mix is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutMix {
    /// The parts; none takes the mix away.
    pub splits: Vec<PutSplit>,
    /// The revision it starts from; without it the latest is meant.
    pub revision: Option<i64>,
}

/// What the mixes of an item are to be in several stores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetMixes {
    #[schema(value_type = Vec<String>)]
    pub store_ids: Vec<Value>,
    pub item_id: String,
    /// The parts; none takes the mixes away.
    pub splits: Vec<PutSplit>,
}

impl SetMixes {
    /// The stores, each once.
    ///
    /// # Errors
    /// 422 where there are none.
    pub fn stores(&self) -> ApiResult<BTreeSet<String>> {
        let stores = read_ids("storeIds", &self.store_ids)?;
        if stores.is_empty() { Err(ApiError::field("storeIds", "Choose a store.")) } else { Ok(stores) }
    }
}

/// The parts of a mix.
///
/// # Errors
/// 422 at the parts that are wrong.
pub fn read_splits(said: &[PutSplit]) -> ApiResult<Vec<Split>> {
    if said.len() > MOST_SPLITS {
        return Err(ApiError::field("splits", format!("Split an item over at most {MOST_SPLITS} recipes.")));
    }
    let (mut splits, mut wrong) = (Vec::<Split>::with_capacity(said.len()), Vec::new());
    for (at, split) in said.iter().enumerate() {
        let recipe_id = split.recipe_id.trim().to_owned();
        let field = format!("splits.{at}.recipeId");
        if recipe_id.is_empty() || !is_id(&recipe_id) {
            wrong.push(FieldError::new(field, "Choose a recipe."));
        } else if splits.iter().any(|known| known.recipe_id == recipe_id) {
            wrong.push(FieldError::new(field, "This recipe is listed already; keep one line."));
        }
        match mix::percent(split.percent.as_ref()) {
            Ok(percent) => splits.push(Split { recipe_id, percent }),
            Err(message) => wrong.push(FieldError::new(format!("splits.{at}.percent"), message)),
        }
    }
    if wrong.is_empty() { Ok(splits) } else { Err(ApiError::invalid(wrong)) }
}
