//! List declarations, and the macro for them.

use std::future::Future;

use larder_db::{Row, Tx};
use serde::Serialize;
use serde_json::{Map, Value};

use super::draft::Draft;
use super::fields::Stamp;
use super::merge::MovedUses;
use super::untyped::{Hooks, UntypedOps};
use super::uses::Use;
use larder_platform::entity_types as record;
use larder_platform::entity_types::SeenBy;
use larder_platform::http::error::{ApiError, FieldError};

/// Type of a field: how it is parsed, stored and shown.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Text,
    Lines,
    /// An exact decimal with six places.
    Qty,
    Money,
    /// An exact decimal with nine places.
    Factor,
    Int,
    Bool,
    Day,
    /// The id of a record of another list.
    Ref,
    /// A sub-table with its own parser.
    Items(&'static Items),
}

/// Errors inside a field: (path, message).
pub type Found = Vec<(String, String)>;

/// The definition of a [`Kind::Items`] field.
#[derive(Debug)]
pub struct Items {
    /// Members of an item that hold ids: (member, table).
    pub refs: &'static [(&'static str, &'static str)],
    /// The schema of one item, by name.
    pub schema: fn() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
    /// Text format of one item, member by member.
    pub line: &'static [Part],
    /// Parses the items, or returns errors: (path inside the field, message).
    pub read: fn(&Value) -> Result<Value, Found>,
}

/// A part of an item's text format: `1 case = 12 jar` has seven.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    Says(&'static str),
    Member(&'static str),
    /// This text if the boolean member is true, nothing otherwise.
    If(&'static str, &'static str),
}

impl Part {
    /// The member it shows, if any.
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        match self {
            Self::Says(_) => None,
            Self::Member(member) | Self::If(member, _) => Some(member),
        }
    }
}

/// Who sets a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The client.
    Given,
    /// The list's hooks; values in a body are ignored.
    Kept,
    /// A ledger, in its own transaction; the engine only reads it.
    Booked,
}

/// Format of a line of text.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Free,
    Email,
    Web,
    OneOf(&'static [&'static str]),
}

/// A declared field of a list.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub column: &'static str,
    /// Column of its case-folded text, if `keyed`.
    pub key_column: &'static str,
    /// Whether that column exists, for uniqueness and sorting.
    pub keyed: bool,
    /// Its name in the API.
    pub name: &'static str,
    pub label: &'static str,
    pub kind: Kind,
    /// Whether it must have a value.
    pub required: bool,
    /// Whether `q` searches it.
    pub searched: bool,
    /// The longest text, in characters.
    pub max: usize,
    /// The table of a reference.
    pub to: &'static str,
    /// Default of a boolean field.
    pub on: bool,
    /// Its default for a new record, described in words, where [`List::begin`] derives it from other fields.
    pub follows: Option<&'static str>,
    pub origin: Origin,
    pub form: Form,
    pub usual: Option<&'static str>,
    /// Whether it may be negative.
    pub signed: bool,
    /// Whether a comma in a text always marks decimals, as for weight and price of root items.
    pub decimal_comma: bool,
    /// Message if its value is taken, instead of the default one.
    pub taken: Option<&'static str>,
    /// Whether merging two records adds their values.
    pub added: bool,
}

impl Field {
    /// A plain field; modified by the methods below.
    #[must_use]
    pub const fn new(
        column: &'static str,
        key_column: &'static str,
        name: &'static str,
        label: &'static str,
        kind: Kind,
        required: bool,
    ) -> Self {
        Self {
            column,
            key_column,
            keyed: false,
            name,
            label,
            kind,
            required,
            searched: false,
            max: 200,
            to: "",
            on: false,
            follows: None,
            origin: Origin::Given,
            form: Form::Free,
            usual: None,
            signed: false,
            decimal_comma: false,
            taken: None,
            added: false,
        }
    }

    /// Sorted and compared case-insensitively; its table has `{column}_key`.
    #[must_use]
    pub const fn keyed(mut self) -> Self {
        self.keyed = true;
        self
    }

    /// Searched by `q`.
    #[must_use]
    pub const fn searched(mut self) -> Self {
        self.searched = true;
        self
    }

    /// Limits the length, in characters.
    #[must_use]
    pub const fn max(mut self, characters: usize) -> Self {
        self.max = characters;
        self
    }

    /// A reference to this table.
    #[must_use]
    pub const fn to(mut self, table: &'static str) -> Self {
        self.kind = Kind::Ref;
        self.to = table;
        self
    }

    /// Several lines of text.
    #[must_use]
    pub const fn lines(mut self) -> Self {
        self.kind = Kind::Lines;
        self.max = 10_000;
        self
    }

    /// True by default.
    #[must_use]
    pub const fn on(mut self) -> Self {
        self.on = true;
        self
    }

    /// Set by [`List::begin`] if a new record omits it; `words` describe the value in the contract.
    #[must_use]
    pub const fn follows(mut self, words: &'static str) -> Self {
        self.follows = Some(words);
        self
    }

    /// Set by the list's hooks, never by a body.
    #[must_use]
    pub const fn kept(mut self) -> Self {
        self.origin = Origin::Kept;
        self
    }

    /// Written by a ledger; the engine only reads it.
    #[must_use]
    pub const fn booked(mut self) -> Self {
        self.origin = Origin::Booked;
        self
    }

    /// Must be an email address.
    #[must_use]
    pub const fn email(mut self) -> Self {
        self.form = Form::Email;
        self
    }

    /// Must be a web address.
    #[must_use]
    pub const fn web(mut self) -> Self {
        self.form = Form::Web;
        self.max = 2_000;
        self
    }

    /// Must be one of these values.
    #[must_use]
    pub const fn one_of(mut self, words: &'static [&'static str]) -> Self {
        self.form = Form::OneOf(words);
        self
    }

    /// This by default.
    #[must_use]
    pub const fn usual(mut self, text: &'static str) -> Self {
        self.usual = Some(text);
        self
    }

    /// A comma in its text always marks decimals.
    #[must_use]
    pub const fn decimal_comma(mut self) -> Self {
        self.decimal_comma = true;
        self
    }

    /// May be negative.
    #[must_use]
    pub const fn signed(mut self) -> Self {
        self.signed = true;
        self
    }

    /// An amount: merging two records adds it.
    #[must_use]
    pub const fn added(mut self) -> Self {
        self.added = true;
        self
    }

    /// The message if another record has the same value.
    #[must_use]
    pub const fn taken(mut self, message: &'static str) -> Self {
        self.taken = Some(message);
        self
    }

    /// The column of its case-folded text, if any.
    #[must_use]
    pub const fn key(&self) -> Option<&'static str> {
        if self.keyed { Some(self.key_column) } else { None }
    }

    /// The tables it refers to.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> + use<> {
        let items: &'static [(&str, &str)] =
            if let Kind::Items(items) = self.kind { items.refs } else { &[] };
        let own = matches!(self.kind, Kind::Ref).then_some(self.to);
        own.into_iter().chain(items.iter().map(|(_, table)| *table))
    }

    /// Its label inside a sentence: «name», but «POS code».
    #[must_use]
    pub fn in_sentence(&self) -> String {
        super::text::in_sentence(self.label)
    }
}

/// Records hidden by default.
#[derive(Debug, Clone, Copy)]
pub struct Hidden {
    /// The boolean field that decides.
    pub column: &'static str,
    /// Its value on hidden records.
    pub when: bool,
    /// The query parameter that shows them.
    pub unless: &'static str,
}

/// Who may read a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Users who may view its page.
    Page,
    /// Every signed-in user: its page has no guard.
    SignedIn,
}

/// How a merged record is retired instead of deleted.
#[derive(Debug, Clone, Copy)]
pub struct Retires {
    /// The field that marks it.
    pub field: &'static str,
    /// Its value then.
    pub value: bool,
    /// Whether it is kept even if nothing refers to it.
    pub always: bool,
}

/// All lists, and other references to their records.
#[derive(Debug)]
pub struct Catalogue {
    pub lists: &'static [&'static ListDef],
    /// References that no list declares.
    pub uses: fn() -> &'static [Use],
}

/// Everything the engine knows about a list.
#[derive(Debug, Clone, Copy)]
pub struct ListDef {
    /// Entity type in events, history and uses.
    pub kind: &'static str,
    pub table: &'static str,
    /// Its path in the API.
    pub path: &'static str,
    /// The page whose permissions guard it.
    pub page: &'static str,
    /// Noun for one record.
    pub one: &'static str,
    /// Title of the list.
    pub many: &'static str,
    /// Icon name in the console's icon set.
    pub icon: &'static str,
    /// Console page of one record (`/products/:id`); otherwise the list's own page opens it.
    pub opened_at: Option<&'static str>,
    /// Other console cache keys a change invalidates, as [`Kind::refreshes`](record::EntityType::refreshes).
    pub refreshes: &'static [&'static str],
    pub schema: &'static str,
    pub fields: &'static [Field],
    /// Their columns after `id`, ready for a select.
    pub columns: &'static str,
    /// The field that names a record.
    pub name: &'static str,
    pub code: Option<&'static str>,
    /// Unique keys, as sets of fields. The schema enforces them, and a test compares the two.
    pub unique: &'static [&'static [&'static str]],
    /// The parent field, if the list is a tree.
    pub tree: Option<&'static str>,
    pub hidden: Option<Hidden>,
    pub reads: Reads,
    /// Whether its records are the stores themselves.
    pub stores: bool,
    /// The column with a record's store, if access depends on it.
    pub store: Option<&'static str>,
    /// Whether the record shows who last changed it.
    pub tells_editor: bool,
    /// Whether it shows who created it.
    pub tells_maker: bool,
    /// Whether empty custom fields are dropped too.
    pub strips_empty: bool,
    /// Members of a request body that are instructions to the hooks, not fields.
    pub options: &'static [ListOption],
    /// Whether a change to scalar fields may omit the revision (SPEC 7 merges by id).
    pub merges: bool,
    /// The booked field with an initial value; [`List::open`] books it.
    pub opening: Option<&'static str>,
    /// How a merged record is retired, if it is.
    pub retires: Option<Retires>,
    /// Type-erased operations, JSON in and out.
    pub ops: Option<UntypedOps>,
    /// The catalogue it belongs to, the engine's only way to other lists.
    pub catalogue: Option<fn() -> &'static Catalogue>,
}

/// A member of a request body that instructs the list's hook.
#[derive(Debug, Clone, Copy)]
pub struct ListOption {
    /// Its name in the API.
    pub name: &'static str,
    pub label: &'static str,
    /// [`Kind::Day`] or [`Kind::Bool`].
    pub kind: Kind,
}

impl ListDef {
    /// Defaults of a declaration.
    pub const PLAIN: Self = Self {
        kind: "",
        table: "",
        path: "",
        page: "",
        one: "",
        many: "",
        icon: "",
        opened_at: None,
        refreshes: &[],
        schema: "",
        fields: &[],
        columns: "",
        name: "name",
        code: None,
        unique: &[&["name"]],
        tree: None,
        hidden: None,
        reads: Reads::Page,
        stores: false,
        store: None,
        tells_editor: true,
        tells_maker: false,
        strips_empty: false,
        options: &[],
        merges: false,
        opening: None,
        retires: None,
        ops: None,
        catalogue: None,
    };

    /// The entity type of its records.
    #[must_use]
    pub fn entity_type(&self) -> record::EntityType {
        let list = self.path.strip_prefix("/api").unwrap_or(self.path);
        record::EntityType {
            name: self.kind,
            one: self.one,
            many: self.many,
            page: self.page,
            open: self.reads == Reads::SignedIn,
            history: Some(if self.store.is_some() { SeenBy::Store } else { SeenBy::Everybody }),
            // Records of stores have no names of their own; the stores do.
            searched: self.store.is_none() || self.stores,
            named: self.field(self.name).map(|field| (self.table, field.column)),
            icon: Some(self.icon),
            place: Some(record::Place {
                base: self.path,
                slug: if self.stores { "stores" } else { self.slug() },
                page: self.opened_at.unwrap_or(list),
            }),
            refreshes: self.refreshes,
            ..record::EntityType::PLAIN
        }
    }

    /// The catalogue it belongs to.
    ///
    /// # Panics
    /// On a definition that [`list!`] did not make.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        (self.catalogue.expect("every declared list is in a catalogue"))()
    }

    /// Its type-erased operations.
    ///
    /// # Panics
    /// On a definition that [`list!`] did not make.
    #[must_use]
    pub fn ops(&self) -> &UntypedOps {
        self.ops.as_ref().expect("every declared list has its operations")
    }

    /// The hooks of its records' type.
    ///
    /// # Panics
    /// On a definition that [`list!`] did not make.
    pub(super) fn hooks(&self) -> &Hooks {
        &self.ops().hooks
    }

    /// The field with a record's store, unless the record is a store.
    #[must_use]
    pub fn store_field(&self) -> Option<&'static Field> {
        self.fields.iter().find(|field| Some(field.column) == self.store)
    }

    /// The field with another record of the same list: the one above it in a tree, or the one it is a variant of.
    #[must_use]
    pub fn own_field(&self) -> Option<&'static Field> {
        self.fields.iter().find(|field| matches!(field.kind, Kind::Ref) && field.to == self.table)
    }

    /// The declared field with this API name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The last segment of its path.
    #[must_use]
    pub fn slug(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// A record of a list, with the list's special rules.
pub trait List: Row + Serialize + Send + Sync + Unpin + Sized + 'static {
    fn def() -> &'static ListDef;

    fn id(&self) -> &str;

    /// Times, author and revision.
    fn stamp(&self) -> &Stamp;

    /// Rules across fields; errors go to their field.
    fn check(_draft: &Draft, _wrong: &mut Vec<FieldError>) {}

    /// Values a form requires, although records from elsewhere may lack them.
    fn missing(_body: &Map<String, Value>) -> Vec<FieldError> {
        Vec::new()
    }

    /// Database look-ups for a draft before it is written.
    fn prepare(_tx: &mut Tx<'_>, _draft: &mut Draft) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Derives omitted fields of a new record from the others.
    fn begin(_body: &mut Map<String, Value>) {}

    /// Books the initial value of the field [`ListDef::opening`] names: not zero, and in its smallest unit.
    fn open(
        _tx: &mut Tx<'_>,
        _record: &Self,
        _opening: i64,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Further writes before a record is written, in the same transaction.
    fn before_write(
        _tx: &mut Tx<'_>,
        _id: &str,
        _body: &Map<String, Value>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Further writes after a record is written, in the same transaction.
    fn after_write(
        _tx: &mut Tx<'_>,
        _before: Option<&Self>,
        _after: &Self,
        _options: &Map<String, Value>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// The list's own message why a used record cannot be deleted, from (kind, count).
    fn in_use(_uses: &[(&'static str, i64)]) -> Option<String> {
        None
    }

    /// Conditions for merging two records.
    fn before_merge(
        _tx: &mut Tx<'_>,
        _id: &str,
        _into: &str,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Moves references that no list declares.
    fn move_uses(
        _tx: &mut Tx<'_>,
        _id: &str,
        _into: &str,
    ) -> impl Future<Output = Result<Vec<MovedUses>, ApiError>> + Send {
        async { Ok(Vec::new()) }
    }

    /// Further deletes before a record is deleted, in the same transaction.
    fn before_delete(_tx: &mut Tx<'_>, _record: &Self) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }
}

/// Length of [`camel`] of a snake_case name, in bytes.
#[must_use]
pub const fn camel_len(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (mut i, mut len) = (0, 0);
    while i < bytes.len() {
        if bytes[i] != b'_' {
            len += 1;
        }
        i += 1;
    }
    len
}

/// A snake_case name in camelCase, as serde renames it.
#[must_use]
pub const fn camel<const N: usize>(name: &str) -> [u8; N] {
    let bytes = name.as_bytes();
    let mut out = [0; N];
    let (mut i, mut at, mut upper) = (0, 0, false);
    while i < bytes.len() {
        if bytes[i] == b'_' {
            upper = true;
        } else {
            out[at] = if upper { bytes[i].to_ascii_uppercase() } else { bytes[i] };
            at += 1;
            upper = false;
        }
        i += 1;
    }
    out
}

/// Declares a list: record type, engine declaration and schema.
///
/// `[…]` after a field calls methods of [`Field`]; settings after the fields are members of [`ListDef`] that
/// differ from [`ListDef::PLAIN`].
macro_rules! list {
    (
        $(#[doc = $doc:literal])+
        $record:ident = $kind:literal in $table:literal, $page:literal, $path:literal {
            $(
                $field:ident $(as $wire:literal)? : $ty:ty = $label:literal
                $([ $($option:ident $(($argument:expr))?),+ $(,)? ])?
            ),+ $(,)?
        }
        $($setting:ident: $value:expr),+ $(,)?
        ; $($hooks:item)*
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow)]
        #[serde(rename_all = "camelCase")]
        pub struct $record {
            /// Set by the server.
            pub id: String,
            $(
                #[doc = concat!($label, ".")]
                #[serde($(rename = $wire,)? skip_serializing_if = "crate::engine::FieldType::is_absent")]
                pub $field: $ty,
            )+
            /// Undeclared fields.
            #[serde(flatten)]
            pub extra: larder_db::Json<serde_json::Map<String, serde_json::Value>>,
            /// Times, author and revision.
            #[serde(flatten)]
            #[sqlx(flatten)]
            pub stamp: crate::engine::Stamp,
        }

        impl $record {
            /// The declaration for the engine.
            pub const DEF: crate::engine::ListDef = crate::engine::ListDef {
                kind: $kind,
                table: $table,
                page: $page,
                path: $path,
                schema: stringify!($record),
                fields: &[$(
                    crate::engine::Field::new(
                        stringify!($field),
                        concat!(stringify!($field), "_key"),
                        crate::engine::list!(@wire $field $($wire)?),
                        $label,
                        <$ty as crate::engine::FieldType>::KIND,
                        <$ty as crate::engine::FieldType>::REQUIRED,
                    )
                    $($(.$option($($argument)?))+)?
                ),+],
                columns: concat!("id", $(", ", stringify!($field)),+, ", extra, revision, created_at, updated_at"),
                // Unit tests only look at declarations, and would otherwise compile everything these refer
                // to.
                ops: if cfg!(test) { None } else { Some(crate::engine::UntypedOps::of::<$record>()) },
                // Of the module above the declaration.
                catalogue: Some(super::catalogue),
                $($setting: $value,)+
                ..crate::engine::ListDef::PLAIN
            };
        }

        impl crate::engine::List for $record {
            fn def() -> &'static crate::engine::ListDef {
                const { &$record::DEF }
            }
            fn id(&self) -> &str {
                &self.id
            }
            fn stamp(&self) -> &crate::engine::Stamp {
                &self.stamp
            }
            $($hooks)*
        }
    };
    (@wire $field:ident $wire:literal) => { $wire };
    (@wire $field:ident) => {
        const {
            const LEN: usize = crate::engine::camel_len(stringify!($field));
            const NAME: [u8; LEN] = crate::engine::camel::<LEN>(stringify!($field));
            match std::str::from_utf8(&NAME) {
                Ok(name) => name,
                Err(_) => panic!("a field's name is ASCII"),
            }
        }
    };
}
pub(crate) use list;
