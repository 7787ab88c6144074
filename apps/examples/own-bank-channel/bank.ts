// The API of a fictional bank, as somebody else runs it: orders, operations by number, callbacks.
import { createServer } from "node:http"
import { json } from "node:stream/consumers"
import { type Done, type Operation, type Order, sign } from "./protocol.ts"

/** By operation: the state that it needs, and the one that it leads to. */
const MOVES = {
  capture: ["held", "taken"],
  release: ["held", "over"],
  close: ["open", "over"],
  refund: ["taken", "taken"],
} as const

/** Serves the bank; it signs what it calls `callbackUrl` back with. */
export const openBank = (secret: string, callbackUrl: string) => {
  const orders = new Map<string, Order>()
  const operations = new Map<string, Done>()
  const tell = ({ cents, id }: Order, event: string) => {
    const body = new URLSearchParams({ order: id, event, cents: `${cents}` }).toString()
    const headers = { "x-bank-signature": sign(secret, body) }
    void fetch(callbackUrl, { method: "POST", body, headers }).catch(() => {})
  }
  const perform = ({ cents, op, order: id }: Operation): boolean => {
    const order = orders.get(id)
    const [from, to] = MOVES[op]
    if (order?.state !== from || (op === "refund" && order.back + cents > order.cents)) return false
    order.state = to
    if (op === "refund") order.back += cents
    if (op === "capture") tell(order, "SUCCESS")
    return true
  }
  const record = (id: string, asked: Operation, ok: boolean) =>
    operations.set(id, { ...asked, ok, at: new Date().toISOString() }).get(id)
  const routes: Record<string, (id: string, body: any) => unknown> = {
    "GET orders": (id) => orders.get(id),
    "PUT orders": (id, order) =>
      orders.get(id) ?? orders.set(id, { ...order, id, state: "open", back: 0 }).get(id),
    "GET operations": (id) => operations.get(id),
    "PUT operations": (id, asked) => operations.get(id) ?? record(id, asked, perform(asked)),
    "GET days": (day) => [...operations.values()].filter(({ at, ok }) => ok && at.startsWith(day)),
    // What a person does in the bank's app.
    "PUT payments": (id) => {
      const order = orders.get(id)!
      order.state = order.link ? "taken" : "held"
      tell(order, order.link ? "SUCCESS" : "AUTHORIZED")
      const taken = { op: "capture", order: id, cents: order.cents, number: null } as const
      return order.link ? record(`link ${id}`, taken, true) : order
    },
  }
  return createServer(async (request, response) => {
    const [, kind, id = ""] = request.url!.split("/")
    const body = request.method === "PUT" ? await json(request) : undefined
    const answer = routes[`${request.method} ${kind}`]?.(id, body)
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}))
  })
}
