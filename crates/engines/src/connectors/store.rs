//! Stored connectors: create, change, pause, delete. Secrets are encrypted and never returned.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::schedule::Schedule;
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Value, json};

use super::bigquery::ServiceAccount;
use super::model::{Connector, ConnectorDraft, ConnectorSchedule, Connectors, Kept};
use super::settings::{ConnectorSettings, Kind};
use super::{Family, queries};
use larder_platform::AppState;
use larder_platform::encryption;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};
use larder_platform::outgoing::{Allowed, Caller};

/// The noun in «not found» messages.
pub(super) const ONE: &str = "connector";

/// A connector reads for all stores, so only users of all stores work with it.
///
/// # Errors
/// 403.
pub(super) fn whole_house(who: &Who) -> ApiResult<()> {
    if who.scope == StoreScope::All {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", OF_ALL_STORES))
}

const OF_ALL_STORES: &str =
    "A connector reads the sales of all stores, so only people of all stores can work with it.";

/// An HTTP client with the server's settings.
///
/// # Errors
/// If the setting is invalid.
pub(super) fn caller(state: &AppState) -> ApiResult<Caller> {
    let allowed = Allowed::parse(state.config.outgoing_allow.as_deref().unwrap_or_default());
    let allowed = allowed.map_err(|word| {
        ApiError::internal(anyhow::anyhow!("outgoing-allow: «{word}» is neither a host nor a network"))
    })?;
    Ok(Caller::new(allowed))
}

pub(super) fn schedule(of: ConnectorSchedule) -> Schedule {
    Schedule { minutes: of.minutes, weekdays: u8::try_from(of.weekdays & 127).unwrap_or(0) }
}

/// The connectors of a page.
///
/// # Errors
/// 403 for users of some stores; if the page has no guard, they get an empty list with the reason.
pub(super) async fn list<F: Family>(state: &AppState, who: &Who) -> ApiResult<Connectors> {
    if F::OPEN.is_some() && who.scope != StoreScope::All {
        let out_of_reach = Some(OF_ALL_STORES);
        return Ok(Connectors { items: Vec::new(), can_edit: false, out_of_reach, incoming: None });
    }
    whole_house(who)?;
    let mut newest: BTreeMap<String, _> = queries::newest(&state.db, F::KIND)
        .await?
        .into_iter()
        .map(|run| (run.connector_id.clone(), run.shown()))
        .collect();
    let dead_letters: BTreeMap<String, i64> =
        queries::open_dead_letters(&state.db).await?.into_iter().collect();
    let items = queries::of_kind(&state.db, F::KIND).await?.into_iter().map(|kept| {
        let (run, dead_letters) = (newest.remove(&kept.id), dead_letters.get(&kept.id).copied().unwrap_or(0));
        shown(kept, run, dead_letters, who.at)
    });
    let incoming = (F::KIND == Kind::W3p).then(|| state.config.incoming_dir().display().to_string());
    Ok(Connectors {
        items: items.collect(),
        can_edit: who.can(F::PAGE, F::EDIT),
        out_of_reach: None,
        incoming,
    })
}

fn shown(
    kept: Kept,
    last_run: Option<super::model::ConnectorRun>,
    put_aside: i64,
    now: Timestamp,
) -> Connector {
    let its = kept.schedule();
    let next = (its.enabled && !kept.paused).then(|| schedule(its).next(now)).flatten();
    Connector {
        id: kept.id,
        name: kept.name,
        settings: kept.settings.0,
        secrets: kept.secrets_set.0,
        paused: kept.paused,
        schedule: its,
        next_run_at: next,
        read_to: kept.cursor_day,
        last_run,
        put_aside,
        revision: kept.revision,
        updated_at: kept.updated_at,
        updated_by: kept.updated_by.0,
    }
}

/// A connector as the API shows it.
///
/// # Errors
/// 404.
pub(super) async fn get<F: Family>(state: &AppState, who: &Who, id: &str) -> ApiResult<Connector> {
    let kept = find::<F>(state, who, id).await?;
    let (runs, _) = queries::runs(&state.db, id, (1, 0)).await?;
    let dead_letters: BTreeMap<String, i64> =
        queries::open_dead_letters(&state.db).await?.into_iter().collect();
    let dead_letters = dead_letters.get(id).copied().unwrap_or(0);
    Ok(shown(kept, runs.into_iter().next().map(super::model::KeptRun::shown), dead_letters, who.at))
}

/// A stored connector.
///
/// # Errors
/// 403 for users of some stores, 404.
pub(super) async fn find<F: Family>(state: &AppState, who: &Who, id: &str) -> ApiResult<Kept> {
    whole_house(who)?;
    let id = larder_platform::http::question::known_id(id, ONE)?;
    queries::find(&state.db, F::KIND, id).await?.ok_or_else(|| ApiError::not_found(ONE))
}

/// The decrypted secrets of a connector.
///
/// # Errors
/// If another key encrypted them.
pub(super) fn open(state: &AppState, kept: &Kept) -> ApiResult<BTreeMap<String, String>> {
    let Some(encrypted) = &kept.secrets else { return Ok(BTreeMap::new()) };
    let text = state
        .cipher
        .decrypt(&encryption::place("connectors", "secrets", &kept.id), encrypted)
        .map_err(ApiError::internal)?;
    serde_json::from_str(&text).map_err(ApiError::internal)
}

/// The secrets for a draft: those entered, and stored ones if they are sent to the same place as before.
///
/// # Errors
/// 422 for a missing or invalid secret.
pub(super) fn secrets(
    state: &AppState,
    kept: Option<&Kept>,
    settings: &ConnectorSettings,
    entered: &BTreeMap<String, String>,
    needed: bool,
) -> ApiResult<BTreeMap<String, String>> {
    let same = kept.filter(|kept| kept.settings.0.sent_to() == settings.sent_to());
    let asked = settings.asks();
    let mut all = BTreeMap::new();
    let Some(name) = asked else { return Ok(all) };
    if let Some(text) = entered.get(name).filter(|text| !text.is_empty()) {
        let limit = if name == "serviceAccount" { 20_000 } else { 4_000 };
        if text.len() > limit || (name != "serviceAccount" && text.chars().any(char::is_control)) {
            return Err(ApiError::field(
                format!("secrets.{name}"),
                "This cannot be a secret: it is too long or holds line breaks.",
            ));
        }
        if name == "serviceAccount" {
            ServiceAccount::parse(text).map_err(|words| ApiError::field("secrets.serviceAccount", words))?;
        }
        if name == "signingSecret" && text.len() < 16 {
            return Err(ApiError::field(
                "secrets.signingSecret",
                "Use at least 16 characters; «Make one» does.",
            ));
        }
        all.insert(name.to_owned(), text.clone());
    } else if let Some(kept) = same
        && let Some(text) = open(state, kept)?.remove(name)
    {
        all.insert(name.to_owned(), text);
    } else if needed {
        let words = match kept {
            Some(kept) if kept.secrets_set.0.contains_key(name) => {
                "The address changed, so enter the secret again: it is not sent to another server by itself."
            }
            _ => "Enter the secret.",
        };
        return Err(ApiError::field(format!("secrets.{name}"), words));
    }
    Ok(all)
}

fn check(state: &AppState, draft: &ConnectorDraft, kind: Kind) -> ApiResult<()> {
    let mut faults = draft.settings.faults(true);
    let name = draft.name.trim();
    if name.is_empty() || name.chars().count() > 80 || has_unseen(name) {
        faults.push(FieldError::new("name", "Enter a name of at most 80 characters."));
    }
    if draft.settings.kind() != kind {
        faults.push(FieldError::new("settings", "These are the settings of another kind of connector."));
    }
    if draft.schedule.enabled
        && let Some((field, words)) = schedule(draft.schedule).refusal()
    {
        faults.push(FieldError::new(format!("schedule.{field}"), words));
    }
    if let ConnectorSettings::Api(api) = &draft.settings {
        let caller = caller(state)?;
        let plain = |text: &str| text.replace(['{', '}'], "");
        if let Err(trouble) = caller.check(&plain(&api.url)) {
            faults.push(FieldError::new("settings.url", trouble.words()));
        }
        if let super::settings::ApiAuth::OAuth { token_url, .. } = &api.auth
            && let Err(trouble) = caller.check(token_url)
        {
            faults.push(FieldError::new("settings.auth.tokenUrl", trouble.words()));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(ApiError::invalid(faults)) }
}

/// Creates a connector, or changes the one with this id.
///
/// # Errors
/// 403, 404, 409 for an old revision or a taken name, 422 at the fields.
pub(super) async fn save<F: Family>(
    state: &AppState,
    who: &Who,
    id: Option<&str>,
    draft: &ConnectorDraft,
) -> ApiResult<Connector> {
    whole_house(who)?;
    check(state, draft, F::KIND)?;
    let before = match id {
        Some(id) => Some(find::<F>(state, who, id).await?),
        None => None,
    };
    let secrets = secrets(state, before.as_ref(), &draft.settings, &draft.secrets, true)?;
    let made = state.new_id();
    let id = id.unwrap_or(&made);
    let mut set: BTreeMap<String, Timestamp> = BTreeMap::new();
    for name in secrets.keys() {
        let entered = draft.secrets.get(name).is_some_and(|text| !text.is_empty());
        let since =
            before.as_ref().and_then(|kept| kept.secrets_set.0.get(name).copied()).filter(|_| !entered);
        set.insert(name.clone(), since.unwrap_or(who.at));
    }
    let encrypted = if secrets.is_empty() {
        None
    } else {
        let text = serde_json::to_string(&secrets).map_err(ApiError::internal)?;
        Some(state.cipher.encrypt(&encryption::place("connectors", "secrets", id), &text))
    };
    let written = &queries::Written {
        name: draft.name.trim(),
        name_key: larder_platform::http::text::fold(draft.name.trim()),
        settings: &draft.settings,
        secrets: encrypted,
        secrets_set: &set,
        schedule: draft.schedule,
        paused: draft.paused,
    };
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            match &before {
                None => queries::insert(tx, id, F::KIND, written).await?,
                Some(kept) => {
                    let seen = draft.revision.unwrap_or(0);
                    if seen != kept.revision || !queries::update(tx, id, seen, written).await? {
                        let now = queries::find_in(tx, F::KIND, id).await?;
                        let by = now.as_ref().map(|kept| kept.updated_by.name.clone()).unwrap_or_default();
                        return Err(ApiError::stale(
                            &by,
                            json!({ "revision": now.map(|kept| kept.revision) }),
                        ));
                    }
                }
            }
            let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
            let snapshot_before = before.as_ref().map(|kept| {
                audit_snapshot(
                    &kept.name,
                    &kept.settings.0,
                    &kept.secrets_set.0,
                    kept.schedule(),
                    kept.paused,
                )
            });
            let after = audit_snapshot(&draft.name, &draft.settings, &set, draft.schedule, draft.paused);
            record(tx, id, action, snapshot_before, Some(after)).await
        })
        .await?;
    get::<F>(state, who, id).await
}

/// Audit snapshot of a connector: of secrets only when they were set.
fn audit_snapshot(
    name: &str,
    settings: &ConnectorSettings,
    secrets: &BTreeMap<String, Timestamp>,
    schedule: ConnectorSchedule,
    paused: bool,
) -> Value {
    let time = format!("{:02}:{:02}", schedule.minutes / 60, schedule.minutes % 60);
    json!({ "name": name, "settings": settings, "secretsSet": secrets, "paused": paused,
            "scheduled": schedule.enabled, "time": time, "weekdays": schedule.weekdays })
}

pub(super) async fn record(
    tx: &mut Tx<'_>,
    id: &str,
    action: ChangeAction,
    before: Option<Value>,
    after: Option<Value>,
) -> ApiResult<()> {
    Ok(tx
        .record(Change { kind: "connector", id: id.to_owned(), store_id: None, action, before, after })
        .await?)
}

/// Pauses or resumes a connector.
///
/// # Errors
/// 403, 404.
pub(super) async fn pause<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    paused: bool,
) -> ApiResult<Connector> {
    let kept = find::<F>(state, who, id).await?;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            queries::set_paused(tx, id, paused).await?;
            record(
                tx,
                id,
                ChangeAction::Updated,
                Some(json!({ "paused": kept.paused })),
                Some(json!({ "paused": paused })),
            )
            .await
        })
        .await?;
    get::<F>(state, who, id).await
}

/// Deletes a connector, its log and its dead letters. Posted sales stay.
///
/// # Errors
/// 403, 404, 409 while it is running.
pub(super) async fn delete<F: Family>(state: &AppState, who: &Who, id: &str) -> ApiResult<()> {
    let kept = find::<F>(state, who, id).await?;
    let (runs, _) = queries::runs(&state.db, id, (20, 0)).await?;
    if runs.iter().any(|run| matches!(run.state.as_str(), "queued" | "running")) {
        return Err(ApiError::conflict("running", "This connector is at work. Stop the run first."));
    }
    let (dead_letters, _) = queries::dead_letters(&state.db, id, true, (10_000, 0)).await?;
    let snapshot =
        audit_snapshot(&kept.name, &kept.settings.0, &kept.secrets_set.0, kept.schedule(), kept.paused);
    let snapshot = &snapshot;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            queries::delete(tx, id).await?;
            record(tx, id, ChangeAction::Deleted, Some(snapshot.clone()), None).await
        })
        .await?;
    for key in dead_letters.into_iter().filter_map(|dead_letter| dead_letter.file_key) {
        state.files.delete(&key).await?;
    }
    Ok(())
}
