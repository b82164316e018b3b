//! The tesseract command as a child process with limits on its processor time and memory.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use image::GrayImage;

use crate::engine::{Engine, EngineError, Mode, RawWord};

/// The shell sets the limits and then becomes tesseract: memory in KiB, processor time in seconds. The hard limit is above
/// the soft one, so that the child ends by [`OUT_OF_TIME`].
const LIMITED: &str =
    "ulimit -v \"$1\" 2>/dev/null; ulimit -S -t \"$2\"; ulimit -H -t $(($2 + 1)); shift 2; exec \"$@\"";
/// The signal for a spent processor limit (SIGXCPU).
const OUT_OF_TIME: i32 = 24;
/// Maximum output size, in bytes: a page of text is a hundredth of it.
const MOST_ANSWER: u64 = 16 << 20;
/// The shell's exit status for a missing program.
const NO_SUCH_PROGRAM: i32 = 127;

/// Tesseract 5 as the operating system packages it (Debian: tesseract-ocr).
#[derive(Debug, Clone)]
pub struct Tesseract {
    /// The program; a bare name is searched on the path.
    pub program: PathBuf,
    /// Limit of processor time per pass, in whole seconds: however busy the machine is, a picture gets all of it.
    pub processor_limit: Duration,
    /// Limit of elapsed time per pass, for a child that waits for ever. Far above the processor limit.
    pub wall_limit: Duration,
    /// Memory limit, in MiB.
    pub memory_limit: u64,
    /// The language, by tesseract's name.
    pub language: String,
}

impl Default for Tesseract {
    fn default() -> Self {
        Self {
            program: "tesseract".into(),
            processor_limit: Duration::from_secs(20),
            wall_limit: Duration::from_mins(15),
            memory_limit: 1024,
            language: "eng".into(),
        }
    }
}

impl Tesseract {
    /// The program's version, for the server's status page.
    ///
    /// # Errors
    /// [`EngineError::NotInstalled`] or the failure.
    pub fn version(&self) -> Result<String, EngineError> {
        let child = self.spawn(&["--version"])?;
        let said = self.finish(child, Vec::new())?;
        Ok(said.lines().next().unwrap_or_default().to_owned())
    }

    fn spawn(&self, args: &[&str]) -> Result<Child, EngineError> {
        let memory = self.memory_limit.saturating_mul(1024).to_string();
        let seconds = self.processor_limit.as_secs().max(1).to_string();
        Command::new("sh")
            .args(["-c", LIMITED, "sh", &memory, &seconds])
            .arg(&self.program)
            .args(args)
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| EngineError::Failed(format!("it could not be started: {error}")))
    }

    /// Writes the child's input, waits for its output and kills it at the limit of elapsed time.
    fn finish(&self, mut child: Child, input: Vec<u8>) -> Result<String, EngineError> {
        let mut stdin = child.stdin.take();
        let writer = thread::spawn(move || {
            // A child that ended early reports the reason itself.
            let _ = stdin.as_mut().map(|pipe| pipe.write_all(&input));
        });
        let (sender, answers) = mpsc::channel();
        let mut stdout = child.stdout.take();
        let mut stderr = child.stderr.take();
        let reader = thread::spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.as_mut().map(|pipe| pipe.take(MOST_ANSWER).read_to_end(&mut answer));
            let _ = sender.send(read.and_then(Result::ok).map(|_| answer));
        });
        let complaints = thread::spawn(move || {
            let mut said = Vec::new();
            let _ = stderr.as_mut().map(|pipe| pipe.take(64 << 10).read_to_end(&mut said));
            String::from_utf8_lossy(&said).into_owned()
        });
        let answer = answers.recv_timeout(self.wall_limit);
        let Ok(answer) = answer else {
            // The threads end with the pipes, even if another process still holds those.
            let _ = child.kill();
            let _ = child.wait();
            return Err(EngineError::Stuck(self.wall_limit.as_secs()));
        };
        let answer = answer.unwrap_or_default();
        if answer.len() as u64 == MOST_ANSWER {
            let _ = child.kill();
        }
        let _ = (writer.join(), reader.join());
        let status = child.wait().map_err(|error| EngineError::Failed(error.to_string()))?;
        let said = complaints.join().unwrap_or_default();
        if status.code() == Some(NO_SUCH_PROGRAM) {
            return Err(EngineError::NotInstalled);
        }
        if status.signal() == Some(OUT_OF_TIME) {
            return Err(EngineError::TimedOut(self.processor_limit.as_secs().max(1)));
        }
        if !status.success() {
            let why = said
                .lines()
                .last()
                .filter(|line| !line.is_empty())
                .map_or_else(|| status.to_string(), str::to_owned);
            return Err(EngineError::Failed(why));
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

impl Engine for Tesseract {
    fn words(&self, picture: &GrayImage, mode: Mode) -> Result<Vec<RawWord>, EngineError> {
        let psm = match mode {
            Mode::Column => "4",
            Mode::Block => "6",
            Mode::Line => "7",
        };
        let child = self.spawn(&["stdin", "stdout", "-l", &self.language, "--psm", psm, "tsv"])?;
        Ok(words_of(&self.finish(child, portable(picture))?))
    }
}

/// A picture as a portable greymap: a header and the raw pixels.
fn portable(picture: &GrayImage) -> Vec<u8> {
    let mut bytes = format!("P5\n{} {}\n255\n", picture.width(), picture.height()).into_bytes();
    bytes.extend_from_slice(picture.as_raw());
    bytes
}

/// The words in tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence in
/// percent, text. Other lines are skipped.
fn words_of(table: &str) -> Vec<RawWord> {
    let mut words = Vec::new();
    let (mut line, mut known) = (0, None);
    for row in table.lines() {
        let mut cells = row.splitn(12, '\t');
        if cells.next() != Some("5") {
            continue;
        }
        let cells: Vec<&str> = cells.collect();
        let &[page, block, paragraph, in_paragraph, _, left, top, width, height, percent, text] =
            cells.as_slice()
        else {
            continue;
        };
        let here = [page, block, paragraph, in_paragraph];
        if known.as_ref() != Some(&here) {
            line += u32::from(known.is_some());
            known = Some(here);
        }
        let number = |text: &str| text.parse::<f32>().ok().filter(|value| value.is_finite());
        let text = text.trim();
        if let (Some(left), Some(top), Some(width), Some(height), Some(percent), false) =
            (number(left), number(top), number(width), number(height), number(percent), text.is_empty())
        {
            let confidence = (percent / 100.0).clamp(0.0, 1.0);
            words.push(RawWord { text: text.to_owned(), confidence, left, top, width, height, line });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_becomes_words_and_lines() {
        let table = "level\tpage_num\n1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t\n\
            5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tNET\n5\t1\t1\t1\t1\t2\t50\t20\t30\t12\t90\t1.00\n\
            5\t1\t1\t1\t2\t1\t10\t40\t30\t12\t12\t \n5\t1\t1\t1\t3\t1\t10\t60\t30\t12\tx\tno\n\
            5\t1\t1\t2\t1\t1\t10\t80\t30\t12\t-1\tCASH\n5\tshort";
        let words = words_of(table);
        let said: Vec<_> = words.iter().map(|word| (word.text.as_str(), word.line)).collect();
        assert_eq!(said, [("NET", 0), ("1.00", 0), ("CASH", 3)]);
        assert_eq!((words[0].confidence * 1000.0).round(), 965.0);
        assert_eq!(words[2].confidence, 0.0);
    }

    #[test]
    fn a_missing_or_broken_engine_is_reported() {
        let picture = GrayImage::new(8, 8);
        let missing = Tesseract { program: "no-such-tesseract".into(), ..Tesseract::default() };
        let error = missing.words(&picture, Mode::Block).expect_err("it is not there");
        assert_eq!(error.to_string(), "tesseract is not installed: install tesseract-ocr");
        assert_eq!(missing.version(), Err(EngineError::NotInstalled));
        let broken = Tesseract { program: "false".into(), ..Tesseract::default() };
        assert!(matches!(broken.words(&picture, Mode::Block), Err(EngineError::Failed(_))));
        let endless = Tesseract { program: "yes".into(), ..Tesseract::default() };
        assert!(matches!(endless.words(&picture, Mode::Block), Err(EngineError::Failed(_))));
    }

    /// Runs a line of shell under the limits.
    fn shell(limits: &Tesseract, line: &str) -> Result<String, EngineError> {
        let shell = Tesseract { program: "sh".into(), ..limits.clone() };
        let child = shell.spawn(&["-c", line]).expect("it starts");
        shell.finish(child, Vec::new())
    }

    #[test]
    fn the_time_limit_is_processor_time() {
        let limits = Tesseract { processor_limit: Duration::from_secs(1), ..Tesseract::default() };
        let busy = shell(&limits, "while :; do :; done");
        assert_eq!(busy, Err(EngineError::TimedOut(1)));
        let waits = shell(&limits, "sleep 2; echo read");
        assert_eq!(waits, Ok("read\n".to_owned()), "a machine that is busy with other work costs nothing");
    }

    #[test]
    fn a_child_that_waits_for_ever_is_stopped() {
        let limits = Tesseract { wall_limit: Duration::from_secs(1), ..Tesseract::default() };
        assert_eq!(shell(&limits, "exec sleep 30"), Err(EngineError::Stuck(1)));
    }
}
