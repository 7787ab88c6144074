import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { callMarket } from "../../core/market/callMarket.ts"
import { SHOWN_STATUSES } from "../../core/payments/PaymentIntent.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { receiptRules, standingOf } from "../auditor/invariants/receipts.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { boundedIn } from "./boundedKeys.ts"

/** Asks for the receipt of a payment, as one of its parties, and perhaps waits for a change. */
const look = Effect.fnUntraced(function* (
  { auditor, people, stage }: Scene,
  id: string,
  chance: Chance,
  wait_seconds: number,
) {
  const { model } = auditor
  const payment = model.intents.get(id)?.record
  const parties = [...people.buyers, ...people.sellers].filter(({ account }) =>
    [payment?.account_id, payment?.payee_account_id].includes(account.id),
  )
  const [first, ...others] = parties
  if (first === undefined) return
  const caller = chance.pick([first, ...others])
  const before = standingOf(id, model)
  const asked = stage.now()
  const said = { payment_id: id, ...(wait_seconds > 0 && { wait_seconds }) }
  const exit = yield* Effect.exit(stage.serve(callMarket(caller, "get_payment", said)))
  if (Exit.isFailure(exit)) return
  const answer = exit.value as Observations["receipt_shown"]["answer"]
  const account = caller.account.id
  const at = stage.now()
  auditor.see("receipt_shown", id, { account, id, answer, before, wait_seconds, asked, at })
})

/** How often the receipt of a new payment is read, and how long apart, ever longer. */
const LOOKS = 8
const APART = { first: 7 * SECOND, growth: 1.5 } as const

/** The newest payments, of which a receipt is read. */
const NEWEST = 4

/** Reads receipts of payments that are about to be paid, and waits for changes of some. */
const follow = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, stage } = scene
  const chance = stage.chance("receipts")
  for (let n = 0, apart: number = APART.first; n < LOOKS; n += 1, apart *= APART.growth) {
    yield* Effect.sleep(chance.wait(apart) + SECOND)
    const [first, ...others] = [...auditor.model.intents.keys()].slice(-NEWEST)
    if (first === undefined) continue
    const id = chance.pick([first, ...others])
    yield* look(scene, id, chance, chance.hits(0.4) ? chance.int(1, 25) : 0)
  }
})

const MORE = /There are more: call again with starting_after (\S+)\.$/

/** Lists the payments of a key page by page. */
const list = Effect.fnUntraced(function* (
  { auditor }: Scene,
  caller: Caller,
  { limit = 10, ...query }: Observations["receipts_listed"]["query"] & { readonly limit?: number },
) {
  const listed: Array<object> = []
  const pages: Array<Observations["receipts_listed"]["pages"][number]> = []
  let starting_after: string | undefined
  do {
    const said = {
      ...query,
      ...(limit !== 10 && { limit }),
      ...(starting_after !== undefined && { starting_after }),
    }
    const answer = yield* callMarket(caller, "list_payments", said)
    const { next, payments } = answer as { readonly next: string; readonly payments: Array<object> }
    starting_after = MORE.exec(next)?.[1]
    listed.push(...payments)
    pages.push({ size: payments.length, more: starting_after })
  } while (starting_after !== undefined)
  const { account, restrictions } = caller
  const agents = restrictions?.agents
  auditor.see("receipts_listed", account.id, {
    account: account.id,
    agents,
    query,
    listed,
    pages,
    limit,
  })
})

/** How many receipts are read at rest. */
const RECEIPTS = 4

const read = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, people, stage } = scene
  const { model } = auditor
  const chance = stage.chance("receipts at rest")
  const stored = [...model.intents.values()].flatMap(({ record }) =>
    model.left.has(record.id) ? [] : [record],
  )
  const [one, ...rest] = stored
  if (one === undefined) return
  const refunded = stored.filter(({ id }) => model.refundsOf(id).length > 0)
  for (let n = 0; n < RECEIPTS; n += 1) {
    const [first = one, ...others] = n % 2 === 0 ? refunded : stored
    yield* look(scene, chance.pick([first, ...others]).id, chance, 0)
  }
  const [buyer, ...buyers] = people.buyers
  if (buyer === undefined) return
  const bounded = boundedIn(scene).filter(({ restrictions }) => {
    return restrictions?.routes?.includes("read") !== false
  })
  const caller = chance.pick([buyer, ...buyers, ...bounded])
  const agents = stored.map(({ payer }) => payer.agent_id ?? "").filter((agent) => agent !== "")
  const [agent = "nobody", ...more] = new Set(agents)
  const ofAgent = { restrictions: { agents: [chance.pick([agent, ...more])] } }
  const status = chance.pick(["completed", "succeeded", ...SHOWN_STATUSES])
  const service_id = chance.pick([one, ...rest]).service_id
  yield* list(
    scene,
    { ...caller, ...(chance.hits(0.4) && ofAgent) },
    {
      ...(chance.hits(0.3) && { status }),
      ...(chance.hits(0.3) && { service_id }),
      ...(chance.hits(0.6) && { limit: chance.int(1, 4) }),
    },
  )
}, Effect.orDie)

/** Agents that read receipts of payments in the market, wait for changes, and list payments. */
export const receiptReaders: Part = {
  name: "receipt readers",
  rules: receiptRules,
  knowledge: [kept],
  errands: (scene) => [follow(scene)],
  inspect: read,
}
