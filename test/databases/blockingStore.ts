import { Effect, Layer, Redacted } from "effect"
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { RecordListeners, ServiceListeners } from "../../adapters/shared/StoreListeners.ts"
import { type Commit, Conflict, type ConflictReason, Store } from "../../core/ports/Store.ts"
import type { AuditHead } from "../../core/audit/AuditEntry.ts"
import type { Answered, Asked } from "./storeWorker.ts"

/** What a store can be asked. */
const METHODS = Effect.map(Store, Object.keys).pipe(
  Effect.provide(Layer.fresh(MemoryStore.layer)),
  Effect.scoped,
  Effect.runSync,
) as ReadonlyArray<Asked["method"]>

/**
 * A PostgreSQL store that answers synchronously, as virtual time wants it: another thread asks the
 * database while this one stands still.
 */
export const openBlockingStore = (settings: ConnectionSettings) => {
  const { password = Redacted.make(""), ...rest } = settings
  const bell = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(new URL("./storeWorker.ts", import.meta.url), {
    // What is redacted does not come out of a clone.
    workerData: { settings: rest, password: Redacted.value(password), port: port2, bell },
    transferList: [port2],
  })
  worker.unref()

  const ask = (method: Asked["method"], ...given: ReadonlyArray<unknown>): unknown => {
    port.postMessage({ method, given } satisfies Asked)
    Atomics.wait(bell, 0, 0)
    Atomics.store(bell, 0, 0)
    const answer = receiveMessageOnPort(port)?.message as Answered
    if (answer.type === "broken") throw new Error(answer.message)
    if (answer.type === "value") return answer.value
    throw new Conflict({ reason: answer.reason as ConflictReason })
  }

  const asked = (method: Asked["method"], ...given: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(ask(method, ...given))
      } catch (error) {
        return error instanceof Conflict ? Effect.fail(error) : Effect.die(error)
      }
    })

  /** An empty store, once the schema has been emptied. */
  const fresh = (): Store["Service"] => {
    ask("open")
    const records = new RecordListeners()
    const services = new ServiceListeners()
    const commit = (given: Commit) => {
      const { audit, ...plain } = given
      const entry = audit?.(ask("auditHead") as AuditHead)
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
  return { fresh, close: () => worker.terminate() }
}
