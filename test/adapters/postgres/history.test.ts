import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { HISTORY_TABLES, openHistory } from "../../../adapters/postgres/history.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { heardAgain } from "../../../core/gateway/HeardCallback.ts"
import { Store } from "../../../core/ports/Store.ts"
import { drawnAt } from "../../../core/shared/Id.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { aCallback, T0 } from "../../support/records.ts"
import { ownerOf, testDatabase } from "../../support/postgres.ts"

it.live("shows a message the same when its channel repeats it days later", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
    const heard = aCallback()
    yield* store.commit({ writes: [{ op: "insert", kind: "callback", record: heard }] })
    const history = yield* openHistory(ownerOf(database))
    const table = HISTORY_TABLES.find(({ name }) => name === "callbacks")
    if (table === undefined) return expect.unreachable("messages are history")
    const day = Math.floor(drawnAt(heard.id) / DAY) * DAY
    const read = Effect.scoped(Effect.flatMap(history.open(table, day), ({ next }) => next))
    const before = yield* read
    expect(before).toHaveLength(1)
    const record = heardAgain(heard, T0 + 3 * DAY)
    yield* store.commit({ writes: [{ op: "replace", kind: "callback", record }] })
    expect(yield* read).toStrictEqual(before)
  }).pipe(Effect.scoped),
)
