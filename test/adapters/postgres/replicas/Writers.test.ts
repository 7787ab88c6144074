import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accessTo } from "../../../../adapters/postgres/access.ts"
import { openDatabase } from "../../../../adapters/postgres/database.ts"
import { Writers } from "../../../../adapters/postgres/replicas/Writers.ts"
import { emptiedDatabase, session } from "../../../support/postgres.ts"

it.live("a writer is announced once, and anew to a server that has taken over", () =>
  Effect.gen(function* () {
    const settings = yield* emptiedDatabase
    const admin = yield* session(settings)
    const database = yield* openDatabase(settings, yield* accessTo(settings))
    const [own, other] = [new Writers(database, 1_000), new Writers(database, 1_000)]
    const write = own.write("acct_1", Effect.void)
    // Loses the announcements that a promoted standby has not received.
    const lose = admin.query("DELETE FROM payport.documents WHERE scope = 'writers'")

    own.follow("1 00000001")
    yield* write
    expect(yield* other.elsewhere("acct_1")).toBe(true)
    expect(yield* own.elsewhere("acct_1")).toBe(false)

    yield* lose
    own.follow("1 00000001")
    yield* write
    expect(yield* other.elsewhere("acct_1")).toBe(false)
    own.follow("1 00000002")
    yield* write
    expect(yield* other.elsewhere("acct_1")).toBe(true)
  }).pipe(Effect.scoped),
)
