//! Handlers for datasets, filter values, previews and files of unsaved reports.

use axum::extract::State;
use axum::response::Response;
use larder_domain::StoreScope;
use serde::Deserialize;
use utoipa::IntoParams;

use super::datasets;
use super::definition::{CustomDefinition, CustomRange, CustomUnit, NAMED};
use super::fields::{Dataset, Of, OfItem, OfStore, Part, What, Words};
use super::keys;
use super::model::{CustomDataset, CustomDatasets, CustomField, CustomNamed, CustomValues};
use super::names::Names;
use super::plan::{dataset_for, may};
use super::run::{CustomOutcome, at_once_or_later};
use super::{file, load, queries};
use larder_platform::AppState;
use larder_platform::http::export::Format;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of values offered.
const VALUES: usize = 60;
/// Maximum number of distinct values searched for a field without a list of its own.
const OWN_VALUES: i64 = 2_000;

/// The datasets custom reports can use.
#[utoipa::path(get, path = "/api/reports/custom/datasets", tag = "custom reports",
    responses((status = 200, body = CustomDatasets)))]
pub(crate) async fn list_custom_datasets(who: Who) -> ApiResult<Json<CustomDatasets>> {
    let items =
        datasets::ALL.iter().filter(|dataset| may(&who, dataset)).map(|dataset| shown(dataset)).collect();
    let ranges = NAMED.iter().map(|(key, label)| named(key, label)).collect();
    Ok(Json(CustomDatasets { items, ranges }))
}

fn named(key: &str, label: &str) -> CustomNamed {
    CustomNamed { key: key.to_owned(), label: label.to_owned() }
}

fn shown(dataset: &Dataset) -> CustomDataset {
    let field = |field: &'static super::fields::Field| {
        let (dim, unit) = match field.what {
            What::Dim(_) => (true, false),
            What::Measure(measure) => (false, measure.unit),
        };
        CustomField {
            key: field.key.to_owned(),
            label: field.label.to_owned(),
            group: field.group.to_owned(),
            r#type: field.of(),
            row: dim,
            column: dim,
            filter: true,
            measure: !dim,
            rules: field.rules().to_vec(),
            unit,
            not_by: field.not_by.iter().map(|key| (*key).to_owned()).collect(),
        }
    };
    CustomDataset {
        key: dataset.key.to_owned(),
        label: dataset.label.to_owned(),
        about: dataset.about.to_owned(),
        ahead: dataset.ahead,
        fields: dataset.fields().map(field).collect(),
    }
}

/// Query parameters of a value search.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ValuesQuery {
    #[param(required = true)]
    pub dataset: String,
    #[param(required = true)]
    pub field: String,
    /// Part of the name.
    pub q: String,
    /// The range by name, or
    pub named: Option<String>,
    /// by first and
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<larder_domain::BusinessDay>,
    /// last day, or
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<larder_domain::BusinessDay>,
    /// by the number of periods before the current one,
    pub last: Option<u16>,
    /// their length,
    #[param(inline)]
    pub unit: Option<CustomUnit>,
    /// and whether the current one follows them.
    pub running: bool,
}

/// Filter values of a field, from accessible stores.
#[utoipa::path(get, path = "/api/reports/custom/values", tag = "custom reports", params(ValuesQuery),
    responses((status = 200, body = CustomValues)))]
pub(crate) async fn list_custom_values(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ValuesQuery>,
) -> ApiResult<Json<CustomValues>> {
    let definition = CustomDefinition { dataset: query.dataset.clone(), ..CustomDefinition::default() };
    let dataset = dataset_for(&definition, &who)?;
    let Some(What::Dim(of)) = dataset.field(&query.field).map(|field| field.what) else {
        return Err(ApiError::field("field", "Choose a field of this dataset that is no figure."));
    };
    let names = Names::load(&state, dataset, true).await?;
    let mut keys = keys_of(&state, &who, dataset, of, &query, &names).await?;
    let q = query.q.trim().to_lowercase();
    let mut items: Vec<CustomNamed> = keys
        .drain(..)
        .map(|key| CustomNamed { label: keys::label(of, &key, &names), key: wire(of, &key) })
        .filter(|value| q.is_empty() || value.label.to_lowercase().contains(&q))
        .collect();
    if !matches!(of, Of::Date(_)) {
        items.sort_by_key(|value| value.label.to_lowercase());
    }
    let more = items.len() > VALUES;
    items.truncate(VALUES);
    Ok(Json(CustomValues { items, more }))
}

fn wire(of: Of, key: &str) -> String {
    match of {
        Of::Own(_, Words::Named) => key.split_once('|').map_or(key, |(id, _)| id).to_owned(),
        _ => key.to_owned(),
    }
}

async fn keys_of(
    state: &AppState,
    who: &Who,
    dataset: &Dataset,
    of: Of,
    query: &ValuesQuery,
    names: &Names,
) -> ApiResult<Vec<String>> {
    let within = |id: &str| who.scope.contains(id);
    let distinct = |mut keys: Vec<String>| {
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    Ok(match of {
        Of::Store(part) => distinct(
            names
                .stores()
                .filter(|store| within(&store.id))
                .map(|store| match part {
                    OfStore::Itself => store.id.clone(),
                    OfStore::Regional => store.regional.clone(),
                    OfStore::Operational => store.operational.clone(),
                    OfStore::Format => store.format.clone(),
                })
                .collect(),
        ),
        Of::Item(OfItem::Itself) => names.items().map(|item| item.id.clone()).collect(),
        Of::Item(OfItem::Kind) => distinct(names.items().map(|item| item.kind.clone()).collect()),
        Of::Date(Part::Weekday) => (1..=7).map(|day| day.to_string()).collect(),
        Of::Own(_, Words::Labelled(words)) => words.iter().map(|(key, _)| (*key).to_owned()).collect(),
        Of::Date(_) | Of::Own(..) => {
            let range = CustomRange {
                named: query.named.clone(),
                from: query.from,
                to: query.to,
                last: query.last,
                unit: query.unit,
                running: query.running,
            };
            let span = range.span(larder_domain::BusinessDay::of(who.at))?;
            match (of, load::own_of(&dataset.source, of)) {
                (Of::Date(part), _) => distinct(
                    (span.from.0..=span.to.0)
                        .map(|day| keys::part_of(part, larder_domain::BusinessDay(day)))
                        .collect(),
                ),
                (_, Some((sql, part))) => {
                    let all = who.scope == StoreScope::All;
                    let stores: Vec<String> = names
                        .stores()
                        .filter(|store| within(&store.id))
                        .map(|store| store.id.clone())
                        .collect();
                    queries::own_values(&state.db, sql, part, span, (&stores, all), OWN_VALUES).await?
                }
                _ => Vec::new(),
            }
        }
    })
}

/// Run a definition without saving it. Large queries are run as a job.
#[utoipa::path(post, path = "/api/reports/custom/preview", tag = "custom reports", request_body = CustomDefinition,
    responses((status = 200, body = CustomOutcome)))]
pub(crate) async fn preview_custom_report(
    State(state): State<AppState>,
    who: Who,
    Json(definition): Json<CustomDefinition>,
) -> ApiResult<Json<CustomOutcome>> {
    Ok(Json(at_once_or_later(&state, &who, &definition).await?))
}

/// Query parameters of an export: the definition in the link.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The definition as JSON.
    #[param(required = true)]
    pub definition: String,
    /// File name.
    pub name: Option<String>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// Export a definition's complete table as a file.
#[utoipa::path(get, path = "/api/reports/custom/export", tag = "custom reports", params(ExportQuery),
    responses((status = 200, body = String, content_type = "text/csv")))]
pub(crate) async fn export_custom_definition(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let definition: CustomDefinition = serde_json::from_str(&query.definition)
        .map_err(|error| ApiError::field("definition", format!("This is no definition: {error}.")))?;
    let name = query.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "report".to_owned());
    let name: String = name.chars().take(60).collect();
    file::respond(&state, &who, &definition, &name, format).await
}
