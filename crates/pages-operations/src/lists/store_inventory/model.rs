//! Visibility, groups and mixes: requests and responses.

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

/// Maximum number of ids per request.
const MOST_IDS: usize = 5_000;
/// Maximum number of shares in a mix.
const MOST_SPLITS: usize = 50;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 100;

/// Source of the items a store counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisibilitySource {
    /// Its own items.
    Own,
    /// Its group's.
    Group,
    /// All items.
    All,
}

/// The items a store counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreVisibility {
    pub store_id: String,
    /// Its own items; null to use the group's.
    pub item_ids: Option<BTreeSet<String>>,
    pub group_id: Option<String>,
    /// The source in effect.
    pub source: VisibilitySource,
    /// Number of changes; 0 if never set.
    pub revision: i64,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl StoreVisibility {
    /// From the ledger's data.
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

/// A store and the number of items it counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreVisibilityRow {
    pub store_id: String,
    pub store_name: String,
    pub group_id: Option<String>,
    /// The source in effect.
    pub source: VisibilitySource,
    /// Number of items it counts.
    pub counted: i64,
    /// Number of changes.
    pub revision: i64,
}

impl StoreVisibilityRow {
    /// From the ledger's data.
    #[must_use]
    pub fn of((store_id, store_name, shown, counted): (String, String, Shown, i64)) -> Self {
        let source = source(&shown.chosen);
        let (group_id, revision) = (shown.chosen.group_id, shown.revision);
        Self { store_id, store_name, group_id, source, counted, revision }
    }
}

/// The items a store is to count.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutVisibility {
    /// Its own items; null or omitted to use the group's. Duplicates are ignored.
    #[schema(value_type = Option<Vec<String>>)]
    pub item_ids: Option<Vec<Value>>,
    /// Its group; null or omitted for none.
    pub group_id: Option<String>,
    /// The revision it is based on; the latest if omitted.
    pub revision: Option<i64>,
}

impl PutVisibility {
    /// Validates the request.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    pub fn read(&self) -> ApiResult<Chosen> {
        let item_ids = self.item_ids.as_deref().map(|ids| read_ids("itemIds", ids)).transpose()?;
        let group_id = self.group_id.clone().filter(|id| !id.is_empty());
        if group_id.as_deref().is_some_and(|id| !is_id(id)) {
            return Err(ApiError::field("groupId", "This group does not exist; choose one from the list."));
        }
        Ok(Chosen { item_ids, group_id })
    }
}

/// Validated ids without duplicates.
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

/// The store to copy from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyVisibility {
    /// The source store.
    pub from_store_id: String,
    /// Copy its mixes as well; mixes of items it does not split stay unchanged.
    #[serde(default)]
    pub mixes: bool,
}

/// A group of stores that count the same items.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityGroup {
    pub id: String,
    pub name: String,
    /// The items its stores count.
    pub item_ids: BTreeSet<String>,
    /// Its accessible stores.
    pub store_ids: BTreeSet<String>,
    /// Number of its stores the caller may not access; if not 0, the caller cannot change it.
    pub stores_out_of_reach: usize,
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    pub revision: i64,
}

impl VisibilityGroup {
    /// From the ledger's data, restricted to the caller's stores.
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

/// A change to a group; omitted fields stay unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutVisibilityGroup {
    pub name: Option<String>,
    /// The items its stores count. Duplicates are ignored.
    #[schema(value_type = Option<Vec<String>>)]
    pub item_ids: Option<Vec<Value>>,
    /// Its stores; they leave their previous group.
    #[schema(value_type = Option<Vec<String>>)]
    pub store_ids: Option<Vec<Value>>,
    /// The revision of the existing group it is based on.
    pub revision: Option<i64>,
}

impl PutVisibilityGroup {
    /// Validates the request.
    ///
    /// # Errors
    /// 422 with all invalid fields.
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
    /// The shares.
    pub splits: Vec<Split>,
    /// Their total, in percent.
    pub total: Qty,
    /// Whether that is 100.
    pub whole: bool,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
    /// Number of changes; 0 if there is no mix.
    pub revision: i64,
}

impl ItemMix {
    /// From the ledger's data.
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

    /// An item without a split.
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
    /// Sorted by store, then item.
    pub items: Vec<ItemMix>,
    pub total: usize,
}

/// Query parameters of mixes.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MixesQuery {
    /// This store; all accessible stores if omitted.
    pub store_id: Option<String>,
    pub item_id: Option<String>,
}

/// A share to set in a mix.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PutSplit {
    #[serde(default)]
    pub recipe_id: String,
    /// In percent; anything but a number counts as 0.
    #[schema(value_type = Option<Qty>)]
    pub percent: Option<Value>,
}

/// A mix to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutMix {
    /// The shares; empty deletes the mix.
    pub splits: Vec<PutSplit>,
    /// The revision it is based on; the latest if omitted.
    pub revision: Option<i64>,
}

/// The mix of an item to set in several stores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetMixes {
    #[schema(value_type = Vec<String>)]
    pub store_ids: Vec<Value>,
    pub item_id: String,
    /// The shares; empty deletes the mixes.
    pub splits: Vec<PutSplit>,
}

impl SetMixes {
    /// The stores without duplicates.
    ///
    /// # Errors
    /// 422 if there are none.
    pub fn stores(&self) -> ApiResult<BTreeSet<String>> {
        let stores = read_ids("storeIds", &self.store_ids)?;
        if stores.is_empty() { Err(ApiError::field("storeIds", "Choose a store.")) } else { Ok(stores) }
    }
}

/// Validated shares of a mix.
///
/// # Errors
/// 422 with all invalid shares.
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
