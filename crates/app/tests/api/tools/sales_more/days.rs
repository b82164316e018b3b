//! The day of a sale: after midnight (case 03), files without dates (09), and dates after today (12).

use serde_json::json;

use super::{Case, text};

pub fn after_midnight() -> Vec<Case> {
    let square = text(&[
        "Date,Time,Time Zone,Category,Item,Qty,Price Point Name,SKU,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Event Type,Location",
        "2026-11-13,21:10:00,Manila,Bar,Lager,1,,LA,₱150.00,₱0.00,₱150.00,₱0.00,T0,Payment,Larkspur Mall",
        "2026-11-13,22:30:00,Manila,Bar,Lager,2,,LA,₱300.00,₱0.00,₱300.00,₱0.00,T1,Payment,Larkspur Mall",
        "2026-11-13,23:50:11,Manila,Bar,Negroni,1,,NE,₱200.00,₱0.00,₱200.00,₱0.00,T2,Payment,Larkspur Mall",
        "2026-11-14,00:20:40,Manila,Bar,Negroni,2,,NE,₱400.00,₱0.00,₱400.00,₱0.00,T3,Payment,Larkspur Mall",
        "2026-11-14,01:40:00,Manila,Bar,Lager,1,,LA,₱150.00,₱0.00,₱150.00,₱0.00,T4,Payment,Larkspur Mall",
        "2026-11-14,18:00:00,Manila,Bar,Lager,1,,LA,₱150.00,₱0.00,₱150.00,₱0.00,T5,Payment,Larkspur Mall",
    ]);
    let lightspeed = text(&[
        "Sale date;Outlet;Register;Receipt number;Product;Quantity;Unit price;Net total",
        "13.11.2026 20:00;Larkspur Mall;1;1;Wings;2;180,00;360,00",
        "13.11.2026 22:15;Larkspur Mall;1;2;Wings;1;180,00;180,00",
        "13.11.2026 23:40;Larkspur Mall;1;3;Lager;3;90,00;270,00",
        "14.11.2026 00:05;Larkspur Mall;1;4;Lager;1;90,00;90,00",
        "14.11.2026 01:15;Larkspur Mall;1;5;Wings;1;180,00;180,00",
        "14.11.2026 19:00;Larkspur Mall;1;6;Wings;4;180,00;720,00",
        "14.11.2026 23:10;Larkspur Mall;1;7;Lager;1;90,00;90,00",
        "15.11.2026 00:45;Larkspur Mall;1;8;Lager;2;90,00;180,00",
    ]);
    let business_date = text(&[
        "Business Date,Time,Branch,Till No,OR No,Product,Qty,Price,Net Amount",
        "2026-11-13,22:10,Larkspur Mall,1,1,Tapsilog,1,120.00,120.00",
        "2026-11-13,23:55,Larkspur Mall,1,2,Tapsilog,1,120.00,120.00",
        "2026-11-13,00:40,Larkspur Mall,1,3,Tapsilog,2,120.00,240.00",
        "2026-11-14,11:00,Larkspur Mall,1,4,Tapsilog,1,120.00,120.00",
    ]);
    let one_day = text(&[
        "Date,Time,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-14,00:40,Larkspur Mall,1,Lager,2,90.00,180.00",
        "2026-11-14,02:10,Larkspur Mall,2,Lager,1,90.00,90.00",
        "2026-11-14,11:00,Larkspur Mall,3,Wings,1,180.00,180.00",
        "2026-11-14,23:30,Larkspur Mall,4,Lager,3,90.00,270.00",
    ]);
    let long_clock = text(&[
        "Date|Time|Store|Receipt No|Item Name|Qty|Unit Price|Net Sales",
        "2026-11-13|22:59:10|Larkspur Mall|1|Tapsilog|1|120.00|120.00",
        "2026-11-13|24:05:00|Larkspur Mall|2|Tapsilog|2|120.00|240.00",
        "2026-11-13|26:59:59|Larkspur Mall|3|Tapsilog|1|120.00|120.00",
        "2026-11-14|10:00:00|Larkspur Mall|4|Tapsilog|1|120.00|120.00",
    ]);
    let long_clock_beside_date = text(&[
        "Transaction Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales",
        "13/11/2026 23:10;Larkspur Mall;1;Tapsilog;1;120.00;120.00",
        "13/11/2026 24:15;Larkspur Mall;2;Tapsilog;1;120.00;120.00",
        "13/11/2026 25:30;Larkspur Mall;3;Tapsilog;3;120.00;360.00",
    ]);
    let morning = text(&[
        "Date,Time,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,06:00,Larkspur Mall,1,Pandesal,10,5.00,50.00",
        "2026-11-13,18:00,Larkspur Mall,2,Pandesal,20,5.00,100.00",
        "2026-11-14,06:10,Larkspur Mall,3,Pandesal,30,5.00,150.00",
    ]);
    let night = [("dayStart", "Yes")];
    vec![
        Case::new("square, a bar until two", &square, 8.0, 1_350.0)
            .asks(&night)
            .posted(&[(13, 7.0, 1_200.0), (14, 1.0, 150.0)]),
        Case::new("decimal commas, two nights", &lightspeed, 15.0, 2_070.0)
            .asks(&night)
            .posted(&[(13, 8.0, 1_080.0), (14, 7.0, 990.0)]),
        Case::new("one calendar day of a bar", &one_day, 7.0, 720.0)
            .asks(&night)
            .posted(&[(13, 3.0, 270.0), (14, 4.0, 450.0)]),
        Case::new("a business date is that of the evening", &business_date, 5.0, 600.0)
            .posted(&[(13, 4.0, 480.0), (14, 1.0, 120.0)]),
        Case::new("a clock of more than 24 hours", &long_clock, 5.0, 600.0)
            .posted(&[(13, 4.0, 480.0), (14, 1.0, 120.0)]),
        Case::new("such a clock in the cell of the date", &long_clock_beside_date, 5.0, 600.0)
            .posted(&[(13, 5.0, 600.0)]),
        Case::new("a bakery that opens at six", &morning, 60.0, 300.0)
            .posted(&[(13, 30.0, 150.0), (14, 30.0, 150.0)]),
    ]
}

pub fn no_date() -> Vec<Case> {
    let toast = text(&[
        "Product mix,,,",
        "Location: Larkspur Mall,,,",
        "Date range: 11/13/2026 - 11/13/2026,,,",
        ",,,",
        "Menu Item,Menu Group,Qty Sold,Net Sales",
        "Negroni,Bar,12,3600.00",
        "Lager,Bar,30,6000.00",
        "Total,,42,9600.00",
    ]);
    let square = text(&[
        "Item,Price Point Name,Category,SKU,Items Sold,Units Sold,Product Sales,Refunds,Discounts & Comps,Net Sales,Tax,Gross Sales",
        "Ube Latte,,Drinks,UL,12,12,\"₱1,920.00\",₱0.00,-₱120.00,\"₱1,800.00\",₱0.00,\"₱1,920.00\"",
        "Tapsilog,,Meals,TA,20,20,\"₱2,400.00\",₱0.00,₱0.00,\"₱2,400.00\",₱0.00,\"₱2,400.00\"",
        "Halo-halo,,Meals,HH,5,5,₱475.00,₱0.00,₱0.00,₱475.00,₱0.00,₱475.00",
    ]);
    let hand = text(&["Item;Qty;Price;Net amount", "Pandesal;120;5,00;600,00", "Ensaymada;15;45,50;682,50"]);
    let loyverse = text(&[
        "Item name,SKU,Category,Items sold,Gross sales,Discounts,Net sales",
        "Iced Latte,10001,Drinks,12,1746.00,0.00,1746.00",
        "Leche Flan,10002,Meals,4,383.00,38.30,344.70",
    ]);
    let sections = text(&[
        "Larkspur Mall;;;",
        "Start: 13 Nov 2026 00:00;;;",
        "End: 13 Nov 2026 23:59;;;",
        ";;;",
        "Code;Description;Qty;Net Amount",
        "'001;Tapsilog;10;1200.00",
        "'002;Garlic Rice;8;280.00",
    ]);
    let of = |name, file_name: &str, text: &str, qty, net| Case::new(name, text, qty, net).called(file_name);
    vec![
        Case::new("toast product mix with a range of one day", &toast, 42.0, 9_600.0)
            .left_out(&[("total", 42.0, 9_600.0)])
            .posted(&[(13, 42.0, 9_600.0)]),
        of("square, the day in the file's name", "items-2026-11-13-2026-11-13.csv", &square, 37.0, 4_675.0)
            .posted(&[(13, 37.0, 4_675.0)]),
        of("by hand, the day in the file's name", "Bakery 14-11-2026.csv", &hand, 135.0, 1_282.5)
            .posted(&[(14, 135.0, 1_282.5)]),
        of(
            "loyverse, a name with a week, the day by hand",
            "2026-11-09-2026-11-15.csv",
            &loyverse,
            16.0,
            2_090.7,
        )
        .set(json!({ "day": "2026-11-12" }))
        .posted(&[(12, 16.0, 2_090.7)]),
        Case::new("start and end in the head", &sections, 18.0, 1_480.0).posted(&[(13, 18.0, 1_480.0)]),
    ]
}

pub fn in_the_future() -> Vec<Case> {
    let spelled = text(&[
        "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales",
        "\"Nov 13, 2026\",Larkspur Mall,1,Tapsilog,1,120.00,120.00",
        "\"Nov 13, 2062\",Larkspur Mall,2,Tapsilog,2,120.00,240.00",
        "\"Dec 31, 2028\",Larkspur Mall,3,Tapsilog,3,120.00,360.00",
    ]);
    let short_years = text(&[
        "Order Date;Store;Check No;Menu Item;Qty;Net Sales",
        "11/13/26 8:05 PM;Larkspur Mall;1;Negroni;1;300.00",
        "11/13/36 8:05 PM;Larkspur Mall;2;Negroni;1;300.00",
    ]);
    let next_day = text(&[
        "Business Date\tBranch\tOR No\tProduct\tQty\tPrice\tNet Amount",
        "20261113\tLarkspur Mall\t1\tRice\t4\t35.00\t140.00",
        "20271231\tLarkspur Mall\t2\tRice\t1\t35.00\t35.00",
        "20261114\tLarkspur Mall\t3\tRice\t2\t35.00\t70.00",
    ]);
    let all = text(&[
        "Date|Store|Receipt No|Item|Qty|Net Sales",
        "13/11/2036|Larkspur Mall|1|Rice|4|140.00",
        "14/11/2036|Larkspur Mall|2|Tea|1|80.00",
    ]);
    let offset = text(&[
        "Created at,Store,Order No,Item Name,Qty,Net Sales",
        "2026-11-13T10:00:00+08:00,Larkspur Mall,1,Ube Jam,2,360.00",
        "2126-11-13T10:00:00+08:00,Larkspur Mall,2,Ube Jam,1,180.00",
        "2099-11-13T10:00:00+08:00,Larkspur Mall,3,Ube Jam,1,180.00",
    ]);
    vec![
        Case::new("spelled months", &spelled, 1.0, 120.0)
            .problems(2)
            .left_out(&[("problem", 5.0, 600.0)])
            .posted(&[(13, 1.0, 120.0)]),
        Case::new("years of two digits", &short_years, 1.0, 300.0)
            .problems(1)
            .left_out(&[("problem", 1.0, 300.0)])
            .posted(&[(13, 1.0, 300.0)]),
        Case::new("dates without marks", &next_day, 6.0, 210.0)
            .problems(1)
            .left_out(&[("problem", 1.0, 35.0)])
            .posted(&[(13, 4.0, 140.0), (14, 2.0, 70.0)]),
        Case::new("no row before today", &all, 0.0, 0.0)
            .days(0)
            .problems(2)
            .left_out(&[("problem", 5.0, 220.0)]),
        Case::new("moments with an offset", &offset, 2.0, 360.0)
            .problems(2)
            .left_out(&[("problem", 2.0, 360.0)])
            .posted(&[(13, 2.0, 360.0)]),
    ]
}

/// Dates whose order of day and month no cell tells.
pub fn order_of_dates() -> Vec<Case> {
    let one_day = |date: &str| {
        text(&[
            "Date,Store,Receipt No,Item Name,Qty,Net Sales",
            &format!("{date},Larkspur Mall,1,Ube Jam,2,360.00"),
            &format!("{date},Larkspur Mall,2,Ube Jam,1,180.00"),
        ])
    };
    let week = text(&[
        "Sale date,Outlet,Receipt number,Product,Quantity,Net total",
        "11/02/26,Larkspur Mall,1,Wings,1,180.00",
        "11/03/26,Larkspur Mall,2,Wings,1,180.00",
        "11/04/26,Larkspur Mall,3,Wings,2,360.00",
        "11/05/26,Larkspur Mall,4,Wings,1,180.00",
        "11/06/26,Larkspur Mall,5,Wings,1,180.00",
        "11/07/26,Larkspur Mall,6,Wings,1,180.00",
        "11/08/26,Larkspur Mall,7,Wings,1,180.00",
    ]);
    vec![
        Case::new("the month first, chosen", &one_day("11/03/26"), 3.0, 540.0)
            .asks(&[("dateOrder", "mdy")])
            .posted(&[(3, 3.0, 540.0)]),
        Case::new("the day first, chosen", &one_day("03/11/2026"), 3.0, 540.0)
            .asks(&[("dateOrder", "dmy")])
            .posted(&[(3, 3.0, 540.0)]),
        Case::new("the same day either way", &one_day("11/11/2026"), 3.0, 540.0).posted(&[(11, 3.0, 540.0)]),
        Case::new("the other day is after today", &one_day("11/12/2026"), 3.0, 540.0)
            .posted(&[(12, 3.0, 540.0)]),
        Case::new("the days of a week in a row", &week, 8.0, 1_440.0).posted(&[
            (2, 1.0, 180.0),
            (3, 1.0, 180.0),
            (4, 2.0, 360.0),
            (5, 1.0, 180.0),
            (6, 1.0, 180.0),
            (7, 1.0, 180.0),
            (8, 1.0, 180.0),
        ]),
    ]
}
