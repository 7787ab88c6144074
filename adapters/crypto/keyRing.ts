import { Clock, Context, Effect, Layer, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Documents } from "../../core/ports/Documents.ts"
import { MasterKey, MasterKeyFailure } from "../../core/ports/MasterKey.ts"
import { type Conflict, Store, StoreUnavailable } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import {
  KeyRing,
  mastersOf,
  newRing,
  RING_PLACE,
  ringFlaw,
  ROOT,
  sealingFlaw,
  sealingKey as sealingOf,
  wrappingBy,
  type Wrapping,
} from "../../core/secrets/KeyRing.ts"
import { guardedBy } from "../../core/work/guardedStore.ts"
import { type DataKeys, KEY_BYTES, type SealingKey, sealingKey } from "./DataKeys.ts"
import { vaultOver } from "./Vault.ts"

/** How often a process reads the key ring, so that a new key soon seals everywhere. */
const LOOK_EVERY = "1 second"

/** A key ring with the version of its document; 0 if there is none yet. */
export interface StoredRing {
  readonly ring: KeyRing | undefined
  readonly version: number
}

const decodeRing = Schema.decodeUnknownEffect(KeyRing)

/** Reads the key ring of the database. An invalid document is a defect. */
export const readRing = Effect.fnUntraced(function* () {
  const found = yield* (yield* Documents).get(RING_PLACE.scope, RING_PLACE.id)
  if (found === undefined) return { ring: undefined, version: 0 } satisfies StoredRing
  const ring = yield* Effect.orDie(decodeRing(found.body))
  return { ring, version: found.version } satisfies StoredRing
})

/** Replaces the key ring of that version. */
export const writeRing = Effect.fnUntraced(function* (
  ring: KeyRing,
  version: number,
): Effect.fn.Return<void, Conflict | StoreUnavailable, Documents> {
  yield* (yield* Documents).put({ ...RING_PLACE, version, body: ring, due_at: null })
})

/** Makes a new data key, wrapped by the master keys under its name. */
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

/** Unwraps a key with this master key. */
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
        ? "PAYPORT_MASTER_KEY has to be the key that sealed the secrets in this database, and " +
            `${master.id} does not open them.`
        : error.message,
    ),
  )
})

/** Returns the database's key ring. The first process makes it. */
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

/** Opens every key of the ring, except those that are open already. */
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
 * Opens the data keys of the database. The first start makes them and stores them with its mode.
 * Fails with `MasterKeyFailure` in another mode, or with another master key.
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
  let lost: MasterKeyFailure | undefined
  const look = Effect.gen(function* () {
    const { ring: latest } = yield* readRing()
    if (latest === undefined) return false
    const known = (id: string) => opened.has(id)
    const missing = sealingFlaw(latest, { master: master.id, known })
    if (missing !== undefined) {
      if (lost === undefined) yield* Effect.logError(`${missing} It stops all work.`)
      lost ??= refused(missing)
      return false
    }
    lost = undefined
    opened = yield* openAll(latest, master, opened)
    current = opened.get(sealingOf(latest)?.id ?? "") ?? current
    return true
  }).pipe(
    // Until the database can be read again, the known keys are used.
    Effect.catch((error) =>
      Effect.as(Effect.logWarning("The keys of the database cannot be read.", error), false),
    ),
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
  return { ...keys, lost: () => lost }
})

/** Whether the master key opens the key ring of the database at all. */
export const opensRing = (ring: KeyRing, master: MasterKey["Service"]): boolean =>
  mastersOf(ring).includes(master.id)

/** Refuses every use of the store where the process can no longer seal what it stores. */
const usedByKeys = (store: Store["Service"], lost: () => MasterKeyFailure | undefined) =>
  guardedBy(store, (ask) =>
    Effect.suspend(() => {
      const cause = lost()
      return cause === undefined
        ? ask()
        : Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause, trouble: "keys" }))
    }),
  )

/**
 * The vault of a database, which belongs to this mode and master key, and the store for a process
 * that has this vault. When the master key is replaced while the process runs, and the process can
 * no longer seal, it does not use the store, so that another process gets its requests.
 */
export const layer = (mode: KeyRing["mode"]) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { lost, ...keys } = yield* openKeyRing(mode)
      const store = yield* Store
      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(Effect.sleep(LOOK_EVERY), keys.refresh)),
      )
      return Context.make(Vault, vaultOver(keys)).pipe(Context.add(Store, usedByKeys(store, lost)))
    }),
  )
