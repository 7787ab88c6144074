import { type AskedWith, type ChannelCall, defineChannel, type OwnCharge } from "payport/channels"
import { chargeOf, lineOf, outcomeOf } from "./answers.ts"
import { bankClient } from "./client.ts"
import { codec } from "./codec.ts"
import { entry } from "./entry.ts"
import type { Done, Operation, Order } from "./protocol.ts"

const NOT_FOUND = { status: "not_found" } as const

/** The bank as a channel of payport. */
export const bankChannel = (url: string, secret: string) => {
  const ask = bankClient(url)
  const charge =
    (link: boolean) =>
    async (asked: OwnCharge, { signal }: AskedWith) => {
      const { amount, out_trade_no: id } = asked
      await ask(`/orders/${id}`, signal, { cents: amount.value, link })
      return { status: "created", qr_data: `bank://${id}` } as const
    }
  const operate =
    (op: Operation["op"]) =>
    async (call: ChannelCall, { signal }: AskedWith) => {
      const { amount, number, out_trade_no: order } = call
      const put: Operation = { op, order, cents: amount.value, number }
      const done = await ask<Done>(`/operations/${number}`, signal, put)
      if (done === undefined) throw new Error("The bank has lost an operation.")
      return outcomeOf(done)
    }
  return defineChannel({
    channel: entry,
    createQr: charge(false),
    createDeepLink: charge(true),
    capture: operate("capture"),
    release: operate("release"),
    close: operate("close"),
    refund: operate("refund"),
    inquire: async ({ number }, { signal }) => {
      const done = await ask<Done>(`/operations/${number}`, signal)
      return done === undefined ? NOT_FOUND : outcomeOf(done)
    },
    inquireCharge: async ({ out_trade_no }, { signal }) => {
      const order = await ask<Order>(`/orders/${out_trade_no}`, signal)
      return order === undefined ? NOT_FOUND : chargeOf(order)
    },
    statement: async ({ day }, { signal }) => {
      const operations = (await ask<Array<Done>>(`/days/${day}`, signal)) ?? []
      const taken = operations.filter(({ op }) => op === "capture" || op === "refund")
      return { lines: taken.map(lineOf), next: null }
    },
    codec: codec(secret),
  })
}
