use super::*;

fn fed(markup: &str) -> Result<Markup, Beyond> {
    let mut counted = Markup::default();
    // In odd parts: nothing may depend on where one ends.
    for part in markup.as_bytes().chunks(7) {
        counted.feed(part, &mut |_| {})?;
    }
    Ok(counted)
}

#[test]
fn elements_texts_and_tags_are_counted() {
    let counted =
        fed("<?xml version='1.0'?><x:sst a='a long one'><si><t>a > b</t></si><!-- <si> --><si/></x:sst>")
            .expect("well formed");
    assert_eq!((counted.elements, counted.texts, counted.longest, counted.depth), (4, 2, 3, 0));
    let counted =
        fed("<sst><si><t><![CDATA[<si></t>]]></t></si><x:si b='/>'></x:si></sst>").expect("well formed");
    assert_eq!((counted.elements, counted.texts, counted.longest, counted.depth), (4, 2, 11, 0));
}

#[test]
fn memory_held_at_once_is_limited() {
    let long = "x".repeat(LONGEST + 1);
    let pieces = "<t>x</t>".repeat(LONGEST / 8 + 1);
    for beyond in [
        format!("<c><v>{long}"),
        format!("<c v='{long}"),
        format!("<!-- {long}"),
        format!("<a><![CDATA[{long}"),
        format!("<?{long}"),
        format!("<c><is>{pieces}"),
        format!("<si>{pieces}"),
        "<a>".repeat(DEEPEST + 1),
        "<a b='<c>'/>".to_owned(),
        "<!DOCTYPE x>".to_owned(),
        "<!-->".to_owned(),
    ] {
        assert_eq!(fed(&beyond).err(), Some(Beyond), "{}", &beyond[..beyond.len().min(40)]);
    }
    assert!(fed(&"<a></a>".repeat(LONGEST)).is_ok());
    assert!(fed(&"<row><c><v>1</v></c></row>".repeat(LONGEST / 8)).is_ok());
}
