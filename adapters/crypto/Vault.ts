import { Effect, Layer, Redacted } from "effect"
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Unsealable, Vault } from "../../core/ports/Vault.ts"
import { box } from "./box.ts"
import { type DataKeys, derive, KEY_BYTES, sealingKey } from "./DataKeys.ts"
import { signatures } from "./signatures.ts"
import { seal, sealedUnder, unseal } from "./seal.ts"

/** Returns the keys of an installation without a key ring: all derived from one. */
const keysOf = (master: Uint8Array): DataKeys => {
  const id = Buffer.from(derive(master, "payport/data-key-id")).toString("base64url").slice(0, 8)
  const only = sealingKey(id, derive(master, "payport/data-key"))
  return {
    root: derive(master, "payport/root"),
    current: () => only,
    find: (asked) => (asked === id ? only : undefined),
    refresh: Effect.succeed(true),
  }
}

const openWith = (keys: DataKeys, place: string, sealed: string) => {
  const id = sealedUnder(sealed)
  const key = id === undefined ? undefined : keys.find(id)
  return key === undefined ? undefined : unseal(key, place, sealed)
}

/** Returns a vault over the data keys of an installation. */
export const vaultOver = (keys: DataKeys): Vault["Service"] => {
  const fingerprintKey = Buffer.from(derive(keys.root, "payport/fingerprint")).toString("hex")
  const isUnknown = (sealed: string): boolean => {
    const id = sealedUnder(sealed)
    return id !== undefined && keys.find(id) === undefined
  }
  return {
    seal: (place, text) => seal(keys.current(), place, text),
    open: Effect.fnUntraced(function* (place, sealed) {
      const isTemporary = isUnknown(sealed) && !(yield* keys.refresh)
      const text = openWith(keys, place, sealed)
      if (text !== undefined) return text
      return yield* new Unsealable(isTemporary ? { place, isTemporary } : { place })
    }),
    keyOf: sealedUnder,
    sha256: (content) => hash("sha256", content, "hex"),
    // The inner digest has a fixed length, so the key before it makes the outer hash a keyed one.
    fingerprint: (text) => hash("sha256", fingerprintKey + hash("sha256", text, "hex"), "hex"),
    hmac: (secret, message) => createHmac("sha256", secret).update(message).digest("hex"),
    ...signatures(keys.root),
    box,
    equal: (a, b) => timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer")),
    token: () => randomBytes(32).toString("base64url"),
  }
}

/** Makes a vault over one key of 32 bytes. Throws a `RangeError` for any other length. */
export const makeVault = (master: Uint8Array): Vault["Service"] => {
  if (master.length !== KEY_BYTES) {
    throw new RangeError(`The master key has to be ${KEY_BYTES} bytes, not ${master.length}.`)
  }
  return vaultOver(keysOf(master))
}

/** The vault over one key of 32 bytes, for installations without a database. */
export const layer = (master: Redacted.Redacted<Uint8Array>): Layer.Layer<Vault> =>
  Layer.sync(Vault, () => makeVault(Redacted.value(master)))
