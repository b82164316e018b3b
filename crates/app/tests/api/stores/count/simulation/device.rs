//! A device: what it stores, and what it forgets in a crash.

use std::collections::HashMap;

/// A seeded random number.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From `from` up to, but excluding, `to`.
    pub fn between(&mut self, from: i64, to: i64) -> i64 {
        from + i64::try_from(self.next() % (to - from).unsigned_abs()).expect("in range")
    }

    /// A number below `many`.
    pub fn of(&mut self, many: usize) -> usize {
        usize::try_from(self.next() % many as u64).expect("in range")
    }

    /// True with the given probability in percent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// A save as made. Never changed.
#[derive(Debug, Clone)]
pub struct Save {
    pub device: String,
    pub seq: i64,
    pub item: usize,
    pub qty: Option<i64>,
    /// Device time and real time.
    pub at: i64,
    pub truly_at: i64,
    pub base: Option<i64>,
    pub prev: Option<String>,
}

impl Save {
    pub fn op(&self) -> String {
        format!("{}:{}", self.device, self.seq)
    }
}

/// A device.
pub struct Device {
    pub id: String,
    /// Error of its clock.
    pub skew: i64,
    /// Sequence number of its next save; stored together with the previous save.
    pub next: i64,
    /// Stored saves, kept through crashes until answered.
    pub unsent: Vec<Save>,
    /// The revisions on its screen.
    pub known: HashMap<usize, i64>,
    /// Its last save of an item.
    pub last: HashMap<usize, String>,
    /// Incremented by every crash: earlier requests get no response.
    pub life: u32,
    /// Maximum batch size, reduced after a 413.
    pub most: usize,
    /// Whether a request is pending.
    pub waiting: bool,
}

impl Device {
    pub fn new(id: String, skew: i64) -> Self {
        Self {
            id,
            skew,
            next: 1,
            unsent: Vec::new(),
            known: HashMap::new(),
            last: HashMap::new(),
            life: 0,
            most: 500,
            waiting: false,
        }
    }

    /// A user enters a count, and sees «Saved on this device».
    pub fn save(&mut self, now: i64, item: usize, qty: Option<i64>) -> Save {
        let save = Save {
            device: self.id.clone(),
            seq: self.next,
            item,
            qty,
            at: now + self.skew,
            truly_at: now,
            base: self.known.get(&item).copied(),
            prev: self.last.insert(item, format!("{}:{}", self.id, self.next)),
        };
        self.next += 1;
        self.unsent.push(save.clone());
        save
    }

    /// Everything not stored is lost.
    pub fn crash(&mut self) {
        self.known.clear();
        self.life += 1;
        self.most = 500;
        self.waiting = false;
    }

    /// Removes answered saves.
    pub fn forget<'a>(&mut self, saves: impl IntoIterator<Item = &'a Save>) {
        for save in saves {
            self.unsent.retain(|kept| kept.seq != save.seq);
        }
    }
}
