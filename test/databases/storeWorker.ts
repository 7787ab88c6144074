import { Cause, Context, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { workerData } from "node:worker_threads"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { type Commit, Conflict, Store } from "../../core/ports/Store.ts"
import { answerAll, type Line } from "./Line.ts"

/** A request of the other thread: a method of the store by name, or a new store. */
export interface Asked {
  readonly method: keyof Store["Service"] | "open"
  readonly given: ReadonlyArray<unknown>
}

/** The answer to a request. */
export type Answered =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "conflict"; readonly reason: unknown }
  | { readonly type: "broken"; readonly message: string }

/** The data with which this thread starts. */
export interface Data {
  readonly settings: Omit<ConnectionSettings, "password">
  /** Not redacted, since a redacted value does not survive a clone. */
  readonly password: string
  readonly line: Line
}

const { line, password, settings: place } = workerData as Data
const settings = { ...place, password: Redacted.make(password) }

let scope = Scope.makeUnsafe()
let store: Store["Service"] | undefined

/** Opens a store without anything cached by the previous one. */
const open = Effect.gen(function* () {
  yield* Scope.close(scope, Exit.void)
  scope = Scope.makeUnsafe()
  const built = yield* Layer.buildWithScope(PostgresStore.layer(settings), scope)
  store = Context.get(built, Store)
})

type Method = (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

const perform = ({ given, method }: Asked): Effect.Effect<unknown, unknown> => {
  if (method === "open") return open
  if (store === undefined) return Effect.die(new Error("No store is open."))
  if (method === "commit") {
    const [commit, entry] = given as [Commit, ReturnType<NonNullable<Commit["audit"]>> | undefined]
    return store.commit(entry === undefined ? commit : { ...commit, audit: () => entry })
  }
  return (store[method] as Method)(...given)
}

const answerOf = (exit: Exit.Exit<unknown, unknown>): Answered => {
  if (Exit.isSuccess(exit)) return { type: "value", value: exit.value }
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  return error instanceof Conflict
    ? { type: "conflict", reason: error.reason }
    : { type: "broken", message: Cause.pretty(exit.cause) }
}

answerAll(line, (asked) => Effect.runPromiseExit(perform(asked as Asked)).then(answerOf))
