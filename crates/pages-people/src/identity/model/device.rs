//! Device attestation.

use serde::Serialize;
use utoipa::ToSchema;

/// A nonce for a device to sign.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceNonce {
    /// The nonce, valid once within five minutes.
    pub nonce: String,
    /// Required leading zero bits of the SHA-256 of `nonce:proof`; 0 unless under attack.
    pub difficulty: u8,
}

/// Proof of attestation, to be sent as `X-Device-Attestation`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceToken {
    pub token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
}
