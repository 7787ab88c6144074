import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { aDelivery, T0, uuid } from "../records/index.ts"
import { type StoreCheck, insert, store, together, upTo } from "./probe.ts"

/** Deliveries `from` to `to`, due in that order, all to the service with that number. */
const backlog = (from: number, to: number, service: number) =>
  upTo(to - from + 1).map((i) => {
    const n = from + i - 1
    return insert("delivery", aDelivery({ n, service_id: uuid(service), due_at: T0 + n }))
  })

const NOW = T0 + 1_000_000

/** Checks that no receiver's deliveries delay those of other receivers. */
export const shares = (check: StoreCheck): unknown =>
  check.group("shares of due deliveries", () => {
    const asked = { limit: 50, lease: 30_000 }

    check("are kept by one that has far more due than anybody looks at", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...backlog(1, 1_500, 1))
        yield* store(...backlog(1_501, 1_503, 2), ...backlog(1_504, 1_505, 3))
        const claims = { ...asked, shares: { each: 2, left: new Map() } }
        const first = yield* port.claimDue("delivery", NOW, claims)
        const rest = yield* port.claimDue("delivery", NOW, {
          ...asked,
          shares: { each: 2, left: new Map([[uuid(1), 0]]) },
        })
        const count = (n: number) =>
          [...first, ...rest].filter(({ service_id }) => service_id === uuid(n)).length
        expect([count(1), count(2), count(3)]).toStrictEqual([2, 3, 2])
        for (const { status } of first) expect(status).toBe("delivering")
      }),
    )

    check("of nothing are nothing, and others are served all the same", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...backlog(1, 20, 1), ...backlog(21, 22, 2))
        const left = new Map([[uuid(1), 0]])
        const claimed = yield* port.claimDue("delivery", NOW, {
          ...asked,
          shares: { each: 8, left },
        })
        expect(claimed.map(({ service_id }) => service_id)).toStrictEqual([uuid(2), uuid(2)])
      }),
    )

    check("of many claims at once never overlap", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...upTo(10).flatMap((n) => backlog(20 * n, 20 * n + 19, n)))
        const one = Effect.suspend(() =>
          port.claimDue("delivery", NOW, { ...asked, shares: { each: 4, left: new Map() } }),
        )
        const claims = yield* together(upTo(12).map(() => one))
        const ids = claims.flat().map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length).toBeGreaterThanOrEqual(40)
      }),
    )
  })
