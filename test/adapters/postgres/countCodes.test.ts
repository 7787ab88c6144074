import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { accessTo } from "../../../adapters/postgres/access.ts"
import { openDatabase } from "../../../adapters/postgres/database.ts"
import { countCodes } from "../../../adapters/postgres/reads/usageReads.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import type { SessionPool } from "../../../adapters/postgres/sessions/SessionPool.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { emptiedDatabase, session } from "../../support/postgres.ts"
import { anIntent, id, T0, uuid } from "../../support/records.ts"
import { insert } from "../../core/work/workWorld.ts"

const account_id = id("acct", 1)
const query = { account_id, from: T0, to: T0 + DAY, counter: "removed", now: T0 + DAY }

/** Payment n with n codes. Only the fifth is of another day. */
const payments = [1, 2, 3, 4, 5].map((n) =>
  anIntent({
    n,
    account_id,
    created_at: n === 5 ? T0 + DAY : T0,
    expires_at: T0 + 2 * DAY,
    offers: Array.from({ length: n }, (_, place) => ({
      channel: `wallet_${place}`,
      charge_id: `qr_${uuid(n * 100 + place)}`,
      qr_data: "data",
      scan_url: "https://pay.test/pay",
      label: "A wallet",
    })),
  }),
)

const stored = Effect.gen(function* () {
  const settings = yield* emptiedDatabase
  const writes = payments.map((record) => insert("payment_intent", record))
  yield* Effect.provide(
    Effect.flatMap(Store, (store) =>
      store.commit({ writes, reservations: [{ counter: "removed", add: 100, limit: 1_000 }] }),
    ),
    PostgresStore.layer(settings),
  )
  return settings
})

it.live("the codes of an account are counted page by page", () =>
  Effect.gen(function* () {
    const settings = yield* stored
    const database = yield* openDatabase(settings, yield* accessTo(settings))
    for (const page of [1, 2, 3, 50]) expect(yield* countCodes(database, query, page)).toBe(110)
    const other = { ...query, account_id: id("acct", 2) }
    expect(yield* countCodes(database, other, 2)).toBe(100)
  }).pipe(Effect.scoped),
)

it.live("the codes of a payment that is removed meanwhile are counted once", () =>
  Effect.gen(function* () {
    const settings = yield* stored
    const database = yield* openDatabase(settings, yield* accessTo(settings))
    const admin = yield* session(settings)
    const remove = admin.query(`WITH gone AS (DELETE FROM payport.payment_intents
        WHERE json_array_length(offers) = 1)
      UPDATE payport.counters SET value = value + 1 WHERE counter = 'removed'`)
    let asked = 0
    const { use } = database.work
    const work: SessionPool = Object.create(database.work, {
      use: {
        value: (f: Parameters<typeof use>[0]) =>
          Effect.andThen((asked += 1) === 2 ? remove : Effect.void, use(f)),
      },
    })
    expect(yield* countCodes({ reads: database.reads, work }, query, 1)).toBe(110)
    expect(asked).toBeGreaterThan(payments.length + 1)
  }).pipe(Effect.scoped),
)
