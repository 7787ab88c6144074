import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { payForResource } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, walk, world } from "../../support/world.ts"

/** A payment of the buyer's own account that is authorized, and shown to be captured later. */
const bought = Effect.gen(function* () {
  yield* seed({ accepted_channels: ["wallet_a", "wallet_b"], default_channel: null })
  const amount = { currency: "USD", value: 699 }
  const bound = { service_id: uuid(1), amount, resource: "GET /reports/7" }
  const { payment_intent } = yield* payForResource(as(buyer), bound)
  const { id, token } = payment_intent
  yield* walk(id, "SCANNED", "AUTHORIZED")
  const show = redeemProof(as(seller), id, { ...bound, token, capture: "later" })
  const intent = Effect.flatMap(Store, (store) => store.find("payment_intent", id))
  return { id, show, intent, giveUp: voidIntent(as(buyer), id) }
})

const plain = () => world(makeScript())

describe("money that is held for what was delivered", () => {
  it.effect("is its seller's to release, and not its payer's", () =>
    Effect.gen(function* () {
      const { giveUp, id, intent, show } = yield* bought
      yield* show
      expect(yield* codeOf(giveUp)).toBe("FORBIDDEN")
      expect((yield* intent)?.status).toBe("authorized")
      yield* voidIntent(as(seller), id)
      expect((yield* intent)?.status).toBe("voided")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is accepted or given up, and never both", () =>
    Effect.gen(function* () {
      const { giveUp, show } = yield* bought
      const both = [Effect.result(show), Effect.result(giveUp)]
      const all = yield* Effect.all(both, { concurrency: "unbounded" })
      expect(all.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is never both where a guard sees another process's write too late", () =>
    Effect.gen(function* () {
      const { giveUp, show } = yield* bought
      const store = yield* Store
      const services = yield* Effect.context<Effect.Services<typeof show>>()
      const shown = Effect.orDie(Effect.provideContext(show, services))
      const late = giveUp.pipe(
        Effect.provideService(Store, {
          ...store,
          commit: (one) => Effect.andThen(shown, store.commit({ ...one, guards: [] })),
        }),
      )
      expect(yield* codeOf(late)).toBe("FORBIDDEN")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is its payer's while nobody has accepted it", () =>
    Effect.gen(function* () {
      const { giveUp, show } = yield* bought
      yield* giveUp
      expect(yield* codeOf(show)).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )
})
