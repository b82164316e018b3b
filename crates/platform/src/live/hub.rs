//! Recent events of this node, for screens that were disconnected for a moment: a ring buffer, and a handover
//! to listeners without gaps or duplicates.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use larder_db::LiveEvent;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// Events kept; a screen that missed more has to refetch everything.
const KEPT: usize = 1_000;
/// How many events a slow listener may lag behind.
const BACKLOG: usize = 4_096;

/// Forwards the database's events and keeps the recent ones.
pub struct Hub {
    kept: Mutex<VecDeque<Arc<LiveEvent>>>,
    heard: Sender<Arc<LiveEvent>>,
}

/// The initial state of a listener.
pub struct Start {
    pub changes: Receiver<Arc<LiveEvent>>,
    /// Events after the last one it received; `None` if they are no longer kept.
    pub missed: Option<Vec<Arc<LiveEvent>>>,
}

impl Hub {
    /// Follows a database's events until the channel closes.
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
            // There is a gap: what followed the earlier events is unknown.
            kept.clear();
        } else {
            if kept.len() == KEPT {
                kept.pop_front();
            }
            kept.push_back(Arc::clone(&event));
        }
        // Under the lock, so that a listener gets each event from the ring or from the channel, never from
        // both.
        self.heard.send(event).ok();
    }

    /// Subscribes, resuming after this event number if given.
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
    async fn events_after_the_last_one_are_sent_once() {
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
    async fn only_the_last_thousand_are_kept_and_none_before_a_gap() {
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
