import { Effect, Layer, Redacted } from "effect"
import { Worker } from "node:worker_threads"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { RecordListeners, ServiceListeners } from "../../adapters/shared/StoreListeners.ts"
import { type Commit, Conflict, type ConflictReason, Store } from "../../core/ports/Store.ts"
import type { AuditHead } from "../../core/audit/AuditEntry.ts"
import { ask, makeLine } from "./Line.ts"
import type { Answered, Asked, Data } from "./storeWorker.ts"

/** The methods of a store. */
const METHODS = Effect.map(Store, Object.keys).pipe(
  Effect.provide(Layer.fresh(MemoryStore.layer)),
  Effect.scoped,
  Effect.runSync,
) as ReadonlyArray<Asked["method"]>

/**
 * Opens a PostgreSQL store that answers synchronously, as virtual time requires: another thread
 * asks the database while this one is blocked.
 */
export const openBlockingStore = (settings: ConnectionSettings) => {
  const { password = Redacted.make(""), ...rest } = settings
  const line = makeLine()
  const workerData: Data = { settings: rest, password: Redacted.value(password), line }
  const worker = new Worker(new URL("./storeWorker.ts", import.meta.url), { workerData })
  worker.unref()
  /** A failure of the database, which a world might take for one of its own faults. */
  let broken: Error | undefined

  const request = (method: Asked["method"], ...given: ReadonlyArray<unknown>): unknown => {
    const answer = ask(line, { method, given } satisfies Asked) as Answered
    if (answer.type === "value") return answer.value
    if (answer.type === "broken") throw new Error(`${method}: ${answer.message}`)
    throw new Conflict({ reason: answer.reason as ConflictReason })
  }

  const asked = (method: Asked["method"], ...given: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(request(method, ...given))
      } catch (error) {
        if (error instanceof Conflict) return Effect.fail(error)
        broken ??= error instanceof Error ? error : new Error(String(error))
        return Effect.die(error)
      }
    })

  /** An empty store, once the schema has been emptied. */
  const fresh = (): Store["Service"] => {
    request("open")
    broken = undefined
    const records = new RecordListeners()
    const services = new ServiceListeners()
    const commit = (given: Commit) => {
      const { audit, ...plain } = given
      const entry = audit?.(request("auditHead") as AuditHead)
      const ids = [
        ...given.writes.map(({ record }) => record.id),
        ...(given.events ?? []).map(({ id }) => id),
      ]
      const kinds = given.writes.flatMap(({ kind, record }) =>
        kind === "service" ? record.id : [],
      )
      return asked("commit", plain, entry).pipe(
        Effect.tap(() => services.notify(kinds)),
        Effect.tap(() => records.notify(ids)),
      )
    }
    const all = METHODS.map((name) => [
      name,
      (...given: ReadonlyArray<unknown>) => asked(name, ...given),
    ])
    return {
      ...(Object.fromEntries(all) as Store["Service"]),
      commit,
      watch: (id, listener) => records.add(id, listener),
      watchServices: (listener) => services.add(listener),
    }
  }
  return { fresh, broken: () => broken, close: () => worker.terminate() }
}
