//! CSV and XLSX exports that are safe to open.
//!
//! Text is never a formula: XLSX marks it as text, CSV prefixes an apostrophe to what a spreadsheet would
//! execute. Numbers stay numbers and dates stay dates.

use std::fmt::Write as _;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use rust_xlsxwriter::{ExcelDateTime, Format as Style, FormatAlign, Workbook, Worksheet, XlsxError};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use super::error::{ApiError, ApiResult};
use super::text::FORMULA_STARTS;

/// The most rows of a list's file. Spreadsheets slow down long before; larger lists are for the API.
pub const MAX_ROWS: usize = 100_000;

/// The most rows of a workbook's sheet beside its heading.
const SHEET_ROWS: u32 = 1_048_575;

/// When the response with a workbook begins, made or not; it would be given up after 30 seconds.
const BEGIN_WITHIN: Duration = Duration::from_secs(20);

/// The most characters a spreadsheet cell can hold.
const MAX_CELL: usize = 32_767;

/// File format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Csv,
    /// A workbook with one sheet.
    Xlsx,
}

impl Format {
    /// Parses the query parameter `format`.
    ///
    /// # Errors
    /// 422 when it is neither.
    pub fn read(text: Option<&str>) -> ApiResult<Self> {
        match text {
            None | Some("csv") => Ok(Self::Csv),
            Some("xlsx") => Ok(Self::Xlsx),
            Some(_) => Err(ApiError::field("format", "Choose csv or xlsx.")),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// A column: title and width in characters.
#[derive(Debug, Clone)]
pub struct Column {
    pub title: String,
    pub width: u16,
}

impl Column {
    /// A column wide enough for its title, and at least `width`.
    pub fn new(title: impl Into<String>, width: u16) -> Self {
        let title = title.into();
        let least = u16::try_from(title.chars().count() + 2).unwrap_or(60);
        Self { width: width.max(least).min(60), title }
    }
}

/// The value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Empty,
    /// Text that is never interpreted.
    Text(String),
    Int(i64),
    Qty(Qty),
    Money(Money),
    Factor(Factor),
    /// An inexact number, such as a share or rate.
    Number(f64),
    Day(BusinessDay),
    /// A time, shown in UTC+8.
    Time(Timestamp),
    Bool(bool),
}

/// Sender of the rows of a file.
pub type Rows = mpsc::Sender<ApiResult<Vec<Cell>>>;

/// A channel for rows read from the database concurrently.
#[must_use]
pub fn channel() -> (Rows, ReceiverStream<ApiResult<Vec<Cell>>>) {
    let (sender, receiver) = mpsc::channel(256);
    (sender, ReceiverStream::new(receiver))
}

/// Refuses a file of more than [`MAX_ROWS`] rows before starting it.
///
/// # Errors
/// 422 saying how many there are.
pub fn check_rows(rows: i64) -> ApiResult<()> {
    if usize::try_from(rows).is_ok_and(|rows| rows <= MAX_ROWS) {
        return Ok(());
    }
    Err(ApiError::unprocessable(
        "tooManyRows",
        format!(
            "This export has {rows} rows; a file can have {MAX_ROWS}. Filter the list and export it in parts."
        ),
    ))
}

/// Responds with the rows as a file `{name}.{csv|xlsx}`. CSV is streamed and has no limit; an error midway
/// aborts the download, as it does for a workbook that takes longer than a response may.
///
/// # Errors
/// If the rows of a workbook cannot be read, or are more than a sheet can have.
pub async fn respond(
    format: Format,
    name: &str,
    columns: Vec<Column>,
    rows: impl Stream<Item = ApiResult<Vec<Cell>>> + Send + Unpin + 'static,
) -> ApiResult<Response> {
    let body = match format {
        Format::Csv => Body::from_stream(csv_chunks(&columns, rows)),
        Format::Xlsx => workbook_body(name.to_owned(), columns, rows).await?,
    };
    let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let disposition = format!("attachment; filename=\"{safe}.{}\"", format.extension());
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_str(&disposition).map_err(ApiError::internal)?,
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A workbook, or the promise of one: a response must begin in time, and a sheet can have a million rows.
async fn workbook_body(
    name: String,
    columns: Vec<Column>,
    rows: impl Stream<Item = ApiResult<Vec<Cell>>> + Send + Unpin + 'static,
) -> ApiResult<Body> {
    let mut made = Box::pin(async move { workbook(&name, &columns, rows).await });
    match tokio::time::timeout(BEGIN_WITHIN, &mut made).await {
        Ok(book) => Ok(Body::from(book?)),
        Err(_) => Ok(Body::from_stream(stream::once(async move { made.await.map(Bytes::from) }))),
    }
}

fn csv_chunks(
    columns: &[Column],
    rows: impl Stream<Item = ApiResult<Vec<Cell>>> + Send + Unpin + 'static,
) -> impl Stream<Item = ApiResult<Bytes>> + Send + 'static {
    let mut head = String::from("\u{feff}");
    write_line(&mut head, columns.iter().map(|column| safe_text(&column.title)));
    let lines = rows.ready_chunks(512).map(move |rows| {
        let mut text = String::with_capacity(rows.len() * 128);
        for row in rows {
            write_line(&mut text, row?.iter().map(csv_text));
        }
        Ok(Bytes::from(text))
    });
    stream::once(async move { Ok(Bytes::from(head)) }).chain(lines)
}

/// A CSV line for programs: text that is not a formula, numbers as they are.
#[must_use]
pub fn csv_line(cells: Vec<Cell>) -> String {
    let mut line = String::new();
    write_line(&mut line, cells.iter().map(csv_text));
    line
}

/// A cell as text, as in a file.
#[must_use]
pub fn plain(cell: &Cell) -> String {
    csv_text(cell)
}

/// Refuses a workbook of more rows than its sheet can have.
fn check_sheet(rows: u32) -> ApiResult<()> {
    if rows <= SHEET_ROWS {
        return Ok(());
    }
    Err(ApiError::unprocessable(
        "tooManyRows",
        "This export has more than the 1,048,576 rows an Excel sheet can have. Export it as CSV, which has no limit.",
    ))
}

fn write_line(out: &mut String, cells: impl Iterator<Item = String>) {
    for (i, cell) in cells.enumerate() {
        if i > 0 {
            out.push(',');
        }
        if cell.contains(['"', ',', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
            let _ = write!(out, "\"{}\"", cell.replace('"', "\"\""));
        } else {
            out.push_str(&cell);
        }
    }
    out.push_str("\r\n");
}

/// Text that a spreadsheet does not execute.
fn safe_text(text: &str) -> String {
    if text.starts_with(FORMULA_STARTS) { format!("'{text}") } else { text.to_owned() }
}

fn csv_text(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => safe_text(text),
        Cell::Int(number) => number.to_string(),
        Cell::Qty(number) => number.to_string(),
        Cell::Money(amount) => amount.to_string(),
        Cell::Factor(factor) => factor.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Day(day) => day.to_string(),
        Cell::Time(at) => house_time(*at),
        Cell::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
    }
}

/// `2026-11-20 16:05:09` in UTC+8.
fn house_time(at: Timestamp) -> String {
    let local = at.plus_seconds(BUSINESS_UTC_OFFSET_HOURS * 3_600);
    jiff::Timestamp::from_millisecond(local.0)
        .map_or_else(|_| String::new(), |t| t.strftime("%F %T").to_string())
}

struct Styles {
    money: Style,
    number: Style,
    day: Style,
    time: Style,
}

/// A workbook of one sheet with the given name.
///
/// # Errors
/// If the rows cannot be read, or are more than a sheet can have.
pub async fn workbook(
    name: &str,
    columns: &[Column],
    mut rows: impl Stream<Item = ApiResult<Vec<Cell>>> + Send + Unpin,
) -> ApiResult<Vec<u8>> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet_with_constant_memory().map_err(ApiError::internal)?;
    head(sheet, name, columns).map_err(ApiError::internal)?;
    let styles = Styles {
        money: Style::new().set_num_format("#,##0.00"),
        number: Style::new().set_num_format("#,##0.######"),
        day: Style::new().set_num_format("d mmm yyyy"),
        time: Style::new().set_num_format("d mmm yyyy hh:mm:ss"),
    };
    let mut at = 0u32;
    while let Some(row) = rows.next().await {
        at += 1;
        check_sheet(at)?;
        for (column, cell) in (0u16..).zip(row?) {
            write_cell(sheet, at, column, &cell, &styles).map_err(ApiError::internal)?;
        }
    }
    let last = u16::try_from(columns.len().saturating_sub(1)).unwrap_or(u16::MAX);
    sheet.autofilter(0, 0, at, last).map_err(ApiError::internal)?;
    let saved =
        tokio::task::spawn_blocking(move || book.save_to_buffer()).await.map_err(ApiError::internal)?;
    saved.map_err(ApiError::internal)
}

fn head(sheet: &mut Worksheet, name: &str, columns: &[Column]) -> Result<(), XlsxError> {
    let title: String = name.chars().filter(|c| !"[]:*?/\\'".contains(*c)).take(31).collect();
    sheet.set_name(if title.is_empty() { "Export" } else { &title })?;
    sheet.set_freeze_panes(1, 0)?;
    let bold = Style::new().set_bold().set_align(FormatAlign::Left).set_background_color("#E8EEF4");
    for (at, column) in (0u16..).zip(columns) {
        sheet.set_column_width(at, column.width)?;
        sheet.write_string_with_format(0, at, &column.title, &bold)?;
    }
    Ok(())
}

fn write_cell(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: &Cell,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let decimal = |text: String| text.parse::<f64>().unwrap_or_default();
    match cell {
        Cell::Empty => return Ok(()),
        Cell::Text(text) => sheet.write_string(row, column, cut(text))?,
        Cell::Int(number) => sheet.write_number(row, column, *number as f64)?,
        Cell::Qty(number) => {
            sheet.write_number_with_format(row, column, decimal(number.to_string()), &styles.number)?
        }
        Cell::Factor(factor) => {
            sheet.write_number_with_format(row, column, decimal(factor.to_string()), &styles.number)?
        }
        Cell::Money(amount) => {
            sheet.write_number_with_format(row, column, decimal(amount.to_string()), &styles.money)?
        }
        Cell::Number(number) => sheet.write_number_with_format(row, column, *number, &styles.number)?,
        Cell::Day(day) => match excel_day(*day) {
            Some(date) => sheet.write_datetime_with_format(row, column, date, &styles.day)?,
            None => sheet.write_string(row, column, day.to_string())?,
        },
        Cell::Time(at) => {
            let local = at.plus_seconds(BUSINESS_UTC_OFFSET_HOURS * 3_600);
            match ExcelDateTime::from_timestamp(local.seconds()) {
                Ok(time) => sheet.write_datetime_with_format(row, column, time, &styles.time)?,
                Err(_) => sheet.write_string(row, column, house_time(*at))?,
            }
        }
        Cell::Bool(yes) => sheet.write_boolean(row, column, *yes)?,
    };
    Ok(())
}

/// Spreadsheets have no dates before 1900.
fn excel_day(day: BusinessDay) -> Option<ExcelDateTime> {
    let date = day.date();
    let year = u16::try_from(date.year()).ok()?;
    ExcelDateTime::from_ymd(year, date.month().unsigned_abs(), date.day().unsigned_abs()).ok()
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CELL {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MAX_CELL - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_a_formula() {
        let cell = |text: &str| csv_text(&Cell::Text(text.to_owned()));
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("@SUM(A1)"), "'@SUM(A1)");
        assert_eq!(cell("\t=1"), "'\t=1");
        for wide in ["＝1+1", "＋1", "－1", "＠SUM(A1)"] {
            assert_eq!(
                cell(wide),
                format!("'{wide}"),
                "some spreadsheets read the full-width sign as the plain one"
            );
        }
        assert_eq!(cell("a=b"), "a=b");
        assert_eq!(csv_text(&Cell::Qty(Qty(-1_500_000))), "-1.5");
    }

    #[test]
    fn cells_are_quoted_where_necessary() {
        let mut line = String::new();
        write_line(&mut line, ["a,b", "say \"hi\"", "plain", "two\nlines"].map(str::to_owned).into_iter());
        assert_eq!(line, "\"a,b\",\"say \"\"hi\"\"\",plain,\"two\nlines\"\r\n");
    }

    #[test]
    fn times_are_shown_in_utc_plus_8() {
        assert_eq!(house_time(Timestamp(0)), "1970-01-01 08:00:00");
    }

    #[test]
    fn lists_and_sheets_have_a_limit() {
        assert!(check_rows(100_000).is_ok() && check_rows(100_001).is_err());
        assert!(check_sheet(1_048_575).is_ok(), "the heading takes one row");
        let refused = check_sheet(1_048_576).expect_err("more than a sheet can have");
        assert!(refused.code == "tooManyRows" && refused.detail.contains("CSV"), "{refused}");
    }

    #[tokio::test]
    async fn csv_has_no_limit() {
        let rows = stream::iter((0..150_000).map(|row| Ok(vec![Cell::Int(row)])));
        let response = respond(Format::Csv, "many", vec![Column::new("Row", 8)], rows).await.expect("a file");
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("all of it");
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        assert_eq!((text.lines().count(), text.lines().next_back()), (150_001, Some("149999")));
    }
}
