import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type {
  CallbackRead,
  ChargeAnswered,
  RequestAnswered,
  StatementAnswered,
} from "../../apps/payport/channels.ts"
import type { ChannelMessage } from "../../core/gateway/ChannelCallback.ts"

interface Money {
  readonly currency: string
  readonly value: number
}

interface Order {
  status: "unpaid" | "held" | "paid" | "closed"
  readonly amount: Money
  refunded: number
}

interface Operation {
  readonly action: keyof typeof MOVES
  readonly amount: Money
  readonly out_trade_no: string
}

/** By operation: the required state and the next one. */
const MOVES = {
  capture: ["held", "paid"],
  release: ["held", "closed"],
  close: ["unpaid", "closed"],
  refund: ["paid", "paid"],
} as const

const tradeOf = (out_trade_no: string) => `bank-${out_trade_no}`

/** Returns the bank's reading of a message, in the form of its callbacks. */
const readAs = (message: ChannelMessage): CallbackRead => {
  if ("mandate_status" in message) return { event: "mandate_status", ...message }
  const major = "refund_status" in message ? message.refund_amount : message.total_amount
  const amount = { currency: "USD", value: Math.round(Number(major) * 100) }
  if ("refund_status" in message) {
    const { out_request_no, out_trade_no, refund_status } = message
    return { event: "refund_status", out_trade_no, out_request_no, amount, refund_status }
  }
  const { out_trade_no, trade_no, trade_status } = message
  return { event: "trade_status", out_trade_no, trade_no, amount, trade_status }
}

/** The orders and operations of a fictional bank, and what it makes of requests. */
class Bank {
  readonly #orders = new Map<string, Order>()
  readonly #operations = new Map<string, RequestAnswered>()
  readonly #lines: Array<StatementAnswered["lines"][number]> = []

  order(id: string): ChargeAnswered | undefined {
    const order = this.#orders.get(id)
    if (order === undefined) return undefined
    const { status, ...known } = order
    const trade_no = tradeOf(id)
    return status === "closed"
      ? { ...known, status, trade_no, reason: "CLOSED" }
      : { ...known, status, trade_no }
  }

  place(id: string, { amount }: { readonly amount: Money }): ChargeAnswered | undefined {
    if (!this.#orders.has(id)) this.#orders.set(id, { status: "unpaid", amount, refunded: 0 })
    return this.order(id)
  }

  operation(number: string): RequestAnswered | undefined {
    return this.#operations.get(number)
  }

  /** Does it once, however often it is requested under the number. */
  operate(number: string, asked: Operation): RequestAnswered {
    const known = this.#operations.get(number)
    if (known !== undefined) return known
    const answer = this.#perform(number, asked)
    this.#operations.set(number, answer)
    return answer
  }

  #perform(number: string, { action, amount, out_trade_no }: Operation): RequestAnswered {
    const order = this.#orders.get(out_trade_no)
    const [from, to] = MOVES[action]
    const returned = action === "refund" ? amount.value : 0
    if (order?.status !== from || order.refunded + returned > order.amount.value) {
      return { status: "refused", reason: "Not now." }
    }
    order.status = to
    order.refunded += returned
    const at = new Date().toISOString()
    const trade_no = tradeOf(out_trade_no)
    if (action === "capture" || action === "refund") {
      const kind = action === "capture" ? "payment" : "refund"
      this.#lines.push({ kind, out_trade_no, trade_no, number, amount, status: "settled", at })
    }
    return { status: "done", trade_no, at }
  }

  statement(day: string): StatementAnswered {
    return { lines: this.#lines.filter(({ at }) => String(at).startsWith(day)), next: null }
  }

  /** A person pays in the bank's app. */
  pay(id: string): CallbackRead | undefined {
    const order = this.#orders.get(id)
    if (order === undefined) return undefined
    order.status = "held"
    const trade_status = "AUTHORIZED"
    const [out_trade_no, trade_no] = [id, tradeOf(id)]
    return { event: "trade_status", out_trade_no, trade_no, amount: order.amount, trade_status }
  }
}

/**
 * Serves the REST API of a fictional bank, which `apps/examples/own-bank-channel` uses, until it is
 * closed. Returns the example's settings.
 */
export const openBank = async () => {
  const env = { BANK_KEY: "a key of the shop", BANK_SECRET: "agreed upon with the bank" }
  const bank = new Bank()
  const signed = (said: CallbackRead | undefined) => {
    if (said === undefined) return undefined
    const body = JSON.stringify(said)
    const signature = createHmac("sha256", env.BANK_SECRET).update(body).digest("hex")
    return { body, headers: { "x-bank-signature": signature } }
  }
  const routes: { readonly [route: string]: (id: string, body: never) => unknown } = {
    "GET orders": (id) => bank.order(id),
    "PUT orders": (id, order: Order) => bank.place(id, order),
    "GET operations": (id) => bank.operation(id),
    "PUT operations": (id, asked: Operation) => bank.operate(id, asked),
    "GET statements": (day) => bank.statement(day),
    "POST payments": (id) => signed(bank.pay(id)),
    "POST callbacks": (_, message: ChannelMessage) => signed(readAs(message)),
  }
  const answer = async (request: Parameters<typeof json>[0] & { method: string; url: string }) => {
    const [kind = "", id = ""] = request.url
      .split("/")
      .filter((part) => !["", "test"].includes(part))
    const body = request.method === "GET" ? undefined : await json(request)
    return routes[`${request.method} ${kind}`]?.(id, body as never)
  }
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${env.BANK_KEY}`) {
      return void response.writeHead(401).end()
    }
    const { method = "", url = "" } = request
    void answer(Object.assign(request, { method, url })).then(
      (said) => response.writeHead(said === undefined ? 404 : 200).end(JSON.stringify(said ?? {})),
      () => response.writeHead(400).end(),
    )
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve))
  return { env: { ...env, BANK_URL: `http://127.0.0.1:${port}` }, close }
}

// Starts the bank alone, to try the example by hand.
if (import.meta.main) {
  const { env } = await openBank()
  for (const [name, value] of Object.entries(env)) process.stdout.write(`${name}='${value}'\n`)
}
