import { expect, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { rulesLanguage } from "../../../adapters/language/layer.ts"
import { anIntent } from "../../../apps/payport/testing/records/payments.ts"
import { understandQuery } from "../../../core/language/understandQuery.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { CreateRefundRequestInput } from "../../../core/refundRequests/RefundRequestInput.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, world } from "../../support/world.ts"

const { id } = anIntent()

const away = new StoreUnavailable({ outcome: "not_stored", cause: "nobody answers" })

const inWorld = Effect.provide(rulesLanguage.pipe(Layer.provideMerge(world(makeScript()))))

it.effect.each<readonly [query: string, reason: string]>([
  [`Refund ${" ".repeat(700)}${id}`, `Refund ${id}`],
  [`  Refund\u3000 ${id} , please.  `, `Refund ${id} , please.`],
  [`Refund ${id} because it  rained`, "it  rained"],
])("%s is asked for with a reason that a refund request may have", ([query, reason]) =>
  Effect.gen(function* () {
    yield* seed()
    const { action } = yield* understandQuery(as(buyer), query)
    const input = action?.type === "request_refund" ? action.input : {}
    expect(yield* Schema.decodeUnknownEffect(CreateRefundRequestInput)(input)).toEqual({
      payment_intent: id,
      reason,
    })
  }).pipe(inWorld),
)

it.effect("is not guessed to be a request while the payment cannot be read", () =>
  Effect.gen(function* () {
    yield* seed()
    const store = yield* Store
    const down = Store.of({ ...store, find: () => Effect.fail(away) })
    const understood = understandQuery(as(buyer), `Refund ${id}`)
    const error = yield* Effect.flip(Effect.provideService(understood, Store, down))
    expect(error).toBeInstanceOf(StoreUnavailable)
  }).pipe(inWorld),
)
