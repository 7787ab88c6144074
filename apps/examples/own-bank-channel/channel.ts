import type { AskedWith, ChannelCall, ChargeAnswered, RequestAnswered } from "payport/channels"
import { defineChannel, hmacSignature, restApi, type StatementAnswered } from "payport/channels"

const { BANK_KEY = "", BANK_SECRET: secret = "", BANK_URL = "" } = process.env
export const api = restApi(BANK_URL, { authorization: `Bearer ${BANK_KEY}` })
const NOT_FOUND = { status: "not_found" } as const

// This bank uses payport's words. If yours does not, translate its answers here. It stores each
// action under its number, and does it once.
const operate = ({ action, amount, number, out_trade_no }: ChannelCall, options: AskedWith) =>
  api.put<RequestAnswered>(`/operations/${number}`, { action, amount, out_trade_no }, options)

export const bank = defineChannel({
  channel: {
    id: "own_bank",
    label: "Own Bank",
    kind: "bank_linked",
    currencies: ["USD"],
    network_fee_basis_points: 20, // 0.2 %
    settles: "real_time",
    kyc_level: "anonymous",
    deep_links: false,
    refunds: { type: 2, max_partial_refunds: null, window_days: 90, rate_per_second: null },
  },
  createQr: async ({ amount, out_trade_no }, options) => {
    await api.put(`/orders/${out_trade_no}`, { amount }, options)
    return { status: "created", qr_data: `bank://${out_trade_no}` }
  },
  capture: operate,
  release: operate,
  close: operate,
  refund: operate,
  inquire: async ({ number }, options) =>
    (await api.get<RequestAnswered>(`/operations/${number}`, options)) ?? NOT_FOUND,
  inquireCharge: async ({ out_trade_no }, options) =>
    (await api.get<ChargeAnswered>(`/orders/${out_trade_no}`, options)) ?? NOT_FOUND,
  statement: async ({ day }, options) =>
    (await api.get<StatementAnswered>(`/statements/${day}`, options)) ?? { lines: [], next: null },
  codec: {
    verify: hmacSignature({ header: "X-Bank-Signature", secret }),
    read: ({ body }) => JSON.parse(Buffer.from(body).toString()),
  },
})
