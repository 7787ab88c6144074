import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Commit, Conflict } from "../../../core/commits/Commit.ts"
import { askOnce } from "../../../core/gateway/askOnce.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { Channels } from "../../../core/ports/Channels.ts"
import { Store } from "../../../core/ports/Store.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, deliver, seed, world } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { install, opened, pay, service_id, usd } from "../installs/installWorld.ts"

/** A store that refuses the first `refused` commits with a payment in this status. */
const contested = (store: Store["Service"], refused: number, status: string): Store["Service"] => {
  let left = refused
  const writes = ({ writes: all }: Commit) =>
    all.some(({ kind, record }) => kind === "payment_intent" && record.status === status)
  const reason = { type: "stale_version", kind: "payment_intent", id: "another" } as const
  return {
    ...store,
    commit: (commit) =>
      writes(commit) && left-- > 0 ? Effect.fail(new Conflict({ reason })) : store.commit(commit),
  }
}

describe("a decision that is taken again", () => {
  it.effect("asks the channel once who has paid, and hands the callback on once", () => {
    const asked: Array<string> = []
    return Effect.gen(function* () {
      yield* seed()
      const store = yield* Store
      const { id } = yield* createOneTime(as(buyer), {
        service_id,
        amount: usd(699),
        description: "Summary of one paper",
        payer: { agent_id: "buyer-agent" },
      })
      const channels = yield* Channels
      const paid = callback({ out_trade_no: id, trade_status: "SUCCESS" })
      yield* deliver(paid).pipe(
        Effect.provideService(Store, contested(store, 3, "completed")),
        Effect.provideService(Channels, {
          ...channels,
          payerOf: () =>
            Effect.sync(() => {
              asked.push("payer")
              return { payer_id: "hum-7", wallet_id: `wal-${asked.length}` }
            }),
          noteCallback: () => Effect.sync(() => void asked.push("note")),
        }),
      )
      expect(asked).toStrictEqual(["note", "payer"])
      expect(yield* store.find("payment_intent", id)).toMatchObject({
        status: "completed",
        payer: { human_id: "hum-7", wallet_id: "wal-2" },
      })
    }).pipe(Effect.provide(world(makeScript())))
  })

  it.effect("makes one link for a debit that was declined", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "refused", message: "declined" })
    return Effect.gen(function* () {
      const store = yield* opened
      yield* install()
      const shown = yield* pay(500).pipe(
        Effect.provideService(Store, contested(store, 3, "pending")),
      )
      expect(shown).toMatchObject({ status: "pending", created_at: expect.any(String) })
      expect(shown.deeplink).toContain(shown.id)
      expect(script.charges.map(({ charge_id }) => charge_id)).toStrictEqual([shown.id])
      expect(script.calls).toHaveLength(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })
})

describe("asking once", () => {
  it.effect("answers later questions as the first, with a failure too", () =>
    Effect.gen(function* () {
      let questions = 0
      const ask = askOnce((n: number) =>
        Effect.suspend(() => (questions++ === 0 ? Effect.fail(n) : Effect.succeed(T0))),
      )
      expect([yield* Effect.flip(ask(1)), yield* Effect.flip(ask(2))]).toStrictEqual([1, 1])
      expect(questions).toBe(1)
    }),
  )
})
