import { Effect } from "effect"
import { createHmac } from "node:crypto"
import type {
  CallbackRead,
  Channel,
  ChargeAnswered,
  OwnChannel,
  RequestAnswered,
} from "../../../apps/payport/channels.ts"

/** A channel of a catalog that none of the thirteen is. */
export const entry: Channel = {
  id: "own_bank",
  label: "Own Bank",
  kind: "bank_linked",
  refunds: { type: 2, max_partial_refunds: null, window_days: 90, rate_per_second: null },
  deep_links: false,
  settles: "real_time",
  network_fee_basis_points: 20,
  currencies: ["USD"],
  kyc_level: "anonymous",
}

const SECRET = "a secret of the bank and its merchant"

/** The bank's signature, in its own header. */
export const signed = (body: string) => ({
  "content-type": "application/x-www-form-urlencoded",
  "x-bank-hmac": createHmac("sha256", SECRET).update(body).digest("base64"),
})

/** A callback of the bank, which is a form. */
export const formOf = (out_trade_no: string, trade_status: string): string =>
  new URLSearchParams({
    order: out_trade_no,
    ref: `bank_${out_trade_no}`,
    cents: "699",
    trade_status,
  }).toString()

type Held = { status: "unpaid" | "held" | "paid" | "settled"; cents: number; refunded: number }

/** A bank in this process, and its channel. Given functions replace its own. */
export const aBank = (given: Partial<OwnChannel> = {}) => {
  const charges = new Map<string, Held>()
  const done = new Map<string, RequestAnswered>()
  const once = (number: string, act: () => RequestAnswered): RequestAnswered => {
    const answer = done.get(number) ?? act()
    done.set(number, answer)
    return answer
  }
  const held = (out_trade_no: string): Held =>
    charges.get(out_trade_no) ?? { status: "unpaid", cents: 0, refunded: 0 }
  const settle = (status: Held["status"]) => (call: { number: string; out_trade_no: string }) =>
    once(call.number, () => {
      held(call.out_trade_no).status = status
      return { status: "done", trade_no: `bank_${call.out_trade_no}`, at: new Date() }
    })
  const definition: OwnChannel = {
    channel: entry,
    createQr: async ({ amount, out_trade_no }) => {
      charges.set(out_trade_no, { status: "unpaid", cents: amount.value, refunded: 0 })
      return { status: "created", qr_data: `bank://${out_trade_no}` }
    },
    capture: settle("paid"),
    release: settle("unpaid"),
    close: settle("unpaid"),
    refund: (call) =>
      Effect.sync(() =>
        once(call.number, () => {
          held(call.out_trade_no).refunded += call.amount.value
          return { status: "done", trade_no: `bank_${call.out_trade_no}`, at: new Date() }
        }),
      ),
    inquire: ({ number }) => done.get(number) ?? { status: "not_found" },
    inquireCharge: ({ out_trade_no }): ChargeAnswered | { status: "not_found" } => {
      const found = charges.get(out_trade_no)
      if (found === undefined) return { status: "not_found" }
      const { cents, refunded, status } = found
      const trade_no = `bank_${out_trade_no}`
      return { status, amount: { currency: "USD", value: cents }, refunded, trade_no }
    },
    statement: () => ({ lines: [], next: null }),
    codec: {
      verify: ({ body, headers }) =>
        headers["x-bank-hmac"] === signed(Buffer.from(body).toString())["x-bank-hmac"],
      read: ({ body }): CallbackRead => {
        const form = new URLSearchParams(Buffer.from(body).toString())
        return {
          event: "trade_status",
          out_trade_no: form.get("order") ?? "",
          trade_no: form.get("ref") ?? "",
          amount: { currency: "USD", value: Number(form.get("cents")) },
          trade_status: form.get("trade_status") as "SUCCESS",
        }
      },
    },
    ...given,
  }
  return { definition }
}
