use super::*;

#[test]
fn formats_show_what_is_plain_to_see() {
    for code in [
        "0.00",
        "General",
        "@",
        "#,##0.00",
        "\"₱\"#,##0.00",
        "[$₱-3409]#,##0.00;[Red]-0",
        "_(* #,##0_);_(@_)",
    ] {
        assert_eq!(shows(code.as_bytes()), Shows::Number, "{code}");
    }
    for code in ["yyyy-mm-dd", "dd/mm/yy hh:mm", "h:mm AM/PM", "[$-409]d\\-mmm\\-yy;@", "m/d/yy", "ss.000"] {
        assert_eq!(shows(code.as_bytes()), Shows::Moment, "{code}");
    }
    for code in
        ["[h]:mm", "[ss]", "[hhh]", "\"a\\\"0", "0.00E+00", "\"open", "[$open", "e\"x\"m", "0*", "[", "0\\₱d"]
    {
        assert_eq!(shows(code.as_bytes()), Shows::Unknown, "{code}");
    }
}
