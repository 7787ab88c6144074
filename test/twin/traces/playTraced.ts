import { Effect, Layer, Result } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Conflict, Store } from "../../../core/ports/Store.ts"
import { simulate } from "../../../simulator/perform.ts"
import { CurrentCause } from "../../../simulator/world/ports/CurrentCause.ts"
import type { Model } from "../Quint.ts"
import { replyKey } from "./cells.ts"
import { type Look, StoreModel } from "./StoreModel.ts"

type Service = Store["Service"]

/** The store of a world, with each step repeated in the model. */
const tracedStore = (store: Service, twin: StoreModel): Service => {
  const look: Look = {
    version: (kind, id) => Effect.runSync(Effect.orDie(store.find(kind, id)))?.version,
    counters: (names) => Effect.runSync(Effect.orDie(store.readCounters(names))),
  }
  return {
    ...store,
    commit: (commit) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(store.commit(commit))
        const given = (yield* CurrentCause).type === "nobody"
        if (Result.isSuccess(result)) twin.commit(commit, { type: "stored", given }, look)
        else if (result.failure instanceof Conflict) {
          twin.commit(commit, result.failure.reason, look)
        }
        return yield* Effect.fromResult(result)
      }),
    claimDue: (kind, now, options) =>
      Effect.tap(store.claimDue(kind, now, options), (records) =>
        Effect.sync(() => {
          for (const record of records) twin.claimed(kind, record)
        }),
      ),
    purgeReplies: (now, limit) =>
      Effect.tap(store.purgeReplies(now, limit), () =>
        Effect.gen(function* () {
          for (const { account_id, key } of twin.repliesOver(now)) {
            if ((yield* store.findReply(account_id, key)) === undefined) {
              twin.forgetReply(replyKey(account_id, key))
            }
          }
        }),
      ),
    purgeDayCounters: (prefix, day) =>
      Effect.tap(store.purgeDayCounters(prefix, day), () =>
        Effect.sync(() => twin.forgetDays(prefix, day)),
      ),
    eraseAccountData: () => Effect.die(new Error("The model has no erasure of an account.")),
  }
}

/** The result of a world whose steps were compared with the model. */
export interface Traced {
  readonly seed: number
  readonly commits: number
  readonly refusals: number
  readonly moves: number
  /** Differences between the store and the model, in words. */
  readonly found: ReadonlyArray<string>
}

/** Plays the world of a seed on the memory store, and holds each of its steps against the model. */
export const playTraced = (
  model: Model,
  seed: number,
  intents: number,
  alter: (store: Service) => Service = (store) => store,
): Traced => {
  const twin = new StoreModel(model)
  const memory = Effect.runSync(Effect.provide(Store, Layer.fresh(MemoryStore.layer)))
  simulate({ seed, intents, store: tracedStore(alter(memory), twin) })
  const { commits, found, moves, refusals } = twin
  return { seed, commits, refusals, moves, found }
}
