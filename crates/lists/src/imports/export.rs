//! Problems as a file, read page by page while it is sent.

use axum::response::Response;

use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::{ApiError, ApiResult};

/// Some rows of a file, and the start of the next page; `None` at the end.
pub type Page = (Vec<Vec<Cell>>, Option<i64>);

/// Responds with the rows of all pages, starting at 0.
///
/// # Errors
/// If the rows of a workbook cannot be read. An error midway aborts a CSV download.
pub async fn pages<F, Fut>(format: Format, name: &str, columns: Vec<Column>, page: F) -> ApiResult<Response>
where
    F: Fn(i64) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Page, ApiError>> + Send,
{
    let (sender, rows) = export::channel();
    tokio::spawn(async move {
        let mut next = Some(0);
        while let Some(at) = next {
            let (cells, after) = match page(at).await {
                Ok(page) => page,
                // The receiver may be gone.
                Err(error) => return drop(sender.send(Err(error)).await),
            };
            next = after;
            for cells in cells {
                if sender.send(Ok(cells)).await.is_err() {
                    return;
                }
            }
        }
    });
    export::respond(format, name, columns, rows).await
}
