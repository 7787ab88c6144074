import { Result, Schema } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import { DAY } from "../shared/Timestamp.ts"

/** A data key as one master key has wrapped it. */
export interface Wrapping {
  readonly master: string
  readonly text: string
}

/** A key that seals values. Each sealed value names it. */
export interface DataKey {
  /** Eight base64url characters. */
  readonly id: string
  readonly created_at: Timestamp
  /** Since when another one seals; null for the one that does. */
  readonly retired_at: Timestamp | null
  /** One while one master key is in use, two while one takes the place of another. */
  readonly wrapped: ReadonlyArray<Wrapping>
}

/**
 * What a database says of its keys: the mode that it belongs to and, wrapped by its master key, the
 * keys of its values. A master key that unwraps none of them is the wrong one, so that the ring is
 * also the check value of the master key.
 */
export interface KeyRing {
  readonly mode: "sandbox" | "live"
  /** What fingerprints and the audit log's hashes are made under. It outlives every master key. */
  readonly root: ReadonlyArray<Wrapping>
  /** The last one seals. */
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

/** What the root key is wrapped as. */
export const ROOT = "root"

/** How long answers to requests are kept sealed, and a day for clocks that differ. */
const KEPT_AFTER_RETIRING = 2 * DAY

/** The ring of a new database, with the first key that seals. */
export const newRing = (
  mode: KeyRing["mode"],
  root: Wrapping,
  first: Omit<DataKey, "retired_at">,
): KeyRing => ({ mode, root: [root], keys: [{ ...first, retired_at: null }] })

/** The data key that seals; undefined in a ring without any, which no installation makes. */
export const sealingKey = ({ keys }: KeyRing): DataKey | undefined => keys.at(-1)

/** How the master key has wrapped a key; undefined where it has not. */
export const wrappingBy = (
  wrapped: ReadonlyArray<Wrapping>,
  master: string,
): Wrapping | undefined => wrapped.find((wrapping) => wrapping.master === master)

/** The master keys that open the whole ring, in the order in which they came. */
export const mastersOf = ({ keys, root }: KeyRing): ReadonlyArray<string> =>
  root
    .map(({ master }) => master)
    .filter((master) => keys.every(({ wrapped }) => wrappingBy(wrapped, master) !== undefined))

/**
 * Why a process may not use the database: it was started in the other mode, or under a master key
 * that does not open the ring. Undefined where it may. In one line.
 */
export const ringFlaw = (
  ring: KeyRing,
  process: { readonly mode: KeyRing["mode"]; readonly master: string },
): string | undefined => {
  if (ring.mode !== process.mode) {
    return (
      `This database belongs to ${ring.mode} mode, and PAYPORT_MODE is ${process.mode}: ` +
      "start it in its own mode, or give this one a database of its own."
    )
  }
  const masters = mastersOf(ring)
  return masters.includes(process.master)
    ? undefined
    : "PAYPORT_MASTER_KEY has to be the key that the secrets in this database were sealed with: " +
        `that is ${masters.join(" or ")}, and the one that is set is ${process.master}.`
}

/** A key under a further master key. */
const alsoBy = (
  wrapped: ReadonlyArray<Wrapping>,
  added: Wrapping | undefined,
): ReadonlyArray<Wrapping> =>
  added === undefined || wrappingBy(wrapped, added.master) !== undefined
    ? wrapped
    : [...wrapped, added]

/** The ring with every key under a further master key; `wrappings` are by the keys' names. */
export const wrappedAlso = (ring: KeyRing, wrappings: ReadonlyMap<string, Wrapping>): KeyRing => ({
  ...ring,
  root: alsoBy(ring.root, wrappings.get(ROOT)),
  keys: ring.keys.map((key) => ({ ...key, wrapped: alsoBy(key.wrapped, wrappings.get(key.id)) })),
})

/** The ring with a new key that seals from now on; the one before it only opens. */
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
 * The ring under that master key alone: every other one opens nothing any more. Fails, in one line,
 * where that master key does not open the whole ring, which nothing would open then.
 */
export const onlyBy = (ring: KeyRing, master: string): Result.Result<KeyRing, string> => {
  if (!mastersOf(ring).includes(master)) {
    return Result.fail(
      `Another rotation has begun, and ${master} does not open every key of this database: ` +
        "no key was given up. Start this rotation again, or finish the other one.",
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
 * The ring without the retired keys that no value names any more: no record, by `named`, and no
 * answer of a request, which is kept for a day.
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
