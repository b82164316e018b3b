//! Which rows count: statuses (case 02), split tenders (04), negative lines (10) and orders of web shops (16).

use super::{Case, text};

pub fn cancelled() -> Vec<Case> {
    let foodpanda = text(&[
        "Order ID,Restaurant name,Order status,Order received at,Item,Quantity,Unit price,Net amount",
        "fp-1,Larkspur Mall,Delivered,2026-11-13 10:05,Tapsilog,1,185.00,185.00",
        "fp-2,Larkspur Mall,Cancelled by customer,2026-11-13 10:15,Sisig,1,220.00,220.00",
        "fp-3,Larkspur Mall,Delivered,2026-11-13 11:05,Lugaw,2,150.00,300.00",
        "fp-4,Larkspur Mall,Rejected,2026-11-13 11:40,Lugaw,1,90.00,90.00",
    ]);
    let storehub = text(&[
        "Receipt Number,Transaction Type,Transaction Time,Store Name,Product Name,Quantity,Selling Price,Item Total,Is Cancelled",
        "1,Sale,2026-11-13 10:05:33,Larkspur Mall,Cold Brew,2,120.00,240.00,FALSE",
        "2,Sale,2026-11-13 10:15:33,Larkspur Mall,Beef Tapa,1,500.00,500.00,TRUE",
        "3,Sale,2026-11-13 10:25:33,Larkspur Mall,Cold Brew,1,120.00,120.00,FALSE",
    ]);
    let unpaid = text(&[
        "Invoice Date;Store;Invoice No;Product;Qty;Net Amount;Paid",
        "13/11/2026;Larkspur Mall;1;Rice;1;100.00;Yes",
        "13/11/2026;Larkspur Mall;2;Bibingka;1;250.00;No",
        "13/11/2026;Larkspur Mall;3;Rice;3;300.00;Yes",
    ]);
    let cancelled_at = text(&[
        "Order No,Created at,Store,Item Name,Qty,Unit Price,Net Sales,Cancelled at",
        "1,2026-11-13 10:00:00,Larkspur Mall,Tapsilog,1,120.00,120.00,",
        "2,2026-11-13 10:30:00,Larkspur Mall,Tapsilog,3,120.00,360.00,2026-11-13 10:34:10",
        "3,2026-11-13 11:00:00,Larkspur Mall,Halo-halo,2,95.00,190.00,",
    ]);
    let two_columns = text(&[
        "Date|Store|Receipt No|Type|State|Item Name|Qty|Unit Price|Net Sales",
        "2026-11-13|Larkspur Mall|1|Sale|Completed|Tapsilog|2|120.00|240.00",
        "2026-11-13|Larkspur Mall|2|Sale|Voided|Tapsilog|1|120.00|120.00",
        "2026-11-13|Larkspur Mall|3|Sale|Parked at table|Tapsilog|4|120.00|480.00",
        "2026-11-13|Larkspur Mall|4|Refund|Completed|Tapsilog|-1|120.00|-120.00",
    ]);
    let served = text(&[
        "Date,Store,Receipt No,Status,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,Completed,Tapsilog,1,120.00,120.00",
        "2026-11-13,Larkspur Mall,2,Cancelled,Tapsilog,2,120.00,240.00",
        "2026-11-13,Larkspur Mall,3,Kiosk OK,Tapsilog,3,120.00,360.00",
        "2026-11-13,Larkspur Mall,4,Stuck at gate,Tapsilog,5,120.00,600.00",
    ]);
    let dining = text(&[
        "Date,Store,Receipt No,Dining Option,Order Type,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,Dine in,Walk in,Tapsilog,1,120.00,120.00",
        "2026-11-13,Larkspur Mall,2,Take out,Phone,Tapsilog,2,120.00,240.00",
    ]);
    vec![
        Case::new("foodpanda, cancelled and rejected", &foodpanda, 3.0, 485.0)
            .left_out(&[("void", 2.0, 310.0)]),
        Case::new("storehub, cancelled beside a type", &storehub, 3.0, 360.0)
            .left_out(&[("void", 1.0, 500.0)]),
        Case::new("invoices not paid", &unpaid, 4.0, 400.0).left_out(&[("void", 1.0, 250.0)]),
        Case::new("the time of cancelling", &cancelled_at, 3.0, 310.0).left_out(&[("void", 3.0, 360.0)]),
        Case::new("type and state, one word unknown", &two_columns, 1.0, 120.0)
            .asks(&[("word:parked at table", "leaveOut")])
            .left_out(&[("void", 1.0, 120.0), ("unknownWord", 4.0, 480.0)]),
        Case::new("two unknown words of different meaning", &served, 4.0, 480.0)
            .asks(&[("word:kiosk ok", "counts"), ("word:stuck at gate", "leaveOut")])
            .left_out(&[("void", 2.0, 240.0), ("unknownWord", 5.0, 600.0)]),
        Case::new("dining options are no status", &dining, 3.0, 360.0),
    ]
}

pub fn split_tenders() -> Vec<Case> {
    let odoo = text(&[
        "Order Ref\tDate\tStore\tProduct\tQuantity\tUnit Price\tSubtotal\tPayment Method\tAmount Paid",
        "1\t2026-11-13 10:05:00\tLarkspur Mall\tRice\t2\t50.00\t100.00\tCash\t100.00",
        "1\t2026-11-13 10:05:00\tLarkspur Mall\tTea\t1\t80.00\t80.00\tCash\t100.00",
        "1\t2026-11-13 10:05:00\tLarkspur Mall\tRice\t2\t50.00\t100.00\tCard\t80.00",
        "1\t2026-11-13 10:05:00\tLarkspur Mall\tTea\t1\t80.00\t80.00\tCard\t80.00",
        "2\t2026-11-13 10:15:00\tLarkspur Mall\tRice\t1\t50.00\t50.00\tCash\t50.00",
    ]);
    let three = text(&[
        "Datum;Filiale;Receipt No;Item Name;Qty;Unit Price;Net Sales;Payment Type;Payment Amount",
        "13.11.2026;Larkspur Mall;7;Tapsilog;3;120,00;360,00;Cash;200,00",
        "13.11.2026;Larkspur Mall;7;Tapsilog;3;120,00;360,00;GCash;100,00",
        "13.11.2026;Larkspur Mall;7;Tapsilog;3;120,00;360,00;Voucher;60,00",
        "13.11.2026;Larkspur Mall;8;Coke;2;60,50;121,00;GCash;121,00",
    ]);
    let interleaved = text(&[
        "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount",
        "2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,Cash,100.00",
        "2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,GCash,80.00",
        "2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,Cash,100.00",
        "2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,GCash,80.00",
        "2026-11-13,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00,Cash,120.00",
        "2026-11-13,Larkspur Mall,3,A2,Coke,4,60.00,240.00,Cash,240.00",
    ]);
    let without_amounts = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales,Payment Type",
        "2026-11-13,Larkspur Mall,1,Tapsilog,1,120.00,120.00,Cash",
        "2026-11-13,Larkspur Mall,1,Coke,1,60.00,60.00,Cash",
        "2026-11-13,Larkspur Mall,1,Tapsilog,1,120.00,120.00,GCash",
        "2026-11-13,Larkspur Mall,1,Coke,1,60.00,60.00,GCash",
        "2026-11-13,Larkspur Mall,2,Tapsilog,1,120.00,120.00,Cash",
    ]);
    let alike = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount",
        "2026-11-13,Larkspur Mall,1,Rice,1,50.00,50.00,Cash,100.00",
        "2026-11-13,Larkspur Mall,1,Rice,1,50.00,50.00,Cash,100.00",
        "2026-11-13,Larkspur Mall,2,Rice,1,50.00,50.00,GCash,130.00",
        "2026-11-13,Larkspur Mall,2,Tea,1,80.00,80.00,GCash,130.00",
    ]);
    let repeated = [("repeatedForTender", 3.0, 180.0)];
    vec![
        Case::new("order lines joined with payments", &odoo, 4.0, 230.0)
            .left_out(&repeated)
            .tenders(&[("Cash", 150.0), ("Card", 80.0)]),
        Case::new("three tenders, decimal commas", &three, 5.0, 481.0)
            .left_out(&[("repeatedForTender", 6.0, 720.0)])
            .tenders(&[("Cash", 200.0), ("GCash", 221.0), ("Voucher", 60.0)]),
        Case::new("each line followed by its copy", &interleaved, 7.0, 540.0)
            .left_out(&[("repeatedForTender", 2.0, 180.0)])
            .tenders(&[("Cash", 460.0), ("GCash", 80.0)]),
        Case::new("copies without amounts paid", &without_amounts, 3.0, 300.0)
            .asks(&[("splitTenders", "true")])
            .left_out(&[("repeatedForTender", 2.0, 180.0)]),
        Case::new("two equal lines paid in one way", &alike, 4.0, 230.0)
            .tenders(&[("Cash", 100.0), ("GCash", 130.0)]),
    ]
}

pub fn negative_lines() -> Vec<Case> {
    let loyalty = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "13.11.2026;Larkspur Mall;1;Tapsilog;2;120,00;240,00",
        "13.11.2026;Larkspur Mall;1;Loyalty -10%;0;0,00;-24,00",
        "13.11.2026;Larkspur Mall;2;Halo-halo;1;95,50;95,50",
        "13.11.2026;Larkspur Mall;2;Abrundung;0;0,00;-0,50",
    ]);
    let senior = text(&[
        "Business Date,Branch,OR No,Product,Qty,Amount",
        "2026-11-13,Larkspur Mall,11,Tapsilog,1,120.00",
        "2026-11-13,Larkspur Mall,11,Senior 20%,,-24.00",
        "2026-11-13,Larkspur Mall,12,Sinigang,2,560.00",
    ]);
    let given_back = text(&[
        "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,A1,Tapsilog,2,120.00,240.00",
        "2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,-120.00,-120.00",
        "2026-11-13,Larkspur Mall,2,A2,Coke,1,60.00,60.00",
    ]);
    let rounding = text(&[
        "Check No|Order Date|Store|Menu Item|Quantity|Net Price",
        "1|11/13/2026 1:05 PM|Larkspur Mall|Negroni|1|300.30",
        "1|11/13/2026 1:05 PM|Larkspur Mall|Rounding|1|-0.30",
        "2|11/13/2026 1:25 PM|Larkspur Mall|Lager|2|400.20",
        "2|11/13/2026 1:25 PM|Larkspur Mall|Rounding|1|-0.20",
    ]);
    let deposit = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,Tapsilog,2,120.00,240.00",
        "2026-11-13,Larkspur Mall,2,Bottle deposit,-3,5.00,-15.00",
    ]);
    let discount = |qty: f64| [("discount", qty, 0.0)];
    vec![
        Case::new("a loyalty discount without quantity", &loyalty, 3.0, 311.0),
        Case::new("a discount with an empty quantity", &senior, 3.0, 656.0),
        Case::new("an item given back on its receipt", &given_back, 2.0, 180.0).left_out(&[(
            "returnSign",
            2.0,
            0.0,
        )]),
        Case::new("rounding on each receipt", &rounding, 3.0, 700.0).left_out(&discount(2.0)),
        // TRUTH.md 3: «Unmapped with a negative quantity: ask.»
        Case::new("an item that was not sold comes back", &deposit, -1.0, 225.0)
            .asks(&[("negativeLines", "returns")]),
    ]
}

pub fn online_orders() -> Vec<Case> {
    let woocommerce = text(&[
        "Order Number,Order Status,Order Date,Email (Billing),City (Billing),Payment Method Title,Item Name,SKU,Quantity,Item Cost,Order Line Total,Shop",
        "501,Completed,2026-11-13 09:10,a@x.example,Cebu,Cash on delivery,Ensaymada Box,ENS-1,2,150.00,300.00,Larkspur Mall",
        "501,Completed,2026-11-13 09:10,a@x.example,Cebu,Cash on delivery,Barako Beans,BAR-1,1,80.00,80.00,Larkspur Mall",
        "502,Cancelled,2026-11-13 10:10,b@x.example,Davao,GCash,Ensaymada Box,ENS-1,3,150.00,450.00,Larkspur Mall",
    ]);
    let lazada = text(&[
        "orderNumber;createTime;customerName;customerEmail;itemName;sellerSku;quantity;unitPrice;paidPrice;status;shopName",
        "9001;13 Nov 2026 08:00;Ana;ana@x.example;Ube Jam;UBE-1;1;180.00;180.00;delivered;Larkspur Mall",
        "9002;13 Nov 2026 08:30;Ben;ben@x.example;Ube Jam;UBE-1;2;180.00;360.00;canceled;Larkspur Mall",
        "9003;13 Nov 2026 09:00;Cy;cy@x.example;Barako Beans;BAR-1;3;80.00;240.00;delivered;Larkspur Mall",
    ]);
    let shopify = text(&[
        "Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem discount,Location",
        "#2001,a@x.example,paid,2026-11-13 10:00:00 +0800,fulfilled,PHP,430.00,430.00,2026-11-13 10:00:00 +0800,3,Ensaymada Box,150.00,ENS-1,20.00,Larkspur Mall",
        "#2002,b@x.example,refunded,2026-11-13 11:00:00 +0800,fulfilled,PHP,230.00,230.00,2026-11-13 11:00:00 +0800,1,Ensaymada Box,150.00,ENS-1,0,Larkspur Mall",
        "#2002,b@x.example,,,,,,,2026-11-13 11:00:00 +0800,1,Barako Beans,80.00,BAR-1,0,Larkspur Mall",
        "#2003,c@x.example,paid,2026-11-13 12:00:00 +0800,fulfilled,PHP,160.00,160.00,2026-11-13 12:00:00 +0800,2,Barako Beans,80.00,BAR-1,0,Larkspur Mall",
    ]);
    let customers = text(&[
        "Date,Store,Customer,Contact,Dish,Qty,Amount",
        "2026-11-13,Larkspur Mall,Ana Cruz,ana@x.example,Pancit,1,210.00",
        "2026-11-13,Larkspur Mall,Ben Sy,ben@x.example,Pancit,2,420.00",
        "2026-11-13,Larkspur Mall,Cy Tan,cy@x.example,Lumpia,5,150.00",
        "2026-11-13,Larkspur Mall,Dee Go,dee@x.example,Lumpia,1,30.00",
    ]);
    vec![
        Case::new("woocommerce orders", &woocommerce, 3.0, 380.0)
            .left_out(&[("void", 3.0, 450.0)])
            .items(&["Ensaymada Box", "Barako Beans"]),
        Case::new("lazada orders", &lazada, 4.0, 420.0)
            .left_out(&[("void", 2.0, 360.0)])
            .items(&["Ube Jam", "Barako Beans"]),
        Case::new("shopify, an order of two lines refunded", &shopify, 5.0, 590.0)
            .left_out(&[("void", 2.0, 230.0)])
            .items(&["Ensaymada Box", "Barako Beans"]),
        Case::new("addresses of customers", &customers, 9.0, 810.0).items(&["Pancit", "Lumpia"]),
    ]
}
