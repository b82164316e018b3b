//! Enumerations stored and sent as strings.

/// An enumeration stored and sent as strings.
pub trait Word: Copy + Eq + std::fmt::Debug + Send + Sync + Unpin + 'static {
    /// All variants.
    const ALL: &'static [Self];

    /// The wire and stored name.
    fn as_str(self) -> &'static str;

    /// Parses the wire name.
    ///
    /// # Errors
    /// If no variant has this name.
    fn read(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or_else(|| UnknownWord {
            word: text.to_owned(),
            known: Self::ALL.iter().map(|one| one.as_str()).collect(),
        })
    }
}

/// A string that is no variant of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    pub word: String,
    /// The valid names.
    pub known: Vec<&'static str>,
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "«{}» is none of {}", self.word, self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}

/// Declares an enumeration whose variants are strings. Its attributes must include `#[serde(rename_all = …)]`: the
/// contract's schema cannot read each variant's string, and that rule gives the same ones.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        $(#[$meta])*
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// All variants.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The wire and stored name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Parses the wire name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }

        impl $crate::Word for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }

        #[cfg(feature = "sql")]
        $crate::sql::as_word!($name);
    };
}
pub(crate) use words;
