//! Which Google accounts are accepted, and where a sign-in may redirect.

use axum::http::{HeaderMap, header};

use super::Refusal;
use larder_platform::AppState;
use larder_platform::config::Config;
use larder_platform::openid::Identity;

/// Only accounts of the company's own Workspace, with a verified address in the company's domain. A setting
/// also allows accounts that belong to no Workspace.
///
/// # Errors
/// «Only @{company-domain} Google accounts are allowed.», that the account is not managed by the company, or
/// that the address is unverified.
pub fn of_the_company(identity: &Identity, config: &Config) -> Result<(), Refusal> {
    let domain = config.company_domain.as_str();
    let refuse = |code, message: Option<String>, why: &str| {
        Err(Refusal { message, email: identity.email.clone(), ..Refusal::new(code, why) })
    };
    let only = || Some(format!("Only @{domain} Google accounts are allowed."));
    let hosted = identity.hosted_domain.as_deref().unwrap_or_default();
    let suffix = identity.email.rsplit_once('@').map(|(_, suffix)| suffix).unwrap_or_default();
    if !hosted.is_empty() && !hosted.eq_ignore_ascii_case(domain) {
        return refuse("larder/company-domain", only(), &format!("hosted domain «{hosted}»"));
    }
    if !suffix.eq_ignore_ascii_case(domain) {
        return refuse("larder/company-domain", only(), "the address is not of the company's domain");
    }
    if !identity.email_verified {
        let message = "Google has not verified this address. Verify it there, then try again.".to_owned();
        return refuse("larder/unverified-address", Some(message), "the address is not verified");
    }
    // Brief access to the mailbox is enough to open such an account, and the company cannot close it.
    if hosted.is_empty() && !config.google_without_workspace {
        let message = format!(
            "This Google account has an @{domain} address, but it is a personal account that the company does not \
             manage. Sign in with your password, or ask your administrator for a company Google account."
        );
        return refuse("larder/not-managed", Some(message), "the account belongs to no Workspace");
    }
    Ok(())
}

/// A path of the console, or its start page: never another site.
#[must_use]
pub fn own_path(wished: Option<&str>) -> String {
    let ours = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains(['\\', '\n', '\r', '\t'])
            && !path.chars().any(char::is_control)
    };
    wished.filter(ours).unwrap_or("/").to_owned()
}

/// Google's redirect address: under the public address, or under the one the browser used.
#[must_use]
pub fn callback(state: &AppState, headers: &HeaderMap) -> String {
    let base = state.config.public_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    let base = base.unwrap_or_else(|| {
        let host = headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or("127.0.0.1");
        format!("http://{host}")
    });
    format!("{base}/api/session/google/callback")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(email: &str, verified: bool, hosted: Option<&str>) -> Identity {
        Identity {
            subject: "1".into(),
            email: email.into(),
            email_verified: verified,
            name: String::new(),
            picture: String::new(),
            hosted_domain: hosted.map(str::to_owned),
            auth_time: None,
        }
    }

    #[test]
    fn accepts_only_verified_addresses_of_the_company_workspace() {
        let mut config = Config { company_domain: "larder.example".into(), ..Config::default() };
        let judged = |config: &Config, email, verified, hosted| {
            let judged = of_the_company(&identity(email, verified, hosted), config);
            judged.map_err(|refusal| refusal.code)
        };
        let allowed = |email, verified, hosted| judged(&config, email, verified, hosted).is_ok();
        assert!(allowed("ana@larder.example", true, Some("larder.example")));
        assert!(allowed("Ana@LARDER.example", true, Some("Larder.Example")));
        assert!(!allowed("ana@larder.example", false, Some("larder.example")));
        assert!(!allowed("ana@larder.example", true, None));
        assert!(!allowed("ana@larder.example", true, Some("evil.example")));
        assert!(!allowed("ana@notlarder.example", true, Some("larder.example")));
        assert!(!allowed("ana@larder.example@evil.example", true, Some("larder.example")));
        assert!(!allowed("", true, Some("larder.example")));
        let own = "ana@larder.example";
        assert_eq!(judged(&config, own, true, None), Err("larder/not-managed"));
        assert_eq!(judged(&config, own, false, None), Err("larder/unverified-address"));
        config.google_without_workspace = true;
        assert_eq!(judged(&config, own, true, None), Ok(()));
        assert_eq!(judged(&config, own, false, None), Err("larder/unverified-address"));
        for (email, hosted) in [("ana@evil.example", None), (own, Some("evil.example"))] {
            assert_eq!(judged(&config, email, true, hosted), Err("larder/company-domain"));
        }
    }

    #[test]
    fn never_redirects_to_another_site() {
        assert_eq!(own_path(Some("/reports/standard?x=1#y")), "/reports/standard?x=1#y");
        for away in
            ["//evil.example", "https://evil.example", "/\\evil.example", "evil", "", "/\t/evil.example"]
        {
            assert_eq!(own_path(Some(away)), "/", "{away:?}");
        }
        assert_eq!(own_path(None), "/");
    }
}
