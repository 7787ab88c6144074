import { Effect } from "effect"
import { expect } from "../expect.ts"
import { ALL_KINDS, Store } from "../../../../core/ports/Store.ts"
import { REFUND_REQUEST_STATUSES } from "../../../../core/refundRequests/RefundRequest.ts"
import {
  channelRequestIn,
  aDelivery,
  anAccount,
  aGrant,
  anApiKey,
  anEvent,
  anIntent,
  aReply,
  hash,
  id,
  intentIn,
  refundRequestIn,
  T0,
  uuid,
  oneOfEachKind,
} from "../records/index.ts"
import { intents, services } from "./readRecords.ts"
import {
  type StoreCheck,
  commit,
  hasVersion,
  insert,
  remove,
  replace,
  store,
  tryCommit,
} from "./probe.ts"

/** Checks that stored records are read back exactly, whatever they hold. */
export const reads = (check: StoreCheck): unknown =>
  check.group("reads", () => {
    check("gives back each record as it was stored, and undefined for what is not there", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const account = anAccount({ merchant_account: "m-1" })
        const api_key = anApiKey({
          expires_at: T0 + 5,
          revoked_at: T0 + 6,
          minted_by: id("key", 9),
          restrictions: { routes: ["read"] },
          suspended_at: T0 + 7,
          oauth: aGrant,
        })
        const request = channelRequestIn("refused", { trade_no: "t-1", attempts: 3 })
        const delivery = aDelivery({
          status: "failed",
          attempts: [
            { attempt: 1, status: null, at: T0, duration_ms: 5_000, error: "no answer in 5 s" },
            { attempt: 2, status: 500, at: T0 + 1, duration_ms: 12, response: 'Oops, "é"' },
          ],
          due_at: null,
        })
        const event = anEvent({ data: { id: "x", metadata: { a: [1, "2"] } }, due_at: null })
        expect(yield* port.find("account", account.id)).toBeUndefined()
        expect(yield* port.find("channel_request", request.id)).toBeUndefined()
        expect(yield* port.find("event", event.id)).toBeUndefined()
        expect(yield* port.find("delivery", delivery.id)).toBeUndefined()
        yield* commit({
          writes: [
            insert("account", account),
            insert("api_key", api_key),
            insert("channel_request", request),
            insert("delivery", delivery),
          ],
          events: [event],
        })
        expect(yield* port.find("account", account.id)).toStrictEqual(account)
        expect(yield* port.findBy("account", { agent_id: account.agent_id })).toStrictEqual(account)
        expect(yield* port.findBy("account", { agent_id: "nobody" })).toBeUndefined()
        expect(yield* port.find("api_key", api_key.id)).toStrictEqual(api_key)
        expect(yield* port.findCredential(api_key.hash)).toStrictEqual({ api_key, account })
        expect(yield* port.findCredential(hash(99))).toBeUndefined()
        // Every refresh gives a program's key another secret.
        const refreshed = { ...api_key, hash: hash(98) }
        yield* commit({ writes: [{ op: "replace", kind: "api_key", record: refreshed }] })
        expect(yield* port.findCredential(api_key.hash)).toBeUndefined()
        expect((yield* port.findCredential(refreshed.hash))?.api_key.id).toBe(api_key.id)
        expect(yield* port.find("channel_request", request.id)).toStrictEqual(request)
        expect(yield* port.find("event", event.id)).toStrictEqual(event)
        expect(yield* port.find("delivery", delivery.id)).toStrictEqual(delivery)
      }),
    )

    check("gives back intents of both flows in every state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.find("payment_intent", id("pi", 1))).toBeUndefined()
        yield* store(...intents.map((intent) => insert("payment_intent", intent)))
        for (const intent of intents) {
          expect(yield* port.find("payment_intent", intent.id)).toStrictEqual(intent)
        }
        const found = yield* port.findMany("payment_intent", [
          "pi_nonsense",
          id("pi", 9_999),
          ...intents.map((intent) => intent.id),
        ])
        expect(new Set(found)).toStrictEqual(new Set<unknown>(intents))
        expect(yield* port.findMany("payment_intent", ["nonsense"])).toStrictEqual([])
      }),
    )

    check("gives back manifests by id and by the account's own name", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...services.map((service) => insert("service", service)))
        for (const service of services) {
          expect(yield* port.find("service", service.id)).toStrictEqual(service)
          const named = yield* port.findBy("service", {
            account_id: service.account_id,
            name_key: service.name_key,
          })
          expect(named).toStrictEqual(service.status === "deleted" ? undefined : service)
        }
        expect(
          yield* port.findBy("service", { account_id: id("acct", 2), name_key: "service 1" }),
        ).toBeUndefined()
        expect(
          yield* port.findBy("service", { account_id: id("acct", 1), name_key: "Service 1" }),
        ).toBeUndefined()
        expect(yield* port.findBy("service", { name_key: "service 1" })).toStrictEqual(services[0])
        expect(yield* port.findBy("service", { name_key: "service 3" })).toBeUndefined()
        expect(yield* port.findBy("service", { name_key: "nothing" })).toBeUndefined()
      }),
    )

    check("answers undefined for ids that name nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert("payment_intent", anIntent()))
        const nothing = ["", "pi_", "nonsense", uuid(1), id("evt", 1), "pi_'; --", "é".repeat(99)]
        for (const wrong of nothing) {
          expect(yield* port.find("payment_intent", wrong)).toBeUndefined()
          expect(yield* port.find("account", wrong)).toBeUndefined()
          expect(yield* port.find("api_key", wrong)).toBeUndefined()
          expect(yield* port.find("service", `${wrong}x`)).toBeUndefined()
          expect(yield* port.find("channel_request", wrong)).toBeUndefined()
          expect(yield* port.find("refund", wrong)).toBeUndefined()
          expect(yield* port.find("challenge", wrong)).toBeUndefined()
          expect(yield* port.find("event", `${wrong}x`)).toBeUndefined()
          expect(yield* port.find("delivery", wrong)).toBeUndefined()
          expect(yield* port.findCredential(wrong)).toBeUndefined()
          expect(yield* port.findReply(wrong, "retry-1")).toBeUndefined()
        }
      }),
    )

    check("replaces with the next version and removes", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const first = intentIn("authorized")
        yield* store(insert("payment_intent", first))
        const next = intentIn("voided", { version: 1, channel: "wallet_b" })
        yield* store(replace("payment_intent", next))
        const stored = yield* port.find("payment_intent", first.id)
        expect(stored).toStrictEqual({ ...next, version: 2 })
        yield* store(remove("payment_intent", { ...next, version: 2 }))
        expect(yield* port.find("payment_intent", first.id)).toBeUndefined()
        yield* store(insert("payment_intent", first))
        expect(yield* port.find("payment_intent", first.id)).toStrictEqual(first)
      }),
    )

    check("inserts, replaces and removes records of every kind", () =>
      Effect.gen(function* () {
        const each = oneOfEachKind()
        const all = ALL_KINDS.map((kind) => [kind, each[kind]] as const)
        yield* store(...all.map(([kind, record]) => insert(kind, record)))
        const port = yield* Store
        for (const [kind, record] of all) {
          expect(yield* port.find(kind, record.id), kind).toStrictEqual(record)
        }
        yield* store(...all.map(([kind, record]) => replace(kind, record)))
        for (const [kind, record] of all) {
          expect(yield* hasVersion(kind, record.id, 1), kind).toBe(false)
          expect(yield* hasVersion(kind, record.id, 2), kind).toBe(true)
        }
        yield* store(...all.map(([kind, record]) => remove(kind, { ...record, version: 2 })))
        for (const [kind, record] of all) {
          expect(yield* hasVersion(kind, record.id, 2), kind).toBe(false)
        }
      }),
    )

    check("has refund requests in every state, of which one of a payment is open", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const all = REFUND_REQUEST_STATUSES.map((status, n) =>
          refundRequestIn(status, { n: n + 1 }),
        )
        yield* store(...all.map((record) => insert("refund_request", record)))
        for (const record of all) {
          expect(yield* port.find("refund_request", record.id)).toStrictEqual(record)
        }
        const [open, ended] = all
        const payment = (of?: { readonly payment_intent: string }) => ({
          payment_intent: of?.payment_intent ?? "",
        })
        expect(yield* port.findBy("refund_request", payment(open))).toStrictEqual(open)
        expect(yield* port.findBy("refund_request", payment(ended))).toBeUndefined()
        const second = refundRequestIn("open", { n: 9, ...payment(open) })
        expect(yield* tryCommit({ writes: [insert("refund_request", second)] })).toMatchObject({
          type: "key_taken",
        })
        const another = refundRequestIn("open", { n: 9, ...payment(ended) })
        yield* store(insert("refund_request", another))
      }),
    )

    check("keeps what it has from changes to what was handed in or out", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const make = () => ({ intent: anIntent({ metadata: { tags: ["a"] } }), reply: aReply() })
        const [{ intent, reply }, before] = [make(), make()]
        yield* commit({ writes: [insert("payment_intent", intent)], reply })
        spoil(intent)
        spoil(reply)
        const read = yield* port.find("payment_intent", id("pi", 1))
        expect(read).toStrictEqual(before.intent)
        spoil(read)
        expect(yield* port.find("payment_intent", id("pi", 1))).toStrictEqual(before.intent)
        spoil(yield* port.findReply(id("acct", 1), "retry-1"))
        expect(yield* port.findReply(id("acct", 1), "retry-1")).toStrictEqual(before.reply)
        const [claimed] = yield* port.claimDue("payment_intent", T0 * 2, { limit: 1, lease: 1 })
        spoil(claimed)
        const stored = yield* port.find("payment_intent", id("pi", 1))
        expect(stored).toStrictEqual({ ...before.intent, version: 2 })
      }),
    )

    check("answers a ping", () => Effect.flatMap(Store, (port) => port.ping()))
  })

/** Changes everything in a value that can be changed; frozen parts stay as they are. */
const spoil = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  for (const [field, held] of Object.entries(value)) {
    spoil(held)
    Reflect.set(value, field, "spoiled")
  }
}
