//! Model of concurrent administration: several users change roles, users and credentials in any order. No user ever
//! holds, loses or takes over anything without a super admin or a holder having given or taken it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    Action, Giver, Holder, Overreach, Permission, Permissions, StoreScope, change_role, change_user,
    may_change_role, may_manage,
};

const STORES: [&str; 3] = ["a", "b", "new"];

#[derive(Debug, Clone)]
struct Person {
    super_admin: bool,
    role: Option<usize>,
    scope: StoreScope,
    active: bool,
}

/// A credential handed to its creator: a reset link or a temporary password.
#[derive(Debug, Clone)]
struct WayIn {
    maker: usize,
    person: usize,
}

#[derive(Debug, Clone)]
struct Organization {
    people: Vec<Person>,
    roles: Vec<(Permissions, bool)>,
    ways_in: Vec<WayIn>,
}

/// One attempted action; numbers select from the existing entries.
#[derive(Debug, Clone)]
enum Act {
    NewRole(Permissions),
    Rights(usize, Permissions),
    Require(usize, bool),
    Assign(usize, Option<usize>),
    Scope(usize, StoreScope),
    AssignInStores(usize, usize, StoreScope),
    SuperAdmin(usize, bool),
    Active(usize, bool),
    MakeWayIn(usize),
    UseWayIn(usize),
    Approve(usize, StoreScope),
}

const fn right(page: &'static str, action: Action) -> Permission {
    Permission { page, action }
}

/// The permissions roles consist of here, and one that only super admins have.
const RIGHTS: [Permission; 5] = [
    right("manageUsers/users", Action::View),
    right("manageUsers/users", Action::Edit),
    right("stores/storeCount", Action::View),
    right("stores/storeCount", Action::Edit),
    right("reports/reports", Action::View),
];

/// Permissions (indexes into [`RIGHTS`]) in stores.
type Held = BTreeSet<(usize, &'static str)>;

impl Organization {
    fn holder(&self, person: &Person) -> Holder {
        Holder {
            super_admin: person.super_admin,
            permissions: person.role.map(|role| self.roles[role].0.clone()),
            scope: if person.super_admin { StoreScope::All } else { person.scope.clone() },
        }
    }

    fn giver(&self, by: usize) -> Giver {
        Giver::from(&self.holder(&self.people[by]))
    }

    fn having(&self, role: usize) -> Vec<Holder> {
        let have = self.people.iter().filter(|person| person.role == Some(role));
        have.map(|person| self.holder(person)).collect()
    }

    fn held(&self, person: usize) -> Held {
        let holder = self.holder(&self.people[person]);
        let may =
            |right| holder.super_admin || holder.permissions.as_ref().is_some_and(|held| held.allows(right));
        let rights = (0..RIGHTS.len()).filter(|at| may(RIGHTS[*at]));
        let stores = |at| {
            STORES.into_iter().filter(|store| holder.scope.contains(store)).map(move |store| (at, store))
        };
        rights.flat_map(stores).collect()
    }

    /// As on the server: the check, then the change. `Ok(Some(person))`: whose account was taken over.
    fn act(&mut self, by: usize, act: Act) -> Result<Option<usize>, Overreach> {
        let giver = self.giver(by);
        let (people, roles) = (self.people.len(), self.roles.len());
        let changed = |organization: &mut Self, person: usize, after: Person| {
            let before = organization.holder(&organization.people[person]);
            change_user(&giver, Some(&before), &organization.holder(&after))?;
            organization.people[person] = after;
            Ok(None)
        };
        match act {
            Act::NewRole(rights) => {
                change_role(&giver, &Permissions::default(), &rights, &[])?;
                self.roles.push((rights, false));
            }
            Act::Rights(role, rights) => {
                change_role(&giver, &self.roles[role % roles].0, &rights, &self.having(role % roles))?;
                self.roles[role % roles].0 = rights;
            }
            Act::Require(role, yes) => {
                may_change_role(&giver, &self.roles[role % roles].0, &self.having(role % roles))?;
                self.roles[role % roles].1 = yes;
            }
            Act::Assign(person, role) => {
                let after =
                    Person { role: role.map(|role| role % roles), ..self.people[person % people].clone() };
                return changed(self, person % people, after);
            }
            Act::Scope(person, scope) => {
                let after = Person { scope, ..self.people[person % people].clone() };
                return changed(self, person % people, after);
            }
            Act::AssignInStores(person, role, scope) => {
                let after =
                    Person { role: Some(role % roles), scope, ..self.people[person % people].clone() };
                return changed(self, person % people, after);
            }
            Act::SuperAdmin(person, super_admin) => {
                let after = Person { super_admin, ..self.people[person % people].clone() };
                return changed(self, person % people, after);
            }
            Act::Active(person, active) => {
                let after = Person { active, ..self.people[person % people].clone() };
                return changed(self, person % people, after);
            }
            Act::MakeWayIn(person) => {
                may_manage(&giver, &self.holder(&self.people[person % people]))?;
                self.ways_in.push(WayIn { maker: by, person: person % people });
            }
            Act::UseWayIn(at) => {
                let Some(way) = self.ways_in.get(at % self.ways_in.len().max(1)).cloned() else {
                    return Ok(None);
                };
                // A handed-over credential opens no more than its creator still has.
                may_manage(&self.giver(way.maker), &self.holder(&self.people[way.person]))?;
                return Ok(Some(way.person));
            }
            Act::Approve(role, scope) => {
                let new = Person { super_admin: false, role: Some(role % roles), scope, active: true };
                change_user(&giver, None, &self.holder(&new))?;
                self.people.push(new);
            }
        }
        Ok(None)
    }
}

fn rights() -> impl Strategy<Value = Permissions> {
    let pages = vec!["manageUsers/users", "stores/storeCount"];
    let right = (prop::sample::select(pages), prop::sample::select(vec![Action::View, Action::Edit]));
    prop::collection::vec(right, 0..4).prop_map(|rights| {
        let mut permissions = Permissions::default();
        for (page, action) in rights {
            permissions.grant(page, &[Action::View, action]);
        }
        permissions
    })
}

fn scope() -> impl Strategy<Value = StoreScope> {
    let some = prop::collection::btree_set(prop::sample::select(vec!["a".to_owned(), "b".to_owned()]), 0..3);
    prop_oneof![1 => Just(StoreScope::All), 3 => some.prop_map(StoreScope::Only)]
}

fn person() -> impl Strategy<Value = Person> {
    (prop::option::weighted(0.8, 0..3usize), scope()).prop_map(|(role, scope)| Person {
        super_admin: false,
        role,
        scope,
        active: true,
    })
}

/// The first user is a super admin.
fn organization() -> impl Strategy<Value = Organization> {
    (prop::collection::vec(person(), 2..5), prop::collection::vec(rights(), 3)).prop_map(|(others, roles)| {
        let first = Person { super_admin: true, role: None, scope: StoreScope::All, active: true };
        let people = std::iter::once(first).chain(others).collect();
        Organization {
            people,
            roles: roles.into_iter().map(|rights| (rights, true)).collect(),
            ways_in: Vec::new(),
        }
    })
}

fn act() -> impl Strategy<Value = Act> {
    let at = || 0..8usize;
    prop_oneof![
        1 => rights().prop_map(Act::NewRole),
        3 => (at(), rights()).prop_map(|(role, rights)| Act::Rights(role, rights)),
        1 => (at(), any::<bool>()).prop_map(|(role, yes)| Act::Require(role, yes)),
        2 => (at(), prop::option::of(at())).prop_map(|(person, role)| Act::Assign(person, role)),
        2 => (at(), scope()).prop_map(|(person, scope)| Act::Scope(person, scope)),
        2 => (at(), at(), scope()).prop_map(|(person, role, scope)| Act::AssignInStores(person, role, scope)),
        1 => (at(), any::<bool>()).prop_map(|(person, yes)| Act::SuperAdmin(person, yes)),
        1 => (at(), any::<bool>()).prop_map(|(person, yes)| Act::Active(person, yes)),
        2 => at().prop_map(Act::MakeWayIn),
        2 => at().prop_map(Act::UseWayIn),
        1 => (at(), scope()).prop_map(|(role, scope)| Act::Approve(role, scope)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_user_gains_or_loses_what_no_holder_gave_or_took(
        mut organization in organization(), acts in prop::collection::vec((0..8usize, act()), 1..40),
    ) {
        for (by, act) in acts {
            let by = by % organization.people.len();
            if !organization.people[by].active {
                continue;
            }
            let before = organization.clone();
            let Ok(entered) = organization.act(by, act.clone()) else { continue };
            if let Some(person) = entered {
                // Using a credential requires at least its creator's access; look for the user among the creators.
                let makers = before.ways_in.iter().filter(|way| way.person == person);
                let opened = before.held(person);
                prop_assert!(makers.into_iter().any(|way| opened.is_subset(&before.held(way.maker))), "{act:?}");
                continue;
            }
            let own = before.held(by);
            for person in 0..organization.people.len() {
                let had = if person < before.people.len() { before.held(person) } else { Held::new() };
                let has = organization.held(person);
                let moved: Vec<_> = had.symmetric_difference(&has).collect();
                prop_assert!(moved.iter().all(|one| own.contains(*one)), "{act:?} by {by} at {person}: {moved:?}");
                let is_super = before.people[by].super_admin;
                let was_super = person < before.people.len() && before.people[person].super_admin;
                prop_assert!(is_super || was_super == organization.people[person].super_admin, "{act:?}");
            }
            for (role, (now, was)) in organization.roles.iter().zip(&before.roles).enumerate() {
                if now != was {
                    for person in (0..before.people.len()).filter(|at| before.people[*at].role == Some(role)) {
                        prop_assert!(before.held(person).is_subset(&own), "{act:?} by {by} touches {person}");
                    }
                }
            }
        }
    }

    /// Without a super admin's action, all other users together never gain permissions.
    #[test]
    fn together_they_gain_nothing(mut organization in organization(), acts in prop::collection::vec((1..8usize, act()), 1..40)) {
        let all = |organization: &Organization| -> Held { (1..organization.people.len()).flat_map(|at| organization.held(at)).collect() };
        let first = all(&organization);
        for (by, act) in acts {
            let by = 1 + by % (organization.people.len() - 1);
            if let Ok(Some(person)) = organization.act(by, act) {
                prop_assert!(!organization.people[person].super_admin);
            }
        }
        prop_assert!(all(&organization).is_subset(&first));
    }
}

/// The attack this prevents: empty a role you do not have, move into it, wait until its permissions are restored.
#[test]
fn a_role_above_is_not_emptied() {
    let mut much = Permissions::default();
    much.grant("stores/storeCount", &[Action::View, Action::Unlock]);
    let mut clerk = Permissions::default();
    clerk.grant("manageUsers/users", Action::ALL);
    let giver = Giver { super_admin: false, permissions: clerk, scope: StoreScope::All };
    let much_of = |action| right("stores/storeCount", action);
    let over = Overreach::RoleAllowsMore(vec![much_of(Action::View), much_of(Action::Unlock)]);
    assert_eq!(change_role(&giver, &much, &Permissions::default(), &[]), Err(over.clone()));
    assert_eq!(may_change_role(&giver, &much, &[]), Err(over));
}
