//! What a cell says: quotes that stay open (case 07), decimal marks (08) and spellings of numbers and times (11).

use super::{Case, text};

pub fn open_quotes() -> Vec<Case> {
    let semicolons = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "13.11.2026;Larkspur Mall;1;Tapsilog;1;120,00;120,00",
        "13.11.2026;Larkspur Mall;2;\"Family Bucket;1;600,00;600,00",
        "13.11.2026;Larkspur Mall;3;Tapsilog;2;120,00;240,00",
        "13.11.2026;Larkspur Mall;4;\"Family Bucket\";1;600,00;600,00",
        "13.11.2026;Larkspur Mall;5;Tapsilog;1;120,00;120,00",
    ]);
    let to_the_end = text(&[
        "Date\tStore\tReceipt No\tItem Name\tQty\tUnit Price\tNet Sales",
        "2026-11-13\tLarkspur Mall\t1\tTapsilog\t1\t120.00\t120.00",
        "2026-11-13\tLarkspur Mall\t2\t\"Half Chicken\t1\t200.00\t200.00",
        "2026-11-13\tLarkspur Mall\t3\tTapsilog\t1\t120.00\t120.00",
        "2026-11-13\tLarkspur Mall\t4\tTapsilog\t3\t120.00\t360.00",
    ]);
    let note = text(&[
        "Date,Store,Receipt No,\"Note\",Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,\"Gate 3,\nring twice,\nthank you\",Tapsilog,1,120.00,120.00",
        "2026-11-13,Larkspur Mall,2,,Tapsilog,2,120.00,240.00",
        "2026-11-13,Larkspur Mall,3,\"No onions\",Tapsilog,1,120.00,120.00",
    ]);
    let inches = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,Pizza 12\",1,450.00,450.00",
        "2026-11-13,Larkspur Mall,2,\"Pizza 9\"\", thin\",2,300.00,600.00",
        "2026-11-13,Larkspur Mall,3,Pizza 12\",1,450.00,450.00",
    ]);
    let twice = text(&[
        "Date|Store|Receipt No|Item Name|Qty|Unit Price|Net Sales",
        "2026-11-13|Larkspur Mall|1|\"Half Chicken|1|200.00|200.00",
        "2026-11-13|Larkspur Mall|2|\"Half Chicken\"|1|200.00|200.00",
        "2026-11-13|Larkspur Mall|3|Tapsilog|1|120.00|120.00",
        "2026-11-13|Larkspur Mall|4|\"Half Chicken|2|200.00|400.00",
        "2026-11-13|Larkspur Mall|5|Tapsilog|1|120.00|120.00",
        "2026-11-13|Larkspur Mall|6|\"Half Chicken\"|1|200.00|200.00",
    ]);
    let quotes = [("quotes", "rows")];
    vec![
        Case::new("semicolons, closed two rows below", &semicolons, 6.0, 1_680.0).asks(&quotes),
        Case::new("tabs, never closed", &to_the_end, 6.0, 800.0).asks(&quotes),
        Case::new("two open quotes", &twice, 7.0, 1_240.0).asks(&quotes),
        Case::new("a note of several lines", &note, 4.0, 480.0).items(&["Tapsilog"]),
        Case::new("inches", &inches, 4.0, 1_500.0).items(&["Pizza 12\"", "Pizza 9\", thin"]),
    ]
}

pub fn decimal_marks() -> Vec<Case> {
    let comma_weights = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "2026-11-13;Larkspur Mall;1;Pork Belly;0,750;320.00;240.00",
        "2026-11-13;Larkspur Mall;2;Pork Belly;1,250;320.00;400.00",
    ]);
    let grouped = text(&[
        "Date\tStore\tReceipt No\tItem Name\tQty\tUnit Price\tNet Sales",
        "2026-11-13\tLarkspur Mall\t1\tWagyu\t2.500\t1.250,00\t3.125,00",
        "2026-11-13\tLarkspur Mall\t2\tWagyu\t1.200\t1.250,00\t1.500,00",
        "2026-11-13\tLarkspur Mall\t3\tTapsilog\t1.000\t85,00\t85,00",
    ]);
    let pieces = text(&[
        "Datum;Filiale;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "13.11.2026;Larkspur Mall;1;Tapsilog;1.000;85,00;85,00",
        "13.11.2026;Larkspur Mall;2;Coke;3.000;45,50;136,50",
        "13.11.2026;Larkspur Mall;3;Tapsilog;2.000;85,00;170,00",
    ]);
    let half = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Net Sales",
        "2026-11-13;Larkspur Mall;1;Pork Belly;1.250;400,00",
        "2026-11-13;Larkspur Mall;2;Pork Belly;0.500;160,00",
    ]);
    let unclear = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Net Sales",
        "2026-11-13;Larkspur Mall;1;Pork Belly;1.250;400,00",
        "2026-11-13;Larkspur Mall;2;Pork Belly;2.500;800,00",
    ]);
    let thousands = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,Napkins,\"1,250\",0.50,625.00",
        "2026-11-13,Larkspur Mall,2,Straws,\"2,000\",0.25,500.00",
    ]);
    vec![
        Case::new("weights with a comma, amounts with a point", &comma_weights, 2.0, 640.0),
        Case::new("weights with a point, amounts as 1.250,00", &grouped, 4.7, 4_710.0),
        Case::new("pieces with three decimals", &pieces, 6.0, 391.5),
        Case::new("no price, one weight below one", &half, 1.75, 560.0),
        Case::new("no price, nothing proves the mark", &unclear, 3.75, 1_200.0).asks(&[("decimal", "")]),
        Case::new("pieces in thousands", &thousands, 3_250.0, 1_125.0),
    ]
}

pub fn spellings() -> Vec<Case> {
    let amounts = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Net Sales",
        "2026-11-13,Larkspur Mall,1,Tapsilog,2,PHP 240.00",
        "2026-11-13,Larkspur Mall,2,Tapsilog,1,120.00 DR",
        "2026-11-13,Larkspur Mall,3,Tapsilog,10,\"₱ 1,200.00\"",
        "2026-11-13,Larkspur Mall,4,Tapsilog,-1,₱120.00-",
        "2026-11-13,Larkspur Mall,5,Tapsilog,-1,(₱120.00)",
        "2026-11-13,Larkspur Mall,6,Tapsilog,-2,₱ (240.00)",
        "2026-11-13,Larkspur Mall,7,Tapsilog,(1),120.00CR",
    ]);
    let apostrophes = text(&[
        "Date;Store;Receipt No;Item Code;Item Name;Qty;Unit Price;Net Sales",
        "13.11.2026;Larkspur Mall;'0001;'001;Tapsilog;'2;'60,00;'120,00",
        "13.11.2026;Larkspur Mall;'0002;'002;Coke;'1;'45,50;'45,50",
        "13.11.2026;Larkspur Mall;'0003;'001;Tapsilog;'3;'60,00;'180,00",
    ]);
    let full_width = text(&[
        "日期,门店,单号,商品名称,数量,单价,实收金额",
        "2026-11-13,Larkspur Mall,1,扬州炒饭,３,６０.００,１８０.００",
        "2026-11-13,Larkspur Mall,2,珍珠奶茶,1,120.00,120.00",
        "2026-11-13,Larkspur Mall,3,扬州炒饭,１０,６０．００,６００．００",
    ]);
    let blanks = text(&[
        "Date\tStore\tReceipt No\tItem Name\tQty\tUnit Price\tNet Sales",
        "2026-11-13\tLarkspur Mall\t1\tTapsilog\t1\t120.00\t120.00",
        "2026-11-13\tLarkspur Mall\t2\tOpen Item\t2\t\t75.00",
        "2026-11-13\tLarkspur Mall\t3\tTapsilog\t2\t120.00\t240.00",
        "2026-11-13\tLarkspur Mall\t4\tTapsilog\t-1\t\t-120.00",
    ]);
    let spaces = text(&[
        "Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "13.11.2026;Larkspur Mall;1;Lechon;2;6 250,00;12 500,00",
        "13.11.2026;Larkspur Mall;2;Lechon;1;6\u{a0}250,00;6\u{a0}250,00",
        "13.11.2026;Larkspur Mall;3;Rice;4;35,00;140,00",
    ]);
    let zulu = text(&[
        "Created At,Store,Receipt No,Item Name,Qty,Net Sales",
        "2026-11-13T02:00:00Z,Larkspur Mall,1,Tapsilog,1,120.00",
        "2026-11-13T11:30:00Z,Larkspur Mall,2,Tapsilog,2,240.00",
        "2026-11-13T23:30:00Z,Larkspur Mall,3,Tapsilog,4,480.00",
    ]);
    let zones = text(&[
        "Order Date,Store,Order No,Item Name,Qty,Net Sales",
        "2026-11-13 09:00:00 GMT,Larkspur Mall,1,Ube Jam,1,180.00",
        "2026-11-13 09:30:00 UTC,Larkspur Mall,2,Ube Jam,2,360.00",
        "2026-11-13 23:45:00 UTC,Larkspur Mall,3,Ube Jam,3,540.00",
    ]);
    let offsets = text(&[
        "Created at|Store|Order No|Item Name|Qty|Net Sales",
        "2026-11-13T10:00:00+08:00|Larkspur Mall|1|Ube Jam|1|180.00",
        "2026-11-13T23:15:00+00:00|Larkspur Mall|2|Ube Jam|2|360.00",
        "2026-11-13T20:00:00-05:00|Larkspur Mall|3|Ube Jam|1|180.00",
    ]);
    vec![
        Case::new("currencies, parentheses, CR and DR", &amounts, 8.0, 960.0),
        Case::new("apostrophes and decimal commas", &apostrophes, 6.0, 345.5).items(&["Tapsilog", "Coke"]),
        Case::new("digits of full width", &full_width, 14.0, 900.0),
        Case::new("no price where an amount is", &blanks, 4.0, 315.0),
        Case::new("spaces between thousands", &spaces, 7.0, 18_890.0),
        Case::new("moments that end with Z", &zulu, 7.0, 840.0).posted(&[(13, 3.0, 360.0), (14, 4.0, 480.0)]),
        Case::new("moments in UTC and GMT", &zones, 6.0, 1_080.0)
            .posted(&[(13, 3.0, 540.0), (14, 3.0, 540.0)]),
        Case::new("moments with offsets", &offsets, 4.0, 720.0).posted(&[(13, 1.0, 180.0), (14, 3.0, 540.0)]),
    ]
}
