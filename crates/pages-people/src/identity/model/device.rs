//! Device attestation.

use serde::Serialize;
use utoipa::ToSchema;

/// Something for a device to sign.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceNonce {
    /// What to sign, within five minutes, once.
    pub nonce: String,
    /// Leading zero bits that SHA-256 of `nonce:proof` must have; 0 in quiet times.
    pub difficulty: u8,
}

/// Says that a device proved itself; to be sent as `X-Device-Attestation`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceToken {
    pub token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
}
