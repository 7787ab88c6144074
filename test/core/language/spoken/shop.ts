import { Effect } from "effect"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import { rulesLanguage } from "../../../../adapters/language/layer.ts"
import { aService } from "../../../../apps/payport/testing/records/accounts.ts"
import type { Action } from "../../../../core/language/Action.ts"
import { understandQuery } from "../../../../core/language/understandQuery.ts"
import { Store } from "../../../../core/ports/Store.ts"
import type { SubscriptionPlan } from "../../../../core/registry/Pricing.ts"
import type { ServiceManifest } from "../../../../core/registry/ServiceManifest.ts"
import { fromMajor } from "../../../../core/shared/Money.ts"
import { nameKey } from "../../../../core/shared/Text.ts"
import { makeScript } from "../../../support/scriptedChannels.ts"
import { as, buyer, seed, seller, world } from "../../../support/world.ts"
import type { Utterance } from "./utterances.ts"

const plan = (
  plan_id: string,
  name: string,
  [amount, currency]: readonly [number, string],
  interval: SubscriptionPlan["interval"],
): SubscriptionPlan => ({ plan_id, name, amount, currency, interval, features: [] })

const NEWS = [
  plan("basic", "Basic", [300, "USD"], "monthly"),
  plan("pro", "Pro", [900, "USD"], "monthly"),
  plan("pro_year", "Pro", [9000, "USD"], "yearly"),
]
const CLOUD = [
  plan("starter", "Starter", [500, "USD"], "monthly"),
  plan("team", "Team", [50_000, "USD"], "yearly"),
  plan("enterprise", "Enterprise", [90_000, "USD"], "quarterly"),
]
const NOTES = [
  plan("basic", "基础版", [1000, "CNY"], "monthly"),
  plan("pro", "专业版", [3000, "CNY"], "monthly"),
  plan("pro_year", "专业版", [30_000, "CNY"], "yearly"),
]

type Offer = readonly [
  name: string,
  prices: ReadonlyArray<readonly [number, string]>,
  plans?: ReadonlyArray<SubscriptionPlan>,
]

/** The offers in the shop of the texts. */
const OFFERS: ReadonlyArray<Offer> = [
  ["Weather report", [[499, "USD"]]],
  ["Weather Pro", [[699, "USD"]]],
  [
    "News Digest",
    [
      [100, "USD"],
      [900, "USD"],
    ],
    NEWS,
  ],
  ["Tide Tables", [[250, "USD"]], [plan("all", "All tides", [700, "USD"], "monthly")]],
  ["Cloud Compute", [[1000, "USD"]], CLOUD],
  ["Daily Forecast", [[300, "USD"]]],
  ["Acme Translate", [[1500, "EUR"]]],
  [
    "Pixel Forge",
    [
      [500, "USD"],
      [2500, "USD"],
    ],
  ],
  ["Café Zoë", [[300, "EUR"]]],
  ["Half Moon Bakery", [[1200, "EUR"]]],
  ["The Very Long Name of a Perfectly Ordinary Document Archive", [[3000, "USD"]]],
  ["天气助手", [[499, "CNY"]]],
  ["云上笔记", [[3000, "CNY"]], NOTES],
  ["青鸟快递", [[1000, "CNY"]]],
  ["星图翻译", [[1500, "CNY"]]],
  ["AI绘图工坊", [[3000, "CNY"]]],
]

const services: ReadonlyArray<ServiceManifest> = OFFERS.map(([name, prices, plans], index) =>
  aService({
    n: 100 + index,
    account_id: seller.id,
    status: "active",
    name,
    payment_methods: { one_time: true, subscription: plans !== undefined },
    pricing: {
      one_time: prices.map(([amount, currency]) => ({ amount, currency, label: "One" })),
      ...(plans !== undefined && { subscription: plans }),
    },
  }),
)

const serviceCalled = (name: string | undefined) =>
  services.find(({ name_key }) => name_key === nameKey(name ?? ""))

/** The shop over the memory store. Run the texts within {@link shop}. */
export const openShop = Effect.gen(function* () {
  yield* seed()
  const store = yield* Store
  yield* store.commit({
    writes: services.map((record) => ({ op: "insert", kind: "service", record })),
  })
})

/** The core over the memory store, with the rules as its engine. */
export const shop = world(makeScript())

/** Returns how a buyer's text is understood. */
export const said = (text: string) =>
  understandQuery(as(buyer), text).pipe(Effect.provide(rulesLanguage))

const minor = (amount: string, currency: string) => {
  const known = currencies.get(currency)
  return { currency, value: known === undefined ? undefined : fromMajor(amount, known) }
}

/** Returns the request of an utterance by its label. */
export const actionOf = ({ entities, intent, text }: Utterance): object | null => {
  const { amount, currency = "", interval, payment_intent, reason, status } = entities
  const service = serviceCalled(entities.service)
  const money = amount === undefined ? undefined : minor(amount, currency)
  const [only] = service?.pricing.one_time ?? []
  switch (intent) {
    case "pay": {
      const price = only === undefined ? undefined : { currency: only.currency, value: only.amount }
      const common = { service_id: service?.id, type: "one_time", description: service?.name }
      return { type: "pay", input: { ...common, amount: money ?? price } }
    }
    case "subscribe": {
      const offers = service?.pricing.subscription ?? []
      const [meant] = offers.filter(
        (offer) =>
          (interval ?? offer.interval) === offer.interval &&
          offer.plan_id.startsWith(entities.plan ?? ""),
      )
      const amount = { currency: meant?.currency, value: meant?.amount }
      const input = { plan_id: meant?.plan_id, interval: meant?.interval, amount }
      return { type: "subscribe", service_id: service?.id, input }
    }
    case "query_invoice": {
      const query = { ...(service && { service_id: service.id }), ...(status && { status }) }
      return { type: "query_invoice", query }
    }
    case "refund": {
      const input = { payment_intent, ...(money && { amount: money }), reason: reason ?? text }
      return { type: "request_refund", input }
    }
    case "void":
      return { type: "void", payment_intent }
    default:
      return null
  }
}

/** An action's fields as text, in one order, so that two can be compared. */
export const written = (action: Action | object | null): string =>
  JSON.stringify(action, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
