//! The declaration of a document type, and a document in memory.

use std::collections::HashMap;

use futures::future::BoxFuture;
use larder_db::{BulkRow, Row, Tx};
use larder_domain::count::Session;
use larder_domain::document::{Declaration, DocumentKind, Flow, Step};
use larder_domain::{BusinessDay, Factor, Money, Permission, Qty, StoreScope, Timestamp, Word};
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

/// The head common to all types. `S` are the states of its type.
#[derive(Debug, Clone)]
pub struct Head<S> {
    pub id: String,
    pub number: String,
    pub state: S,
    /// The store it is for.
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

impl<S> Head<S> {
    /// The last time a step was taken.
    #[must_use]
    pub fn last(&self, step: impl Word) -> Option<&Taken> {
        self.steps.iter().rev().find(|taken| taken.step == step.as_str())
    }
}

impl<S> OfStore for Head<S> {
    fn store_id(&self) -> Option<&str> {
        self.store_id.as_deref()
    }
}

/// A document with its lines.
pub struct Doc<D: Document> {
    pub head: Head<D::State>,
    pub details: D::Details,
    pub lines: Vec<D::Line>,
    /// What a step says besides; not stored.
    pub answer: StepAnswer,
}

/// What the answer of a step says besides the document.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepAnswer {
    /// The business date of a reversal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed: Option<Reversed>,
    /// Lines that came or left close to a count: a person says which was first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<Vec<CloseTo>>,
}

/// A line of a posted document that came or left close to a count. The question is «Was it counted?» of goods that came, and
/// «Were these still there when the store was counted?» of goods that left.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseTo {
    pub line_id: String,
    pub store_id: String,
    /// Date and session of the count.
    pub date: BusinessDay,
    pub session: Session,
    pub product_id: String,
    pub name: String,
    /// In the line's unit; absent where counts are blind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<Qty>,
    pub uom_code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub happened_at: Option<Timestamp>,
    pub counted_at: Timestamp,
    /// Whether the count includes it by the times: goods that came were there, goods that left were gone.
    pub included_by_time: bool,
}

/// The business date of a reversal: that of what it reverses, or today if its week is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reversed {
    pub business_date: BusinessDay,
    /// The Monday of the frozen week.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_week: Option<BusinessDay>,
}

impl<D: Document> Clone for Doc<D> {
    fn clone(&self) -> Self {
        let Self { head, details, lines, answer } = self;
        Self { head: head.clone(), details: details.clone(), lines: lines.clone(), answer: answer.clone() }
    }
}

/// A line of a document; declared with [`super::document_lines!`].
pub trait Line: BulkRow + Row + Clone + Serialize + ToSchema + Send + Sync + 'static {
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];
    /// Derived members in the API besides its columns; [`Nothing`] if there are none.
    type Shown: Serialize + ToSchema;
    fn id(&self) -> &str;
    fn document_id(&self) -> &str;
    fn sku(&self) -> Option<&str>;
    fn name(&self) -> &str;
    fn uom_code(&self) -> &str;
    fn factor(&self) -> Factor;
    /// Assigns it to a document at a position, counted from one.
    fn place(&mut self, document_id: &str, position: i64);
    /// Its quantities in a few words, for the history.
    fn told(&self) -> String;
    /// Its cells in a file, one per column of the type.
    fn cells(&self) -> Vec<Cell>;
    /// Its derived members in the API.
    fn shown(&self) -> Self::Shown;
    /// Its product and the lot that it names.
    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        None
    }
}

/// No further members.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct Nothing {}

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

        fn factor(&self) -> larder_domain::Factor {
            self.factor
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
    /// Takes more from a store than is expected there (409 `moreThanExpected`), or takes a recalled lot in (409
    /// `recalledArrives`). Requires a reason.
    #[serde(default)]
    pub anyway: bool,
    /// When the goods came or left; now by default. Asked for (422 `whenNeeded`) where a count was made since they were due.
    #[serde(default)]
    pub happened_at: Option<Timestamp>,
    /// The time on the device's clock, to correct `happenedAt`.
    #[serde(default)]
    pub sent_at: Option<Timestamp>,
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

/// The document and revision that a change is based on.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub id: &'a str,
    pub revision: i64,
}

/// A column of the type's own in a file: title and width.
pub type Own = (&'static str, u16);

/// A document type.
pub trait Document: Sized + Send + Sync + 'static {
    /// Name in events, history and number series.
    const KIND: DocumentKind;
    /// Names, paths, permissions and ledger type.
    const DECLARED: &'static Declaration = Self::KIND.declared();
    type State: Word;
    type Step: Word;
    const FLOW: &'static Flow<Self::State, Self::Step>;
    /// States in which its lines and head can be edited.
    const OPEN: &'static [Self::State];
    /// Whether its source is a store too, which may see it as well.
    const BOTH_ENDS: bool = false;
    /// The condition on `d` of documents with differences to settle, for types that have any.
    const UNDECIDED: Option<&'static str> = None;
    /// Fields of its head beyond the common ones.
    type Details: Serialize + DeserializeOwned + ToSchema + Default + Clone + Send + Sync + Unpin + 'static;
    type Line: Line;
    /// Derived members in the API besides head and lines; [`Nothing`] if there are none.
    type Shown: Serialize + ToSchema;
    /// Request body to create or change one; in a change, omitted fields stay.
    type Draft: DeserializeOwned + ToSchema + Clone + Send + Sync + 'static;
    /// Columns of a file for its lines.
    const COLUMNS: &'static [Own];
    /// Columns of a file for its head, after those of its lines.
    const HEAD_COLUMNS: &'static [Own] = &[];
    /// Steps whose answer names the lines that came or left close to a count.
    const CLOSE: &'static [Self::Step] = &[];
    /// Steps whose author appears in the head: API name, step, title in a file.
    const SIGNED: &'static [(&'static str, Self::Step, &'static str)] = &[];

    /// Whether a user may see it, or change it before it arrives at its destination.
    fn reaches(head: &Head<Self::State>, scope: &StoreScope, _changes: bool) -> bool {
        Self::DECLARED.reaches(scope, head.store_id.as_deref())
    }

    /// Slow preparation of a draft, before the transaction begins. Call [`super::write::may_change`] first.
    fn prepare<'a>(
        _ctx: Ctx<'a>,
        _seen: Option<Seen<'a>>,
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

    /// What refuses a step before the state changes: afterwards the database's own rules would, in words of its own.
    fn before_step<'a>(
        _tx: &'a mut Tx<'_>,
        _head: &'a Head<Self::State>,
        _to: Self::State,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Effects of a step beside the state change: checks, figures, movements, other documents. The state is
    /// already the step's target; a step may set another.
    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: Self::Step,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>>;

    /// Total amount of its lines.
    fn amount(_lines: &[Self::Line]) -> Option<Money> {
        None
    }

    /// Derived members in the API besides head and lines.
    fn shown(doc: &Doc<Self>) -> Self::Shown;

    /// Whether a line is listed under `lines` in the API; others only appear in [`Document::shown`].
    fn is_listed(_line: &Self::Line) -> bool {
        true
    }

    /// The cells of [`Document::HEAD_COLUMNS`].
    fn head_cells(_head: &Head<Self::State>, _details: &Self::Details) -> Vec<Cell> {
        Vec::new()
    }

    /// Columns of a file: common ones, the lines', the head's, the authors of steps.
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
        let own = head.iter().chain(Self::COLUMNS).chain(Self::HEAD_COLUMNS);
        let own = own.map(|(title, width)| Column::new(*title, *width));
        let signed = Self::SIGNED
            .iter()
            .flat_map(|(_, _, title)| [Column::new(*title, 18), Column::new(format!("{title} by"), 20)]);
        own.chain(signed).collect()
    }

    /// The cells of [`Document::SIGNED`].
    fn signed_cells(head: &Head<Self::State>) -> Vec<Cell> {
        let cells = Self::SIGNED.iter().flat_map(|(_, step, _)| match head.last(*step) {
            Some(taken) => [Cell::Time(taken.at), Cell::Text(taken.by.name.clone())],
            None => [Cell::Empty, Cell::Empty],
        });
        cells.collect()
    }

    /// The permission a step requires.
    fn permission(step: &Step<Self::State, Self::Step>) -> Permission {
        Permission { page: Self::DECLARED.page, action: step.right }
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
            state: D::FLOW.states[0].state,
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
        Self { head, details: D::Details::default(), lines: Vec::new(), answer: StepAnswer::default() }
    }

    /// A stored document.
    #[must_use]
    pub fn of(head: Head<D::State>, details: D::Details, lines: Vec<D::Line>) -> Self {
        Self { head, details, lines, answer: StepAnswer::default() }
    }

    /// Whether it is not stored yet.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.head.number.is_empty()
    }

    /// The document in the API for a user, with the steps they may take.
    #[must_use]
    pub fn wire(&self, who: &Who) -> Value {
        let mut out = wire_head::<D>(&self.head, &self.details, who);
        let lines = self.lines.iter().filter(|line| D::is_listed(line));
        out.insert("lines".into(), lines.map(wire_line).collect());
        out.extend(object(&D::shown(self)));
        out.extend(object(&self.answer));
        Value::Object(out)
    }

    /// Audit snapshot: head fields, and a few words per line.
    #[must_use]
    pub fn told(&self) -> Value {
        let mut out = Map::new();
        let head = &self.head;
        out.insert("status".into(), head.state.as_str().into());
        out.insert(D::DECLARED.date.into(), serde_json::to_value(head.on_date).unwrap_or_default());
        out.insert("notes".into(), head.notes.clone().into());
        out.extend(object(&self.details));
        // Several lines of an item, such as two lots, are one entry.
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut lines: Vec<(&str, String)> = Vec::new();
        for line in &self.lines {
            match places.get(line.name()) {
                Some(at) => lines[*at].1.push_str(&format!("; {}", line.told())),
                None => {
                    places.insert(line.name(), lines.len());
                    lines.push((line.name(), line.told()));
                }
            }
        }
        out.extend(lines.into_iter().map(|(name, told)| (name.to_owned(), told.into())));
        Value::Object(out)
    }
}

/// The common part of a head in the API. See [`wire_name`] for the names of number and date.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame<'a> {
    id: &'a str,
    #[schema(value_type = String)]
    kind: DocumentKind,
    /// Document number, without gaps.
    number: &'a str,
    status: &'static str,
    #[schema(required)]
    store_id: Option<&'a str>,
    #[schema(required)]
    source_type: Option<&'a str>,
    #[schema(required)]
    source_id: Option<&'a str>,
    on_date: BusinessDay,
    #[schema(required)]
    notes: Option<&'a str>,
    #[schema(value_type = Vec<Taken>)]
    steps: &'a [Taken],
    /// Steps the caller may take now.
    #[schema(value_type = Vec<String>)]
    can: Vec<&'static str>,
    line_count: i64,
    /// Total in pesos.
    #[schema(required)]
    amount: Option<Money>,
    revision: i64,
    created_at: Timestamp,
    #[schema(value_type = Editor)]
    created_by: &'a Editor,
    updated_at: Timestamp,
    #[schema(value_type = Editor)]
    updated_by: &'a Editor,
}

/// Derived members of every line in the API.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineFrame {
    /// Same as `factor`.
    factor_to_base: Factor,
}

/// Name of a [`Frame`] member in the API of this type.
pub(super) fn wire_name<D: Document>(member: &str) -> &str {
    match member {
        "number" => D::DECLARED.number,
        "onDate" => D::DECLARED.date,
        same => same,
    }
}

/// A head in the API.
pub fn wire_head<D: Document>(head: &Head<D::State>, details: &D::Details, who: &Who) -> Map<String, Value> {
    let mut out = object(details);
    let may =
        |step: &&Step<D::State, D::Step>| who.may(D::permission(step)) && D::reaches(head, &who.scope, true);
    let frame = Frame {
        id: &head.id,
        kind: D::KIND,
        number: &head.number,
        status: head.state.as_str(),
        store_id: head.store_id.as_deref(),
        source_type: head.source_type.as_deref(),
        source_id: head.source_id.as_deref(),
        on_date: head.on_date,
        notes: head.notes.as_deref(),
        steps: &head.steps,
        can: D::FLOW.steps_from(head.state).filter(may).map(|step| step.step.as_str()).collect(),
        line_count: head.line_count,
        amount: head.amount,
        revision: head.revision,
        created_at: head.created_at,
        created_by: &head.created_by,
        updated_at: head.updated_at,
        updated_by: &head.updated_by,
    };
    out.extend(object(&frame).into_iter().map(|(name, value)| (wire_name::<D>(&name).to_owned(), value)));
    for (name, step, _) in D::SIGNED {
        let by = head.last(*step).map(|taken| &taken.by);
        out.insert((*name).to_owned(), serde_json::to_value(by).unwrap_or_default());
    }
    out
}

fn wire_line<L: Line>(line: &L) -> Value {
    let mut out = object(line);
    out.extend(object(&LineFrame { factor_to_base: line.factor() }));
    out.extend(object(&line.shown()));
    Value::Object(out)
}

/// A struct's members in JSON.
fn object<T: Serialize>(value: &T) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}
