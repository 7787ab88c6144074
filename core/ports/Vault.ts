import { Context, Data, type Effect } from "effect"

/**
 * A sealed text that does not open: it was changed, or sealed for another place or with another
 * key. It may open later if `isTemporary`: the keys that another process seals with could not be
 * read at present.
 */
export class Unsealable extends Data.TaggedError("Unsealable")<{
  readonly place: string
  readonly isTemporary?: boolean
}> {}

/**
 * Makes, seals and hashes secrets. All of it is synchronous and fast enough for every request. Only
 * `seal`, `box` and `token` need randomness.
 */
export class Vault extends Context.Service<
  Vault,
  {
    /** Encrypts text, bound to the place (kind and id of the row) where it is stored. */
    readonly seal: (place: string, text: string) => string
    readonly open: (place: string, sealed: string) => Effect.Effect<string, Unsealable>
    /** Returns the data key's id in a sealed text; undefined if the text is not sealed. */
    readonly keyOf: (sealed: string) => string | undefined
    /** Returns the lower-case hex SHA-256 of text as UTF-8, or of bytes. */
    readonly sha256: (content: string | Uint8Array) => string
    /** Returns the lower-case hex HMAC-SHA256 under a key of the installation. */
    readonly fingerprint: (text: string) => string
    /** Returns the lower-case hex HMAC-SHA256 of text as UTF-8, or of bytes. */
    readonly hmac: (secret: string, message: string | Uint8Array) => string
    /**
     * Returns the base64url Ed25519 signature by the installation's key, which no rotation changes.
     */
    readonly sign: (text: string) => string
    readonly isSigned: (text: string, signature: string) => boolean
    /** Returns the public key of these signatures, 32 bytes in base64url. */
    readonly signer: () => string
    /**
     * Encrypts text as a NaCl box for the holder of an X25519 public key (32 bytes in base64):
     * base64 of an ephemeral public key, a nonce and the box (Authentication 5).
     */
    readonly box: (publicKey: string, text: string) => string
    /** Compares in constant time. */
    readonly equal: (a: string, b: string) => boolean
    /** Returns 32 random bytes as 43 base64url characters. */
    readonly token: () => string
  }
>()("payport/core/ports/Vault") {}
