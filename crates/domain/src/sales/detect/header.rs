//! What the names of columns say.

use crate::sales::mapping::Field;

/// Names of columns that say what was sold.
pub(super) const ITEM_WORDS: [&str; 27] = [
    "itemcode",
    "itemid",
    "itemno",
    "itemnumber",
    "sku",
    "plu",
    "positemid",
    "productcode",
    "productid",
    "menucode",
    "menuitemid",
    "menuitemcode",
    "barcode",
    "articlecode",
    "item",
    "itemname",
    "itemdescription",
    "product",
    "productname",
    "productdescription",
    "menuitem",
    "menuitemname",
    "article",
    "description",
    "desc",
    "name",
    "particulars",
];

/// Names of columns, as tills export them, for each field; the first that fits wins.
pub(super) const WORDS: [(Field, &[&str]); 13] = [
    (
        Field::Date,
        &[
            "businessdate",
            "businessday",
            "date",
            "orderdate",
            "orderdatetime",
            "transactiondate",
            "transactiondatetime",
            "transdate",
            "trandate",
            "txndate",
            "salesdate",
            "saledate",
            "invoicedate",
            "receiptdate",
            "billdate",
            "datetime",
            "dateandtime",
            "timestamp",
            "soldat",
            "createdat",
            "posdate",
            "postingdate",
            "day",
        ],
    ),
    (
        Field::Time,
        &[
            "time",
            "ordertime",
            "transactiontime",
            "transtime",
            "txntime",
            "saletime",
            "salestime",
            "receipttime",
            "timesold",
        ],
    ),
    (
        Field::Store,
        &[
            "store",
            "storename",
            "storecode",
            "storeid",
            "branch",
            "branchname",
            "branchcode",
            "branchid",
            "location",
            "locationname",
            "outlet",
            "outletname",
            "site",
            "sitename",
            "restaurant",
            "restaurantname",
            "shop",
            "shopname",
            "poscode",
            "posbranchname",
            "city",
            "place",
        ],
    ),
    (
        Field::Terminal,
        &[
            "terminal",
            "terminalid",
            "terminalno",
            "terminalnumber",
            "terminalname",
            "posterminal",
            "posterminalid",
            "register",
            "registerno",
            "registerid",
            "till",
            "tillno",
            "posno",
            "posid",
            "machine",
            "machineno",
            "machineid",
            "min",
            "station",
        ],
    ),
    (
        Field::Receipt,
        &[
            "receiptno",
            "receiptnumber",
            "receipt",
            "receiptid",
            "invoiceno",
            "invoicenumber",
            "invoice",
            "invoiceid",
            "orderno",
            "ordernumber",
            "orderid",
            "order",
            "transactionno",
            "transactionnumber",
            "transactionid",
            "transaction",
            "transno",
            "transid",
            "txnid",
            "txnno",
            "ticketno",
            "ticketnumber",
            "ticket",
            "billno",
            "billnumber",
            "bill",
            "checkno",
            "checknumber",
            "check",
            "sino",
            "sinumber",
            "orno",
            "ornumber",
            "docno",
        ],
    ),
    (Field::Item, &ITEM_WORDS),
    (
        Field::Quantity,
        &[
            "quantity",
            "qty",
            "qtysold",
            "quantitysold",
            "soldqty",
            "itemqty",
            "units",
            "unitssold",
            "pcs",
            "pieces",
            "count",
        ],
    ),
    (
        Field::UnitPrice,
        &[
            "unitprice",
            "price",
            "productprice",
            "itemprice",
            "sellingprice",
            "retailprice",
            "srp",
            "rate",
            "priceeach",
        ],
    ),
    (
        Field::Discount,
        &[
            "discount",
            "discountamount",
            "discountamt",
            "disc",
            "totaldiscount",
            "linediscount",
            "lessdiscount",
        ],
    ),
    (
        Field::Net,
        &[
            "netsales",
            "netamount",
            "net",
            "nettotal",
            "linetotal",
            "lineamount",
            "amount",
            "total",
            "totalamount",
            "subtotal",
            "totalprice",
            "extendedprice",
            "sales",
            "salesamount",
        ],
    ),
    (Field::Kind, &["kind", "transactiontype", "transtype", "txntype", "saletype", "linetype", "recordtype"]),
    (
        Field::ServiceType,
        &["servicetype", "ordertype", "diningoption", "service", "channel", "orderchannel", "salestype"],
    ),
    (
        Field::Category,
        &[
            "category",
            "categoryname",
            "itemcategory",
            "productcategory",
            "menucategory",
            "department",
            "itemgroup",
            "productgroup",
            "menugroup",
        ],
    ),
];

/// A column's name without what writers vary: case, spaces, punctuation.
pub(super) fn bare(header: &str) -> String {
    header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a column's name: `transaction_qty`, `TransactionQty` and `Transaction Qty` have the same.
fn words(header: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for c in header.chars() {
        let new = !c.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
        if new && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A column's name, as it is compared.
pub(super) struct Header {
    pub(super) bare: String,
    words: Vec<String>,
}

impl Header {
    pub(super) fn of(name: &str) -> Self {
        Self { bare: bare(name), words: words(name) }
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether it names a code: `store_id`, `Item No.`, `SKU`.
    pub(super) fn is_code(&self) -> bool {
        self.has(&["id", "code", "no", "num", "number", "nr", "sku", "plu", "barcode", "upc", "ean", "key"])
            || [&CODES[..], &["storeid", "storecode", "branchid", "branchcode", "poscode"]]
                .concat()
                .contains(&self.bare.as_str())
    }

    /// Whether it names some figure, a time or a group, so that it neither names a thing nor counts it.
    pub(super) fn is_about(&self) -> bool {
        self.has(&[
            "price",
            "cost",
            "amount",
            "amt",
            "value",
            "rate",
            "discount",
            "disc",
            "tax",
            "vat",
            "total",
            "net",
            "gross",
            "revenue",
            "sales",
            "margin",
            "profit",
            "percent",
            "date",
            "time",
            "hour",
            "day",
            "week",
            "weekday",
            "month",
            "quarter",
            "year",
            "qty",
            "quantity",
            "count",
            "units",
            "category",
            "type",
            "group",
            "department",
            "class",
            "family",
            "subcategory",
            "size",
            "unit",
            "uom",
            "balance",
            "cash",
            "change",
            "tip",
            "charge",
            "fee",
            "lat",
            "lon",
            "latitude",
            "longitude",
            "zip",
            "phone",
            "age",
        ])
    }
}

/// Names of item codes that are written in one word.
const CODES: [&str; 7] =
    ["itemcode", "itemid", "itemno", "productcode", "productid", "menucode", "articlecode"];

/// Words in the names of columns that say what was sold.
pub(super) const THINGS: [&str; 12] = [
    "item",
    "items",
    "product",
    "products",
    "sku",
    "plu",
    "menu",
    "article",
    "dish",
    "description",
    "desc",
    "particulars",
];

/// Words in the names of columns that say where it was sold.
pub(super) const PLACES: [&str; 11] =
    ["store", "branch", "outlet", "shop", "site", "restaurant", "location", "city", "place", "cafe", "venue"];

/// Whether a name says that the column counts what was sold.
pub(super) fn is_quantity(header: &Header) -> bool {
    header.has(&["qty", "quantity", "quantities", "qnty", "qtty", "quant", "units", "pcs", "pieces", "sold"])
        && !header
            .has(&["price", "cost", "amount", "amt", "value", "total", "date", "time", "at", "id", "by"])
}

/// Whether the words inside a column's name say what it holds, where no whole name did.
pub(super) fn inside(field: Field, header: &Header) -> bool {
    match field {
        Field::Date => {
            header.has(&["date", "datetime", "timestamp"]) && !header.has(&["due", "birth", "expiry"])
        }
        Field::Time => header.has(&["time"]) && !header.has(&["date", "prep", "wait"]),
        Field::Receipt => {
            header.has(&["receipt", "invoice", "transaction", "order", "ticket", "bill", "txn", "check"])
                && header.has(&["id", "no", "num", "number", "nr"])
        }
        Field::Terminal => {
            header.has(&["terminal", "till", "register"])
                && header.has(&["id", "no", "num", "number", "name"])
        }
        Field::Quantity => is_quantity(header),
        Field::UnitPrice => {
            header.has(&["price", "srp"])
                && !header.has(&["total", "line", "extended", "cost", "net", "gross"])
        }
        Field::Discount => {
            header.has(&["discount"]) && !header.has(&["percent", "pct", "rate", "type", "id"])
        }
        Field::Net => {
            header.has(&["net", "amount", "amt", "total", "revenue", "subtotal", "sales"])
                && !header.has(&[
                    "tax", "vat", "discount", "cost", "tip", "service", "charge", "products", "items",
                    "item", "count", "qty", "quantity", "cash", "change", "tendered", "paid", "balance",
                    "id", "no", "type", "by", "person", "rep", "date", "fee",
                ])
        }
        Field::ServiceType => header.has(&["dining", "channel"]),
        Field::Category => header.has(&["category"]),
        _ => false,
    }
}
