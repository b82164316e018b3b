//! Applications for access to the demo: some pending, one approved, one rejected.

use larder_db::{Actor, DbError};
use larder_platform::http::ApiError;
use larder_platform::people::applications;
use larder_platform::people::applications::{ApplicationForm, Decision};
use larder_platform::people::users;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};

/// The outcome of an application.
enum Outcome {
    /// Not decided yet.
    Pending,
    /// They are among the demo's users.
    Approved,
    /// Rejected with this reason.
    Rejected(&'static str),
}

struct Applicant {
    /// Days before the last one.
    ago: i32,
    name: &'static str,
    email: &'static str,
    mobile: &'static str,
    position: &'static str,
    store: &'static str,
    reason: &'static str,
    outcome: Outcome,
}

const APPLICANTS: &[Applicant] = &[
    Applicant {
        ago: 20,
        name: "Carlo Reyes",
        email: "viewer@larder.example",
        mobile: "0917 555 0142",
        position: "Area supervisor",
        store: "Makati",
        reason: "I look after six branches and want to see their weekly sales.",
        outcome: Outcome::Approved,
    },
    Applicant {
        ago: 12,
        name: "Jun Dizon",
        email: "jun.dizon@supplier.example",
        mobile: "0918 555 0177",
        position: "Sales agent, Dizon Trading",
        store: "",
        reason: "I would like to see how much you order from us.",
        outcome: Outcome::Rejected("Suppliers get their figures from purchasing. Please write to them."),
    },
    Applicant {
        ago: 3,
        name: "Grace Mendoza",
        email: "grace.mendoza@larder.example",
        mobile: "0919 555 0123",
        position: "Store manager",
        store: "Pasig",
        reason: "I take over from Ana next month and need to count and order.",
        outcome: Outcome::Pending,
    },
    Applicant {
        ago: 1,
        name: "Paolo Garcia",
        email: "paolo.garcia@larder.example",
        mobile: "0920 555 0166",
        position: "Commissary planner",
        store: "Commissary",
        reason: "Production planning for the new menu.",
        outcome: Outcome::Pending,
    },
    Applicant {
        ago: 0,
        name: "Nica Tan",
        email: "nica.tan@larder.example",
        mobile: "0921 555 0188",
        position: "Accounting assistant",
        store: "",
        reason: "Monthly sales reports for the lessors.",
        outcome: Outcome::Pending,
    },
];

/// Creates the applications and their decisions.
pub async fn load(demo: &mut DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    for (nth, applicant) in APPLICANTS.iter().enumerate() {
        let day = world.last.plus(-applicant.ago);
        let minute = i64::try_from(nth).unwrap_or(0) * 7;
        apply(demo, applicant, moment(day, 9, minute)).await?;
        if !matches!(applicant.outcome, Outcome::Pending) {
            decide(demo, applicant, moment(day, 15, minute)).await?;
        }
    }
    Ok(())
}

async fn apply(
    demo: &mut DemoActor<'_>,
    applicant: &Applicant,
    at: larder_domain::Timestamp,
) -> Result<(), ApiError> {
    let id = &demo.id(at);
    let actor = Actor {
        uid: String::new(),
        name: applicant.name.to_owned(),
        email: applicant.email.to_owned(),
        from: "203.0.113.7".to_owned(),
        at: demo.not_later(at),
    };
    let said = &ApplicationForm {
        name: applicant.name.to_owned(),
        email: applicant.email.to_owned(),
        mobile: applicant.mobile.to_owned(),
        position: applicant.position.to_owned(),
        store: applicant.store.to_owned(),
        reason: applicant.reason.to_owned(),
    };
    let received =
        demo.state.db.write(&actor, async |tx| applications::receive(tx, id, said, &actor.from).await);
    Ok(received.await?)
}

async fn decide(
    demo: &DemoActor<'_>,
    applicant: &Applicant,
    at: larder_domain::Timestamp,
) -> Result<(), ApiError> {
    let decided = demo
        .state
        .db
        .write(&demo.actor(0, at), async |tx| {
            let open = applications::open_of(tx, applicant.email).await?.ok_or(DbError::NotFound)?;
            let user = users::of_address(tx, applicant.email).await?.map(|user| user.id).unwrap_or_default();
            let decision = match applicant.outcome {
                Outcome::Rejected(note) => Decision::Rejected { note },
                _ => Decision::Approved { user_id: &user },
            };
            applications::decide(tx, &open, decision, open.revision).await.map(drop)
        })
        .await;
    Ok(decided?)
}
