import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { callTool } from "../../core/agents/callTool.ts"
import { listTools, type ToolPage } from "../../core/agents/listTools.ts"
import type { ToolKind } from "../../core/agents/Tool.ts"
import { callMarket } from "../../core/market/callMarket.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { purchaseOf, purchaseRules, purchases } from "../auditor/invariants/purchases.ts"
import type { Chance } from "../random/Chance.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { offerPlans, PLANS } from "./owing.ts"
import { endAll, follow, type Subscriber } from "./subscribing.ts"
import { atOnce } from "../world/atOnce.ts"

const NAME = "What tools pay"

/** An agent that pays what its model wants, through any tools. */
interface Agent extends Subscriber {
  /** Draws which of two addresses it calls: the services' tools, or the market's. */
  readonly doors: Chance
}

/** A model's wish, its possible wordings, and the tool for it. */
interface Want {
  readonly kind: ToolKind
  /** What makes it the same purchase: an amount or a plan; undefined if nothing is bought. */
  readonly what: number | string | undefined
  readonly idempotency_key: string | undefined
  /** The persons who may be named as payers. */
  readonly persons: ReadonlyArray<string | null>
}

const WORDS = [null, "One of them", "One of them, please", "The same as ever"] as const

const FOLKS: ReadonlyArray<ReadonlyArray<string | null>> = [
  [null],
  [null, "ann"],
  ["ann"],
  ["ann", "ben"],
]

/** Puts a wish into words. With an idempotency key, the words are always the same. */
const worded = ({ idempotency_key, kind, persons, what }: Want, chance: Chance): object => {
  const wording = idempotency_key === undefined ? chance : undefined
  const person = { human_id: wording?.pick([...persons] as [string | null]) ?? null }
  if (kind === "pay_cumulative") return person
  const named = { ...person, ...(idempotency_key !== undefined && { idempotency_key }) }
  if (kind === "pay_subscribe") return { ...named, plan_id: what }
  return {
    ...named,
    amount: what,
    description: wording?.pick(WORDS) ?? "One of them",
    channel: wording?.pick([null, "auto"]) ?? null,
    metadata: wording?.pick([null, {}]) ?? null,
  }
}

/** Returns the names of all tools, page by page; undefined if a page got no answer. */
const toolsOf = Effect.fnUntraced(function* ({ client }: Scene, { buyer, chance }: Agent) {
  const names: Array<string> = []
  let cursor: string | undefined
  do {
    const asked = listTools(cursor, { limit: chance.int(5, 20) })
    const { answer }: { readonly answer: ToolPage | undefined } = yield* client.call(
      buyer,
      "tools/list",
      undefined,
      asked,
    )
    if (answer === undefined) return undefined
    names.push(...answer.tools.map(({ name }) => name))
    cursor = answer.next_cursor
  } while (cursor !== undefined)
  return names
})

/** Reads from a tool's result what was bought, and what is to be paid for it. */
const boughtIn = (view: object) => ({
  id: String(Reflect.get(view, "id")),
  payment: (Reflect.get(view, "payment") as Shown | undefined) ?? (view as Shown),
})

/** The tools of the market that buy. */
const BUYING = { pay_one_time: "pay", pay_subscribe: "subscribe" } as const

/** The arguments that the market accepts: no person, and no way to pay. */
const TAKEN = new Set(["amount", "description", "idempotency_key", "plan_id"])

const atMarket = (said: object): object =>
  Object.fromEntries(Object.entries(said).filter(([name]) => TAKEN.has(name)))

/** A receipt of the market, in the form of other payments. */
interface Receipt extends Shown {
  readonly payment_id: string
}

/** Reads from the market's result what was bought, and what is to be paid for it. */
const boughtAtMarket = (view: object) => {
  const subscription: unknown = Reflect.get(view, "subscription_id")
  const receipt = (Reflect.get(view, "payment") as Receipt | undefined) ?? (view as Receipt)
  const payment: Shown = { ...receipt, id: receipt.payment_id }
  return { id: typeof subscription === "string" ? subscription : payment.id, payment }
}

/** Makes one call; returns its payment, undefined if the model does not learn of one. */
const callOnce = Effect.fnUntraced(function* (
  { auditor, client }: Scene,
  { buyer, chance, doors, service_id }: Agent,
  tool: string,
  want: Want,
) {
  const { idempotency_key, kind, what } = want
  const said = worded(want, chance)
  const byMarket = kind !== "pay_cumulative" && doors.hits(0.3)
  const verb = byMarket
    ? callMarket(buyer, BUYING[kind], { service_id, ...atMarket(said) })
    : callTool(buyer, tool, { manifest_id: service_id, ...said })
  const route = `tools/call ${kind}`
  const { answer, error, lost } = yield* client.call(buyer, route, idempotency_key, verb)
  if (answer === undefined) return { error, payment: undefined }
  const { agent_id } = buyer.account
  const { id, payment } = byMarket
    ? boughtAtMarket(answer)
    : boughtIn(Reflect.get(answer, "view") as object)
  if (what !== undefined) {
    const purchase = purchaseOf(service_id, agent_id, what)
    auditor.see("bought", purchase, { purchase, id })
  }
  return { error: lost ? "lost" : undefined, payment }
})

/** Looks at a payment through the market, as the answer that named it advises. */
const lookAt = Effect.fnUntraced(function* (scene: Scene, { buyer }: Agent, id: string) {
  const { auditor, client, stage } = scene
  const since = auditor.model.step
  const askedAt = stage.now()
  const asked = callMarket(buyer, "get_payment", { payment_id: id })
  const { answer } = yield* client.call(buyer, "tools/call get_payment", undefined, asked)
  if (answer === undefined) return
  const { status } = answer as Receipt
  const account = buyer.account.id
  auditor.see("read", id, { account, id, status, since, askedAt, at: stage.now() })
})

/** How often a model calls for the same wish, and how long it then waits to look at its payment. */
const TURNS = 6
const LOOKS_AFTER = 2 * MINUTE

/**
 * Calls until the model gets an answer, several times at once, and again after forgetting it. Looks
 * at the payment in the end.
 */
const get = Effect.fnUntraced(function* (scene: Scene, agent: Agent, tool: string, want: Want) {
  const { chance } = agent
  let bought: string | undefined
  for (let turn = 0; turn < TURNS; turn += 1) {
    const times = chance.hits(0.3) ? chance.int(2, 4) : 1
    const calls = Array.from({ length: times }, () => callOnce(scene, agent, tool, want))
    const told = yield* Effect.all(calls, { concurrency: "unbounded" })
    const [payment] = told.flatMap((one) => one.payment ?? [])
    bought = payment?.id ?? bought
    if (turn === 0 || chance.hits(0.5)) yield* Effect.forkChild(follow(scene, chance, payment))
    const isAnswered = told.every(({ error }) => error === undefined)
    if (isAnswered && chance.hits(0.5)) break
    yield* Effect.sleep(chance.wait(15 * SECOND))
  }
  if (bought === undefined) return
  yield* Effect.sleep(LOOKS_AFTER)
  yield* lookAt(scene, agent, bought)
})

/** Returns the wishes of an agent's model: something two or three times, a plan, and usage. */
const wantsOf = (agent: Agent): ReadonlyArray<Want> => {
  const { chance } = agent
  const named = (name: string) => (chance.hits(0.4) ? name : undefined)
  const amounts = Array.from({ length: chance.int(2, 3) }, (_, n) => 500 + n)
  const plan = chance.pick(PLANS).plan_id
  return [
    ...amounts.map((what): Want => ({
      kind: "pay_one_time",
      what,
      idempotency_key: named(`order-${what}`),
      persons: chance.pick(FOLKS as [ReadonlyArray<string | null>]),
    })),
    { kind: "pay_subscribe", what: plan, idempotency_key: named("plan"), persons: [null] },
    { kind: "pay_cumulative", what: undefined, idempotency_key: undefined, persons: [null] },
  ]
}

/** Lists the tools and fulfils the wishes, each at its time. */
const shop = Effect.fnUntraced(function* (scene: Scene, agent: Agent) {
  const { buyer, chance, service_id } = agent
  const { keyed } = scene.auditor.model.know(purchases)
  const wants = wantsOf(agent)
  for (const { idempotency_key, what } of wants) {
    if (idempotency_key === undefined || what === undefined) continue
    keyed.add(purchaseOf(service_id, buyer.account.agent_id, what))
  }
  yield* Effect.sleep(chance.wait(20 * SECOND))
  const names = yield* toolsOf(scene, agent)
  const got = wants.map((want) => {
    const tool = names?.find((name) => name === `${service_id}__${want.kind}`)
    if (tool === undefined) return Effect.void
    return Effect.andThen(Effect.sleep(chance.wait(30 * SECOND)), get(scene, agent, tool, want))
  })
  yield* atOnce(got)
})

/** The last two of the buyers, each with a model behind it. */
const agentsOf = ({ people, stage }: Scene, phase: string): ReadonlyArray<Agent> => {
  const seller = people.sellers[1]
  const service_id = people.services.get(NAME)
  if (seller === undefined || service_id === undefined) return []
  return people.buyers.slice(2).map((buyer) => ({
    buyer,
    seller,
    service_id,
    chance: stage.chance(`${phase} of the model of ${buyer.account.agent_id}`),
    doors: stage.chance(`${phase}: where the model of ${buyer.account.agent_id} buys`),
  }))
}

const prepare = Effect.fnUntraced(function* ({ auditor, people }: Scene) {
  const seller: Caller | undefined = people.sellers[1]
  if (seller === undefined) return
  const id = yield* offerPlans(seller, NAME)
  people.services.set(NAME, id)
  auditor.model.know(purchases).services.add(id)
})

/** Agents that buy through tools, as models do: again, at once, in other words, for persons. */
export const toolBuyers: Part = {
  name: "tool buyers",
  heavy: 0.12,
  rules: purchaseRules,
  knowledge: [purchases],
  prepare: (scene) => Effect.orDie(prepare(scene)),
  errands: (scene) => agentsOf(scene, "wants").map((agent) => shop(scene, agent)),
  later: (scene) => agentsOf(scene, "end").map((agent) => endAll(scene, agent)),
}
