import { describe, expect, it } from "@effect/vitest"
import sodium, { ready } from "libsodium-wrappers"
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { verify } from "../../../adapters/receiver/verify.ts"
import { ReceiverAddress } from "../../../core/ports/ReceiverAddress.ts"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import type { WebhookOutcome } from "../../../core/ports/WebhookSender.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { attemptDelivery } from "../../../core/webhooks/deliveries/attemptDelivery.ts"
import { replayDelivery } from "../../../core/webhooks/deliveries/deliverAgain.ts"
import { dispatchEvent } from "../../../core/webhooks/deliveries/dispatchEvent.ts"
import { changeEndpoint } from "../../../core/webhooks/endpoints/changeEndpoint.ts"
import { type Endpoint, endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { anAccount, anEndpoint, anEvent, aWebhookKey, id, T0 } from "../../support/records.ts"
import { as } from "../../support/world.ts"
import { sealed, SECRET, WALL, withWorld } from "./endpointWorld.ts"

await ready

const pair = sodium.crypto_box_keypair()
const public_key = Buffer.from(pair.publicKey).toString("base64")
const fingerprint = `fp_${createHash("sha256").update(pair.publicKey).digest("hex").slice(0, 16)}`
const key = aWebhookKey({ public_key, fingerprint })
const caller = as(anAccount())

const endpoint = (said: Partial<Endpoint> & { readonly n?: number } = {}): Endpoint => {
  const n = said.n ?? 1
  const secret = sealed(endpointSecretPlace(id("we", n)), SECRET)
  return anEndpoint({ secret, url: `https://receiver-${n}.example/`, ...said })
}

/** The account gives its first endpoint another key of its own. */
const encryptedFor = (of: string) =>
  changeEndpoint(caller, id("we", 1), {
    encryption: { public_key: of, key_type: "x25519" },
  }).pipe(Effect.provideService(ReceiverAddress, { check: () => undefined }))

const stored = (...writes: Commit["writes"]) =>
  Effect.flatMap(Store, (store) => store.commit({ writes }))

const insert = (kind: "endpoint" | "webhook_key" | "event", record: object) =>
  ({ op: "insert", kind, record }) as unknown as Commit["writes"][number]

const replace = (kind: string, record: object) =>
  ({ op: "replace", kind, record }) as unknown as Commit["writes"][number]

const happened = (said: Partial<Event> & { readonly n?: number } = {}) =>
  stored(insert("event", anEvent({ type: "kyc.verified", service_id: null, ...said })))

const deliveries = (query: { readonly status?: "skipped" | "failed" | "delivered" } = {}) =>
  Effect.flatMap(Store, (store) =>
    store.list("delivery", { by: { account_id: id("acct", 1), ...query }, limit: 100 }),
  )

const log = Effect.flatMap(Store, (store) =>
  store.list("event", { by: { account_id: id("acct", 1) }, limit: 100 }),
)

const ok: WebhookOutcome = { status: 200, duration_ms: 3 }

describe("an event's way to registered endpoints", () => {
  it.effect("is one delivery to each that wants it, signed with the endpoint's secret", () =>
    withWorld(() => ok)((received) =>
      Effect.gen(function* () {
        yield* stored(
          insert("endpoint", endpoint({ n: 1 })),
          insert("endpoint", endpoint({ n: 2, enabled_events: ["kyc.rejected"] })),
          insert("endpoint", endpoint({ n: 3, enabled_events: ["kyc.verified"] })),
        )
        yield* happened()
        yield* runDue()
        expect(received.map(({ url }) => url).toSorted()).toEqual([
          "https://receiver-1.example/",
          "https://receiver-3.example/",
        ])
        const { body, headers } = received[0]!
        verify({ headers, body: Buffer.from(body) }, { secrets: SECRET, now: () => WALL })
        expect(headers).toMatchObject({
          "Service-Signature": headers["Webhook-Signature"],
          "Webhook-Id": id("evt", 1),
          "Idempotency-Key": `wh_${id("evt", 1)}-retry-0`,
        })
        expect(JSON.parse(body)).toMatchObject({ type: "kyc.verified", id: id("evt", 1) })
        expect(yield* deliveries({ status: "delivered" })).toHaveLength(2)
        yield* TestClock.adjust(10 * DAY)
        expect(yield* runDue()).toBe(0)
      }),
    ),
  )

  it.effect("is skipped at a disabled one, before and after it was made", () =>
    withWorld(() => ({ status: 500, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        const off = { status: "disabled", disabled_reason: "requested", disabled_at: T0 } as const
        yield* stored(
          insert("endpoint", endpoint({ n: 1 })),
          insert("endpoint", endpoint({ n: 2, ...off })),
        )
        yield* happened()
        yield* runDue()
        expect(received).toHaveLength(1)
        const current = (yield* (yield* Store).find("endpoint", id("we", 1)))!
        yield* stored(replace("endpoint", { ...current, ...off }))
        yield* TestClock.adjust(10 * SECOND)
        yield* runDue()
        expect(received).toHaveLength(1)
        const skipped = yield* deliveries({ status: "skipped" })
        const ids = new Set(skipped.map(({ endpoint_id }) => endpoint_id))
        expect(ids).toEqual(new Set([id("we", 1), id("we", 2)]))
        expect(skipped).toHaveLength(2)
        for (const { error } of skipped) expect(error).toBe("webhook_endpoint_disabled")
      }),
    ),
  )
})

describe("an endpoint with a key", () => {
  const opened = (body: string): unknown => {
    const { ciphertext } = JSON.parse(body) as { readonly ciphertext: string }
    const box = Buffer.from(ciphertext, "base64")
    const [from, nonce] = [box.subarray(0, 32), box.subarray(32, 56)]
    const text = sodium.crypto_box_open_easy(box.subarray(56), nonce, from, pair.privateKey)
    return JSON.parse(Buffer.from(text).toString("utf8"))
  }

  it.effect("is sent a box, signed as it is sent, that libsodium opens", () =>
    withWorld(() => ok)((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()), insert("webhook_key", key))
        yield* happened({ data: { secret: "planted" } })
        yield* runDue()
        const { body, headers } = received[0]!
        expect(body).not.toContain("planted")
        expect(JSON.parse(body)).toMatchObject({
          encrypted: true,
          key_fingerprint: fingerprint,
          hmac_key_id: id("whk", 1),
        })
        const { enc } = verify(
          { headers, body: Buffer.from(body) },
          { secrets: SECRET, now: () => WALL },
        )
        expect(enc[0]).toBe(Buffer.from(fingerprint).toString("base64"))
        expect(opened(body)).toEqual({
          id: id("evt", 1),
          type: "kyc.verified",
          data: { object: { secret: "planted" } },
          created: T0 / SECOND,
        })
      }),
    ),
  )

  it.effect("is sent a retry for its new key when the endpoint has changed its own", () =>
    withWorld((n) => ({ status: n === 0 ? 500 : 200, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        const other = Buffer.from(sodium.crypto_box_keypair().publicKey).toString("base64")
        yield* stored(insert("endpoint", endpoint()))
        yield* encryptedFor(other)
        yield* happened()
        yield* runDue()
        yield* encryptedFor(public_key)
        yield* TestClock.adjust(MINUTE)
        yield* runDue()
        expect(received).toHaveLength(2)
        expect(opened(received[1]!.body)).toMatchObject({ id: id("evt", 1) })
        expect((yield* deliveries())[0]).toMatchObject({ status: "delivered", error: null })
      }),
    ),
  )

  it.effect("is sent nothing more of a delivery whose key was deleted in between", () =>
    withWorld(() => ({ status: 500, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()), insert("webhook_key", key))
        yield* happened()
        yield* runDue()
        yield* stored({ op: "remove", kind: "webhook_key", record: key })
        yield* TestClock.adjust(MINUTE)
        yield* runDue()
        expect(received).toHaveLength(1)
        const [failed] = yield* deliveries({ status: "failed" })
        expect(failed).toMatchObject({ error: "webhook_key_not_found", due_at: null })
        expect(failed?.attempts).toHaveLength(1)
      }),
    ),
  )

  it.effect("that was registered in mid-retry is used from then on", () =>
    withWorld(() => ({ status: 500, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()))
        yield* happened()
        yield* runDue()
        yield* stored(insert("webhook_key", key))
        yield* TestClock.adjust(MINUTE)
        yield* runDue()
        expect(received.map(({ body }) => body.includes('"encrypted":true'))).toEqual([false, true])
      }),
    ),
  )

  it.effect("is not forgotten over an attempt that began before it was registered", () =>
    withWorld(() => ({ status: 500, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()))
        yield* happened()
        const [event] = yield* log
        yield* dispatchEvent(event!)
        const [before] = yield* deliveries()
        yield* stored(insert("webhook_key", key))
        yield* runDue()
        yield* stored({ op: "remove", kind: "webhook_key", record: key })
        yield* attemptDelivery(before!)
        expect((yield* deliveries())[0]).toMatchObject({ key_id: key.id, status: "pending" })
        yield* TestClock.adjust(HOUR)
        yield* runDue()
        expect(received).toHaveLength(2)
        const [failed] = yield* deliveries({ status: "failed" })
        expect(failed).toMatchObject({ error: "webhook_key_not_found", key_id: key.id })
      }),
    ),
  )

  it.effect("is sent no replay in plain text when its key is gone, and one for a new key", () =>
    withWorld(() => ok)((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()), insert("webhook_key", key))
        yield* happened()
        yield* runDue()
        const [sent] = yield* deliveries()
        yield* stored({ op: "remove", kind: "webhook_key", record: key })
        yield* replayDelivery(caller, sent!.id)
        yield* runDue()
        expect(received).toHaveLength(1)
        const [failed] = yield* deliveries({ status: "failed" })
        expect(failed).toMatchObject({ error: "webhook_key_not_found", replay_of: sent!.id })
        yield* stored(insert("webhook_key", { ...key, id: id("whk", 2) }))
        yield* replayDelivery(caller, failed!.id)
        yield* runDue()
        expect(JSON.parse(received[1]!.body)).toMatchObject({ hmac_key_id: id("whk", 2) })
      }),
    ),
  )

  it.effect(
    "has numbers of its own in every replay, also beside a delivery that is still open",
    () =>
      withWorld((n) => (n < 3 ? { status: 500, duration_ms: 1 } : ok))((received) =>
        Effect.gen(function* () {
          yield* stored(insert("endpoint", endpoint()))
          yield* happened()
          yield* runDue()
          const [first] = yield* deliveries()
          const replayed = yield* replayDelivery(caller, first!.id)
          yield* runDue()
          yield* TestClock.adjust(10 * SECOND)
          yield* runDue()
          for (const of of [first!.id, first!.id, replayed.id]) {
            yield* replayDelivery(caller, of)
            yield* runDue()
          }
          yield* TestClock.adjust(HOUR)
          yield* runDue()
          const keys = received.map(({ headers }) => headers["Idempotency-Key"])
          expect(keys.length).toBeGreaterThan(5)
          expect(new Set(keys).size).toBe(keys.length)
        }),
      ),
  )

  it.effect("is repeated only while it is there: a removal at the same time is refused", () =>
    withWorld(() => ok)(() =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()))
        yield* happened()
        yield* runDue()
        const [sent] = yield* deliveries()
        yield* replayDelivery(caller, sent!.id)
        const removal = stored({ op: "remove", kind: "delivery", record: sent! })
        expect(yield* Effect.flip(removal)).toMatchObject({ reason: { type: "stale_version" } })
      }),
    ),
  )
})

describe("what the log is told of deliveries", () => {
  it.effect("goes to whoever asks for it by name, and tells of itself nothing", () =>
    withWorld((n) => (n === 0 ? { status: 503, duration_ms: 1 } : ok))((received) =>
      Effect.gen(function* () {
        const names = ["kyc.verified", "webhook.delivery.retrying", "webhook.delivery.succeeded"]
        yield* stored(insert("endpoint", endpoint({ enabled_events: names })))
        yield* happened()
        yield* runDue()
        yield* TestClock.adjust(10 * SECOND)
        yield* runDue()
        const told = yield* log
        expect(told.map(({ type }) => type)).toEqual([
          "webhook.delivery.succeeded",
          "webhook.delivery.retrying",
          "kyc.verified",
        ])
        const about = { endpoint_id: id("we", 1), event_id: id("evt", 1) }
        const data = told.map((event) => event.data)
        const next_attempt_at = "2026-01-01T00:00:10.000Z"
        expect(data.slice(0, 2)).toEqual([
          { ...about, attempts: 2, status: "delivered" },
          { ...about, attempts: 1, status: "pending", next_attempt_at },
        ])
        expect(received).toHaveLength(4)
        expect(yield* deliveries()).toHaveLength(3)
      }),
    ),
  )

  it.effect("is written for nobody, too", () =>
    withWorld(() => ({ status: 404, duration_ms: 1 }))((received) =>
      Effect.gen(function* () {
        yield* stored(insert("endpoint", endpoint()))
        yield* happened()
        yield* runDue()
        expect(received).toHaveLength(1)
        const [failed] = yield* log
        expect(failed).toMatchObject({ type: "webhook.delivery.failed", due_at: null })
        expect(failed?.data).toEqual({
          endpoint_id: id("we", 1),
          event_id: id("evt", 1),
          attempts: 1,
          failures: [{ attempt: 1, status: 404, at: "2026-01-01T00:00:00.000Z" }],
          final_status: "failed",
        })
      }),
    ),
  )
})
