import { Effect } from "effect"
import { createQuote } from "../../core/quotes/createQuote.ts"
import { payQuote } from "../../core/payments/payQuote.ts"
import { fromIso, SECOND } from "../../core/shared/Timestamp.ts"
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

/** How long before and after a quote's end it is ordered at, in milliseconds. */
const AROUND = [-SECOND, -1, 0, 1, SECOND] as const

/** Requests a quote when all faults have ended, and orders at it just before or after its end. */
const orderAtItsEnd = Effect.fnUntraced(function* ({ auditor, client, people, stage }: Scene) {
  const chance = stage.chance("quotes at their end")
  const caller = people.buyers[1]
  const service_id = people.services.get(SERVICE)
  const plan = serviceNamed(SERVICE)
  if (caller === undefined || service_id === undefined || plan === undefined) return
  const payer = { agent_id: caller.account.agent_id }
  const { currencies, settlement_currency } = plan
  const amount = { currency: chance.pick(currencies), value: chance.int(100, 10_000) }
  const asked = { amount, settlement_currency, service_id, payer }
  for (const [n, around] of [chance.pick(AROUND), chance.pick(AROUND)].entries()) {
    const quoted = yield* client.call(
      caller,
      "POST /v1/fx/quotes",
      `quote-at-end-${n}`,
      createQuote(caller, asked),
    )
    if (quoted.answer === undefined) continue
    const { expires_at: end, id } = quoted.answer
    const expires_at = fromIso(end) ?? 0
    yield* Effect.sleep(Math.max(0, expires_at + around - stage.now()))
    const order = { quote_id: id, service_id, description: "At the end of a quote", payer }
    const sent = stage.now()
    const { error } = yield* client.call(
      caller,
      "POST /v1/fx/routes",
      `order-at-end-${n}`,
      payQuote(caller, order),
    )
    auditor.see("quote_ordered", id, { expires_at, sent, at: stage.now(), error })
  }
})

/** Payments in other currencies, and a buyer who requests quotes before. */
export const exchange: Part = {
  name: "exchange",
  heavy: 0.35,
  rules: { ...exchangeRules, ...priceRules, ...splitRules },
  knowledge: [givenRates, priceList, quotes, splits],
  errands: (scene) => [quoteAndPay(scene)],
  later: (scene) => [orderAtItsEnd(scene)],
}
