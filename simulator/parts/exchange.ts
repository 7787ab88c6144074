import { Effect } from "effect"
import { createQuote } from "../../core/quotes/createQuote.ts"
import { payQuote } from "../../core/payments/payQuote.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { exchangeRules, givenRates, quotes } from "../auditor/invariants/exchange.ts"
import { priceList, priceRules } from "../auditor/invariants/prices.ts"
import { splitRules, splits } from "../auditor/invariants/splits.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { serviceNamed } from "../world/people/Population.ts"

/** A service that is paid in other currencies than its settlement currency. */
const SERVICE = "A default with a fallback"

interface Quoted {
  readonly id: string
  readonly routes: ReadonlyArray<{
    readonly settlement: { readonly currency: string; readonly value: number }
  }>
}

interface Paid {
  readonly settlement: { readonly currency: string; readonly value: number }
}

/** Requests a quote as a buyer, waits, and pays at that price. */
const quoteAndPay = Effect.fnUntraced(function* ({ auditor, client, people, stage }: Scene) {
  const chance = stage.chance("quotes")
  const [caller] = people.buyers
  const service_id = people.services.get(SERVICE)
  const plan = serviceNamed(SERVICE)
  if (caller === undefined || service_id === undefined || plan === undefined) return
  yield* Effect.sleep(chance.int(0, 300) * SECOND)
  const payer = { agent_id: caller.account.agent_id }
  const { currencies, settlement_currency } = plan
  const amount = { currency: chance.pick(currencies), value: chance.int(1, 100_000) }
  const asked = { amount, settlement_currency, service_id, payer }
  const how = { caller, status: 201 } as const
  const quoted = yield* client.send({
    ...how,
    route: "POST /v1/fx/quotes",
    body: asked,
    key: "quote-1",
    verb: createQuote(caller, asked),
  })
  if (quoted === undefined) return
  const { id, routes } = quoted as Quoted
  yield* Effect.sleep(chance.int(0, 70) * SECOND)
  const order = { quote_id: id, service_id, description: "At a promised price", payer }
  const paid = yield* client.send({
    ...how,
    route: "POST /v1/fx/routes",
    body: order,
    key: "route-1",
    verb: payQuote(caller, order),
  })
  // Nobody pays twice at one quote, whether the first payment was made or not.
  if (paid !== undefined) {
    yield* client.send({
      ...how,
      route: "POST /v1/fx/routes",
      body: order,
      key: "route-2",
      verb: payQuote(caller, order),
    })
  }
  const promised = routes.map(({ settlement }) => settlement)
  const settlement = paid === undefined ? undefined : (paid as Paid).settlement
  auditor.see("quoted", id, { promised, settlement })
})

/** Payments in other currencies, and a buyer who requests quotes before. */
export const exchange: Part = {
  name: "exchange",
  heavy: 0.35,
  rules: { ...exchangeRules, ...priceRules, ...splitRules },
  knowledge: [givenRates, priceList, quotes, splits],
  errands: (scene) => [quoteAndPay(scene)],
}
