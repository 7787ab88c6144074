import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { putInstall } from "../../core/installs/putInstall.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
import { DAY, MINUTE } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import {
  cancelSome,
  endAll,
  payOwed,
  report,
  type Subscriber,
  subscribeTo,
  tab,
  voidSome,
} from "./subscribing.ts"

const SERVICE = "Use abroad"
const PLAN = "day"

/** Currencies whose minor units are worth less than, and more than, a cent. */
const CURRENCIES = ["JPY", "CNY", "EUR", "KWD"] as const

/** Prices of use in minor units: a day's use is often worth less than a payment can be. */
const RATES = ["0.4", "1", "0.75", "2.5", "120"] as const

interface Prices {
  readonly currency: string
  readonly amount: number
  readonly rate: string
}

const drawPrices = (chance: Chance): Prices => ({
  currency: chance.pick(CURRENCIES),
  amount: chance.int(100, 2_000),
  rate: chance.pick(RATES),
})

/** Registers the service, or changes the prices that it has. */
const setPrices = (seller: Caller, { amount, currency, rate }: Prices) =>
  registerService(seller, {
    name: SERVICE,
    description: "What is used in small amounts, priced in other currencies than it settles in.",
    payment_methods: { cumulative: true, subscription: true },
    pricing: {
      cumulative: { unit: "call", rate, billing_cycle: "daily", currency },
      subscription: [
        { plan_id: PLAN, name: "A day", amount, currency, interval: "daily", features: [] },
      ],
    },
    accepted_channels: ["wallet_a", "wallet_b"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "USD",
    qr_mode: "dynamic",
    endpoint: "https://seller-abroad.example/hooks",
    tags: [],
  })

const userOf = ({ people, stage }: Scene): Subscriber | undefined => {
  const seller = people.sellers[1]
  const buyer = people.buyers[2]
  const service_id = people.services.get(SERVICE)
  if (seller === undefined || buyer === undefined || service_id === undefined) return undefined
  return { buyer, seller, service_id, chance: stage.chance("use abroad") }
}

const prepare = Effect.fnUntraced(function* (scene: Scene) {
  const { people, stage } = scene
  const seller = people.sellers[1]
  if (seller === undefined) return
  const chance = stage.chance("prices abroad")
  const { id } = yield* setPrices(seller, drawPrices(chance))
  yield* moveService(seller, id, "activate")
  people.services.set(SERVICE, id)
  const user = userOf(scene)
  if (user === undefined || !chance.hits(0.7)) return
  const auto_pay_limit = { currency: "USD", value: 5_000 }
  yield* Effect.ignore(putInstall(user.buyer, id, { auto_pay_limit }))
})

/** Prices of which little use is left to later bills, then others, and one that takes it up. */
const THERE_AND_BACK: ReadonlyArray<Prices> = [
  { currency: "JPY", amount: 500, rate: "0.04" },
  { currency: "CNY", amount: 500, rate: "0.04" },
  { currency: "JPY", amount: 500, rate: "120" },
]

/** Plays days in which the buyer agrees to each price, and the seller returns to the first. */
const travel = Effect.fnUntraced(function* (scene: Scene, user: Subscriber) {
  for (const [stop, prices] of THERE_AND_BACK.entries()) {
    yield* Effect.orDie(setPrices(user.seller, prices))
    yield* tab(scene, user, false)
    yield* tab(scene, user, true)
    yield* report(scene, user, 100 + 10 * stop)
    yield* Effect.sleep(DAY + MINUTE)
  }
})

/** Plays days in which the seller changes its prices, and the buyer uses what it has opened. */
const live = Effect.fnUntraced(function* (scene: Scene, user: Subscriber) {
  const { chance, seller } = user
  const days = chance.int(4, 8)
  if (chance.hits(0.3)) yield* travel(scene, user)
  yield* tab(scene, user, true)
  for (let day = 0; day < days; day += 1) {
    const prices = chance.hits(0.3) ? [drawPrices(chance)] : []
    const changed = prices.map((each) => Effect.orDie(setPrices(seller, each)))
    const moved = chance.hits(0.25) ? [tab(scene, user, chance.hits(0.7))] : []
    yield* atOnce([...changed, ...moved])
    if (chance.hits(0.2)) yield* subscribeTo(scene, user, PLAN)
    yield* report(scene, user, day)
    yield* payOwed(scene, user, 0.7)
    yield* voidSome(scene, user, 0.1)
    yield* cancelSome(scene, user, 0.1)
    yield* Effect.sleep(DAY + chance.int(-MINUTE, MINUTE))
  }
  yield* endAll(scene, user)
})

/** A buyer who uses little at a time, in currencies in which its seller is not paid. */
export const smallUse: Part = {
  name: "small use",
  heavy: 0.1,
  large: 0.3,
  prepare: (scene) => Effect.orDie(prepare(scene)),
  later: (scene) => {
    const user = userOf(scene)
    return user === undefined ? [] : [live(scene, user)]
  },
}
