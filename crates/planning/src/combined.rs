//! The mean of several methods, which errs less than each: their errors partly cancel.

use crate::Refusal;
use crate::ets::Model;
use crate::fitted::Kind;
use crate::method::{Input, Method, Workspace, estimate};

/// The averaged methods: level × weekday shares, and ETS(A,N,A).
pub const PARTS: [Method; 2] = [Method::DowLevel(0.05), Method::Fitted(Kind::Ets(Model::ANA))];

/// The mean of [`PARTS`].
///
/// # Errors
/// As its parts.
pub fn forecast(input: &Input<'_>, ws: &mut Workspace, out: &mut [f64]) -> Result<(), Refusal> {
    let mut part = std::mem::take(&mut ws.parts);
    part.resize(out.len(), 0.0);
    out.fill(0.0);
    let done = PARTS.iter().try_for_each(|method| {
        estimate(*method, input, ws, &mut part)?;
        out.iter_mut().zip(&part).for_each(|(sum, f)| *sum += f.max(0.0));
        Ok(())
    });
    ws.parts = part;
    out.iter_mut().for_each(|sum| *sum /= PARTS.len() as f64);
    done
}
