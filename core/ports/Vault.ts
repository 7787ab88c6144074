import { Context, Data, type Effect } from "effect"

/** Sealed text that does not open: changed, or sealed for another place or by another key. */
export class Unsealable extends Data.TaggedError("Unsealable")<{ readonly place: string }> {}

/**
 * Secrets: what seals, hashes and makes them. All of it is synchronous and fast enough for every
 * request; `seal` and `box` alone need randomness.
 */
export class Vault extends Context.Service<
  Vault,
  {
    /** Encrypts text, bound to the place (kind and id of the row) that it is kept in. */
    readonly seal: (place: string, text: string) => string
    readonly open: (place: string, sealed: string) => Effect.Effect<string, Unsealable>
    /** The id of the data key that a sealed text names; undefined for what is no sealed text. */
    readonly keyOf: (sealed: string) => string | undefined
    /** Lower-case hex SHA-256 of text as UTF-8, or of bytes. */
    readonly sha256: (content: string | Uint8Array) => string
    /** Lower-case hex HMAC-SHA256 under a key of the installation's own. */
    readonly fingerprint: (text: string) => string
    /** Lower-case hex HMAC-SHA256 of text as UTF-8, or of bytes. */
    readonly hmac: (secret: string, message: string | Uint8Array) => string
    /** Base64url Ed25519 signature under the installation's own key, which no rotation changes. */
    readonly sign: (text: string) => string
    readonly isSigned: (text: string, signature: string) => boolean
    /** The public key of signatures, 32 bytes in base64url. */
    readonly signer: () => string
    /**
     * Encrypts text as a NaCl box for the holder of an X25519 public key (32 bytes in base64):
     * base64 of an ephemeral public key, a nonce and the box (Authentication 5).
     */
    readonly box: (publicKey: string, text: string) => string
    /** Compares in constant time. */
    readonly equal: (a: string, b: string) => boolean
    /** 32 random bytes as 43 base64url characters. */
    readonly token: () => string
  }
>()("payport/core/ports/Vault") {}
