//! What is wrong with a cell, and what to do about it.

use crate::sales::dates::{DateError, DateFormat};
use crate::sales::mapping::Field;
use crate::sales::numbers::{Decimal, NumberError};

pub(super) fn number_words(error: NumberError, field: Field, decimal: Decimal) -> (&'static str, String) {
    let mark = match decimal {
        Decimal::Point => "point",
        Decimal::Comma => "comma",
    };
    let what = field.label();
    match error {
        NumberError::Empty => ("empty", format!("{what} is empty. Fill it in or remove the row.")),
        NumberError::NotANumber => {
            ("number", format!("{what} is not a number with a decimal {mark}. Correct it."))
        }
        NumberError::TooManyDecimals => ("number", format!("{what} has more than 6 decimals. Round it.")),
        NumberError::TooLarge => ("number", format!("{what} is too large. Check the columns.")),
    }
}

pub(super) fn date_words(error: DateError, format: DateFormat) -> (&'static str, String) {
    let format = format.label();
    match error {
        DateError::Empty => ("empty", "The date is empty. Fill it in or remove the row.".to_owned()),
        DateError::Shape => {
            ("date", format!("Not a date written as {format}. Correct it, or choose another date format."))
        }
        DateError::NoSuchDay => {
            ("date", format!("There is no such day when read as {format}. Correct the date."))
        }
        DateError::OutOfRange => ("date", "The date is before 1990 or after 2100. Correct it.".to_owned()),
    }
}
