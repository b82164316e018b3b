//! Who may grant what. Nobody gives or takes a right or a store they do not have, nobody touches a person who holds
//! more than they do, nor a role of such people, and somebody is left who can do everything.

use super::{Permission, Permissions, StoreScope};

/// Somebody about to give rights.
#[derive(Debug, Clone)]
pub struct Giver {
    /// Whether everything is allowed to them.
    pub super_admin: bool,
    /// What their role allows; nothing without one.
    pub permissions: Permissions,
    /// The stores they reach.
    pub scope: StoreScope,
}

/// What somebody holds, or is about to.
#[derive(Debug, Clone)]
pub struct Holder {
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// What the role allows; `None` without a role.
    pub permissions: Option<Permissions>,
    /// The stores, as they stand on the user: they count only with a role.
    pub scope: StoreScope,
}

impl From<&Holder> for Giver {
    /// What somebody can hand on: nothing without a role.
    fn from(holder: &Holder) -> Self {
        Self {
            super_admin: holder.super_admin,
            permissions: holder.permissions.clone().unwrap_or_default(),
            scope: if holder.super_admin { StoreScope::All } else { holder.scope.clone() },
        }
    }
}

/// What is more than the giver has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overreach {
    /// Rights the giver does not hold.
    Rights(Vec<Permission>),
    /// Stores out of the giver's reach.
    Stores(Vec<String>),
    /// Every store, by a giver who reaches only some.
    AllStores,
    /// The flag that allows everything.
    SuperAdmin,
    /// The giver does not see the person ([`sees_person`]).
    Unseen,
    /// The person holds more than the giver, so the giver may not touch them.
    HoldsMore,
    /// The role allows what the giver may not do, so the giver may not change it.
    RoleAllowsMore(Vec<Permission>),
    /// Somebody who has the role reaches further than the giver, so the giver may not change it.
    RoleReachesFurther,
}

/// Whether the giver may change this role at all, in any field: they hold every right of it and may touch everybody
/// who has it. Taking rights away counts, too: whoever empties a role can then touch its people.
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

/// Whether a role may become this: what it grants, before and after, must be held by the giver, in every store of
/// whoever has the role (`people`).
///
/// # Errors
/// What is too much.
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

/// Whether the giver may touch this person at all: change, disable, make a password or link for, sign out.
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

/// Whether a user may become this (`before` is `None` for a new one). The role first, then the stores.
///
/// # Errors
/// What is too much.
pub fn change_user(giver: &Giver, before: Option<&Holder>, after: &Holder) -> Result<(), Overreach> {
    if let Some(before) = before {
        may_manage(giver, before)?;
    }
    if let Some(over) = exceeds(giver, after) {
        return Err(over);
    }
    // Stores of somebody without a role open nothing yet, but they will.
    let same = before.is_some_and(|before| before.scope == after.scope);
    match stores_beyond(giver, &after.scope) {
        Some(over) if !same => Err(over),
        _ => Ok(()),
    }
}

/// What a person holds beyond the giver.
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

/// Whether a user with this store scope sees a person: those who share a store with the user, and those with no store yet,
/// so that they can be given one. Only users of all stores see those who reach all stores.
#[must_use]
pub fn sees_person(scope: &StoreScope, person: &Holder) -> bool {
    match (scope, &person.scope) {
        (StoreScope::All, _) => true,
        (StoreScope::Only(_), _) if person.super_admin => false,
        // No list of stores means all of them only beside a role.
        (StoreScope::Only(_), StoreScope::All) => person.permissions.is_none(),
        (StoreScope::Only(mine), StoreScope::Only(theirs)) => theirs.is_empty() || !mine.is_disjoint(theirs),
    }
}

/// Whether somebody is left who can do everything: `others` are the active super admins besides this person.
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

    /// Whether somebody can do a thing at a store.
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
    fn people_are_seen_by_those_of_their_stores() {
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
        fn nobody_gains_what_the_giver_lacks(giver in giver(), before in prop::option::of(holder()), after in holder()) {
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
        fn nobody_touches_whoever_holds_more(giver in giver(), person in holder(), after in holder()) {
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
        fn nobody_raises_themselves(permissions in permissions(), scope in scope(), after in holder()) {
            let giver = Giver { super_admin: false, permissions: permissions.clone(), scope: scope.clone() };
            let before = Holder { super_admin: false, permissions: Some(permissions.clone()), scope: scope.clone() };
            prop_assert_eq!(may_manage(&giver, &before), Ok(()));
            if change_user(&giver, Some(&before), &after).is_ok() {
                prop_assert!(!after.super_admin && after.permissions.is_none_or(|now| now.within(&permissions)));
                prop_assert!(after.scope.within(&scope));
            }
        }

        #[test]
        fn a_role_changes_nobody_beyond_the_giver(
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
