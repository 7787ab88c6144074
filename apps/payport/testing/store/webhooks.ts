import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { endpointsToTell, lookups } from "../../../../core/webhooks/deliveries/lookups.ts"
import type { EventType } from "../../../../core/webhooks/events/Event.ts"
import { anAccount, anEndpoint, aWebhookKey, id, T0, uuid } from "../records/index.ts"
import {
  type StoreCheck,
  commit,
  insert,
  remove,
  replace,
  store,
  tryCommit,
  upTo,
} from "./probe.ts"

const account = id("acct", 1)

/** An endpoint with every optional field. */
const full = anEndpoint({
  n: 2,
  description: 'Orders, "all" of them\n\\ 翻訳',
  enabled_events: ["payment_intent.succeeded", "escrow.held"],
  status: "disabled",
  disabled_reason: "delivery_failures",
  disabled_at: T0 + 5,
  first_failure_at: T0 + 4,
  previous_secrets: [
    { secret: "sealed:older", reason: 'leaked, "again"', replaced_at: T0, expires_at: T0 + 9 },
  ],
  encryption: {
    id: id("whk", 7),
    key_type: "x25519",
    public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
    fingerprint: "fp_0123456789abcdef",
  },
  updated_at: T0 + 6,
})

/** Checks the webhook endpoints that accounts register, and their encryption keys. */
export const webhooks = (check: StoreCheck): unknown =>
  check.group("endpoints and webhook keys", () => {
    check("are given back as they were stored, and are nothing where there is none", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const key = aWebhookKey({ label: "laptop" })
        const previous = { secret: "s", reason: "r", replaced_at: T0, expires_at: T0 + 1 }
        const rotated = anAccount({ previous_webhook_secrets: [previous, previous] })
        yield* store(
          insert("endpoint", anEndpoint()),
          insert("endpoint", full),
          insert("webhook_key", key),
          insert("account", rotated),
        )
        expect(yield* port.find("endpoint", id("we", 1))).toStrictEqual(anEndpoint())
        expect(yield* port.find("endpoint", full.id)).toStrictEqual(full)
        expect(yield* port.find("webhook_key", key.id)).toStrictEqual(key)
        expect(yield* port.find("account", account)).toStrictEqual(rotated)
        for (const wrong of ["", "we_", uuid(1), id("we", 9), id("whk", 9), "we_'; --"]) {
          expect(yield* port.find("endpoint", wrong)).toBeUndefined()
          expect(yield* port.find("webhook_key", wrong)).toBeUndefined()
          for (const limit of [1, 9]) {
            const by = { account_id: wrong }
            expect(yield* port.list("endpoint", { by, limit })).toStrictEqual([])
          }
        }
      }),
    )

    check("are listed newest first, a page behind the other, to their account alone", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const endpoints = [3, 1, 5, 2, 4].map((n) => anEndpoint({ n }))
        const keys = [3, 1, 5, 2, 4].map((n) => aWebhookKey({ n }))
        const other = { n: 9, account_id: id("acct", 2) }
        yield* store(
          ...endpoints.map((endpoint) => insert("endpoint", endpoint)),
          ...keys.map((key) => insert("webhook_key", key)),
          insert("endpoint", anEndpoint(other)),
          insert("webhook_key", aWebhookKey(other)),
        )
        const numbers = (found: ReadonlyArray<{ readonly id: string }>) =>
          found.map((one) => upTo(9).find((n) => one.id.endsWith(uuid(n))))
        const pages = (prefix: "we" | "whk", limit: number, after?: number) => ({
          by: { account_id: account },
          limit,
          after: after === undefined ? undefined : id(prefix, after),
        })
        expect(numbers(yield* port.list("endpoint", pages("we", 9)))).toStrictEqual([5, 4, 3, 2, 1])
        expect(numbers(yield* port.list("endpoint", pages("we", 2, 4)))).toStrictEqual([3, 2])
        expect(numbers(yield* port.list("webhook_key", pages("whk", 1)))).toStrictEqual([5])
        expect(numbers(yield* port.list("webhook_key", pages("whk", 9, 2)))).toStrictEqual([1])
        expect(numbers(yield* port.list("webhook_key", pages("whk", 9, 1)))).toStrictEqual([])
      }),
    )

    check("are told of what they enable, enabled or not, oldest first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const named = (n: number, ...enabled_events: ReadonlyArray<string>) =>
          insert("endpoint", anEndpoint({ n, enabled_events }))
        yield* store(
          named(5, "payment_intent.failed", "webhook.delivery.failed"),
          named(4, "*"),
          named(3, "payment_intent.succeeded"),
          insert("endpoint", full),
          insert("endpoint", anEndpoint({ n: 9, account_id: id("acct", 2) })),
        )
        const told = (type: EventType) =>
          Effect.map(endpointsToTell(lookups(port), account, type), (found) =>
            found.map((one) => one.id),
          )
        expect(yield* told("payment_intent.succeeded")).toStrictEqual([
          full.id,
          id("we", 3),
          id("we", 4),
        ])
        expect(yield* told("payment_intent.failed")).toStrictEqual([id("we", 4), id("we", 5)])
        expect(yield* told("webhook.delivery.failed")).toStrictEqual([id("we", 5)])
        expect(yield* endpointsToTell(lookups(port), id("acct", 3), "ping")).toStrictEqual([])
        yield* store(replace("endpoint", anEndpoint({ n: 4, enabled_events: ["ping"] })))
        expect(yield* told("payment_intent.failed")).toStrictEqual([id("we", 5)])
        yield* store(remove("endpoint", anEndpoint({ n: 4, version: 2 })))
        expect(yield* told("ping")).toStrictEqual([])
        expect(yield* port.find("endpoint", id("we", 4))).toBeUndefined()
      }),
    )

    check("no two endpoints of an account take one place, until it is free again", () =>
      Effect.gen(function* () {
        const second = insert("endpoint", anEndpoint({ n: 2, place: 1 }))
        yield* store(insert("endpoint", anEndpoint()))
        expect(yield* tryCommit({ writes: [second] })).toMatchObject({ type: "key_taken" })
        const elsewhere = anEndpoint({ n: 2, place: 1, account_id: id("acct", 2) })
        yield* store(insert("endpoint", elsewhere))
        yield* commit({ writes: [remove("endpoint", elsewhere), remove("endpoint", anEndpoint())] })
        yield* store(second)
      }),
    )

    check("no two keys of an account take one place, until it is free again", () =>
      Effect.gen(function* () {
        const second = insert("webhook_key", aWebhookKey({ n: 2, place: 1 }))
        yield* store(insert("webhook_key", aWebhookKey()))
        expect(yield* tryCommit({ writes: [second] })).toMatchObject({ type: "key_taken" })
        const elsewhere = aWebhookKey({ n: 3, place: 1, account_id: id("acct", 2) })
        yield* store(insert("webhook_key", elsewhere))
        yield* commit({ writes: [remove("webhook_key", aWebhookKey())] })
        yield* store(second)
      }),
    )
  })
