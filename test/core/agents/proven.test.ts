import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callToolProven } from "../../../core/agents/callTool.ts"
import { payForResource } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aService } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, codeOf, deliver, seed, seller, world } from "../../support/world.ts"

const { id: service_id } = aService({ n: 1 })

it.effect("a tool is not opened by what another use of its proof has captured meanwhile", () => {
  const script = makeScript()
  script.answer = () => Effect.succeed({ type: "refused", message: "try later" })
  return Effect.gen(function* () {
    yield* seed()
    const bound = {
      service_id,
      amount: { currency: "USD", value: 699 },
      resource: "GET /reports/7",
    }
    const { id, token } = (yield* payForResource(as(buyer), bound)).payment_intent
    for (const trade_status of ["SCANNED", "AUTHORIZED"] as const) {
      const trade = { out_trade_no: id, trade_no: `trade-of-${id}`, trade_status }
      yield* deliver(callback({ ...trade, payer_id: "hum-1", wallet_id: "wal-1" }))
    }
    const store = yield* Store
    const elsewhere: Array<string> = []
    let isBack = false
    const takeElsewhere = Effect.gen(function* () {
      isBack = false
      script.answer = makeScript().answer
      const other = redeemProof(as(seller), id, { ...bound, token })
      // By itself, and not as a part of the tool's keyed request.
      elsewhere.push(yield* Effect.promise(() => Effect.runPromiseWith(services)(codeOf(other))))
    })
    const raced = Store.of({
      ...store,
      // The channel has refused the capture, which the tool reads before the other use begins.
      commit: (commit) =>
        Effect.tap(store.commit(commit), () =>
          Effect.sync(() => {
            isBack = commit.writes.some(
              ({ kind, record }) => kind === "payment_intent" && record.status === "authorized",
            )
          }),
        ),
      find: (kind, wanted) =>
        Effect.tap(store.find(kind, wanted), () =>
          isBack && kind === "payment_intent" ? Effect.orDie(takeElsewhere) : Effect.void,
        ),
    })
    const services = yield* Effect.context<Effect.Services<ReturnType<typeof redeemProof>>>()
    const proof = { ...bound, id, token, within: 3_600 }
    const call = callToolProven(
      as(buyer),
      `${service_id}__pay_one_time`,
      { manifest_id: service_id },
      proof,
    )
    const { answer } = yield* Effect.provideService(call, Store, raced)
    expect(elsewhere).toEqual(["succeeded"])
    expect(answer).toMatchObject({ replayed: true, view: { id, status: "captured" } })
  }).pipe(Effect.provide(world(script)))
})
