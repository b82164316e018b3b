//! Query parameters of lists: search, filter, sort, page.

use serde::Deserialize;
use utoipa::IntoParams;

use larder_platform::http::question::like;
use larder_platform::http::{ApiError, ApiResult};
use larder_platform::people::users::{Filter, Sort, email_key};

/// Maximum page size.
const MAX_PAGE_SIZE: i64 = 1_000;
/// Maximum number of rows for `pageSize=all`.
const ALL_ROWS: i64 = 10_000;

/// Query parameters of paging.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Page size: 1 to 1,000 (default 50), or `all`.
    pub page_size: Option<String>,
}

impl Paging {
    /// (limit, offset)
    pub fn limits(&self) -> ApiResult<(i64, i64)> {
        let number = |text: &Option<String>, default: i64, most: i64| match text.as_deref() {
            None | Some("") => Some(default),
            Some(text) => text.parse().ok().filter(|n| (1..=most).contains(n)),
        };
        let size = match self.page_size.as_deref() {
            Some("all") => Some(ALL_ROWS),
            _ => number(&self.page_size, 50, MAX_PAGE_SIZE),
        };
        match (number(&self.page, 1, 1_000_000), size) {
            (Some(page), Some(size)) => Ok((size, (page - 1) * size)),
            (None, _) => Err(ApiError::field("page", "Enter a whole number from 1 to 1000000.")),
            (_, None) => Err(ApiError::field("pageSize", "Enter a whole number from 1 to 1000, or all.")),
        }
    }
}

/// Query parameters of users.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// Part of the name or email address.
    pub q: Option<String>,
    /// Exactly this email address, ignoring case and surrounding spaces.
    pub email: Option<String>,
    /// `Active` or `Disabled`.
    pub status: Option<String>,
    /// Role; `none` for users without one.
    pub role_id: Option<String>,
    /// Users with access to this store.
    pub store_id: Option<String>,
    /// `name`, `email`, `roleName`, `status`, `lastSignInAt`, `createdAt`, `updatedAt`; prefix `-` for
    /// descending.
    pub sort: Option<String>,
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Page size: 1 to 1,000 (default 50), or `all`.
    pub page_size: Option<String>,
    /// Export format: `csv` or `xlsx`.
    pub format: Option<String>,
}

impl UserQuery {
    /// As a filter of the people module.
    pub fn filter(&self) -> ApiResult<Filter> {
        let paging = Paging { page: self.page.clone(), page_size: self.page_size.clone() };
        let (limit, offset) = paging.limits()?;
        let wished = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (sort, descending) = self.order()?;
        let role_id = wished(&self.role_id).map(|id| Some(id).filter(|id| id != "none"));
        Ok(Filter {
            like: like(self.q.as_deref())?,
            email: self.email.as_deref().map(email_key),
            status: wished(&self.status),
            role_id,
            store_id: wished(&self.store_id),
            sort,
            descending,
            limit,
            offset,
        })
    }

    fn order(&self) -> ApiResult<(Sort, bool)> {
        let text = self.sort.as_deref().unwrap_or_default();
        let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let sort = match name {
            "" | "name" => Sort::Name,
            "email" => Sort::Email,
            "roleName" | "roleId" => Sort::Role,
            "status" => Sort::Status,
            "lastSignInAt" => Sort::LastSignIn,
            "createdAt" => Sort::Created,
            "updatedAt" => Sort::Updated,
            _ => {
                let words = "Sort by name, email, roleName, status, lastSignInAt, createdAt or updatedAt.";
                return Err(ApiError::field("sort", words));
            }
        };
        Ok((sort, descending))
    }
}
