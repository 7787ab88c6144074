import { randomBytes } from "node:crypto"
import type { Answer } from "../client.ts"
import { capture, manifest, order, refund, simulated, SMALL } from "../shop.ts"
import type { Client, List, Written } from "./Client.ts"

/** A step that a client repeats: it writes, and reads the result back. */
export type Act = () => Promise<void>

type Item = { readonly [field: string]: unknown }

const PART = 4
const STAGES = ["pending", "qr_generated", "scanning", "authorized", "captured", "succeeded"]

const itemsOf = (body: Answer["body"]): ReadonlyArray<Item> =>
  (body["data"] ?? []) as ReadonlyArray<Item>

/** Makes the fact that a list has the item in that field. */
const listed = (list: List, item: string, what: string, field = "id"): Written => ({
  list,
  item,
  what: `${what} ${item}`,
  holds: (body) => itemsOf(body).some((one) => one[field] === item),
})

const gone = (list: List, item: string, what: string): Written => ({
  list,
  item,
  what: `end of ${what} ${item}`,
  holds: (body) => !itemsOf(body).some(({ id, revoked_at }) => id === item && revoked_at == null),
})

/** Makes the fact that a list shows the record in this status or a later one. */
const reached = (list: List, { body: { id, status } }: Answer): Written => ({
  list,
  item: String(id),
  what: `payment ${String(id)}, ${String(status)}`,
  holds: (body) => {
    const found = itemsOf(body).find((one) => one["id"] === id)
    return STAGES.indexOf(String(found?.["status"])) >= STAGES.indexOf(String(status))
  },
})

/** Sums that the whole of a list says, in a line each. */
const summed = (
  list: List,
  what: string,
  lines: string,
  holds: (sum: (field: string) => number) => boolean,
): Written => ({
  list,
  item: list.name,
  what,
  holds: (body) => {
    const all = (body[lines] ?? []) as ReadonlyArray<Item>
    return holds((field) => all.reduce((sum, line) => sum + Number(line[field]), 0))
  },
})

/** The newest services, by words that no other service has. */
export class Market {
  #words: Array<string> = []

  list(word: string): List {
    return { name: `services with ${word}`, path: `/v1/services?q=${word}` }
  }

  open(word: string): void {
    this.#words = [...this.#words.slice(-19), word]
  }

  /** Returns a search for one of the newest services; undefined before there is any. */
  anyone(): List | undefined {
    const word = this.#words[Math.floor(Math.random() * this.#words.length)]
    return word === undefined ? undefined : this.list(word)
  }
}

const word = (): string => `w${randomBytes(8).toString("hex")}`

/** The lists of an account that a replica may answer. */
const listsOf = (name: string) => {
  const today = new Date().toISOString().slice(0, 10)
  const list = (what: string, path: string): List => ({ name: `${what} of ${name}`, path })
  return {
    payments: list("payments", "/v1/payment-intents?limit=100"),
    refunds: list("refunds", "/v1/refunds?limit=100"),
    endpoints: list("endpoints", "/v1/webhook-endpoints"),
    keys: list("keys", "/v1/api-keys?limit=100"),
    log: list("log", "/v1/audit-log?limit=100"),
    captures: list("captures", "/v1/ledger/entries?kind=captured&limit=100"),
    listings: list("listings", "/v1/x402/listings?limit=100"),
    balance: list("balance", "/v1/balance"),
    usage: list("usage", "/v1/usage"),
    // A run may go on beyond midnight.
    report: list("report", `/v1/reports/reconciliation?from=${today}&to=${nextDay(today)}`),
  }
}

const nextDay = (day: string): string =>
  new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The acts of a seller: payments and their changes, services, endpoints, keys, listings. */
export const sellerActs = (
  client: Client,
  shop: string,
  market: Market,
  endpoint: string,
): ReadonlyArray<Act> => {
  const lists = listsOf(client.name)
  const said = { payments: 0, captures: 0, refunds: 0 }
  let payment: string | undefined
  let hook: string | undefined
  let extra: string | undefined
  const idIn = (answer: Answer): string => String(answer.body["id"])

  const balance = (): Written => {
    const total = SMALL * said.captures - PART * said.refunds
    return summed(
      lists.balance,
      `balance of ${total}`,
      "balances",
      (sum) => sum("available") + sum("pending") === total,
    )
  }
  const charge: Act = async () => {
    const made = await client.write(order(shop, "Read back", SMALL))
    payment = made && idIn(made)
    if (made === undefined) return
    const count = ++said.payments
    const codes = (body: Answer["body"]) =>
      (body["operations"] as ReadonlyArray<Item>).some(
        (one) => one["operation"] === "qr-generation" && Number(one["count"]) >= count,
      )
    await client.readBack([
      reached(lists.payments, made),
      { list: lists.usage, item: "codes", what: `${count} QR codes`, holds: codes },
    ])
  }
  const pay: Act = async () => {
    const paid = payment && (await client.write(simulated(payment, "pay")))
    if (paid) await client.readBack([reached(lists.payments, paid)])
  }
  const take: Act = async () => {
    const captured = payment && (await client.write(capture(payment)))
    if (!captured || captured.body["status"] !== "captured") return void (payment = undefined)
    said.captures++
    await client.readBack([
      reached(lists.payments, captured),
      listed(lists.captures, idIn(captured), "capture of", "payment_intent"),
      balance(),
    ])
  }
  const giveBack: Act = async () => {
    const given = payment && (await client.write(refund(payment, PART)))
    if (!given) return
    const sum = PART * ++said.refunds
    await client.readBack([
      listed(lists.refunds, idIn(given), "refund"),
      summed(lists.report, `${sum} given back`, "totals", (of) => of("refunds") >= sum),
      balance(),
    ])
  }
  const open: Act = async () => {
    const name = word()
    const made = await client.write({
      path: "/v1/services",
      body: manifest(endpoint, name, SMALL),
    })
    if (made === undefined) return
    const path = `/v1/services/${idIn(made)}/activate`
    if ((await client.write({ method: "PATCH", path })) === undefined) return
    market.open(name)
    await client.readBack([listed(market.list(name), idIn(made), "service")])
  }
  const listen: Act = async () => {
    const path = "/v1/webhook-endpoints"
    if (hook === undefined) {
      const body = { url: endpoint, enabled_events: ["payment_intent.failed"] }
      const made = await client.write({ path, body })
      hook = made && idIn(made)
      if (hook !== undefined) await client.readBack([listed(lists.endpoints, hook, "endpoint")])
    } else {
      const over = hook
      hook = undefined
      const ended = await client.write({ method: "DELETE", path: `${path}/${over}` })
      if (ended) await client.readBack([gone(lists.endpoints, over, "endpoint")])
    }
  }
  const turnKeys: Act = async () => {
    const path = "/v1/api-keys"
    if (extra === undefined) {
      const made = await client.write({ path, body: {} })
      extra = made && idIn(made)
      if (extra === undefined) return
      const inLog = listed(lists.log, extra, "entry about", "target")
      await client.readBack([listed(lists.keys, extra, "key"), inLog])
    } else {
      const over = extra
      extra = undefined
      const ended = await client.write({ method: "DELETE", path: `${path}/${over}` })
      if (ended) await client.readBack([gone(lists.keys, over, "key")])
    }
  }
  const list: Act = async () => {
    const path = "/v1/x402/listings"
    const resource = `https://127.0.0.1:9/${word()}`
    const amount = { currency: "USD", value: SMALL }
    const made = await client.write({ path, body: { service_id: shop, resource, amount } })
    if (made === undefined) return
    await client.readBack([listed(lists.listings, idIn(made), "listing")])
    const ended = await client.write({ method: "DELETE", path: `${path}/${idIn(made)}` })
    if (ended) await client.readBack([gone(lists.listings, idIn(made), "listing")])
  }
  return [charge, open, pay, take, listen, giveBack, turnKeys, open, list]
}

/** The acts of the operator: accounts, each with its key and its entry in the audit log. */
export const operatorActs = (operator: Client): ReadonlyArray<Act> => {
  const accounts = { name: "accounts", path: "/v1/accounts?limit=100" }
  const audit = { name: "audit", path: "/v1/audit?limit=100" }
  const open: Act = async () => {
    const made = await operator.write(newAccount())
    if (made === undefined) return
    const { api_key, id } = made.body
    const own = { name: `keys of ${String(id)}`, path: `/v1/accounts/${String(id)}/api-keys` }
    await operator.readBack([
      listed(accounts, String(id), "account"),
      listed(audit, String(id), "entry about", "target"),
      listed(own, String((api_key as Item)["id"]), "key"),
    ])
  }
  return [open]
}

/** The request that opens a new seller's account. */
export const newAccount = () => ({
  path: "/v1/accounts",
  body: { name: "Reads back", kind: "seller", agent_id: word() },
})

/**
 * The acts of a client that writes nothing and searches for services that others have just opened.
 */
export const onlookerActs = (client: Client, market: Market): ReadonlyArray<Act> => [
  async () => {
    const list = market.anyone()
    if (list !== undefined) await client.read(list)
  },
]
