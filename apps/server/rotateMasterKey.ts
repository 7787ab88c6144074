import { Clock, type Context, Effect, Layer, Result } from "effect"
import { resealChannels } from "../../adapters/channels/sandbox/ChannelSettings.ts"
import * as keyRing from "../../adapters/crypto/keyRing.ts"
import { vaultOver } from "../../adapters/crypto/Vault.ts"
import type { Documents } from "../../core/ports/Documents.ts"
import { MasterKey } from "../../core/ports/MasterKey.ts"
import type { Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import {
  finishFlaw,
  type KeyRing,
  mastersOf,
  onlyBy,
  ROOT,
  ringFlaw,
  sealingKey,
  withNewKey,
  withoutUnused,
  wrappedAlso,
  type Wrapping,
} from "../../core/secrets/KeyRing.ts"
import { resealRecords } from "../../core/secrets/resealRecords.ts"
import { StartFailure } from "./StartFailure.ts"
import type { Output } from "./Output.ts"

/** The time until every process has seen the new key: each checks once a second. */
const SEEN_BY_ALL = "5 seconds"

/**
 * The number of passes over all records, after which an operator has to find out why they change.
 */
const MOST_WALKS = 20

const failure = (message: string) => new StartFailure({ message })

/** The two master keys of a rotation. */
interface Masters {
  /** The master key of the running service. */
  readonly old: MasterKey["Service"]
  /** The master key that replaces it. The same once every process was started with it. */
  readonly next: MasterKey["Service"]
}

const storedRing = Effect.fnUntraced(function* () {
  const { ring, version } = yield* keyRing.readRing()
  return ring === undefined
    ? yield* failure("This database has no keys yet: start the service once.")
    : { ring, version }
})

/** Replaces the key ring of this version, and of no other version. */
const written = Effect.fnUntraced(function* (
  ring: KeyRing,
  version: number,
): Effect.fn.Return<void, unknown, Documents> {
  yield* Effect.catchTag(keyRing.writeRing(ring, version), "Conflict", () =>
    failure("Another rotation changed the keys at the same time. Start this command again."),
  )
})

/** Removes every other master key, if the next one opens all keys that exist by now. */
const finished = Effect.fnUntraced(function* (next: MasterKey["Service"]) {
  const { ring, version } = yield* storedRing()
  const last = onlyBy(ring, next.id)
  if (Result.isFailure(last)) return yield* failure(last.failure)
  yield* written(last.success, version)
  return last.success
})

/** Returns every key of the ring, also wrapped by the next master key. */
const wrappings = Effect.fnUntraced(function* (ring: KeyRing, { next, old }: Masters) {
  const all = [{ id: ROOT, wrapped: ring.root }, ...ring.keys]
  const pairs = yield* Effect.forEach(all, ({ id, wrapped }) =>
    Effect.gen(function* () {
      const bytes = yield* keyRing.unwrap(old, id, wrapped)
      const wrapping: Wrapping = { master: next.id, text: yield* next.wrap(id, bytes) }
      return [id, wrapping] as const
    }),
  )
  return new Map(pairs)
})

/** Fails where an earlier run has not introduced the next master key. */
const mayFinish = Effect.fnUntraced(function* ({ next, old }: Masters, { say }: Output) {
  const { ring } = yield* storedRing()
  const flaw = finishFlaw(ring, { next: next.id, old: old.id })
  if (flaw !== undefined) return yield* failure(flaw)
  yield* say(`${next.id} already opens every key of this database.`)
})

/** Wraps every key under both master keys, and starts to seal under a new data key. */
const begin = Effect.fnUntraced(function* (masters: Masters) {
  if (masters.old.id === masters.next.id) {
    return yield* failure(
      "Both master keys are the same. Set PAYPORT_NEXT_MASTER_KEY to a new one, or add --finish " +
        "if every process was started with this one.",
    )
  }
  const { ring, version } = yield* storedRing()
  if (keyRing.opensRing(ring, masters.next)) return
  const flaw = ringFlaw(ring, { mode: ring.mode, master: masters.old.id })
  if (flaw !== undefined) return yield* failure(flaw)
  const also = yield* wrappings(ring, masters)
  const made = yield* keyRing.makeDataKey([masters.old, masters.next])
  const now = yield* Clock.currentTimeMillis
  yield* written(withNewKey(wrappedAlso(ring, also), made, now), version)
})

const walk = Effect.fnUntraced(function* (current: string, { say }: Output) {
  for (let n = 1; n <= MOST_WALKS; n += 1) {
    const walked = yield* resealRecords(current)
    yield* say(`sealed ${walked.changed} records again, ${walked.missed} were being changed`)
    if (walked.changed === 0 && walked.missed === 0) return walked.named
  }
  return yield* failure("Records change faster than they can be sealed. Start this command again.")
})

/**
 * Introduces the next master key while the service runs. Every secret is sealed again under a new
 * data key, and both master keys wrap every data key until a later run ends the old one
 * (`finish`). It can be stopped at any point and started again.
 */
const rotateMasterKey = Effect.fnUntraced(function* (
  masters: Masters,
  finish: boolean,
  output: Output,
) {
  const { next, old } = masters
  yield* finish ? mayFinish(masters, output) : begin(masters)
  const { ring } = yield* storedRing()
  const current = sealingKey(ring)?.id ?? ""
  yield* output.say(`new values are sealed under the data key ${current}`)
  yield* Effect.sleep(SEEN_BY_ALL)
  const keys = yield* Effect.provideService(keyRing.openKeyRing(ring.mode), MasterKey, next)
  const sealing = Effect.andThen(resealChannels(current), walk(current, output))
  const named = yield* Effect.provideService(sealing, Vault, vaultOver(keys))
  const latest = yield* storedRing()
  const now = yield* Clock.currentTimeMillis
  yield* written(withoutUnused(latest.ring, named, now), latest.version)
  if (!finish) {
    yield* output.say(
      `${old.id} and ${next.id} both open this database. Start every process with the new key, ` +
        "then run this with --finish.",
    )
    return yield* output.result({ data_key: current, opened_by: [old.id, next.id] })
  }
  const last = yield* finished(next)
  yield* output.say(`${mastersOf(last).join()} alone opens this database.`)
  yield* output.result({ data_key: current, opened_by: mastersOf(last) })
})

/** The ports that the command needs. */
export type Needs = Store | Documents

/** The command for a database. */
export const rotation = <E>(
  database: Layer.Layer<Needs, E>,
  masters: Masters,
  finish: boolean,
  output: Output,
) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(database), (context: Context.Context<Needs>) =>
      Effect.provideContext(rotateMasterKey(masters, finish, output), context),
    ),
  )
