//! Companies of the group, and their suppliers.

use larder_domain::{BusinessDay, Money};

use crate::engine::list;

list! {
    /// A company of the group.
    Company = "company" in "companies", "lists/allLists", "/api/lists/companies" {
        name: String = "Name" [keyed, searched],
        street_address: Option<String> = "Street address",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        country: Option<String> = "Country",
        postal_code: Option<String> = "Postal code" [max(20)],
        email: Option<String> = "Email" [searched, email],
        website: Option<String> = "Website" [web],
        phone: Option<String> = "Phone" [searched, max(100)],
        industry: Option<String> = "Industry",
        legal_business_name: Option<String> = "Legal business name" [searched],
        tin: Option<String> = "TIN" [searched, max(50)],
        business_type: Option<String> = "Business type",
        dti_sec_url: Option<String> = "DTI/SEC registration" [web],
        mayor_permit_url: Option<String> = "Mayor's permit" [web],
        bir_url: Option<String> = "BIR registration" [web],
    }
    one: "company", many: "Companies", icon: "IconBuilding", merges: true, opened_at: Some("/lists/companies/:id"),
    ;
}

list! {
    /// A supplier of the group.
    Supplier = "supplier" in "suppliers", "lists/allLists", "/api/lists/suppliers" {
        name: String = "Name" [keyed, searched],
        title: Option<String> = "Title" [max(50)],
        first_name: Option<String> = "First name" [searched],
        middle_name: Option<String> = "Middle name",
        last_name: Option<String> = "Last name" [searched],
        suffix: Option<String> = "Suffix" [max(50)],
        company_name: Option<String> = "Company name" [searched],
        email: Option<String> = "Email" [searched, email],
        phone: Option<String> = "Phone" [searched, max(100)],
        mobile_number: Option<String> = "Mobile number" [searched, max(100)],
        fax: Option<String> = "Fax" [max(100)],
        other_contact: Option<String> = "Other contact",
        website: Option<String> = "Website" [web],
        street_address: Option<String> = "Street address",
        street_address2: Option<String> = "Street address 2",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        zip_code: Option<String> = "ZIP code" [max(20)],
        country: Option<String> = "Country",
        contact_person: Option<String> = "Contact person" [searched],
        notes: Option<String> = "Notes" [lines],
        tax_id: Option<String> = "Tax ID" [searched, max(50)],
        payment_terms: Option<String> = "Payment terms",
        account_number: Option<String> = "Account number" [searched, max(100)],
        expense_category: Option<String> = "Expense category",
        opening_balance: Option<Money> = "Opening balance" [signed, added],
        opening_balance_date: Option<BusinessDay> = "Opening balance date",
    }
    one: "supplier", many: "Suppliers", icon: "IconTruck", merges: true,
    ;
}
