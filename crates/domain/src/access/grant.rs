//! Who may grant what. Users cannot grant or revoke a permission or a store they do not have, cannot change a user
//! whose permissions exceed theirs, nor a role of such users, and at least one super admin remains.

use super::{Permission, Permissions, StoreScope};

/// The user who grants permissions.
#[derive(Debug, Clone)]
pub struct Giver {
    pub super_admin: bool,
    /// The permissions of their role; none without a role.
    pub permissions: Permissions,
    pub scope: StoreScope,
}

/// What a user holds, or is about to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub super_admin: bool,
    /// The role's permissions; `None` without a role.
    pub permissions: Option<Permissions>,
    /// The stores as set on the user: they apply only with a role.
    pub scope: StoreScope,
}

impl From<&Holder> for Giver {
    /// What a user can pass on: nothing without a role.
    fn from(holder: &Holder) -> Self {
        Self {
            super_admin: holder.super_admin,
            permissions: holder.permissions.clone().unwrap_or_default(),
            scope: if holder.super_admin { StoreScope::All } else { holder.scope.clone() },
        }
    }
}

/// What exceeds the giver's own permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overreach {
    /// Permissions the giver does not have.
    Rights(Vec<Permission>),
    /// Stores outside the giver's scope.
    Stores(Vec<String>),
    /// All stores, by a giver limited to some.
    AllStores,
    /// The super admin flag.
    SuperAdmin,
    /// The user is not visible to the giver ([`sees_person`]).
    Unseen,
    /// The user's permissions exceed the giver's, so the giver may not change them.
    HoldsMore,
    /// The role has permissions the giver lacks, so the giver may not change it.
    RoleAllowsMore(Vec<Permission>),
    /// A user of the role has a wider scope than the giver, so the giver may not change it.
    RoleReachesFurther,
}

/// Whether the giver may change this role at all, in any field: they have all its permissions and may manage all its
/// users. This includes removing permissions: a user who empties a role could then manage its users.
///
/// # Errors
/// [`Overreach::RoleAllowsMore`] or [`Overreach::RoleReachesFurther`].
pub fn may_change_role(giver: &Giver, role: &Permissions, people: &[Holder]) -> Result<(), Overreach> {
    if giver.super_admin {
        return Ok(());
    }
    let over: Vec<Permission> = role.missing_from(&giver.permissions).collect();
    if !over.is_empty() {
        return Err(Overreach::RoleAllowsMore(over));
    }
    let further = people.iter().any(|person| person.super_admin || !person.scope.within(&giver.scope));
    if further { Err(Overreach::RoleReachesFurther) } else { Ok(()) }
}

/// Whether a role may be changed to this: the giver must have its permissions, before and after, in every store of the
/// role's users (`people`).
///
/// # Errors
/// What exceeds the giver's permissions.
pub fn change_role(
    giver: &Giver,
    before: &Permissions,
    after: &Permissions,
    people: &[Holder],
) -> Result<(), Overreach> {
    may_change_role(giver, before, people)?;
    let over: Vec<Permission> = after.missing_from(&giver.permissions).collect();
    if giver.super_admin || over.is_empty() { Ok(()) } else { Err(Overreach::Rights(over)) }
}

/// Whether the giver may manage this user at all: change, disable, create a password or link for, sign out.
///
/// # Errors
/// [`Overreach::Unseen`] or [`Overreach::HoldsMore`].
pub fn may_manage(giver: &Giver, person: &Holder) -> Result<(), Overreach> {
    if !giver.super_admin && !sees_person(&giver.scope, person) {
        return Err(Overreach::Unseen);
    }
    match exceeds(giver, person) {
        None => Ok(()),
        Some(_) => Err(Overreach::HoldsMore),
    }
}

/// Whether a user may be changed to this (`before` is `None` for a new one). The role is checked first, then the
/// stores.
///
/// # Errors
/// What exceeds the giver's permissions.
pub fn change_user(giver: &Giver, before: Option<&Holder>, after: &Holder) -> Result<(), Overreach> {
    if let Some(before) = before {
        may_manage(giver, before)?;
    }
    if let Some(over) = exceeds(giver, after) {
        return Err(over);
    }
    // The stores of a user without a role grant nothing yet, but they will.
    let same = before.is_some_and(|before| before.scope == after.scope);
    match stores_beyond(giver, &after.scope) {
        Some(over) if !same => Err(over),
        _ => Ok(()),
    }
}

/// What a user holds beyond the giver.
fn exceeds(giver: &Giver, person: &Holder) -> Option<Overreach> {
    if giver.super_admin {
        return None;
    }
    if person.super_admin {
        return Some(Overreach::SuperAdmin);
    }
    let permissions = person.permissions.as_ref()?;
    let over: Vec<Permission> = permissions.missing_from(&giver.permissions).collect();
    if !over.is_empty() {
        return Some(Overreach::Rights(over));
    }
    stores_beyond(giver, &person.scope)
}

fn stores_beyond(giver: &Giver, scope: &StoreScope) -> Option<Overreach> {
    match (&giver.scope, scope) {
        _ if giver.super_admin || scope.within(&giver.scope) => None,
        (StoreScope::Only(mine), StoreScope::Only(theirs)) => {
            Some(Overreach::Stores(theirs.difference(mine).cloned().collect()))
        }
        _ => Some(Overreach::AllStores),
    }
}

/// Whether a user with this store scope sees another: those who share a store with them, and those with no store yet,
/// so that they can be given one. Only users of all stores see other users of all stores.
#[must_use]
pub fn sees_person(scope: &StoreScope, person: &Holder) -> bool {
    match (scope, &person.scope) {
        (StoreScope::All, _) => true,
        (StoreScope::Only(_), _) if person.super_admin => false,
        // A missing list of stores means all of them only with a role.
        (StoreScope::Only(_), StoreScope::All) => person.permissions.is_none(),
        (StoreScope::Only(mine), StoreScope::Only(theirs)) => theirs.is_empty() || !mine.is_disjoint(theirs),
    }
}

/// Whether a super admin remains: `others` are the active super admins besides this user.
#[must_use]
pub fn keeps_a_super_admin(was_active_super_admin: bool, is_active_super_admin: bool, others: i64) -> bool {
    !was_active_super_admin || is_active_super_admin || others > 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::access::Action;

    fn permissions() -> impl Strategy<Value = Permissions> {
        let pages = vec!["lists/allLists", "manageUsers/users", "stores/storeCount", "reports/reports"];
        let right = (prop::sample::select(pages), prop::sample::select(Action::ALL.to_vec()));
        prop::collection::vec(right, 0..12).prop_map(|rights| {
            let mut permissions = Permissions::default();
            for (page, action) in rights {
                permissions.grant(page, &[Action::View, action]);
            }
            permissions
        })
    }

    fn scope() -> impl Strategy<Value = StoreScope> {
        let some = prop::collection::btree_set("[a-d]", 0..4).prop_map(StoreScope::Only);
        prop_oneof![Just(StoreScope::All), some]
    }

    fn giver() -> impl Strategy<Value = Giver> {
        (prop::bool::weighted(0.2), permissions(), scope()).prop_map(|(super_admin, permissions, scope)| {
            let scope = if super_admin { StoreScope::All } else { scope };
            Giver { super_admin, permissions, scope }
        })
    }

    fn holder() -> impl Strategy<Value = Holder> {
        (prop::bool::weighted(0.2), prop::option::of(permissions()), scope())
            .prop_map(|(super_admin, permissions, scope)| Holder { super_admin, permissions, scope })
    }

    /// Whether a user can do something at a store.
    fn can(
        super_admin: bool,
        rights: Option<&Permissions>,
        scope: &StoreScope,
        right: Permission,
        store: &str,
    ) -> bool {
        super_admin || (rights.is_some_and(|rights| rights.allows(right)) && scope.contains(store))
    }

    fn everything() -> Vec<(Permission, String)> {
        let all = Permissions::everything();
        let rights: Vec<Permission> = all.rights().collect();
        rights
            .iter()
            .flat_map(|right| ["a", "b", "c", "d", "e"].map(|store| (*right, store.to_owned())))
            .collect()
    }

    #[test]
    fn users_see_others_of_their_stores() {
        let only = |ids: &[&str]| StoreScope::Only(ids.iter().map(|id| (*id).to_owned()).collect());
        let person = |super_admin, role: bool, scope: StoreScope| {
            let permissions = role.then(Permissions::default);
            Holder { super_admin, permissions, scope }
        };
        let near = only(&["a", "b"]);
        for (seen, holder) in [
            (true, person(false, true, only(&["b", "z"]))),
            (false, person(false, true, only(&["z"]))),
            (false, person(false, false, only(&["z"]))),
            (true, person(false, true, only(&[]))),
            (true, person(false, false, StoreScope::All)),
            (false, person(false, true, StoreScope::All)),
            (false, person(true, false, StoreScope::All)),
        ] {
            assert_eq!(sees_person(&near, &holder), seen, "{holder:?}");
            assert!(sees_person(&StoreScope::All, &holder));
        }
    }

    proptest! {
        #[test]
        fn no_user_gains_what_the_giver_lacks(giver in giver(), before in prop::option::of(holder()), after in holder()) {
            if change_user(&giver, before.as_ref(), &after).is_ok() {
                for (right, store) in everything() {
                    let gained = can(after.super_admin, after.permissions.as_ref(), &after.scope, right, &store);
                    let held = can(giver.super_admin, Some(&giver.permissions), &giver.scope, right, &store);
                    prop_assert!(!gained || held, "{right} at {store}");
                }
                prop_assert!(giver.super_admin || !after.super_admin);
            }
        }

        #[test]
        fn users_with_more_permissions_cannot_be_changed(giver in giver(), person in holder(), after in holder()) {
            let more = everything().into_iter().any(|(right, store)| {
                can(person.super_admin, person.permissions.as_ref(), &person.scope, right, &store)
                    && !can(giver.super_admin, Some(&giver.permissions), &giver.scope, right, &store)
            });
            if more {
                prop_assert!(may_manage(&giver, &person).is_err());
                prop_assert!(change_user(&giver, Some(&person), &after).is_err());
            }
        }

        #[test]
        fn no_user_raises_their_own_permissions(permissions in permissions(), scope in scope(), after in holder()) {
            let giver = Giver { super_admin: false, permissions: permissions.clone(), scope: scope.clone() };
            let before = Holder { super_admin: false, permissions: Some(permissions.clone()), scope: scope.clone() };
            prop_assert_eq!(may_manage(&giver, &before), Ok(()));
            if change_user(&giver, Some(&before), &after).is_ok() {
                prop_assert!(!after.super_admin && after.permissions.is_none_or(|now| now.within(&permissions)));
                prop_assert!(after.scope.within(&scope));
            }
        }

        #[test]
        fn a_role_change_stays_within_the_givers_permissions(
            giver in giver(), before in permissions(), after in permissions(),
            people in prop::collection::vec((prop::bool::weighted(0.1), scope()), 0..3),
        ) {
            let have = |(super_admin, scope): (bool, StoreScope)| Holder { super_admin, permissions: Some(before.clone()), scope };
            let people: Vec<Holder> = people.into_iter().map(have).collect();
            let touched = people.iter().all(|person| may_manage(&giver, person).is_ok());
            let held = before.within(&giver.permissions) && after.within(&giver.permissions);
            let allowed = change_role(&giver, &before, &after, &people).is_ok();
            prop_assert_eq!(allowed, giver.super_admin || (touched && held));
        }

        #[test]
        fn a_super_admin_may_do_all_of_it(before in holder(), after in holder(), old in permissions(), new in permissions()) {
            let giver = Giver { super_admin: true, permissions: Permissions::default(), scope: StoreScope::All };
            prop_assert!(change_user(&giver, Some(&before), &after).is_ok() && change_role(&giver, &old, &new, std::slice::from_ref(&before)).is_ok());
        }
    }

    #[test]
    fn the_last_super_admin_stays() {
        assert!(!keeps_a_super_admin(true, false, 0));
        assert!(keeps_a_super_admin(true, false, 1) && keeps_a_super_admin(true, true, 0));
        assert!(keeps_a_super_admin(false, false, 0));
    }
}
