import { Result, Schema } from "effect"
import { MOST_KEPT_FOR } from "../idempotency/Reply.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { DAY } from "../shared/Timestamp.ts"

/** A data key, wrapped by a master key. */
export interface Wrapping {
  readonly master: string
  readonly text: string
}

/** A key that seals values. Each sealed value names its key. */
export interface DataKey {
  /** Eight base64url characters. */
  readonly id: string
  readonly created_at: Timestamp
  /** When another key replaced it; null for the current key. */
  readonly retired_at: Timestamp | null
  /** One wrapping per master key; two during a rotation of the master key. */
  readonly wrapped: ReadonlyArray<Wrapping>
}

/**
 * The keys of a database: its mode and, wrapped by its master key, its data keys. A wrong master
 * key unwraps none of them, so that the ring also verifies the master key.
 */
export interface KeyRing {
  readonly mode: "sandbox" | "live"
  /** The key of fingerprints and of the audit log's signatures. No rotation replaces it. */
  readonly root: ReadonlyArray<Wrapping>
  /** The last key seals. */
  readonly keys: ReadonlyArray<DataKey>
}

const Wrappings = Schema.Array(Schema.Struct({ master: Schema.String, text: Schema.String }))

/** A ring as it is stored. */
export const KeyRing = Schema.Struct({
  mode: Schema.Literals(["sandbox", "live"]),
  root: Wrappings,
  keys: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      created_at: Schema.Finite,
      retired_at: Schema.NullOr(Schema.Finite),
      wrapped: Wrappings,
    }),
  ),
})

/** The document that holds a database's key ring. */
export const RING_PLACE = { scope: "installation", id: "keys" } as const

/** The name of the root key among wrappings. */
export const ROOT = "root"

/**
 * How long a retired key is kept: as long as a stored reply may last at any setting, plus a day for
 * clocks that differ. The setting itself does not count, since it may have been longer before.
 */
const KEPT_AFTER_RETIRING = MOST_KEPT_FOR + DAY

/** Makes the ring of a new database with its first data key. */
export const newRing = (
  mode: KeyRing["mode"],
  root: Wrapping,
  first: Omit<DataKey, "retired_at">,
): KeyRing => ({ mode, root: [root], keys: [{ ...first, retired_at: null }] })

/** Returns the data key that seals; undefined in an empty ring, which no installation has. */
export const sealingKey = ({ keys }: KeyRing): DataKey | undefined => keys.at(-1)

/** Returns a key's wrapping by the master key; undefined where there is none. */
export const wrappingBy = (
  wrapped: ReadonlyArray<Wrapping>,
  master: string,
): Wrapping | undefined => wrapped.find((wrapping) => wrapping.master === master)

/** Returns the master keys that unwrap the whole ring, in the order of their addition. */
export const mastersOf = ({ keys, root }: KeyRing): ReadonlyArray<string> =>
  root
    .map(({ master }) => master)
    .filter((master) => keys.every(({ wrapped }) => wrappingBy(wrapped, master) !== undefined))

/**
 * Returns why a process may not use the database, in one line: it was started in the other mode, or
 * with a master key that does not unwrap the ring. Undefined where it may.
 */
export const ringFlaw = (
  ring: KeyRing,
  process: { readonly mode: KeyRing["mode"]; readonly master: string },
): string | undefined => {
  if (ring.mode !== process.mode) {
    return (
      `This database belongs to ${ring.mode} mode, but PAYPORT_MODE is ${process.mode}. ` +
      `Set PAYPORT_MODE to ${ring.mode}, or use another database.`
    )
  }
  const masters = mastersOf(ring)
  return masters.includes(process.master)
    ? undefined
    : "PAYPORT_MASTER_KEY has to be the key that sealed the secrets in this database. " +
        `That is ${masters.join(" or ")}, but the key that is set is ${process.master}.`
}

/**
 * Returns why a running process can no longer seal, in one line: its master key was removed, and a
 * data key that it does not know (`known`) seals since. What it sealed under an earlier key would
 * become unreadable with that key. Undefined where it can.
 */
export const sealingFlaw = (
  ring: KeyRing,
  process: { readonly master: string; readonly known: (id: string) => boolean },
): string | undefined => {
  const sealing = sealingKey(ring)
  if (sealing === undefined || process.known(sealing.id)) return undefined
  return wrappingBy(sealing.wrapped, process.master) === undefined
    ? "The master key of this process was replaced while it ran. It has to be started again with " +
        `${mastersOf(ring).join(" or ")}.`
    : undefined
}

/** Adds the wrapping of a key by another master key. */
const alsoBy = (
  wrapped: ReadonlyArray<Wrapping>,
  added: Wrapping | undefined,
): ReadonlyArray<Wrapping> =>
  added === undefined || wrappingBy(wrapped, added.master) !== undefined
    ? wrapped
    : [...wrapped, added]

/** Adds wrappings of all keys by another master key; `wrappings` are by key id. */
export const wrappedAlso = (ring: KeyRing, wrappings: ReadonlyMap<string, Wrapping>): KeyRing => ({
  ...ring,
  root: alsoBy(ring.root, wrappings.get(ROOT)),
  keys: ring.keys.map((key) => ({ ...key, wrapped: alsoBy(key.wrapped, wrappings.get(key.id)) })),
})

/** Adds a new key that seals from now on. The previous one is only used to open. */
export const withNewKey = (
  ring: KeyRing,
  added: Omit<DataKey, "retired_at">,
  now: Timestamp,
): KeyRing => ({
  ...ring,
  keys: [
    ...ring.keys.map((key) => ({ ...key, retired_at: key.retired_at ?? now })),
    { ...added, retired_at: null },
  ],
})

/**
 * Returns why a run may not make `next` the only master key, in one line; undefined where it may.
 * An earlier run has to have introduced the key, so that somebody has kept it since. Where `next`
 * is also the key that it would replace, only the newest one may stay: the others open the whole
 * ring, too, until they are removed.
 */
export const finishFlaw = (
  ring: KeyRing,
  { next, old }: { readonly next: string; readonly old: string },
): string | undefined => {
  const masters = mastersOf(ring)
  if (!masters.includes(next)) {
    return (
      `${next} does not open every key of this database yet, so no key was removed. Run this ` +
      "without --finish, keep the key, and start every process with it first."
    )
  }
  const newest = masters.at(-1)
  return old === next && newest !== next
    ? `${next} is the key that ${newest} is to replace, so no key was removed. Set ` +
        `PAYPORT_MASTER_KEY to the key ${newest}. If ${next} is to stay, also set ` +
        `PAYPORT_NEXT_MASTER_KEY to the key ${next}.`
    : undefined
}

/**
 * Keeps the wrappings by one master key only, so that all others become useless. Fails, with one
 * line, where that master key does not unwrap the whole ring, since nothing would then.
 */
export const onlyBy = (ring: KeyRing, master: string): Result.Result<KeyRing, string> => {
  if (!mastersOf(ring).includes(master)) {
    return Result.fail(
      `Another rotation has begun, and ${master} does not open every key of this database. ` +
        "No key was removed. Start this rotation again, or finish the other one.",
    )
  }
  const kept = (wrapped: ReadonlyArray<Wrapping>) =>
    wrapped.filter((wrapping) => wrapping.master === master)
  return Result.succeed({
    ...ring,
    root: kept(ring.root),
    keys: ring.keys.map((key) => ({ ...key, wrapped: kept(key.wrapped) })),
  })
}

/**
 * Removes retired keys that are no longer needed: by no record (`named`), and by no stored reply,
 * which nothing seals again.
 */
export const withoutUnused = (
  ring: KeyRing,
  named: ReadonlySet<string>,
  now: Timestamp,
): KeyRing => ({
  ...ring,
  keys: ring.keys.filter(
    ({ id, retired_at }) =>
      retired_at === null || named.has(id) || now < retired_at + KEPT_AFTER_RETIRING,
  ),
})
