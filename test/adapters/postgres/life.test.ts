import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { emptiedDatabase } from "../../support/postgres.ts"
import { tapStatements } from "../../support/StatementTap.ts"
import { aService } from "../../support/records.ts"
import {
  callBack,
  capture,
  later,
  request,
  sandboxWorld,
  seller,
  statusOf,
} from "../channels/sandboxWorld.ts"

/** What a statement is for, by its text; the first that matches. */
const PURPOSES: ReadonlyArray<readonly [purpose: string, text: RegExp]> = [
  ["commit", /payport_commit_/],
  ["write the channel's books", /^(INSERT INTO|UPDATE|WITH given.*UPDATE) "payport"\.documents/s],
  ["look for the channel's due charges", /"payport"\.documents WHERE scope = \$1 AND due_at/],
  ["read the channel's books", /FROM "payport"\.documents WHERE scope|JOIN "payport"\.documents/],
  ["look for what is due", /AS payment_intent,/],
  ["claim events", /UPDATE "payport"\.events/],
  ["claim deliveries", /UPDATE "payport"\.deliveries/],
  ["read payments", /FROM "payport"\.payment_intents WHERE id/],
  ["read challenges", /FROM "payport"\.challenges WHERE id/],
  ["read events", /FROM "payport"\.events WHERE id/],
  ["list endpoints", /FROM "payport"\.endpoints\s+WHERE \(account_id, id\)/],
]

/** Reads that a process caches for a second. Their number depends on the machine. */
const KEPT = /FROM "payport"\.(services|accounts|agents|endpoints|consumer_lists) WHERE id/

const purposeOf = (text: string): string =>
  PURPOSES.find(([, known]) => known.test(text))?.[0] ?? text

const say = (id: string, trade_status: TradeStatus) =>
  callBack({
    channel: "wallet_a",
    out_trade_no: id,
    trade_no: `trade ${id}`,
    total_amount: "6.99",
    trade_status,
    payer_id: "payer",
    wallet_id: "wallet",
  })

const CALLBACK = [
  "read payments",
  "read the channel's books",
  "write the channel's books",
  "commit",
]

/** What each step of a life asks of the database, in its order. */
const ALONE = {
  create: ["commit"],
  scan: CALLBACK,
  authorize: CALLBACK,
  capture: [
    "read payments",
    "commit",
    "read the channel's books",
    "write the channel's books",
    "commit",
  ],
  settle: CALLBACK,
  deliver: [
    "look for what is due",
    "claim events",
    "list endpoints",
    "commit",
    "look for the channel's due charges",
    "look for what is due",
    "claim deliveries",
    "read events",
    "list endpoints",
    "commit",
    "look for the channel's due charges",
    "look for what is due",
    "look for the channel's due charges",
  ],
}

type World = Layer.Success<ReturnType<typeof sandboxWorld>>

interface Steps {
  readonly [name: string]: Effect.Effect<void, unknown, World>
}

/** Callbacks, a capture and the webhook, in the order of a life, for all payments at a time. */
const stepsOf = (ids: ReadonlyArray<string>): Steps => {
  const each = <E, R>(step: (id: string) => Effect.Effect<unknown, E, R>) =>
    Effect.forEach(ids, step, { concurrency: "unbounded", discard: true })
  return {
    scan: each((id) => say(id, "SCANNED")),
    authorize: each((id) => say(id, "AUTHORIZED")),
    capture: each(capture),
    settle: each((id) => say(id, "SUCCESS")),
    deliver: Effect.asVoid(runDue()),
  }
}

/** A sandbox on PostgreSQL whose statements are recorded after its first payment. */
const observed = <A, E>(
  use: (tap: Effect.Success<ReturnType<typeof tapStatements>>) => Effect.Effect<A, E, World>,
) =>
  Effect.gen(function* () {
    const tap = yield* tapStatements(yield* emptiedDatabase)
    const warm = Effect.gen(function* () {
      const { id } = yield* request()
      yield* Effect.forEach(Object.values(stepsOf([id])), (step) => step, { discard: true })
      tap.forget()
      return yield* use(tap)
    })
    return yield* Effect.provide(warm, sandboxWorld(undefined, PostgresStore.layer(tap.database)))
  })

describe("the statements of a life", () => {
  it.effect("that is alone are these", () =>
    observed((tap) =>
      Effect.gen(function* () {
        const { id } = yield* request()
        const ran = () => {
          const texts = tap.ran().flatMap((text) => (KEPT.test(text) ? [] : [purposeOf(text)]))
          tap.forget()
          return texts
        }
        const found: Record<string, ReadonlyArray<string>> = { create: ran() }
        for (const [name, step] of Object.entries(stepsOf([id]))) {
          yield* step
          found[name] = ran()
        }
        expect(yield* statusOf(id)).toBe("succeeded")
        expect(found).toEqual(ALONE)
      }),
    ),
  )

  it.effect("at a paid endpoint are these", () =>
    observed((tap) =>
      Effect.gen(function* () {
        const bound = {
          service_id: aService().id,
          amount: { currency: "USD", value: 699 },
          resource: "GET /reports/7",
        }
        const { payment_intent } = yield* openChallenge(seller, bound)
        const { id, token } = payment_intent
        yield* say(id, "AUTHORIZED")
        tap.forget()
        yield* redeemProof(seller, id, { ...bound, token })
        const redeeming = tap.ran().filter((text) => !KEPT.test(text))
        tap.forget()
        yield* later(2_000)
        const settling = tap.ran().flatMap((text) => {
          const purpose = purposeOf(text)
          return purpose.endsWith("the channel's books") ? [purpose] : []
        })
        expect(redeeming.map(purposeOf)).toEqual([
          "read challenges",
          "read payments",
          "commit",
          "read the channel's books",
          "write the channel's books",
          "commit",
          "commit",
        ])
        expect(yield* statusOf(id)).toBe("succeeded")
        // What is read before may be the settings of the channels.
        expect(settling.slice(settling.indexOf("write the channel's books"))).toEqual([
          "write the channel's books",
          "read the channel's books",
          "write the channel's books",
        ])
      }),
    ),
  )

  it.effect("are fewer than three a life where 64 live at once", () =>
    observed((tap) =>
      Effect.gen(function* () {
        const many = Array.from({ length: 64 }, () => request())
        const made = yield* Effect.all(many, { concurrency: "unbounded" })
        const steps = Object.values(stepsOf(made.map(({ id }) => id)))
        yield* Effect.forEach(steps, (step) => step, { discard: true })
        expect(yield* statusOf(made[63]?.id ?? "")).toBe("succeeded")
        expect(tap.ran().length / made.length).toBeLessThan(3)
      }),
    ),
  )
})
