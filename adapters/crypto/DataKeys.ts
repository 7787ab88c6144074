import type { Effect } from "effect"
import { createHash, hkdfSync } from "node:crypto"

/** The length of every key here. */
export const KEY_BYTES = 32

/** What a data key is used as: to name the key of a text, and to encrypt under it. */
export interface SealingKey {
  readonly id: string
  readonly salting: Uint8Array
  readonly sealing: Uint8Array
}

/** The data keys of an installation, opened. */
export interface DataKeys {
  readonly root: Uint8Array
  /** The one that seals now. */
  readonly current: () => SealingKey
  readonly find: (id: string) => SealingKey | undefined
  /** Reads again which keys there are: another process may have made one. */
  readonly refresh: Effect.Effect<void>
}

/** A key for one purpose, by HKDF-SHA256 without a salt. */
export const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), purpose, KEY_BYTES))

/** The two keys of a data key's bytes. */
export const sealingKey = (id: string, bytes: Uint8Array): SealingKey => ({
  id,
  salting: derive(bytes, "payport/salt"),
  sealing: derive(bytes, "payport/seal"),
})

/** The public name of a master key: nobody can tell the key from it. */
export const masterKeyId = (master: Uint8Array): string =>
  `mk_${createHash("sha256").update(derive(master, "payport/key-id")).digest("hex").slice(0, 16)}`
