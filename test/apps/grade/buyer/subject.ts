import { randomUUID } from "node:crypto"
import {
  ConnectionFailed,
  makeClient,
  type Client,
  type PaymentIntent,
  PayportError,
} from "../../../../adapters/http/client/entry.ts"
import type { Task } from "../../../../apps/grade/buyer/Task.ts"
import { headerFields, headerOf } from "../../../../apps/grade/seller/Terms.ts"

type Fields = { readonly [field: string]: unknown }

/** A service as the buyer finds it. */
interface Found {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly price: number
}

/** The demand of a 402. */
interface Offer {
  readonly amount: number
  readonly payTo: string
  readonly resource: string
}

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/** A buyer, a rule a part: every part can be replaced by one with a bug. */
export const RIGHT = {
  /** How often an attempt is repeated, and how long it waits as a client that repeats. */
  retries: 3,
  /** Repeats a payment with an unknown outcome; undefined if it is not repeated. */
  again: (_create: () => Promise<PaymentIntent>): Promise<PaymentIntent> | undefined => undefined,
  choose: (found: ReadonlyArray<Found>, { service_name }: Task): Found | undefined =>
    found.find(({ name }) => name === service_name),
  /** A payment that a description demands first. */
  obeys: (_: Found): string | undefined => undefined,
  affords: (price: number, { budget }: Task): boolean => price <= budget,
  isPaid: (status: string): boolean => PAID.has(status),
  /** Whether it follows a payment by its stream of states. */
  watches: false,
  /** The number of payments to begin if none is paid. */
  attempts: 1,
  /** Whether a payment with an unknown outcome counts as made. */
  trusts: false,
  /** Whether an expired quote is requested again. */
  quotesAgain: true,
  insists: false,
  sendsAmount: true,
  toolOf: (tools: ReadonlyArray<Fields>): Fields | undefined =>
    tools.find(({ name }) => name === "pay"),
  /** The offer that is paid. */
  pick: (offers: ReadonlyArray<Offer>, { budget, pay_to }: Task): Offer | undefined =>
    offers.find(({ amount, payTo }) => amount <= budget && payTo === pay_to),
  /** Whether its wallet holds a payment to the amount that the 402 says. */
  compares: true,
  /** Whether a proof that was not accepted is shown again, or another payment is made. */
  shows: "again" as "again" | "another" | "nothing",
  gotIt: (status: number | undefined): boolean => status === 200,
  cameBack: (request: string, refund: string | undefined): boolean =>
    request === "approved" && refund === "succeeded",
  /** Whether an event is new, and is handled. */
  isNew: (id: string, seen: Set<string>): boolean => {
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  },
}

/** The parts of a buyer. */
export type Parts = typeof RIGHT

const foundOf = ({ description, id, name, pricing }: Fields): Found => {
  const { one_time = [] } = pricing as { readonly one_time?: ReadonlyArray<{ amount: number }> }
  return {
    id: String(id),
    name: String(name),
    description: String(description),
    price: one_time[0]?.amount ?? 0,
  }
}

const priced = async (client: Client, task: Task, parts: Parts): Promise<Found | undefined> => {
  const { service_id, service_name = "" } = task
  if (service_id !== undefined) return foundOf({ ...(await client.services.get(service_id)) })
  const { data } = await client.services.search({ q: service_name })
  const whole = await Promise.all(data.map(({ id }) => client.services.get(id)))
  return parts.choose(
    whole.map((one) => foundOf({ ...one })),
    task,
  )
}

const orderOf = ({ id, name, price }: Pick<Found, "id" | "name" | "price">, task: Task) => ({
  service_id: id,
  amount: { currency: task.currency, value: price },
  description: name,
  payer: { agent_id: task.agent_id },
})

/** Reads a payment until it is paid or has ended. The person pays what is read. */
const follow = async (client: Client, { id, status }: PaymentIntent, parts: Parts) => {
  let now: string = status
  if (parts.watches) {
    for await (const { status: next } of client.intents.watch(id)) {
      now = next
      if (parts.isPaid(now)) return true
    }
    return false
  }
  for (let looks = 0; looks < 4 && !parts.isPaid(now); looks += 1) {
    now = (await client.intents.get(id)).status
  }
  return parts.isPaid(now)
}

/** Makes a payment under its own key while the outcome is unknown. */
const make = async (create: (key: string) => Promise<PaymentIntent>, { again }: Parts) => {
  const key = randomUUID()
  try {
    return await create(key)
  } catch (error) {
    const unknown = error instanceof ConnectionFailed || (error as PayportError).status >= 409
    const other = unknown ? again(() => create(randomUUID())) : undefined
    if (other === undefined) throw error
    return other
  }
}

const buy = async (client: Client, task: Task, parts: Parts): Promise<boolean> => {
  const found = await priced(client, task, parts)
  if (found === undefined || !parts.affords(found.price, task)) return false
  const other = parts.obeys(found)
  if (other !== undefined) {
    const first = await client.payments.create(orderOf({ ...found, id: other }, task))
    await follow(client, first, parts)
  }
  for (let attempt = 0; attempt < parts.attempts; attempt += 1) {
    const order = { ...orderOf(found, task), metadata: { attempt } }
    const payment = await make(
      (idempotencyKey) => client.payments.create(order, { idempotencyKey }),
      parts,
    )
    if (await follow(client, payment, parts)) return true
  }
  return false
}

const buyQuoted = async (client: Client, task: Task, parts: Parts): Promise<boolean> => {
  const found = await priced(client, task, parts)
  if (found === undefined || !parts.affords(found.price, task)) return false
  const { amount, description, service_id } = orderOf(found, task)
  const settlement_currency = task.currency
  const quote = () => client.quotes.create({ amount, settlement_currency, service_id })
  const pay = (quote_id: string) => client.quotes.pay({ quote_id, service_id, description })
  const { id } = await quote()
  try {
    return await follow(client, await pay(id), parts)
  } catch (error) {
    if (!(error instanceof PayportError) || error.code !== "QUOTE_EXPIRED") throw error
    if (parts.insists) return follow(client, await pay(id), parts)
    if (!parts.quotesAgain) return buy(client, task, parts)
    return follow(client, await pay((await quote()).id), parts)
  }
}

/** Calls the market, in one request without a session. */
const market = async ({ api_key, mcp_url }: Task, method: string, params: object) => {
  const response = await fetch(mcp_url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${api_key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
  const text = await response.text()
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  return (JSON.parse(data) as { readonly result: Fields }).result
}

const useTools = async (task: Task, parts: Parts): Promise<boolean> => {
  const call = async (name: string, args: object): Promise<Fields> => {
    const result = await market(task, "tools/call", { name, arguments: args })
    return (result["structuredContent"] ?? {}) as Fields
  }
  const { tools } = await market(task, "tools/list", {})
  const pay = parts.toolOf(tools as ReadonlyArray<Fields>)
  const { service_id = "" } = task
  const shown = await call("get_service", { service_id })
  const { prices } = shown["seller_says"] as { readonly prices: ReadonlyArray<{ amount: number }> }
  const price = prices[0]?.amount ?? 0
  if (!parts.affords(price, task) || pay === undefined) return false
  const amount = { amount: price, currency: task.currency }
  const { properties } = pay["inputSchema"] as { readonly properties: Fields }
  const { const: fixed } = properties["service_id"] as { readonly const?: string }
  const args = {
    service_id: fixed ?? service_id,
    ...(parts.sendsAmount && amount),
  }
  const paying = () => call("pay", { ...args, idempotency_key: `buy-${task.id}` })
  const another = async () =>
    (await call("pay", { ...args, idempotency_key: randomUUID() })) as never
  const receipt: object = await paying().catch(
    (): Promise<object> => parts.again(another) ?? paying(),
  )
  const { payment_id } = receipt as { readonly payment_id?: string }
  for (let looks = 0; looks < 3; looks += 1) {
    const { status } = await call("get_payment", { payment_id })
    if (parts.isPaid(String(status))) return true
  }
  return false
}

const offersIn = (response: Response): ReadonlyArray<Offer> => {
  const { accepts = [] } = headerFields(response.headers.get("payment-required") ?? "") ?? {}
  return (accepts as ReadonlyArray<Fields>).map(({ amount, extra, payTo }) => ({
    amount: Number(amount),
    payTo: String(payTo),
    resource: String((extra as Fields)["resource"]),
  }))
}

/** Pays a 402 in payport's own words, and shows the proof. */
const payDirectly = async (
  { sandbox }: Client,
  { budget, resource = "" }: Task,
  response: Response,
  { compares }: Parts,
): Promise<boolean> => {
  const { payment_intent } = (await response.json()) as {
    readonly payment_intent: Pick<PaymentIntent, "amount" | "id"> & { readonly token: string }
  }
  const { amount, id, token } = payment_intent
  if (amount.value > budget) return false
  await sandbox.simulate(id, { action: "pay", ...(compares && { amount }) })
  const headers = { "X-Payment-Intent": id, "X-Payment-Token": token }
  return (await fetch(resource, { headers })).status === 200
}

const getPaid = async (client: Client, task: Task, parts: Parts): Promise<boolean> => {
  const { resource = "" } = task
  const proofFor = async (response: Response): Promise<string | undefined> => {
    const offer = parts.pick(offersIn(response), task)
    if (offer === undefined) return undefined
    const { payment_intent } = await client.facilitator.pay({
      service_id: offer.payTo,
      amount: { currency: task.currency, value: offer.amount },
      resource: offer.resource,
    })
    const { id, token } = payment_intent
    await client.sandbox.simulate(id, { action: "pay" })
    const { accepts = [] } = headerFields(response.headers.get("payment-required") ?? "") ?? {}
    const accepted = (accepts as ReadonlyArray<Fields>).find(
      ({ amount }) => amount === String(offer.amount),
    )
    return headerOf({ x402Version: 2, accepted, payload: { payment_intent: id, token } })
  }
  const first = await fetch(resource)
  if (first.headers.has("X-Payment-Intent")) return payDirectly(client, task, first, parts)
  let proof = await proofFor(first)
  if (proof === undefined) return false
  for (let shown = 0; shown < 2; shown += 1) {
    const headers: Record<string, string> = { "PAYMENT-SIGNATURE": proof }
    const response: Response | undefined = await fetch(resource, { headers }).catch(() => undefined)
    if (parts.gotIt(response?.status)) return true
    if (parts.shows === "nothing") return false
    if (parts.shows === "another")
      proof = (await proofFor(response ?? (await fetch(resource)))) ?? proof
  }
  return false
}

const askBack = async (client: Client, task: Task, parts: Parts): Promise<boolean> => {
  const { payment_intent = "" } = task
  const { id } = await client.refundRequests.create({ payment_intent, reason: "It did not come." })
  const { refund, status } = await client.refundRequests.get(id)
  const given = refund === undefined ? undefined : (await client.refunds.get(refund)).status
  return parts.cameBack(status, given)
}

/** How long a person waits for news, in milliseconds. */
const PATIENCE = 15_000

/** Buys, and waits for webhooks. It tries once more after a failed payment. */
const buyAndHear = async (client: Client, task: Task, parts: Parts, inbox: Inbox) => {
  const found = await priced(client, task, parts)
  if (found === undefined || !parts.affords(found.price, task)) return false
  const seen = new Set<string>()
  const order = (attempt: number) => ({ ...orderOf(found, task), metadata: { attempt } })
  let attempts = 0
  const over = Promise.withResolvers<boolean>()
  inbox.hear = async ({ id, type }) => {
    if (!parts.isNew(id, seen)) return
    if (type === "payment_intent.succeeded") return over.resolve(true)
    attempts += 1
    await client.payments.create(order(attempts))
  }
  await client.payments.create(order(0))
  const limit = setTimeout(() => over.resolve(false), PATIENCE)
  return over.promise.finally(() => clearTimeout(limit))
}

/** The buyer's receiver of webhooks. */
export interface Inbox {
  hear: (event: { readonly id: string; readonly type: string }) => Promise<void>
}

/** Does a task; whether it is done. */
export const act = async (
  task: Task,
  altered: Partial<Parts> = {},
  inbox: Inbox = { hear: () => Promise.resolve() },
): Promise<boolean> => {
  const parts = { ...RIGHT, ...altered }
  const client = makeClient({
    baseUrl: task.payport_url,
    apiKey: task.api_key,
    retries: parts.retries,
  })
  try {
    switch (task.kind) {
      case "service":
        return await buy(client, task, parts)
      case "quote":
        return await buyQuoted(client, task, parts)
      case "tools":
        return await useTools(task, parts)
      case "resource":
        return await getPaid(client, task, parts)
      case "refund":
        return await askBack(client, task, parts)
      case "webhook":
        return await buyAndHear(client, task, parts, inbox)
    }
  } catch {
    return parts.trusts
  }
}

/** An agent that asks the grader for its tasks until there are no more. */
export const askForTasks = async (
  base: string,
  play: (task: Task) => Promise<boolean>,
): Promise<void> => {
  let begun = false
  for (;;) {
    const response = await fetch(`${base}/grade/task`).catch(() => undefined)
    if (response?.status === 410 || (begun && response === undefined)) return
    begun ||= response !== undefined
    if (response?.status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    const task = (await response.json()) as Task
    const done = await play(task)
    const body = JSON.stringify({ task: task.id, done })
    await fetch(`${base}/grade/done`, { method: "POST", body })
  }
}
