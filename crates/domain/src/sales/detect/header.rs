//! What column names tell about their content.

use super::foreign::english;
use crate::sales::mapping::Field;

/// Column names for items sold.
pub(super) const ITEM_WORDS: [&str; 30] = [
    "lineitemsku",
    "lineitemname",
    "lineitem",
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

/// Column names for each field, as tills export them; the first match wins.
pub(super) const WORDS: [(Field, &[&str]); 15] = [
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
            "warehouse",
            "warehousename",
            "warehousecode",
            "whsname",
            "whscode",
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
            "orderref",
            "orderreference",
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
            "docnum",
            "docentry",
            "documentno",
            "documentnumber",
        ],
    ),
    (
        Field::Variant,
        &[
            "variant",
            "variantname",
            "varianttitle",
            "variation",
            "variationname",
            "itemvariation",
            "itemvariant",
            "pricepoint",
            "pricepointname",
        ],
    ),
    (
        Field::Modifiers,
        &["modifiers", "modifiersapplied", "modifier", "modifiername", "modifieroptions", "addons"],
    ),
    (Field::Item, &ITEM_WORDS),
    (
        Field::Quantity,
        &[
            "lineitemquantity",
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
            "lineitemprice",
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
            "lineitemdiscount",
            "discount",
            "discountamount",
            "discountamt",
            "discamount",
            "discamt",
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
            "itemtotal",
            "lineitemtotal",
            "itemrevenue",
        ],
    ),
    (
        Field::Kind,
        &[
            "kind",
            "transactiontype",
            "transtype",
            "txntype",
            "saletype",
            "linetype",
            "recordtype",
            "receipttype",
        ],
    ),
    (
        Field::ServiceType,
        &["servicetype", "ordertype", "diningoption", "service", "salestype", "diningtype", "fulfillment"],
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

/// Names of columns with the ids of lines, taken as such only beside one of [`PARENT_LINES`].
pub(super) const LINE_IDS: [&str; 17] = [
    "itemselectionid",
    "menuselectionitemid",
    "menuitemselectionid",
    "selectionid",
    "lineid",
    "lineitemid",
    "orderlineid",
    "orderitemid",
    "receiptlineid",
    "saleslineid",
    "salelineid",
    "transactionlineid",
    "lineno",
    "linenumber",
    "lineitemno",
    "lineitemnumber",
    "line",
];

/// Names of columns that say which line a line belongs to.
pub(super) const PARENT_LINES: [&str; 20] = [
    "parentmenuselectionitemid",
    "parentmenuitemselectionid",
    "parentitemselectionid",
    "parentselectionid",
    "parentlineid",
    "parentline",
    "parentlineno",
    "parentlinenumber",
    "parentlineitemid",
    "parentlineitemno",
    "parentorderlineid",
    "parentorderitemid",
    "parentreceiptlineid",
    "parentsaleslineid",
    "parentsalelineid",
    "parenttransactionlineid",
    "linkedline",
    "linkedlineid",
    "linkedlineno",
    "linkedlinenumber",
];

/// A column name without case, spaces and punctuation.
pub fn bare(header: &str) -> String {
    header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a column name: the same for `transaction_qty`, `TransactionQty` and `Transaction Qty`.
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

/// A column name, prepared for comparison.
pub(super) struct Header {
    pub(super) bare: String,
    words: Vec<String>,
}

impl Header {
    pub(super) fn of(name: &str) -> Self {
        let name = english(&bare(name)).unwrap_or(name);
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

    /// Whether it names a figure, a time or a group, and so neither an item nor a quantity.
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

/// One-word names of item codes.
const CODES: [&str; 7] =
    ["itemcode", "itemid", "itemno", "productcode", "productid", "menucode", "articlecode"];

/// Words in names of item columns.
pub(super) const THINGS: [&str; 13] = [
    "lineitem",
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

/// Words in names of store columns.
pub(super) const PLACES: [&str; 12] = [
    "store",
    "branch",
    "outlet",
    "shop",
    "site",
    "restaurant",
    "location",
    "city",
    "place",
    "cafe",
    "venue",
    "warehouse",
];

/// Whether a name denotes a quantity sold.
pub(super) fn is_quantity(header: &Header) -> bool {
    header.has(&["qty", "quantity", "quantities", "qnty", "qtty", "quant", "units", "pcs", "pieces", "sold"])
        && !header
            .has(&["price", "cost", "amount", "amt", "value", "total", "date", "time", "at", "id", "by"])
}

/// Whether words inside a column name identify the field, where no whole name did.
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
            header.has(&["discount", "disc"]) && !header.has(&["percent", "pct", "rate", "type", "id"])
        }
        Field::Net => {
            header.has(&["net", "amount", "amt", "total", "revenue", "subtotal", "sales"])
                && !header.has(&[
                    "gross", "tendered", "exempt", "disc", "vatable", "rated", "tax", "vat", "discount",
                    "cost", "tip", "service", "charge", "products", "items", "item", "count", "qty",
                    "quantity", "cash", "change", "tendered", "paid", "balance", "id", "no", "type", "by",
                    "person", "rep", "date", "fee",
                ])
        }
        Field::ServiceType => header.has(&["dining"]),
        Field::Category => header.has(&["category"]),
        _ => false,
    }
}

/// The receipt-level field of a column name.
pub(super) fn beside(header: &Header) -> Option<Field> {
    let has = |words: &[&str]| header.has(words);
    let is = |words: &[&str]| words.contains(&header.bare.as_str());
    let off = has(&["discount", "discounts", "disc", "less", "deduction"]);
    // Names and numbers of discount holders, and sales to them, are not discount amounts.
    let other = has(&[
        "id", "name", "no", "number", "count", "card", "type", "percent", "pct", "rate", "remarks", "qty",
        "reason",
    ]) || (has(&["sales", "gross", "net"]) && !off);
    if !other {
        if has(&["senior", "osca", "scd", "seniors"]) || (has(&["sc"]) && off) {
            return Some(Field::Senior);
        }
        if has(&["pwd", "pwds"]) {
            return Some(Field::Pwd);
        }
        if has(&["naac", "athlete", "athletes"]) {
            return Some(Field::Naac);
        }
        if (has(&["solo"]) && has(&["parent", "parents"])) || is(&["soloparent", "soloparentdiscount"]) {
            return Some(Field::SoloParent);
        }
        if has(&["valor", "valour", "mov"]) {
            return Some(Field::Valor);
        }
        if off && has(&["employee", "employees", "staff"]) {
            return Some(Field::Employee);
        }
        if off && has(&["vip"]) {
            return Some(Field::Vip);
        }
        if (off && has(&["promo", "promos", "promotion", "promotional", "coupon", "voucher"]))
            || is(&["promo", "promos", "promotion", "promotions", "promoamount", "coupon", "coupons"])
        {
            return Some(Field::Promo);
        }
        if off && has(&["other", "others", "misc", "regular"]) {
            return Some(Field::OtherDiscount);
        }
    }
    if has(&["exempt", "exempted", "exempts"]) || is(&["vatexempt", "vatexemptsales"]) {
        return Some(Field::Exempt).filter(|_| !has(&["id", "no", "count", "reason"]));
    }
    if (has(&["zero"]) && has(&["rated", "rate"])) || is(&["zerorated", "zeroratedsales"]) {
        return Some(Field::ZeroRated);
    }
    if has(&["vatable"]) || is(&["taxablesales", "taxable", "vatsales"]) {
        return Some(Field::Vatable).filter(|_| !has(&["flag", "is"]));
    }
    if has(&["local"]) && has(&["tax"]) {
        return Some(Field::LocalTax);
    }
    if is(&[
        "vat",
        "vatamount",
        "vatamt",
        "outputvat",
        "vat12",
        "12vat",
        "tax",
        "taxes",
        "taxamount",
        "salestax",
        "totaltax",
        "totalvat",
        "vattax",
    ]) {
        return Some(Field::Vat);
    }
    if (has(&["service", "svc", "svcs", "serv"]) && has(&["charge", "charges", "chg"]))
        || is(&["servicecharge", "svccharge"])
    {
        return Some(Field::ServiceCharge).filter(|_| !has(&["rate", "percent", "pct"]));
    }
    if is(&[
        "pax",
        "guests",
        "guest",
        "guestcount",
        "noofguests",
        "numberofguests",
        "covers",
        "covercount",
        "noofpax",
        "headcount",
        "noofcustomers",
        "customercount",
        "persons",
    ]) {
        return Some(Field::Pax);
    }
    if is(&[
        "channel",
        "saleschannel",
        "orderchannel",
        "ordersource",
        "platform",
        "deliverypartner",
        "deliveryplatform",
        "source",
    ]) {
        return Some(Field::Channel);
    }
    if is(&[
        "tender",
        "tendertype",
        "tendername",
        "paymenttype",
        "paymentmethod",
        "paymentmode",
        "modeofpayment",
        "payment",
        "mop",
        "paidby",
        "paymenttender",
    ]) {
        return Some(Field::Tender);
    }
    if is(&["tenderamount", "tenderamt", "paymentamount", "amountpaid", "paidamount", "amountreceived"]) {
        return Some(Field::TenderAmount);
    }
    if is(&[
        "tenderreference",
        "paymentreference",
        "paymentref",
        "referenceno",
        "refno",
        "reference",
        "approvalcode",
        "approvalno",
        "authcode",
        "tracenumber",
    ]) {
        return Some(Field::TenderReference);
    }
    None
}

/// Tenders that have a column of their own.
const TENDERS: [&str; 36] = [
    "cash",
    "card",
    "cards",
    "creditcard",
    "debitcard",
    "credit",
    "debit",
    "gcash",
    "maya",
    "paymaya",
    "grabpay",
    "shopeepay",
    "giftcertificate",
    "giftcard",
    "gc",
    "qrph",
    "ewallet",
    "ewallets",
    "banktransfer",
    "onlinepayment",
    "visa",
    "mastercard",
    "jcb",
    "amex",
    "bpi",
    "bdo",
    "alipay",
    "wechatpay",
    "wechat",
    "foodpandapay",
    "cashsales",
    "cardsales",
    "creditcardsales",
    "gcashsales",
    "cashpayment",
    "cardpayment",
];

/// Whether a column contains the amounts of one tender, by its name.
pub(super) fn is_tender(header: &Header) -> bool {
    let bare = header.bare.as_str();
    let short = bare.strip_suffix("amount").or_else(|| bare.strip_suffix("amt")).unwrap_or(bare);
    TENDERS.contains(&bare) || TENDERS.contains(&short)
}

/// Whether a text is a column name that tills use.
#[must_use]
pub fn is_title(text: &str) -> bool {
    if text.is_empty() || text.len() > 60 || text.ends_with(':') {
        return false;
    }
    let header = Header::of(text);
    WORDS.iter().any(|(_, words)| words.contains(&header.bare.as_str()))
        || beside(&header).is_some()
        || is_tender(&header)
        || is_quantity(&header)
        || inside(Field::Net, &header)
        || inside(Field::UnitPrice, &header)
        || inside(Field::Discount, &header)
        || inside(Field::Receipt, &header)
        || inside(Field::Date, &header)
        || header.bare.starts_with("grosssales")
}
