import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHmac } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { TestClock } from "effect/testing"
import { makeSender } from "../../../adapters/webhooks/sender.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { attemptDelivery } from "../../../core/webhooks/deliveries/attemptDelivery.ts"
import { dispatchEvent } from "../../../core/webhooks/deliveries/dispatchEvent.ts"
import { claim, SECRET, world } from "../../core/webhooks/deliveryWorld.ts"
import { aService, T0 } from "../../support/records.ts"
import { httpReceiver } from "./servers.ts"

/** Verifies a delivery with only the shared secret and the received bytes. */
const isGenuine = (headers: IncomingHttpHeaders, body: string): boolean => {
  const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex")
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["webhook-signature"])) ?? []
  return headers["x-webhook-signature"] === hmac(body) && v1 === hmac(`${t}.${body}`)
}

it.effect("an event arrives at a receiver that was down for a minute, and verifies there", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const seen: Array<IncomingHttpHeaders> = []
    const receiver = yield* httpReceiver((request, response) => {
      seen.push(request.headers)
      response.writeHead(seen.length === 1 ? 503 : 200).end("noted")
    })
    const store = yield* Store
    const record = aService({ endpoint: `http://127.0.0.1:${receiver.port}/hooks` })
    yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
    for (const event of yield* claim("event")) yield* dispatchEvent(event)
    for (const delivery of yield* claim("delivery")) yield* attemptDelivery(delivery)
    yield* TestClock.adjust(MINUTE)
    const [retried] = yield* claim("delivery")
    yield* attemptDelivery(retried!)
    const delivery = yield* store.find("delivery", retried!.id)
    expect(delivery).toMatchObject({
      status: "delivered",
      attempts: [
        { attempt: 1, status: 503 },
        { attempt: 2, status: 200, response: "noted" },
      ],
    })
    expect(seen.map((headers, n) => isGenuine(headers, receiver.bodies[n]!))).toEqual([true, true])
    expect(seen.map((headers) => headers["x-webhook-id"])).toEqual([
      retried!.event_id,
      retried!.event_id,
    ])
  }).pipe(
    Effect.provide(Layer.effect(WebhookSender, makeSender({ local: true }))),
    Effect.provide(world),
  ),
)
