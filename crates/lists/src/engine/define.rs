//! What a list declares, and the macro that declares it.

use std::future::Future;

use larder_db::{Row, Tx};
use serde::Serialize;
use serde_json::{Map, Value};

use super::draft::Draft;
use super::fields::Stamp;
use super::merge::MovedUses;
use super::ops::Ops;
use super::uses::Use;
use larder_platform::http::error::{ApiError, FieldError};
use larder_platform::kinds as record;
use larder_platform::kinds::SeenBy;

/// What a field holds: how it is read from JSON, kept and shown.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// One line of text.
    Text,
    /// Several lines of text.
    Lines,
    /// An exact decimal with six places.
    Qty,
    /// Pesos and centavos.
    Money,
    /// An exact decimal with nine places.
    Factor,
    /// A whole number.
    Int,
    /// Yes or no.
    Bool,
    /// A date.
    Day,
    /// The id of a record of another list.
    Ref,
    /// A list of small records, read by its own rule.
    Items(&'static Items),
}

/// What is wrong inside a field: (path, message).
pub type Found = Vec<(String, String)>;

/// The rule of a [`Kind::Items`] field.
#[derive(Debug)]
pub struct Items {
    /// Members of an item that hold ids: (member, table).
    pub refs: &'static [(&'static str, &'static str)],
    /// The schema of one item, by name.
    pub schema: fn() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
    /// How people write one item, member after member.
    pub line: &'static [Part],
    /// Reads the items, or says what is wrong: (path inside the field, message).
    pub read: fn(&Value) -> Result<Value, Found>,
}

/// A part of how people write an item: `1 case = 12 jar` is made of seven.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// These letters.
    Says(&'static str),
    Member(&'static str),
    /// These letters where the yes-or-no member is yes, nothing where it is no.
    If(&'static str, &'static str),
}

impl Part {
    /// The member that it shows, if any.
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        match self {
            Self::Says(_) => None,
            Self::Member(member) | Self::If(member, _) => Some(member),
        }
    }
}

/// Who says what a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Whoever writes the record.
    Given,
    /// The list's own hooks; what a body says of it is dropped.
    Kept,
    /// A book, in a transaction of its own; the engine only reads it.
    Booked,
}

/// What a line of text must look like.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Anything.
    Free,
    Email,
    /// A web address.
    Web,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// One declared field of a list.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub column: &'static str,
    /// Where its folded text would be.
    pub key_column: &'static str,
    /// Whether it is there, for uniqueness and sorting.
    pub keyed: bool,
    /// Its name on the wire.
    pub name: &'static str,
    pub label: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether a record cannot be without it.
    pub required: bool,
    /// Whether `q` looks into it.
    pub searched: bool,
    /// Longest text, in characters.
    pub max: usize,
    /// The table a reference points at.
    pub to: &'static str,
    /// What a yes-or-no field is when nobody says.
    pub on: bool,
    /// What it is when nobody says it of a new record, in words: where other fields decide, in [`List::begin`].
    pub follows: Option<&'static str>,
    /// Who says what it holds.
    pub origin: Origin,
    /// What its text must look like.
    pub form: Form,
    /// What it holds when nobody says.
    pub usual: Option<&'static str>,
    /// Whether a number may lie below zero.
    pub signed: bool,
    /// Whether a comma in a text always marks its decimals, as for weight and price of root items.
    pub decimal_comma: bool,
    /// What is said when its value is taken, instead of the usual words.
    pub taken: Option<&'static str>,
    /// Whether two records that become one have the sum of what both hold.
    pub added: bool,
}

impl Field {
    /// A plain field; the rest is said by the methods below.
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

    /// Sorted and compared without regard to case; its table has `{column}_key`.
    #[must_use]
    pub const fn keyed(mut self) -> Self {
        self.keyed = true;
        self
    }

    /// Found by `q`.
    #[must_use]
    pub const fn searched(mut self) -> Self {
        self.searched = true;
        self
    }

    /// At most this many characters.
    #[must_use]
    pub const fn max(mut self, characters: usize) -> Self {
        self.max = characters;
        self
    }

    /// The id of a record in this table.
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

    /// Yes unless said otherwise.
    #[must_use]
    pub const fn on(mut self) -> Self {
        self.on = true;
        self
    }

    /// Filled in by [`List::begin`] where nobody says it of a new record: what it is then, for the contract.
    #[must_use]
    pub const fn follows(mut self, words: &'static str) -> Self {
        self.follows = Some(words);
        self
    }

    /// Filled by the list's hooks, never by a body.
    #[must_use]
    pub const fn kept(mut self) -> Self {
        self.origin = Origin::Kept;
        self
    }

    /// Written by a book; the engine only reads it.
    #[must_use]
    pub const fn booked(mut self) -> Self {
        self.origin = Origin::Booked;
        self
    }

    /// An email address.
    #[must_use]
    pub const fn email(mut self) -> Self {
        self.form = Form::Email;
        self
    }

    /// A web address.
    #[must_use]
    pub const fn web(mut self) -> Self {
        self.form = Form::Web;
        self.max = 2_000;
        self
    }

    /// One of these words.
    #[must_use]
    pub const fn one_of(mut self, words: &'static [&'static str]) -> Self {
        self.form = Form::OneOf(words);
        self
    }

    /// This, when nobody says.
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

    /// May lie below zero.
    #[must_use]
    pub const fn signed(mut self) -> Self {
        self.signed = true;
        self
    }

    /// An amount: two records that become one hold the sum.
    #[must_use]
    pub const fn added(mut self) -> Self {
        self.added = true;
        self
    }

    /// What is said when another record has the same value.
    #[must_use]
    pub const fn taken(mut self, message: &'static str) -> Self {
        self.taken = Some(message);
        self
    }

    /// The column of its folded text, when it has one.
    #[must_use]
    pub const fn key(&self) -> Option<&'static str> {
        if self.keyed { Some(self.key_column) } else { None }
    }

    /// The tables that it refers to.
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

/// Records that a list keeps to itself unless asked.
#[derive(Debug, Clone, Copy)]
pub struct Hidden {
    /// The yes-or-no field that decides.
    pub column: &'static str,
    /// Its value on hidden records.
    pub when: bool,
    /// The query parameter that shows them.
    pub unless: &'static str,
}

/// Who may read a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Who may view its page.
    Page,
    /// Anyone signed in: its page has no guard.
    SignedIn,
}

/// How a record that was merged into another stays without being used any more.
#[derive(Debug, Clone, Copy)]
pub struct Retires {
    /// The field that says so.
    pub field: &'static str,
    /// Its value then.
    pub value: bool,
    /// Whether it stays even when nothing refers to it.
    pub always: bool,
}

/// The lists that there are, and what else refers to their records.
#[derive(Debug)]
pub struct Catalogue {
    /// Every list.
    pub lists: &'static [&'static ListDef],
    /// References that no list declares.
    pub uses: &'static [Use],
}

/// Everything the engine knows about a list.
#[derive(Debug, Clone, Copy)]
pub struct ListDef {
    /// What its records are called in events, history and uses.
    pub kind: &'static str,
    pub table: &'static str,
    /// Where it is served.
    pub path: &'static str,
    /// The page whose rights guard it.
    pub page: &'static str,
    /// One record, in a sentence.
    pub one: &'static str,
    /// The list, as a title.
    pub many: &'static str,
    /// The picture of its records: a name of the console's icon set.
    pub icon: &'static str,
    /// The page of one record in the console, where it has one (`/products/:id`); elsewhere the list's own page opens it.
    pub opened_at: Option<&'static str>,
    /// What else a change makes stale in the console, as [`Kind::refreshes`](record::Kind::refreshes).
    pub refreshes: &'static [&'static str],
    /// The schema of a record.
    pub schema: &'static str,
    /// The declared fields.
    pub fields: &'static [Field],
    /// Their columns after `id`, ready for a select.
    pub columns: &'static str,
    /// The field that names a record.
    pub name: &'static str,
    /// The field that is its code, if any.
    pub code: Option<&'static str>,
    /// The sets of fields that no two records share. The schema holds it, and a test compares the two.
    pub unique: &'static [&'static [&'static str]],
    /// The field that names the parent, when the list is a tree.
    pub tree: Option<&'static str>,
    /// Which records stay hidden.
    pub hidden: Option<Hidden>,
    /// Who may read it.
    pub reads: Reads,
    /// Whether its records are the stores themselves.
    pub stores: bool,
    /// The column that says which store a record belongs to, where store scope applies.
    pub store: Option<&'static str>,
    /// Whether the record tells who changed it last.
    pub tells_editor: bool,
    /// Whether it tells who made it.
    pub tells_maker: bool,
    /// Whether empty custom fields are dropped too.
    pub strips_empty: bool,
    /// Members of a written body that are instructions to the hooks, not fields.
    pub options: &'static [ListOption],
    /// Whether a change may come without a revision as long as it names single values only (SPEC 7 merges by id).
    pub merges: bool,
    /// The booked field that a new record may begin with; [`List::open`] books it.
    pub opening: Option<&'static str>,
    /// How a merged record stays, where it does.
    pub retires: Option<Retires>,
    /// The same operations for every list, JSON in and out.
    pub ops: Option<Ops>,
    /// The catalogue it belongs to; the engine knows no other way to the other lists.
    pub catalogue: Option<fn() -> &'static Catalogue>,
}

/// A member of a written body that instructs the list's hook.
#[derive(Debug, Clone, Copy)]
pub struct ListOption {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it does.
    pub label: &'static str,
    /// [`Kind::Day`] or [`Kind::Bool`].
    pub kind: Kind,
}

impl ListDef {
    /// What most lists are; a declaration says what differs.
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

    /// The kind of its records.
    #[must_use]
    pub fn record_kind(&self) -> record::Kind {
        let list = self.path.strip_prefix("/api").unwrap_or(self.path);
        record::Kind {
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
            ..record::Kind::PLAIN
        }
    }

    /// The lists it stands among.
    ///
    /// # Panics
    /// On a definition that [`list!`] did not make.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        (self.catalogue.expect("every declared list stands in a catalogue"))()
    }

    /// Its operations, JSON in and out.
    ///
    /// # Panics
    /// On a definition that [`list!`] did not make.
    #[must_use]
    pub fn ops(&self) -> Ops {
        self.ops.expect("every declared list has its operations")
    }

    /// The field that names the store a record belongs to, unless the record is a store.
    #[must_use]
    pub fn store_field(&self) -> Option<&'static Field> {
        self.fields.iter().find(|field| Some(field.column) == self.store)
    }

    /// The declared field of this name on the wire.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The last part of its path.
    #[must_use]
    pub fn slug(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// A record of a list, and what is special about the list.
pub trait List: Row + Serialize + Send + Sync + Unpin + Sized + 'static {
    /// Its declaration.
    fn def() -> &'static ListDef;

    /// Its id.
    fn id(&self) -> &str;

    /// When it was written, how often and by whom.
    fn stamp(&self) -> &Stamp;

    /// Rules across fields; each finding goes to the field it belongs to.
    fn check(_draft: &Draft, _wrong: &mut Vec<FieldError>) {}

    /// What whoever fills in a form must say, though records from elsewhere may be without it.
    fn missing(_body: &Map<String, Value>) -> Vec<FieldError> {
        Vec::new()
    }

    /// What only the database can tell about a draft, looked up before it is written.
    fn prepare(_tx: &mut Tx<'_>, _draft: &mut Draft) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Fills in what follows from the rest of a new record's body where it does not say.
    fn begin(_body: &mut Map<String, Value>) {}

    /// Books what a new record begins with, where [`ListDef::opening`] names a field: not zero, and in its smallest unit.
    fn open(
        _tx: &mut Tx<'_>,
        _record: &Self,
        _opening: i64,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// What else must be written before a record is, in the same transaction.
    fn before_write(
        _tx: &mut Tx<'_>,
        _id: &str,
        _body: &Map<String, Value>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// What else is written with a record, in the same transaction.
    fn after_write(
        _tx: &mut Tx<'_>,
        _before: Option<&Self>,
        _after: &Self,
        _options: &Map<String, Value>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Why a record that is used cannot go, where the list has words of its own: given (kind, count).
    fn in_use(_uses: &[(&'static str, i64)]) -> Option<String> {
        None
    }

    /// What must hold before the uses of one record move to another.
    fn before_merge(
        _tx: &mut Tx<'_>,
        _id: &str,
        _into: &str,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }

    /// Moves the uses that no list declares.
    fn move_uses(
        _tx: &mut Tx<'_>,
        _id: &str,
        _into: &str,
    ) -> impl Future<Output = Result<Vec<MovedUses>, ApiError>> + Send {
        async { Ok(Vec::new()) }
    }

    /// What else is removed before a record is, in the same transaction.
    fn before_delete(_tx: &mut Tx<'_>, _record: &Self) -> impl Future<Output = Result<(), ApiError>> + Send {
        async { Ok(()) }
    }
}

/// How many bytes [`camel`] makes of a snake_case name.
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

/// Declares a list: its record type, what the engine must know, and its schema.
///
/// `[…]` after a field names methods of [`Field`]; settings after the fields are members of
/// [`ListDef`] that differ from [`ListDef::PLAIN`].
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
            /// Made by the server.
            pub id: String,
            $(
                #[doc = concat!($label, ".")]
                #[serde($(rename = $wire,)? skip_serializing_if = "crate::engine::FieldType::is_absent")]
                pub $field: $ty,
            )+
            /// Fields that the list does not declare.
            #[serde(flatten)]
            pub extra: larder_db::Json<serde_json::Map<String, serde_json::Value>>,
            /// When it was made and last written, and by whom.
            #[serde(flatten)]
            #[sqlx(flatten)]
            pub stamp: crate::engine::Stamp,
        }

        impl $record {
            /// What the engine knows of the list.
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
                // Unit tests look at declarations alone, and would compile all that these reach.
                ops: if cfg!(test) { None } else { Some(crate::engine::Ops::of::<$record>()) },
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
