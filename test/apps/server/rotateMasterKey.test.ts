import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as keyRing from "../../../adapters/crypto/keyRing.ts"
import { localKey } from "../../../adapters/crypto/masterKeys/localKey.ts"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { makeVault, vaultOver } from "../../../adapters/crypto/Vault.ts"
import { failureOf } from "../../../adapters/shared/failureOf.ts"
import { outputOf } from "../../../apps/server/Output.ts"
import { rotation } from "../../../apps/server/rotateMasterKey.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { MasterKey } from "../../../core/ports/MasterKey.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { mastersOf, newRing } from "../../../core/secrets/KeyRing.ts"

const [old, next, other] = [1, 2, 3].map((n) => localKey(new Uint8Array(32).fill(n))) as [
  MasterKey["Service"],
  MasterKey["Service"],
  MasterKey["Service"],
]

const world = Layer.mergeAll(MemoryStore.layer, MemoryDocuments.layer)

const prepared = Effect.gen(function* () {
  const [root, first] = [
    yield* keyRing.makeDataKey([old], "root"),
    yield* keyRing.makeDataKey([old]),
  ]
  yield* keyRing.writeRing(newRing("live", root.wrapped[0]!, first), 0)
  const database = Layer.mergeAll(
    Layer.succeed(Documents, yield* Documents),
    Layer.succeed(Store, yield* Store),
  )
  const rotate = (
    to: MasterKey["Service"],
    finish: boolean,
    print = (_: string) => Effect.void,
    set = old,
  ) => rotation(database, { old: set, next: to }, finish, outputOf(false, print))
  return rotate
})

const waitedFor = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(run)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

/** The public key of the audit log's signatures, as a process under that master key has it. */
const signerUnder = (master: MasterKey["Service"]) =>
  keyRing.openKeyRing("live").pipe(
    Effect.map((keys) => vaultOver(keys).signer()),
    Effect.provideService(MasterKey, master),
  )

const masters = Effect.map(keyRing.readRing(), ({ ring }) => mastersOf(ring!))

describe("a rotation of the master key", () => {
  it.effect("gives up no key where another one began before it ends", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      const signer = yield* signerUnder(old)
      yield* waitedFor(rotate(next, false))
      let begun = false
      const meanwhile = (text: string) => {
        if (begun || !text.startsWith("sealed")) return Effect.void
        begun = true
        // It stops as soon as it has begun.
        return Effect.asVoid(Effect.exit(rotate(other, false, () => Effect.die("stopped"))))
      }
      const error = yield* Effect.flip(waitedFor(rotate(next, true, meanwhile)))
      expect(error).toMatchObject({ _tag: "StartFailure" })
      expect((error as Error).message).toMatch(/^Another rotation has begun, and .*one\.$/)
      expect(yield* masters).toEqual([old.id, other.id])
      yield* waitedFor(rotate(next, false))
      yield* waitedFor(rotate(next, true))
      expect(yield* masters).toEqual([next.id])
      expect(yield* signerUnder(next)).toBe(signer)
    }).pipe(Effect.provide(world)),
  )

  it.effect("removes no key in the run that introduces the next one", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      const error = yield* Effect.flip(waitedFor(rotate(next, true)))
      expect((error as Error).message).toMatch(/^mk_\w+ does not open every key .* no key was/)
      expect(yield* masters).toEqual([old.id])
      // A key that nobody has kept is made anew by each run.
      yield* waitedFor(rotate(next, false))
      yield* Effect.flip(waitedFor(rotate(other, true)))
      expect(yield* masters).toEqual([old.id, next.id])
      yield* waitedFor(rotate(next, true))
      expect(yield* masters).toEqual([next.id])
    }).pipe(Effect.provide(world)),
  )

  it.effect("ends with the settings that the service has by then", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      const said: Array<string> = []
      const print = (text: string) => Effect.sync(() => void said.push(text))
      const same = yield* Effect.flip(waitedFor(rotate(old, false)))
      expect((same as Error).message).toMatch(/^Both master keys are the same\. Set /)
      yield* waitedFor(rotate(next, false))
      const error = yield* Effect.flip(waitedFor(rotate(old, true)))
      expect((error as Error).message).toContain(`${old.id} is the key that ${next.id} is to`)
      expect(yield* masters).toEqual([old.id, next.id])
      yield* waitedFor(rotate(next, true, print, next))
      expect(said[0]).toBe(`${next.id} already opens every key of this database.`)
      expect(yield* masters).toEqual([next.id])
      // It can be repeated.
      yield* waitedFor(rotate(next, true, print, next))
      expect(yield* masters).toEqual([next.id])
    }).pipe(Effect.provide(world)),
  )

  it.effect("lets no process work that can only seal under a key that will be removed", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      const started = (master: MasterKey["Service"]) =>
        Layer.build(Layer.provide(keyRing.layer("live"), Layer.succeed(MasterKey, master)))
      const ping = (process: Context.Context<Store>) => Context.get(process, Store).ping()
      const behind = yield* started(old)
      yield* waitedFor(rotate(next, false))
      yield* waitedFor(rotate(next, true))
      // Its master key is gone, but it knows the data key that seals.
      yield* ping(behind)
      yield* waitedFor(rotate(other, false, undefined, next))
      const refusal = yield* Effect.flip(ping(behind))
      expect(refusal).toMatchObject({ outcome: "not_stored", trouble: "keys" })
      expect(failureOf(Cause.fail(refusal)).message).toContain("with the present master key.")
      yield* ping(yield* started(next))
    }).pipe(Effect.provide(world)),
  )

  it.effect("counts no text as lost whose new key a process cannot read yet", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      let isReachable = true
      const documents = yield* Documents
      const get: typeof documents.get = (scope, id) =>
        isReachable
          ? documents.get(scope, id)
          : Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "away" }))
      const opened = (master: MasterKey["Service"]) =>
        Effect.map(keyRing.openKeyRing("live"), vaultOver).pipe(
          Effect.provideService(MasterKey, master),
          Effect.provideService(Documents, { ...documents, get }),
        )
      const behind = yield* opened(old)
      yield* waitedFor(rotate(next, false))
      const sealed = (yield* opened(next)).seal("place", "text")
      const foreign = makeVault(new Uint8Array(32).fill(9)).seal("place", "text")
      isReachable = false
      expect(yield* Effect.flip(behind.open("place", sealed))).toMatchObject({ isTemporary: true })
      isReachable = true
      expect(yield* behind.open("place", sealed)).toBe("text")
      const lost = yield* Effect.flip(behind.open("place", foreign))
      expect(lost).not.toHaveProperty("isTemporary")
    }).pipe(Effect.provide(world)),
  )

  it.effect("does not begin over keys that another one has changed since it read them", () =>
    Effect.gen(function* () {
      const rotate = yield* prepared
      const begins = Effect.exit(rotate(other, false, () => Effect.die("stopped")))
      const slow: MasterKey["Service"] = {
        ...next,
        wrap: (name, key) =>
          name === "root" ? Effect.andThen(begins, next.wrap(name, key)) : next.wrap(name, key),
      }
      const error = yield* Effect.flip(waitedFor(rotate(slow, false)))
      expect((error as Error).message).toMatch(/^Another rotation changed the keys/)
      const { ring } = yield* keyRing.readRing()
      expect(ring?.keys).toHaveLength(2)
      expect(yield* masters).toEqual([old.id, other.id])
    }).pipe(Effect.provide(world)),
  )
})
