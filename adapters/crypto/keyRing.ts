import { Clock, Effect, Layer, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Documents } from "../../core/ports/Documents.ts"
import { MasterKey, MasterKeyFailure } from "../../core/ports/MasterKey.ts"
import type { Conflict, StoreUnavailable } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import {
  KeyRing,
  mastersOf,
  newRing,
  ringFlaw,
  ROOT,
  sealingKey as sealingOf,
  wrappingBy,
  type Wrapping,
} from "../../core/secrets/KeyRing.ts"
import { type DataKeys, KEY_BYTES, type SealingKey, sealingKey } from "./DataKeys.ts"
import { vaultOver } from "./Vault.ts"

const SCOPE = "installation"
const ID = "keys"

/** How often a process looks which keys there are, so that a new one seals everywhere soon. */
const LOOK_EVERY = "1 second"

/** A ring with the version of the document that holds it; 0 where there is none yet. */
export interface StoredRing {
  readonly ring: KeyRing | undefined
  readonly version: number
}

const decodeRing = Schema.decodeUnknownEffect(KeyRing)

/** The ring of the database. A document that is no ring is a defect. */
export const readRing = Effect.fnUntraced(function* () {
  const found = yield* (yield* Documents).get(SCOPE, ID)
  if (found === undefined) return { ring: undefined, version: 0 } satisfies StoredRing
  const ring = yield* Effect.orDie(decodeRing(found.body))
  return { ring, version: found.version } satisfies StoredRing
})

/** Puts the ring in the place of the one of that version. */
export const writeRing = Effect.fnUntraced(function* (
  ring: KeyRing,
  version: number,
): Effect.fn.Return<void, Conflict | StoreUnavailable, Documents> {
  yield* (yield* Documents).put({ scope: SCOPE, id: ID, version, body: ring, due_at: null })
})

/** A new data key, and how the master key has wrapped it under its name. */
export const makeDataKey = Effect.fnUntraced(function* (
  masters: ReadonlyArray<MasterKey["Service"]>,
  id: string = randomBytes(6).toString("base64url"),
) {
  const bytes = new Uint8Array(randomBytes(KEY_BYTES))
  const wrapped = yield* Effect.forEach(masters, (master) =>
    Effect.map(master.wrap(id, bytes), (text): Wrapping => ({ master: master.id, text })),
  )
  return { id, wrapped, created_at: yield* Clock.currentTimeMillis }
})

/** Why an installation may not use its database, in one line. */
const refused = (message: string) => new MasterKeyFailure({ reason: "does_not_open", message })

/** A key as this master key unwraps it. */
export const unwrap = Effect.fnUntraced(function* (
  master: MasterKey["Service"],
  name: string,
  wrapped: ReadonlyArray<Wrapping>,
) {
  const wrapping = wrappingBy(wrapped, master.id)
  if (wrapping === undefined) return yield* refused(`The master key ${master.id} has no ${name}.`)
  return yield* Effect.catchTag(master.unwrap(name, wrapping.text), "MasterKeyFailure", (error) =>
    refused(
      error.reason === "does_not_open"
        ? "PAYPORT_MASTER_KEY has to be the key that the secrets in this database were sealed " +
            `with, and ${master.id} does not open them.`
        : error.message,
    ),
  )
})

/** The ring of the database, made by the first process that asks. */
const claim = Effect.fnUntraced(function* (mode: KeyRing["mode"], master: MasterKey["Service"]) {
  const { ring } = yield* readRing()
  if (ring !== undefined) return ring
  const root = yield* makeDataKey([master], ROOT)
  const made = yield* makeDataKey([master])
  const [wrapping] = root.wrapped
  if (wrapping === undefined) return yield* refused("No master key is set.")
  yield* Effect.catchTag(writeRing(newRing(mode, wrapping, made), 0), "Conflict", () => Effect.void)
  const { ring: first } = yield* readRing()
  return first ?? (yield* refused("The keys of this database cannot be read."))
})

/** Opens every key of the ring; those that are open already are not asked for again. */
const openAll = Effect.fnUntraced(function* (
  ring: KeyRing,
  master: MasterKey["Service"],
  known: ReadonlyMap<string, SealingKey>,
) {
  const opened = yield* Effect.forEach(ring.keys, ({ id, wrapped }) => {
    const open = known.get(id)
    return open === undefined
      ? Effect.map(unwrap(master, id, wrapped), (bytes) => sealingKey(id, bytes))
      : Effect.succeed(open)
  })
  return new Map(opened.map((key) => [key.id, key]))
})

/**
 * The data keys of the database, which the first start makes and writes down together with its
 * mode. Fails with `MasterKeyFailure` in the other mode, or under another master key.
 */
export const openKeyRing = Effect.fnUntraced(function* (mode: KeyRing["mode"]) {
  const master = yield* MasterKey
  const ring = yield* claim(mode, master)
  const flaw = ringFlaw(ring, { mode, master: master.id })
  if (flaw !== undefined) return yield* refused(flaw)
  const root = yield* unwrap(master, ROOT, ring.root)
  const documents = yield* Documents
  let opened = yield* openAll(ring, master, new Map())
  let current = opened.get(sealingOf(ring)?.id ?? "")
  const look = Effect.gen(function* () {
    const { ring: latest } = yield* readRing()
    if (latest === undefined) return
    opened = yield* openAll(latest, master, opened)
    current = opened.get(sealingOf(latest)?.id ?? "") ?? current
  }).pipe(
    // Until the database can be read again, what is known goes on.
    Effect.catch((error) => Effect.logWarning("The keys of the database cannot be read.", error)),
    Effect.provideService(Documents, documents),
  )
  const keys: DataKeys = {
    root,
    current: () => {
      if (current === undefined) throw new Error("The ring of this database has no key.")
      return current
    },
    find: (id) => opened.get(id),
    refresh: look,
  }
  return keys
})

/** Whether the master key opens the ring of the database at all. */
export const opensRing = (ring: KeyRing, master: MasterKey["Service"]): boolean =>
  mastersOf(ring).includes(master.id)

/** The vault of a database, which belongs to this mode and to this master key. */
export const layer = (mode: KeyRing["mode"]) =>
  Layer.effect(
    Vault,
    Effect.gen(function* () {
      const keys = yield* openKeyRing(mode)
      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(Effect.sleep(LOOK_EVERY), keys.refresh)),
      )
      return vaultOver(keys)
    }),
  )
