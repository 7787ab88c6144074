import type { Sought } from "../auditor/invariants/offers.ts"
import type { Chance } from "../random/Chance.ts"

/** Queries of some, all and none of the words of services, and words that no service has. */
const QUERIES = [
  "world",
  "WALLET",
  "one wallet",
  "default",
  "agents buy",
  "wallets bank zeppelin",
  "zeppelin edition outdoors",
  "zeppelin",
  "zeppelin airship",
  "two wallets in a bank that agents choose from again and again",
] as const

const METHODS = ["one_time", "cumulative", "subscription"] as const

/** Prices of services of the world, and one below all. */
const PRICES = [1, 12, 13, 100, 103, 900, 1_999, 20_000] as const

/** Draws what is asked of the market. */
export const drawSought = (chance: Chance): Sought => ({
  ...(chance.hits(0.6) && { query: chance.pick(QUERIES) }),
  ...(chance.hits(0.4) && {
    currency: chance.pick(["USD", "USD", "JPY", "SGD", "EUR"]),
    ...(chance.hits(0.7) && { max_price: chance.pick(PRICES) }),
  }),
  ...(chance.hits(0.3) && { payment_method: chance.pick(METHODS) }),
  ...(chance.hits(0.4) && { limit: chance.int(1, 20) }),
})
