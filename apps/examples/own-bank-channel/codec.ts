import { timingSafeEqual } from "node:crypto"
import type { CallbackCodec } from "payport/channels"
import { sign } from "./protocol.ts"

const EVENTS = { AUTHORIZED: "AUTHORIZED", SUCCESS: "SUCCESS", CLOSED: "CLOSED" } as const

/** How the bank's callbacks are verified and read: forms, with a signature of their own. */
export const codec = (secret: string): CallbackCodec => ({
  verify: ({ body, headers }) => {
    const [right, sent] = [sign(secret, body), headers["x-bank-signature"] ?? ""]
    return sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right))
  },
  read: ({ body }) => {
    const form = new URLSearchParams(Buffer.from(body).toString())
    const id = form.get("order") ?? ""
    const event = EVENTS[form.get("event") as keyof typeof EVENTS]
    const amount = { currency: "USD", value: Number(form.get("cents")) }
    if (event === undefined) throw new Error(`The bank tells of ${form.get("event")}.`)
    return {
      event: "trade_status",
      out_trade_no: id,
      trade_no: `bank-${id}`,
      amount,
      trade_status: event,
    }
  },
})
