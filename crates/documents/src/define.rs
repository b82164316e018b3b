//! The declaration of a document type, and a document in memory.

use futures::future::BoxFuture;
use larder_db::{BulkRow, Row, Tx};
use larder_domain::document::{Flow, Step};
use larder_domain::{Action, BusinessDay, Money, Permission, Qty, StoreScope, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::export::{Cell, Column};
use larder_platform::http::scope::OfStore;
use larder_platform::http::{ApiResult, Who};

/// A step taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    pub step: String,
    pub at: Timestamp,
    pub by: Editor,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// What every document has.
#[derive(Debug, Clone)]
pub struct Head {
    pub id: String,
    pub number: String,
    /// A state of the type's [`Flow`].
    pub state: String,
    pub store_id: Option<String>,
    /// Type of its source: `commissary`, `supplier`, `delivery` …
    pub source_type: Option<String>,
    pub source_id: Option<String>,
    /// The day it is for.
    pub on_date: BusinessDay,
    pub notes: Option<String>,
    /// Steps taken, oldest first.
    pub steps: Vec<Taken>,
    pub line_count: i64,
    pub amount: Option<Money>,
    pub revision: i64,
    pub created_at: Timestamp,
    pub created_by: Editor,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

impl Head {
    /// When and by whom a step was last taken.
    #[must_use]
    pub fn last(&self, step: &str) -> Option<&Taken> {
        self.steps.iter().rev().find(|taken| taken.step == step)
    }
}

impl OfStore for Head {
    fn store_id(&self) -> Option<&str> {
        self.store_id.as_deref()
    }
}

/// A document with its lines.
pub struct Doc<D: Document> {
    pub head: Head,
    pub details: D::Details,
    pub lines: Vec<D::Line>,
}

impl<D: Document> Clone for Doc<D> {
    fn clone(&self) -> Self {
        Self { head: self.head.clone(), details: self.details.clone(), lines: self.lines.clone() }
    }
}

/// A line of a document; declared with [`super::document_lines!`].
pub trait Line: BulkRow + Row + Clone + Serialize + ToSchema + Send + Sync + 'static {
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];
    fn id(&self) -> &str;
    fn document_id(&self) -> &str;
    fn sku(&self) -> Option<&str>;
    fn name(&self) -> &str;
    fn uom_code(&self) -> &str;
    /// Assigns it to a document at a position, counted from one.
    fn place(&mut self, document_id: &str, position: i64);
    /// Its quantities in a few words, for the history.
    fn told(&self) -> String;
    /// Its cells in a file, one per column of the type.
    fn cells(&self) -> Vec<Cell>;
}

/// Declares the line struct of a type: common fields and the type's own figures.
#[macro_export]
macro_rules! document_lines {
    ($(#[$meta:meta])* $name:ident in $table:literal { $($(#[$of_field:meta])* $field:ident: $type:ty,)+ }) => {
        larder_db::table_row! {
            $(#[$meta])*
            #[derive(Debug, Clone, larder_db::FromRow, serde::Serialize, utoipa::ToSchema)]
            #[serde(rename_all = "camelCase")]
            $name in $table {
                id: String,
                #[serde(skip)]
                document_id: String,
                /// Its place in the document, from one.
                position: i64,
                product_id: String,
                /// SKU and name as they were when the line was written.
                sku: Option<String>,
                name: String,
                uom_id: String,
                uom_code: String,
                /// Base units in one of the line's unit, when the line was written.
                factor: larder_domain::Factor,
                $($(#[$of_field])* $field: $type,)+
            }
        }
    };
}

/// The implementation of [`Line`] for the common fields of [`document_lines!`].
#[macro_export]
macro_rules! document_line_frame {
    () => {
        const TABLE: &'static str = Self::TABLE;
        const COLUMNS: &'static [&'static str] = Self::COLUMNS;

        fn id(&self) -> &str {
            &self.id
        }

        fn document_id(&self) -> &str {
            &self.document_id
        }

        fn sku(&self) -> Option<&str> {
            self.sku.as_deref()
        }

        fn name(&self) -> &str {
            &self.name
        }

        fn uom_code(&self) -> &str {
            &self.uom_code
        }

        fn place(&mut self, document_id: &str, position: i64) {
            self.document_id = document_id.to_owned();
            self.position = position;
        }
    };
}

/// The user working on a document, and what they may see.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    pub state: &'a AppState,
    pub who: &'a Who,
    /// Source of ids other than the state: a demo's are derived from its seed.
    pub ids: Option<&'a (dyn Fn() -> String + Sync)>,
}

impl<'a> Ctx<'a> {
    #[must_use]
    pub fn new(state: &'a AppState, who: &'a Who) -> Self {
        Self { state, who, ids: None }
    }

    /// A new id.
    #[must_use]
    pub fn new_id(&self) -> String {
        self.ids.map_or_else(|| self.state.new_id(), |ids| ids())
    }
}

/// The request body of a step.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakeStep {
    /// The revision being changed.
    pub revision: i64,
    /// Reason; required by some steps.
    #[serde(default)]
    pub reason: Option<String>,
    /// Overrides a check, such as negative stock or an exceeded tolerance. Requires the permission and a
    /// reason.
    #[serde(default, rename = "override")]
    pub overridden: bool,
    /// Values for single lines; omitted lines stay.
    #[serde(default)]
    pub lines: Vec<StepLine>,
}

/// Values of a step for a line.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepLine {
    pub id: String,
    /// Approving an order: the quantity granted, in the line's unit.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    pub qty_approved: Option<Value>,
    /// Why it differs.
    #[serde(default)]
    pub reason: Option<String>,
    /// Settling differences: the resolution.
    #[serde(default)]
    pub resolution: Option<String>,
}

/// Alternative name of a line's factor in the API.
pub const FACTOR_TO_BASE: &str = "factorToBase";

/// The type's own column of a file.
pub type Own = (&'static str, u16);

/// A document type.
pub trait Document: Sized + Send + Sync + 'static {
    /// Name in events, history and number series.
    const KIND: &'static str;
    /// Prefix of its numbers: `SO`.
    const SERIES: &'static str;
    /// Name of its number in the API.
    const NUMBER: &'static str;
    /// Name of its date in the API.
    const DATE: &'static str;
    /// Its path in the API.
    const BASE: &'static str;
    /// Its name in the contract.
    const SCHEMA: &'static str;
    /// The page whose permissions to view, create, edit and export apply.
    const PAGE: &'static str;
    const FLOW: &'static Flow;
    /// States in which its lines and head can be edited.
    const OPEN: &'static [&'static str];
    /// Whether each document belongs to a store.
    const OF_STORES: bool = true;
    /// Steps in which checks can be overridden with the page's `override` permission and a reason.
    const OVERRIDES: &'static [&'static str] = &[];
    /// Whether its source is a store too, which may see it as well.
    const BOTH_ENDS: bool = false;
    /// Fields of its head beyond the common ones.
    type Details: Serialize + DeserializeOwned + ToSchema + Default + Clone + Send + Sync + Unpin + 'static;
    type Line: Line;
    /// Request body to create or change one; in a change, omitted fields stay.
    type Draft: DeserializeOwned + ToSchema + Clone + Send + Sync + 'static;
    /// The type's own columns of a file, those of its lines.
    const COLUMNS: &'static [Own];
    /// Steps whose author appears in the head: API name, step, title in a file.
    const SIGNED: &'static [(&'static str, &'static str, &'static str)] = &[];

    /// The permission a step requires.
    fn right(step: &str) -> (&'static str, Action);

    /// Whether a user may see it, or change it before it arrives at its destination.
    fn reaches(head: &Head, scope: &StoreScope, _changes: bool) -> bool {
        scope.includes(head.store_id.as_deref())
    }

    /// Slow preparation of a draft, before the transaction begins.
    fn prepare<'a>(
        _ctx: Ctx<'a>,
        _id: Option<&'a str>,
        draft: Self::Draft,
    ) -> BoxFuture<'a, ApiResult<Self::Draft>> {
        Box::pin(std::future::ready(Ok(draft)))
    }

    /// Writes a draft into a document, which is new if it has no number.
    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a Self::Draft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>>;

    /// Further writes after a new document was inserted.
    fn written<'a>(_tx: &'a mut Tx<'_>, _doc: &'a Doc<Self>) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Effects of a step beside the state change: checks, figures, movements, other documents. The state is
    /// already the step's target; a step may set another.
    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: &'static Step,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>>;

    /// Total amount of its lines.
    fn amount(_lines: &[Self::Line]) -> Option<Money> {
        None
    }

    /// Further API members derived from its lines.
    fn also(_doc: &Doc<Self>, _out: &mut Map<String, Value>) {}

    /// Columns of a file: the head's, then the type's own.
    fn file_columns() -> Vec<Column> {
        let head = [
            ("Number", 16),
            ("Date", 12),
            ("Status", 14),
            ("Store", 24),
            ("SKU", 12),
            ("Product", 32),
            ("Unit", 8),
        ];
        let own = head.iter().chain(Self::COLUMNS).map(|(title, width)| Column::new(*title, *width));
        let signed = Self::SIGNED
            .iter()
            .flat_map(|(_, _, title)| [Column::new(*title, 18), Column::new(format!("{title} by"), 20)]);
        own.chain(signed).collect()
    }

    /// The cells of a head that [`Document::SIGNED`] asks for.
    fn signed_cells(head: &Head) -> Vec<Cell> {
        let of = |step: &str| head.last(step);
        let cells = Self::SIGNED.iter().flat_map(|(_, step, _)| match of(step) {
            Some(taken) => [Cell::Time(taken.at), Cell::Text(taken.by.name.clone())],
            None => [Cell::Empty, Cell::Empty],
        });
        cells.collect()
    }

    fn permission(step: &str) -> Permission {
        let (page, action) = Self::right(step);
        Permission { page, action }
    }
}

impl<D: Document> Doc<D> {
    /// A new document without a number.
    #[must_use]
    pub fn new(ctx: Ctx<'_>) -> Self {
        let by = Editor::from(&ctx.who.actor());
        let at = ctx.who.at;
        let head = Head {
            id: ctx.new_id(),
            number: String::new(),
            state: D::FLOW.states[0].name.to_owned(),
            store_id: None,
            source_type: None,
            source_id: None,
            on_date: BusinessDay::of(at),
            notes: None,
            steps: Vec::new(),
            line_count: 0,
            amount: None,
            revision: 1,
            created_at: at,
            created_by: by.clone(),
            updated_at: at,
            updated_by: by,
        };
        Self { head, details: D::Details::default(), lines: Vec::new() }
    }

    /// Whether it is being made.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.head.number.is_empty()
    }

    /// The document in the API for a user, with the steps they may take.
    #[must_use]
    pub fn wire(&self, who: &Who) -> Value {
        let mut out = wire_head::<D>(&self.head, &self.details, who);
        let mut lines = serde_json::to_value(&self.lines).unwrap_or_default();
        for line in lines.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(factor) = line.get("factor").cloned() {
                line.insert(FACTOR_TO_BASE.into(), factor);
            }
        }
        out.insert("lines".into(), lines);
        D::also(self, &mut out);
        Value::Object(out)
    }

    /// Audit snapshot: head fields, and a few words per line.
    #[must_use]
    pub fn told(&self) -> Value {
        let mut out = Map::new();
        let head = &self.head;
        out.insert("status".into(), head.state.clone().into());
        out.insert(D::DATE.into(), serde_json::to_value(head.on_date).unwrap_or_default());
        out.insert("notes".into(), head.notes.clone().into());
        if let Ok(Value::Object(details)) = serde_json::to_value(&self.details) {
            out.extend(details);
        }
        for line in &self.lines {
            out.insert(line.name().to_owned(), line.told().into());
        }
        Value::Object(out)
    }
}

/// A head in the API.
pub fn wire_head<D: Document>(head: &Head, details: &D::Details, who: &Who) -> Map<String, Value> {
    let mut out = match serde_json::to_value(details) {
        Ok(Value::Object(details)) => details,
        _ => Map::new(),
    };
    let json = |value: &dyn erased::Json| value.json();
    let can: Vec<&str> = D::FLOW
        .steps_from(&head.state)
        .filter(|step| who.may(D::permission(step.name)) && D::reaches(head, &who.scope, true))
        .map(|step| step.name)
        .collect();
    let frame = [
        ("id", json(&head.id)),
        ("kind", json(&D::KIND)),
        (D::NUMBER, json(&head.number)),
        ("status", json(&head.state)),
        ("storeId", json(&head.store_id)),
        ("sourceType", json(&head.source_type)),
        ("sourceId", json(&head.source_id)),
        (D::DATE, json(&head.on_date)),
        ("notes", json(&head.notes)),
        ("steps", json(&head.steps)),
        ("can", json(&can)),
        ("lineCount", json(&head.line_count)),
        ("amount", json(&head.amount)),
        ("revision", json(&head.revision)),
        ("createdAt", json(&head.created_at)),
        ("createdBy", json(&head.created_by)),
        ("updatedAt", json(&head.updated_at)),
        ("updatedBy", json(&head.updated_by)),
    ];
    out.extend(frame.into_iter().map(|(name, value)| (name.to_owned(), value)));
    for (name, step, _) in D::SIGNED {
        out.insert((*name).to_owned(), json(&head.last(step).map(|taken| &taken.by)));
    }
    out
}

mod erased {
    use serde_json::Value;

    /// Serializes values of different types alike.
    pub trait Json {
        fn json(&self) -> Value;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> Value {
            serde_json::to_value(self).unwrap_or_default()
        }
    }
}
