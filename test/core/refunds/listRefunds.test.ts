import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { Store } from "../../../core/ports/Store.ts"
import { listRefunds } from "../../../core/refunds/listRefunds.ts"
import { id, intentIn, refundIn, revocationIn } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, seller, world } from "../../support/world.ts"

const OURS = { account_id: seller.id, payee_account_id: seller.id }
const NUMBERS = [1, 2, 3, 4, 5]

/** A store that records the names of the called methods. */
const watched = (store: Store["Service"], asked: Array<string>): Store["Service"] =>
  new Proxy(store, {
    get: (target, name, receiver) => {
      asked.push(String(name))
      return Reflect.get(target, name, receiver) as unknown
    },
  })

describe("listing refunds", () => {
  it.effect("reads what belongs to a page at once, and shows each refund its own", () =>
    Effect.gen(function* () {
      const store = yield* Store
      for (const n of NUMBERS) {
        const payment_intent = id("pi", n)
        const refund = id("ref", n)
        const revocation = revocationIn("pending", { n, refund, target_id: `token-${n}` })
        yield* store.commit({
          writes: [
            { op: "insert", kind: "payment_intent", record: intentIn("succeeded", { n, ...OURS }) },
            {
              op: "insert",
              kind: "refund",
              record: refundIn("pending", { n, payment_intent, ...OURS }),
            },
            { op: "insert", kind: "revocation", record: revocation },
          ],
        })
      }
      const asked: Array<string> = []
      const { data, has_more } = yield* listRefunds(as(seller), { limit: 4 }).pipe(
        Effect.provideService(Store, watched(store, asked)),
      )
      expect(asked.toSorted()).toStrictEqual(["findMany", "list", "list"])
      expect(has_more).toBe(true)
      expect(
        data.map((refund) => [refund.payment_intent, refund.revocations[0]?.target_id]),
      ).toEqual([5, 4, 3, 2].map((n) => [id("pi", n), `token-${n}`]))
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
