//! Layouts from other countries: other titles, date orders, decimal commas, units next to numbers, voided
//! lines. Modelled on exports of real systems.

use std::fmt::Write;

use super::files::{
    File, SALES, Sale, Truth, amount, book, by_item, grouped, net, table, text, truth, truth_of,
};

/// 1.234,50
fn comma(centavos: i64) -> String {
    grouped(centavos).replace(',', "_").replace('.', ",").replace('_', ".")
}

fn day(s: &Sale, format: &str) -> String {
    format.replace("DD", &s.0.to_string())
}

/// All of them.
pub fn files() -> Vec<File> {
    let mut all = words();
    all.extend(struck());
    all.extend(numbers());
    all
}

fn ask(questions: usize) -> Truth {
    Truth { questions, ..truth() }
}

fn words() -> Vec<File> {
    let spanish = table(
        "Fecha;Tienda;Artículo;REF;Categoría;Artículos vendidos;Ventas brutas;Descuentos;Ventas netas",
        |s| {
            let gross = s.5 * s.6;
            let all = [comma(gross), comma(s.7), comma(net(s))].join(";");
            format!("{};{};{};{};Comida;{};{all}", day(s, "DD/11/2026"), s.1, s.3, s.4, s.5)
        },
    );
    let german = table(
        "Datum;Uhrzeit;Kategorie;Artikel;Menge;Artikelnr;Bruttoumsatz;Rabatte;Nettoumsatz;Filiale",
        |s| {
            format!(
                "{};10:05:11;Speisen;{};{};{};{} €;-{} €;{} €;{}",
                day(s, "DD.11.26"),
                s.3,
                s.5,
                s.4,
                comma(s.5 * s.6),
                comma(s.7),
                comma(net(s)),
                s.1
            )
        },
    );
    let french =
        table("Date de vente;Magasin;Ticket;Description;Quantité;Prix unitaire;Remise;Montant", |s| {
            format!(
                "{};{};{};{};{};{};{};{}",
                day(s, "DD/11/2026 10:05"),
                s.1,
                s.2,
                s.3,
                s.5,
                amount(s.6).replace('.', ","),
                amount(s.7).replace('.', ","),
                amount(net(s)).replace('.', ",")
            )
        });
    let tagalog = table("PETSA,ORAS,SANGAY,RESIBO,PAGKAIN,DAMI,PRESYO,BAWAS,KABUUAN", |s| {
        format!(
            "{},10:05,{},{},{},{},{},{},{}",
            day(s, "2026-11-DD"),
            s.1,
            s.2,
            s.3,
            s.5,
            amount(s.6),
            amount(s.7),
            amount(net(s))
        )
    });
    let chinese = table("日期,门店,单号,商品名称,数量,单价,优惠金额,实收金额", |s| {
        format!(
            "{},{},{},{},{},{},{},{}",
            day(s, "2026年11月DD日"),
            s.1,
            s.2,
            s.3,
            s.5,
            amount(s.6),
            amount(s.7),
            amount(net(s))
        )
    });
    vec![
        text("spanish, points between thousands", spanish, ask(3)),
        text("german with euro signs", german, ask(3)),
        text("french with decimal commas", french, ask(3)),
        text("tagalog", tagalog, ask(4)),
        text("chinese", chinese, ask(4)),
    ]
}

/// Lines cancelled, voided or refunded.
fn struck() -> Vec<File> {
    let mut storehub = table(
        "Receipt Number,Transaction Time,Store Name,Register ID,Employee,Product Name,SKU,Quantity,Selling Price,Item Discount,Item Total,Is Cancelled",
        |s| {
            format!(
                "{},{},{},2,Ana,{},{},{},{},{},{},FALSE",
                s.2,
                day(s, "2026-11-DD 10:05:33"),
                s.1,
                s.3,
                s.4,
                s.5,
                amount(s.6),
                amount(s.7),
                amount(net(s))
            )
        },
    );
    storehub.push_str("504,2026-11-14 11:00:00,Pasig,2,Ana,Rice,R1,9,50.00,0.00,450.00,TRUE\n");
    let mut toast = table(
        "Location,Order Id,Sent Date,Menu Item,Menu Group,Qty,Avg Price,Gross Price,Discount,Net Price,Void?",
        |s| {
            format!(
                "{},7{},{},{},Food,{}.0,{},{},{},{},No",
                s.1,
                s.2,
                day(s, "11/DD/2026 10:05 AM"),
                s.3,
                s.5,
                amount(s.6),
                amount(s.5 * s.6),
                amount(s.7),
                amount(net(s))
            )
        },
    );
    toast.push_str("Pasig,7504,11/14/2026 11:00 AM,Rice,Food,9.0,50.00,450.00,0.00,450.00,Yes\n");
    let mut sap =
        table("DocNum;DocDate;WhsName;ItemCode;Dscription;Quantity;Price;DiscSum;LineTotal;Canceled", |s| {
            format!(
                "{};{};{};{};{};{}.000000;{}0000;{};{};N",
                s.2,
                day(s, "202611DD"),
                s.1,
                s.4,
                s.3,
                s.5,
                amount(s.6),
                amount(s.7),
                amount(net(s))
            )
        });
    sap.push_str("504;20261114;Pasig;R1;Rice;9.000000;50.000000;0.00;450.00;Y\n");
    let mut clover = table(
        "Line Item Date,Order ID,Item ID,Item Name,Item SKU,Location,Item Revenue,Total Discount,Item Total,Quantity Sold,Refunded",
        |s| {
            format!(
                "{},O{},I{},{},{},{},${},-${},${},{},No",
                day(s, "DD-Nov-2026 10:05 AM"),
                s.2,
                s.4,
                s.3,
                s.4,
                s.1,
                amount(s.5 * s.6),
                amount(s.7),
                amount(net(s)),
                s.5
            )
        },
    );
    clover.push_str("14-Nov-2026 11:00 AM,O505,IR1,Rice,R1,Pasig,-$100.00,$0.00,-$100.00,-2,No\n");
    // A voided line is kept and does not count.
    let voided = Truth { lines: 15, ..ask(2) };
    let back = Truth { lines: 15, qty: truth().qty - 2.0, net: truth().net - 100.0, ..ask(3) };
    vec![
        text("storehub with a cancelled line", storehub, voided),
        text("toast with a voided line", toast, voided),
        text("sap business one with a cancelled document", sap, voided),
        text("clover with a refund", clover, back),
    ]
}

/// Numbers as written by people and in other countries.
fn numbers() -> Vec<File> {
    // Rupiah: no decimals, points as thousands separators, all prices times 100.
    let rupiah = table("Tanggal,Outlet,No Struk,Nama Produk,Kuantitas,Harga,Diskon,Total", |s| {
        let point = |pesos: i64| grouped(pesos * 100).trim_end_matches(".00").replace(',', ".");
        format!(
            "{},{},{},{},{},Rp {},Rp {},Rp {}",
            day(s, "DD/11/2026"),
            s.1,
            s.2,
            s.3,
            s.5,
            point(s.6 * 10),
            point(s.7 * 10),
            point(net(s) * 10)
        )
    });
    let thousandfold = Truth { net: truth().net * 1_000.0, ..ask(4) };
    let units = table("Date,Branch,Product,Qty,Amount", |s| {
        format!("{},{},{},{} pcs,\"PHP {}\"", day(s, "11/DD/2026"), s.1, s.3, s.5, grouped(net(s)))
    });
    let makati: Vec<Sale> = SALES.iter().filter(|s| s.1 == "Makati").copied().collect();
    let mosaic = {
        let mut rows: Vec<Vec<String>> = [
            "MOSAIC SOLUTIONS|",
            "Product mix report|",
            "Store: Makati|",
            "Business date: November 12, 2026|",
            "",
        ]
        .iter()
        .map(|row| row.split('|').map(str::to_owned).collect())
        .collect();
        rows.push(["Product", "Qty", "% of qty", "Net Sales", "% of sales"].map(str::to_owned).to_vec());
        for (item, sold) in by_item("Makati") {
            let Some((qty, sum)) = sold.get(&12) else { continue };
            rows.push(vec![item.to_owned(), qty.to_string(), "11.11%".into(), amount(*sum), "12.5%".into()]);
        }
        rows
    };
    let one_day: Vec<Sale> = makati.iter().filter(|s| s.0 == 12).copied().collect();
    let mosaic_truth = Truth { questions: 2, ..truth_of(&one_day, 3) };
    let mut lightspeed = "\"Sale date\",\"Outlet\",\"Receipt\",\"Line type\",\"Product\",\"Quantity\",\"Subtotal\",\"Sales tax\",\"Total\"\n".to_owned();
    for s in &SALES {
        let _ = writeln!(
            lightspeed,
            "\"{}\",\"{}\",{},\"Sale Line\",\"{}\",{},{},{},{}",
            day(s, "DD Nov 2026"),
            s.1,
            s.2,
            s.3,
            s.5,
            amount(net(s) - net(s) * 12 / 112),
            amount(net(s) * 12 / 112),
            amount(net(s))
        );
    }
    vec![
        text("rupiah without fractions", rupiah, thousandfold),
        text("units beside quantities", units, ask(2)),
        book("mosaic product mix of a day", mosaic_truth, &[("Product Mix", mosaic)]),
        text("lightspeed with a tax beside the total", lightspeed, ask(3)),
    ]
}
