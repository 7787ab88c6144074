import type { Effect } from "effect"
import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"

/** The length of every key here. */
export const KEY_BYTES = 32

/** The length of the salt of a derived key. */
export const SALT_BYTES = 16

/** The most texts per derived key: nonces of 96 bits then collide once in 2^37 such keys. */
const MOST_SEALED = 2 ** 30

/** The most derived keys of other processes, and earlier ones, that are kept for opening. */
const KEYS_KEPT = 1_024

interface Session {
  readonly salt: Buffer
  readonly key: KeyObject
  sealed: number
}

/** The keys that encrypt texts, derived from a data key and random salts. */
class DerivedKeys {
  readonly #from: KeyObject
  readonly #bySalt = new Map<string, KeyObject>()
  #session: Session | undefined

  constructor(from: Uint8Array) {
    this.#from = createSecretKey(from)
  }

  /** Returns the key of a salt. */
  of(salt: Uint8Array): KeyObject {
    const name = Buffer.from(salt).toString("latin1")
    const known = this.#bySalt.get(name)
    if (known !== undefined) return known
    const bytes = hkdfSync("sha256", this.#from, salt, "payport/text", KEY_BYTES)
    const key = createSecretKey(new Uint8Array(bytes))
    const [oldest] = this.#bySalt.size >= KEYS_KEPT ? this.#bySalt.keys() : []
    if (oldest !== undefined) this.#bySalt.delete(oldest)
    this.#bySalt.set(name, key)
    return key
  }

  /** Returns the key for the process's next text, with its salt. */
  next(): Session {
    if (this.#session === undefined || this.#session.sealed >= MOST_SEALED) {
      const salt = randomBytes(SALT_BYTES)
      this.#session = { salt, key: this.of(salt), sealed: 0 }
    }
    this.#session.sealed += 1
    return this.#session
  }
}

/** A data key in use: for nonces, and for deriving keys of texts. */
export interface SealingKey {
  readonly id: string
  /** Lower-case hex. */
  readonly nonces: string
  readonly texts: DerivedKeys
}

/** The opened data keys of an installation. */
export interface DataKeys {
  readonly root: Uint8Array
  /** The key that seals now. */
  readonly current: () => SealingKey
  readonly find: (id: string) => SealingKey | undefined
  /**
   * Reads the keys again: another process may have made one. Returns whether all of them are known.
   */
  readonly refresh: Effect.Effect<boolean>
}

/** Derives a key for one purpose, by HKDF-SHA256 without a salt. */
export const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), purpose, KEY_BYTES))

/** Derives the two keys of a data key's bytes. */
export const sealingKey = (id: string, bytes: Uint8Array): SealingKey => ({
  id,
  nonces: Buffer.from(derive(bytes, "payport/nonce")).toString("hex"),
  texts: new DerivedKeys(derive(bytes, "payport/seal")),
})

/** Returns the public name of a master key, which does not reveal the key. */
export const masterKeyId = (master: Uint8Array): string =>
  `mk_${createHash("sha256").update(derive(master, "payport/key-id")).digest("hex").slice(0, 16)}`
