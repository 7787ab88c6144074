import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { Conflict, Store } from "../../../core/ports/Store.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, world } from "../../support/world.ts"

const service = aService({ n: 1 })
const input = {
  service_id: service.id,
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
  payer: { agent_id: "buyer-agent" },
} as const

/** Refuses the first commits, as if the service had changed meanwhile, and lets a second pass. */
const contested = (times: number) => (store: Store["Service"]) => {
  let left = times
  const reason = { type: "stale_version", kind: "service", id: service.id } as const
  return Store.of({
    ...store,
    commit: (commit) =>
      Effect.suspend(() => {
        if (left === 0) return store.commit(commit)
        left -= 1
        return Effect.andThen(TestClock.adjust(1_000), Effect.fail(new Conflict({ reason })))
      }),
  })
}

describe("a creation whose commit is refused", () => {
  const script = makeScript()
  it.effect("is decided again on the QR codes that there are", () =>
    Effect.gen(function* () {
      yield* seed({ accepted_channels: ["wallet_a", "wallet_b"], default_channel: null })
      const store = contested(3)(yield* Store)
      const made = yield* createIntent(as(buyer), { ...input, type: "one_time" }).pipe(
        Effect.provideService(Store, store),
      )
      expect(script.charges.map(({ channel }) => channel)).toEqual(["wallet_a", "wallet_b"])
      expect(script.charges.map(({ out_trade_no }) => out_trade_no)).toEqual([made.id, made.id])
      const stored = yield* store.find("payment_intent", made.id)
      expect(stored?.offers.map(({ charge_id }) => charge_id)).toEqual(
        script.charges.map(({ charge_id }) => charge_id),
      )
      expect(made.created_at).toBe(toIso(T0))
      expect(stored?.expires_at).toBe(script.charges[0]?.expires_at)
    }).pipe(Effect.provide(world(script))),
  )

  const refusing = makeScript()
  it.effect("goes around a channel that was down without asking it again", () =>
    Effect.gen(function* () {
      yield* seed({
        accepted_channels: ["wallet_a", "wallet_b"],
        default_channel: "wallet_a",
        fallback_channel: "wallet_b",
      })
      refusing.refuse = ({ channel }) => (channel === "wallet_a" ? "down" : undefined)
      const store = contested(1)(yield* Store)
      const made = yield* createIntent(as(buyer), { ...input, type: "one_time" }).pipe(
        Effect.provideService(Store, store),
      )
      expect(made).toMatchObject({ status: "pending", channel: "wallet_b" })
      expect(refusing.charges.map(({ channel }) => channel)).toEqual(["wallet_a", "wallet_b"])
    }).pipe(Effect.provide(world(refusing))),
  )

  const linking = makeScript()
  it.effect("is decided again on the link that there is", () =>
    Effect.gen(function* () {
      yield* seed()
      const store = contested(2)(yield* Store)
      const made = yield* createOneTime(as(buyer), input).pipe(Effect.provideService(Store, store))
      expect(made).toMatchObject({ status: "pending", deeplink: expect.stringContaining(made.id) })
      expect(linking.charges.map(({ charge_id }) => charge_id)).toEqual([made.id])
    }).pipe(Effect.provide(world(linking))),
  )
})
