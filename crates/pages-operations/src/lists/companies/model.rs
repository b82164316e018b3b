//! A company's documents: requests and responses.

use larder_db::FromRow;
use larder_db::Json;
use larder_domain::{BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use larder_platform::audit::Editor;
use larder_platform::http::error::{ApiError, FieldError};
use larder_platform::http::question::date;
use larder_platform::http::text::has_unseen;

/// Document types.
pub const KINDS: [&str; 4] = ["dtiSec", "mayorPermit", "bir", "other"];

/// An uploaded permit or registration.
#[derive(Debug, Clone, Serialize, FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompanyDocument {
    pub id: String,
    /// `dtiSec`, `mayorPermit`, `bir` or `other`.
    pub kind: String,
    pub title: String,
    /// Document number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Date of issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued: Option<BusinessDay>,
    /// Last day of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<BusinessDay>,
    pub file_name: String,
    /// Media type.
    pub content_type: String,
    /// Bytes.
    pub size: i64,
    /// When it was uploaded.
    pub created_at: Timestamp,
    #[schema(value_type = Editor)]
    pub created_by: Json<Editor>,
    pub revision: i64,
}

impl CompanyDocument {
    /// Its representation in the change history.
    pub fn recorded(&self, company_id: &str) -> Value {
        json!({
            "companyId": company_id, "kind": self.kind, "title": self.title, "number": self.number,
            "issued": self.issued, "expires": self.expires, "fileName": self.file_name,
        })
    }
}

/// Metadata of a document.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
#[schema(as = Said)]
pub struct DocumentFields {
    /// `dtiSec`, `mayorPermit`, `bir` or `other`.
    pub kind: Option<String>,
    /// Title; defaults to the file name.
    pub title: Option<String>,
    /// Document number.
    pub number: Option<String>,
    /// Date of issue, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub issued: Option<String>,
    /// Last day of validity, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub expires: Option<String>,
    /// File name; only for uploads.
    pub file_name: Option<String>,
    /// Revision; only for changes.
    pub revision: Option<i64>,
}

/// Validated metadata of a document.
#[derive(Debug, Clone)]
pub struct Particulars {
    pub kind: String,
    pub title: String,
    /// Document number.
    pub number: Option<String>,
    /// Date of issue.
    pub issued: Option<BusinessDay>,
    /// Last day of validity.
    pub expires: Option<BusinessDay>,
}

impl DocumentFields {
    /// Validates the fields and reports all errors at once.
    pub fn read(&self, file_name: &str) -> Result<Particulars, ApiError> {
        let mut wrong = Vec::new();
        let kind = self.kind.clone().unwrap_or_else(|| "other".to_owned());
        if !KINDS.contains(&kind.as_str()) {
            wrong.push(FieldError::new("kind", format!("Choose one of: {}.", KINDS.join(", "))));
        }
        let mut text = |name: &str, value: &Option<String>, max: usize| {
            let text = value.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
            if has_unseen(text) || text.chars().count() > max {
                wrong.push(FieldError::new(name, format!("Use at most {max} visible characters.")));
            }
            Some(text.to_owned())
        };
        let title = text("title", &self.title, 200).unwrap_or_else(|| file_name.to_owned());
        let number = text("number", &self.number, 100);
        let mut day = |name: &str, value: &Option<String>| {
            date(name, value.as_deref()).unwrap_or_else(|error| {
                wrong.push(error);
                None
            })
        };
        let (issued, expires) = (day("issued", &self.issued), day("expires", &self.expires));
        if issued.zip(expires).is_some_and(|(issued, expires)| expires.0 < issued.0) {
            wrong.push(FieldError::new("expires", "It cannot run out before it was issued."));
        }
        if wrong.is_empty() {
            Ok(Particulars { kind, title, number, issued, expires })
        } else {
            Err(ApiError::invalid(wrong))
        }
    }
}
