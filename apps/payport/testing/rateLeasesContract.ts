import { Effect, type Layer } from "effect"
import { type LeaseRequest, RateLeases } from "../../../core/ports/RateLeases.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"
import { id, T0 } from "./records/index.ts"

const wish = (wanted: number, said: Partial<LeaseRequest> = {}): LeaseRequest => ({
  account_id: id("acct", 1),
  rate_class: "standard",
  window: T0,
  limit: 10,
  wanted,
  ...said,
})

const lease = (...wishes: ReadonlyArray<LeaseRequest>) =>
  Effect.flatMap(RateLeases, (leases) => leases.lease(wishes))

const leases = (check: Check<RateLeases>): void => {
  check("give no more than the limit, and the rest of it at last", () =>
    Effect.gen(function* () {
      expect(yield* lease(wish(4))).toStrictEqual([{ granted: 4, left: 6 }])
      expect(yield* lease(wish(4))).toStrictEqual([{ granted: 4, left: 2 }])
      expect(yield* lease(wish(4))).toStrictEqual([{ granted: 2, left: 0 }])
      expect(yield* lease(wish(1))).toStrictEqual([{ granted: 0, left: 0 }])
      expect(yield* lease(wish(50, { window: T0 + MINUTE }))).toStrictEqual([
        { granted: 10, left: 0 },
      ])
    }),
  )

  check(
    "count each account, class and window by itself, and answer in the order of the requests",
    () =>
      Effect.gen(function* () {
        const several = [
          wish(3, { window: T0 + MINUTE }),
          wish(2, { account_id: id("acct", 2), limit: 7 }),
          wish(1),
          wish(5, { rate_class: "reserve", limit: 2 }),
        ]
        expect(yield* lease(...several)).toStrictEqual([
          { granted: 3, left: 7 },
          { granted: 2, left: 5 },
          { granted: 1, left: 9 },
          { granted: 2, left: 0 },
        ])
        expect(yield* lease()).toStrictEqual([])
      }),
  )

  check("go on from what was taken when the limit changes", () =>
    Effect.gen(function* () {
      yield* lease(wish(8))
      expect(yield* lease(wish(5, { limit: 4 }))).toStrictEqual([{ granted: 0, left: 0 }])
      expect(yield* lease(wish(5, { limit: 100 }))).toStrictEqual([{ granted: 5, left: 87 }])
    }),
  )

  check("give exactly the limit to many who ask at once", () =>
    Effect.gen(function* () {
      const asked = Array.from({ length: 50 }, (_, n) =>
        lease(
          wish(1 + (n % 3), { limit: 60 }),
          wish(2, { limit: 90, account_id: id("acct", 2 + (n % 2)) }),
        ),
      )
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      const sum = (of: number) =>
        answers.reduce((total, [first, second]) => total + ([first, second][of]?.granted ?? 0), 0)
      expect(sum(0)).toBe(60)
      expect(sum(1)).toBe(100)
    }),
  )

  check("forget the windows that are over", () =>
    Effect.gen(function* () {
      const leases = yield* RateLeases
      yield* lease(wish(1), wish(1, { rate_class: "reserve" }), wish(1, { window: T0 + MINUTE }))
      expect(yield* leases.purge(T0)).toBe(0)
      expect(yield* leases.purge(T0 + MINUTE)).toBe(2)
      expect(yield* leases.purge(T0 + MINUTE)).toBe(0)
      expect(yield* lease(wish(1, { window: T0 + MINUTE }))).toStrictEqual([
        { granted: 1, left: 8 },
      ])
    }),
  )
}

const METHODS: { readonly [M in keyof RateLeases["Service"]]: 0 } = {
  lease: 0,
  purge: 0,
}

/** Checks what every `RateLeases` does. `open` is called once a check and returns an empty one. */
export const rateLeasesContract = ({
  open,
}: {
  readonly open: () => Layer.Layer<RateLeases, unknown>
}): Contract<MethodsCovered> => portContract(RateLeases, METHODS, open, [leases])
