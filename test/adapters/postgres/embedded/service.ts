import { PgConnection } from "@effect/sql-pg"
import { Cause, Effect, Exit } from "effect"
import { once } from "node:events"
import { startEmbeddedPostgres } from "../../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"

// A small service in a separate process that tests kill. It prints each message as a line of JSON.
const [folder = "", behaviour = "serve"] = process.argv.slice(2)

const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

// The listeners are there from the beginning, since a signal may follow the first message
// immediately.
const interrupted = once(process, "SIGINT")
const terminated = once(process, "SIGTERM")

const program = Effect.gen(function* () {
  const server = yield* startEmbeddedPostgres({ dataDirectory: folder })
  const { pid, adopted, firstStart } = server
  const session = yield* PgConnection.make(server.connection)
  say({ ready: { pid, adopted, firstStart } })
  if (behaviour === "exit") yield* Effect.sync(() => process.exit(0))
  if (behaviour === "insert") {
    yield* session.query("create table if not exists acknowledged (id int primary key)")
    for (let id = 1; ; id += 1) {
      yield* session.query("insert into acknowledged values ($1)", [id])
      say({ inserted: id })
    }
  }
  if (behaviour === "drain") {
    yield* Effect.promise(() => interrupted)
    yield* Effect.sleep("300 millis")
    const { rows } = yield* session.query("select 1 as one")
    say({ drained: rows.length })
    return
  }
  yield* Effect.promise(() => terminated)
})

const exit = await Effect.runPromiseExit(Effect.scoped(program))
if (Exit.isFailure(exit)) {
  say({ failed: Cause.squash(exit.cause) })
  process.exitCode = 1
} else {
  say({ stopped: true })
}
