//! How tills, delivery apps and people write the same sales: column names, dates, numbers, words and frame.

use super::mischief::Mischief;
use super::vendor::{Frame, Is, Numbers, PLAIN, Vendor, Words, Written};

const SALE: Words = Words { sale: "Sale", refund: "Refund", voided: "Void", ..Words::NONE };
const FLAGS: Words = Words { good: "false", voided: "true", ..Words::NONE };
const APP: Words = Words {
    good: "Completed",
    voided: "Failed",
    cancelled: "Cancelled",
    unknown: "Preparing",
    ..Words::NONE
};

pub static VENDORS: [Vendor; 25] = [
    Vendor {
        name: "square items",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Time", Is::Clock),
            ("Time Zone", Is::Text("Manila")),
            ("Category", Is::Text("Food")),
            ("Item", Is::Name),
            ("Qty", Is::Qty),
            ("Price Point Name", Is::Text("")),
            ("SKU", Is::Code),
            ("Modifiers Applied", Is::Text("")),
            ("Gross Sales", Is::Gross),
            ("Discounts", Is::Minus),
            ("Net Sales", Is::Net),
            ("Tax", Is::Text("₱0.00")),
            ("Transaction ID", Is::Receipt),
            ("Device Name", Is::Till),
            ("Details", Is::Text("https://x.example/T1")),
            ("Event Type", Is::Type),
            ("Location", Is::Store),
            ("Dining Option", Is::Text("For Here")),
            ("Customer Name", Is::Text("")),
        ],
        money: "₱",
        words: Words { sale: "Payment", refund: "Refund", ..Words::NONE },
        ..PLAIN
    },
    Vendor {
        name: "loyverse receipts by item",
        columns: &[
            ("Date", Is::Date(Written::UsMinute)),
            ("Receipt number", Is::Receipt),
            ("Receipt type", Is::Type),
            ("Category", Is::Text("Food")),
            ("SKU", Is::Code),
            ("Item", Is::Name),
            ("Variant", Is::Text("")),
            ("Modifiers applied", Is::Text("")),
            ("Quantity", Is::Qty),
            ("Gross sales", Is::Gross),
            ("Discounts", Is::Less),
            ("Net sales", Is::Net),
            ("Cost of goods", Is::Text("0.00")),
            ("Taxes", Is::Text("0.00")),
            ("Dining option", Is::Text("Dine in")),
            ("POS", Is::Till),
            ("Store", Is::Store),
            ("Cashier name", Is::Text("Owner")),
            ("Status", Is::Status),
        ],
        numbers: Numbers::Thousandths,
        words: Words {
            sale: "Sale",
            refund: "Refund",
            good: "Closed",
            cancelled: "Cancelled",
            ..Words::NONE
        },
        ..PLAIN
    },
    Vendor {
        name: "toast item selections",
        columns: &[
            ("Location", Is::Store),
            ("Order Id", Is::Receipt),
            ("Sent Date", Is::Date(Written::UsNoon)),
            ("Order Date", Is::Date(Written::UsNoon)),
            ("Server", Is::Text("Server A")),
            ("Dining Option", Is::Text("Dine In")),
            ("Menu Item", Is::Name),
            ("Menu Group", Is::Text("Food")),
            ("Gross Price", Is::Gross),
            ("Discount", Is::Less),
            ("Net Price", Is::Net),
            ("Qty", Is::Qty),
            ("Tax", Is::Text("0.00")),
            ("Void?", Is::Status),
        ],
        words: FLAGS,
        ..PLAIN
    },
    Vendor {
        name: "shopify orders",
        columns: &[
            ("Name", Is::Hash),
            ("Email", Is::Text("a@x.example")),
            ("Financial Status", Is::FirstStatus),
            ("Paid at", Is::FirstDate(Written::Offset)),
            ("Currency", Is::FirstText("PHP")),
            ("Subtotal", Is::FirstTotal),
            ("Taxes", Is::FirstText("0.00")),
            ("Total", Is::FirstTotal),
            ("Created at", Is::Date(Written::Offset)),
            ("Lineitem quantity", Is::Qty),
            ("Lineitem name", Is::Name),
            ("Lineitem price", Is::Price),
            ("Lineitem sku", Is::Code),
            ("Lineitem discount", Is::Less),
            ("Location", Is::Store),
        ],
        words: Words { good: "paid", voided: "voided", cancelled: "refunded", ..Words::NONE },
        cannot: &[Mischief::Refund, Mischief::DiscountLine, Mischief::Rounding],
        ..PLAIN
    },
    Vendor {
        name: "clover line items",
        columns: &[
            ("Line Item Date", Is::Date(Written::DashedNoon)),
            ("Order ID", Is::Receipt),
            ("Item Name", Is::Name),
            ("Item SKU", Is::Code),
            ("Location", Is::Store),
            ("Item Revenue", Is::Gross),
            ("Total Discount", Is::Minus),
            ("Item Total", Is::Net),
            ("Quantity Sold", Is::Qty),
            ("Refunded", Is::Text("No")),
        ],
        money: "$",
        ..PLAIN
    },
    Vendor {
        name: "lightspeed with semicolons",
        between: ';',
        columns: &[
            ("Sale date", Is::Date(Written::DotsMinute)),
            ("Outlet", Is::Store),
            ("Register", Is::Till),
            ("Receipt number", Is::Receipt),
            ("Line type", Is::Type),
            ("Product", Is::Name),
            ("SKU", Is::Code),
            ("Quantity", Is::Qty),
            ("Unit price", Is::Price),
            ("Discount", Is::Less),
            ("Net total", Is::Net),
        ],
        numbers: Numbers::Commas,
        words: Words { sale: "Sale Line", refund: "Return Line", voided: "Void Line", ..Words::NONE },
        ..PLAIN
    },
    Vendor {
        name: "storehub transactions",
        columns: &[
            ("Receipt Number", Is::Receipt),
            ("Transaction Time", Is::Date(Written::IsoSecond)),
            ("Store Name", Is::Store),
            ("Register ID", Is::Till),
            ("Employee", Is::Text("Ana")),
            ("Product Name", Is::Name),
            ("SKU", Is::Code),
            ("Quantity", Is::Qty),
            ("Selling Price", Is::Price),
            ("Item Discount", Is::Less),
            ("Item Total", Is::Net),
            ("Is Cancelled", Is::Status),
        ],
        words: Words { good: "FALSE", cancelled: "TRUE", ..Words::NONE },
        ..PLAIN
    },
    Vendor {
        name: "grabfood orders",
        columns: &[
            ("Store Name", Is::Store),
            ("Created On", Is::Date(Written::SpelledMinute)),
            ("Order ID", Is::Receipt),
            ("Order Status", Is::Status),
            ("Item Name", Is::Name),
            ("Quantity", Is::Qty),
            ("Item Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Sales", Is::Net),
        ],
        words: APP,
        cannot: &[Mischief::Refund],
        ..PLAIN
    },
    Vendor {
        name: "foodpanda orders",
        columns: &[
            ("Order ID", Is::Receipt),
            ("Restaurant name", Is::Store),
            ("Order status", Is::Status),
            ("Order received at", Is::Date(Written::IsoMinute)),
            ("Delivery type", Is::Text("Own delivery")),
            ("Item", Is::Name),
            ("Quantity", Is::Qty),
            ("Unit price", Is::Price),
            ("Discount", Is::Less),
            ("Net amount", Is::Net),
        ],
        words: Words { good: "Delivered", unknown: "Courier waits", ..APP },
        cannot: &[Mischief::Refund],
        ..PLAIN
    },
    Vendor {
        name: "a spreadsheet made by hand",
        columns: &[
            ("Date", Is::Date(Written::Spelled)),
            ("Branch", Is::Store),
            ("Item", Is::Name),
            ("Qty", Is::Qty),
            ("Price", Is::Price),
            ("Less", Is::Less),
            ("Net amount", Is::Net),
        ],
        frame: Frame::Titled,
        numbers: Numbers::Grouped,
        ..PLAIN
    },
    Vendor {
        name: "a till with code and name",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Time", Is::Clock),
            ("Store", Is::Store),
            ("Terminal", Is::Till),
            ("Receipt No", Is::Receipt),
            ("Item Code", Is::Code),
            ("Item Name", Is::Name),
            ("Qty", Is::Qty),
            ("Unit Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Sales", Is::Net),
            ("Type", Is::Type),
            ("Payment Type", Is::Tender),
            ("Payment Amount", Is::Paid),
        ],
        words: Words { refund: "Return", ..SALE },
        unsigned_returns: true,
        ..PLAIN
    },
    Vendor {
        name: "business date and time",
        columns: &[
            ("Business Date", Is::Date(Written::Business)),
            ("Time", Is::Clock),
            ("Branch", Is::Store),
            ("Till No", Is::Till),
            ("OR No", Is::Receipt),
            ("Product", Is::Name),
            ("Qty", Is::Qty),
            ("Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Amount", Is::Net),
        ],
        ..PLAIN
    },
    Vendor {
        name: "a status column",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Store", Is::Store),
            ("Receipt No", Is::Receipt),
            ("Status", Is::Status),
            ("Item Code", Is::Code),
            ("Item Name", Is::Name),
            ("Qty", Is::Qty),
            ("Unit Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Sales", Is::Net),
        ],
        words: Words { voided: "Voided", ..APP },
        ..PLAIN
    },
    Vendor {
        name: "order lines with tabs",
        between: '\t',
        columns: &[
            ("Order Ref", Is::Receipt),
            ("Date", Is::Date(Written::IsoSecond)),
            ("Store", Is::Store),
            ("Product", Is::Name),
            ("Quantity", Is::Qty),
            ("Unit Price", Is::Price),
            ("Disc. Amount", Is::Less),
            ("Subtotal", Is::Net),
        ],
        numbers: Numbers::Thousandths,
        ..PLAIN
    },
    Vendor {
        name: "documents with bars",
        between: '|',
        columns: &[
            ("Document No", Is::Receipt),
            ("Date", Is::Date(Written::Slash)),
            ("Code", Is::Code),
            ("Name", Is::Name),
            ("Quantity", Is::Qty),
            ("Price", Is::Price),
            ("Discount", Is::Less),
            ("Total", Is::Net),
            ("Store", Is::Store),
        ],
        ..PLAIN
    },
    Vendor {
        name: "days before months",
        columns: &[
            ("Date", Is::Date(Written::Slash)),
            ("Branch", Is::Store),
            ("Product", Is::Name),
            ("Qty", Is::Qty),
            ("Amount", Is::Net),
        ],
        ..PLAIN
    },
    Vendor {
        name: "months before days, before and after noon",
        columns: &[
            ("Order Date", Is::Date(Written::UsNoon)),
            ("Store", Is::Store),
            ("Check No", Is::Receipt),
            ("Menu Item", Is::Name),
            ("Qty", Is::Qty),
            ("Net Sales", Is::Net),
            ("Tender", Is::Tender),
        ],
        ..PLAIN
    },
    Vendor {
        name: "gross and discount",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Store", Is::Store),
            ("Receipt", Is::Receipt),
            ("Item", Is::Name),
            ("Qty", Is::Qty),
            ("Gross Sales", Is::Gross),
            ("Discount", Is::Less),
        ],
        ..PLAIN
    },
    Vendor {
        name: "price only",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Store", Is::Store),
            ("Receipt", Is::Receipt),
            ("Item", Is::Name),
            ("Quantity", Is::Qty),
            ("Unit Price", Is::Price),
        ],
        ..PLAIN
    },
    Vendor {
        name: "a scale with three decimals",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Store", Is::Store),
            ("Receipt No", Is::Receipt),
            ("Item Name", Is::Name),
            ("Qty", Is::Qty),
            ("Unit Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Sales", Is::Net),
        ],
        numbers: Numbers::Thousandths,
        ..PLAIN
    },
    Vendor {
        name: "totals at the end",
        columns: &[
            ("Store", Is::Store),
            ("Date", Is::Date(Written::Iso)),
            ("Item", Is::Name),
            ("Qty", Is::Qty),
            ("Net Sales", Is::Net),
        ],
        frame: Frame::Totalled,
        ..PLAIN
    },
    Vendor {
        name: "a section for each store",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Receipt No", Is::Receipt),
            ("Item", Is::Name),
            ("Qty", Is::Qty),
            ("Net Sales", Is::Net),
        ],
        frame: Frame::Sections,
        ..PLAIN
    },
    Vendor {
        name: "utak with decimal commas",
        between: ';',
        columns: &[
            ("DATE", Is::Date(Written::Dots)),
            ("TIME", Is::Clock),
            ("BRANCH", Is::Store),
            ("OR NO", Is::Receipt),
            ("PRODUCT", Is::Name),
            ("QTY", Is::Qty),
            ("PRICE", Is::Price),
            ("DISCOUNT", Is::Less),
            ("AMOUNT", Is::Net),
        ],
        numbers: Numbers::Commas,
        ..PLAIN
    },
    Vendor {
        name: "lines joined with payments",
        columns: &[
            ("Date", Is::Date(Written::Iso)),
            ("Store", Is::Store),
            ("Receipt No", Is::Receipt),
            ("Item Code", Is::Code),
            ("Item Name", Is::Name),
            ("Qty", Is::Qty),
            ("Unit Price", Is::Price),
            ("Discount", Is::Less),
            ("Net Sales", Is::Net),
            ("Payment Type", Is::Tender),
            ("Payment Amount", Is::Paid),
        ],
        ..PLAIN
    },
    Vendor {
        name: "one store, no store column",
        columns: &[
            ("Transaction Date", Is::Date(Written::SlashMinute)),
            ("Invoice No", Is::Receipt),
            ("Cashier", Is::Text("Ana")),
            ("Item Code", Is::Code),
            ("Description", Is::Name),
            ("Qty", Is::Qty),
            ("Price", Is::Price),
            ("Less Discount", Is::Less),
            ("Net Amount", Is::Net),
            ("Void", Is::Status),
        ],
        words: Words { good: "N", voided: "Y", ..Words::NONE },
        ..PLAIN
    },
];
