//! What happened lately on this node, for screens that were away for a moment: a ring of events, and the
//! place where listeners take it over without missing or repeating one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use larder_db::LiveEvent;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// How many events a screen may have missed before it has to fetch everything again.
const KEPT: usize = 1_000;
/// How many events a slow listener may be behind.
const BACKLOG: usize = 4_096;

/// Passes on the database's events and remembers the last ones.
pub struct Hub {
    kept: Mutex<VecDeque<Arc<LiveEvent>>>,
    heard: Sender<Arc<LiveEvent>>,
}

/// What a listener begins with.
pub struct Start {
    /// Events from now on.
    pub changes: Receiver<Arc<LiveEvent>>,
    /// What came after the event it heard last; `None` when that is not known any more.
    pub missed: Option<Vec<Arc<LiveEvent>>>,
}

impl Hub {
    /// Follows a database's events for as long as it is open.
    #[must_use]
    pub fn follow(mut changes: Receiver<Arc<LiveEvent>>) -> Arc<Self> {
        let (heard, _) = channel(BACKLOG);
        let hub = Arc::new(Self { kept: Mutex::new(VecDeque::with_capacity(KEPT)), heard });
        let follower = Arc::clone(&hub);
        tokio::spawn(async move {
            loop {
                match changes.recv().await {
                    Ok(event) => follower.pass_on(event),
                    Err(RecvError::Lagged(_)) => follower.pass_on(Arc::new(LiveEvent::refetch())),
                    Err(RecvError::Closed) => return,
                }
            }
        });
        hub
    }

    fn pass_on(&self, event: Arc<LiveEvent>) {
        let mut kept = self.lock();
        if event.kind == "*" {
            // There is a gap: whatever was heard before it, nobody knows what came after.
            kept.clear();
        } else {
            if kept.len() == KEPT {
                kept.pop_front();
            }
            kept.push_back(Arc::clone(&event));
        }
        // Under the lock, so that a listener has an event from the ring or from the channel, never from both.
        self.heard.send(event).ok();
    }

    /// Begins to listen, after the event with this number if one is named.
    pub fn listen(&self, after: Option<i64>) -> Start {
        let kept = self.lock();
        let missed = match after {
            None => Some(Vec::new()),
            Some(seq) => kept
                .iter()
                .rposition(|event| event.seq == seq && seq > 0)
                .map(|at| kept.iter().skip(at + 1).cloned().collect()),
        };
        Start { changes: self.heard.subscribe(), missed }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<LiveEvent>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: i64) -> Arc<LiveEvent> {
        Arc::new(LiveEvent { kind: "uom".into(), seq, ..LiveEvent::refetch() })
    }

    fn seqs(start: &Start) -> Option<Vec<i64>> {
        start.missed.as_ref().map(|missed| missed.iter().map(|event| event.seq).collect())
    }

    #[tokio::test]
    async fn what_came_after_the_last_event_is_told_once() {
        let (sender, receiver) = channel(8);
        let hub = Hub::follow(receiver);
        drop(sender);
        for seq in [5, 7, 0, 6] {
            hub.pass_on(event(seq));
        }
        assert_eq!(seqs(&hub.listen(None)), Some(vec![]));
        assert_eq!(seqs(&hub.listen(Some(7))), Some(vec![0, 6]), "numbers may come out of order");
        assert_eq!(seqs(&hub.listen(Some(6))), Some(vec![]));
        assert_eq!(seqs(&hub.listen(Some(4))), None);
        assert_eq!(seqs(&hub.listen(Some(0))), None);
        let mut start = hub.listen(Some(6));
        hub.pass_on(event(8));
        assert_eq!(start.changes.recv().await.expect("an event").seq, 8);
    }

    #[tokio::test]
    async fn only_the_last_thousand_are_known_and_none_before_a_gap() {
        let (_sender, receiver) = channel(8);
        let hub = Hub::follow(receiver);
        for seq in 1..=1_001 {
            hub.pass_on(event(seq));
        }
        assert_eq!(seqs(&hub.listen(Some(1))), None);
        assert_eq!(seqs(&hub.listen(Some(2))).map(|missed| missed.len()), Some(999));
        hub.pass_on(Arc::new(LiveEvent::refetch()));
        assert_eq!(seqs(&hub.listen(Some(1_001))), None);
    }
}
