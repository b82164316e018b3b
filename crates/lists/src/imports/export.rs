//! Problems as a file: rows that are read page by page while the file is sent.

use axum::response::Response;

use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::{ApiError, ApiResult};

/// Some rows of a file, and where the next page begins; `None` at the end.
pub type Page = (Vec<Vec<Cell>>, Option<i64>);

/// Answers with the rows of all pages; the first one begins at 0.
///
/// # Errors
/// When the rows of a workbook cannot be read. A failure half-way breaks a CSV download off.
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
                // Nobody is left to tell when the receiver is gone.
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
