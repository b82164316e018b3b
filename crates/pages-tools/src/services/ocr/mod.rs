//! `/tools/services/ocr`: text and tables from any picture or PDF.

use axum::body::Body;
use larder_domain::Action::Edit;
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::ocr;
use larder_ledgers::readings::{Place, SeenLine};
use larder_platform::AppState;
use larder_platform::calculations::PAGE;
use larder_platform::files::pictures::receive;
use larder_platform::http::{ApiResult, Json, Routes, Who, routes};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, Edit, routes!(read_text))
}

/// The text of a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadText {
    /// Full text, line by line.
    pub text: String,
    /// Estimated rows and columns of all pages: each row has as many cells as its page has columns.
    pub table: Vec<Vec<String>>,
    pub pages: Vec<ReadPage>,
}

/// A page of a file; a picture has one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadPage {
    pub text: String,
    pub table: Vec<Vec<String>>,
    pub lines: Vec<SeenLine>,
}

/// Read the text of a picture (JPEG, PNG, WebP, GIF) or a PDF of up to ten pages. Nothing is saved.
#[utoipa::path(post, path = "/api/tools/services/ocr", tag = "ocr",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ReadText)))]
pub(crate) async fn read_text(who: Who, body: Body) -> ApiResult<Json<ReadText>> {
    let upload = receive(&who, body).await?;
    let turn = ocr::turn().await?;
    let bytes = upload.bytes().await?;
    let pictures = if bytes.starts_with(b"%PDF-") { ocr::pages(&turn, bytes).await? } else { vec![bytes] };
    let mut pages = Vec::with_capacity(pictures.len());
    for picture in pictures {
        pages.push(page(ocr::read_text(&turn, picture).await?));
    }
    let text: Vec<&str> = pages.iter().map(|page| page.text.as_str()).collect();
    let table = pages.iter().flat_map(|page| page.table.iter().cloned()).collect();
    Ok(Json(ReadText { text: text.join("\n\n"), table, pages }))
}

fn page(read: larder_tillread::Text) -> ReadPage {
    let text: Vec<&str> = read.lines.iter().map(|line| line.text.as_str()).collect();
    let place = |area: larder_tillread::Area| Place {
        x: f64::from(area.x),
        y: f64::from(area.y),
        w: f64::from(area.w),
        h: f64::from(area.h),
    };
    ReadPage {
        text: text.join("\n"),
        lines: read
            .lines
            .iter()
            .map(|line| SeenLine { text: line.text.clone(), place: place(line.area) })
            .collect(),
        table: read.table,
    }
}
