import type { Schema } from "effect"
import { describe, expect, test } from "vitest"
import { toolFilterOf } from "../../../core/agents/ToolFilter.ts"
import { MARKET_INPUTS } from "../../../core/market/MarketInput.ts"
import { MARKET_TOOLS } from "../../../core/market/MarketTool.ts"
import {
  type Asked,
  type Billed,
  type Given,
  isSettled,
  nextFor,
  receipt,
} from "../../../core/market/Receipt.ts"
import type { IntentView } from "../../../core/payments/IntentView.ts"
import { isDisguised } from "../../../core/shared/Look.ts"

describe("what the tools take is what they say", () => {
  test.each(MARKET_TOOLS)("$name", ({ inputSchema, name }) => {
    const { fields } = MARKET_INPUTS[name]
    expect(Object.keys(inputSchema.properties).toSorted()).toEqual(Object.keys(fields).toSorted())
    const required = Object.entries<Schema.Top>(fields)
      .filter(([, field]) => field.ast.context?.isOptional !== true)
      .map(([field]) => field)
    expect(inputSchema.required).toEqual(required)
  })
})

const payment = (said: Partial<IntentView> = {}): IntentView => ({
  id: "pi_01997d3e-8a00-7000-8000-000000000020",
  service_id: "01997d3e-8a00-7000-8000-000000000010",
  type: "one_time",
  status: "completed",
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: 1 },
  description: "A report",
  payer: { agent_id: "agent", human_id: null },
  payee: { agent_id: "seller", merchant_account: null },
  channel: "wallet_a",
  metadata: null,
  created_at: "2026-01-31T08:00:00.000Z",
  expires_at: "2026-01-31T08:05:00.000Z",
  ...said,
})

const asked = (status: Asked["status"]): Asked => ({
  id: "rr_01997d3e-8a00-7000-8000-000000000035",
  status,
  payment_intent: payment().id,
  service_id: payment().service_id,
  amount: { currency: "USD", value: 200 },
  reason: "No.",
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
  expires_at: "2026-02-07T09:00:00.000Z",
})

const given = (status: Given["status"], created_at = "2026-01-31T09:30:00.000Z"): Given => ({
  id: "ref_01997d3e-8a00-7000-8000-000000000030",
  status,
  amount: { currency: "USD", value: 200 },
  created_at,
})

const billed = (
  status: IntentView["status"],
  invoice: Billed["status"],
  isOwn = true,
): { readonly payment: IntentView; readonly invoice: Billed } => ({
  payment: payment({ status, invoice: "inv_1" }),
  invoice: { id: "inv_1", status: invoice, isOwn },
})

const link = { deeplink: "svc://pay/pi_1" }
const qr = {
  charge_id: "qr_1",
  scan_url: "http://payport.test/pay/pi_1",
  qr_data: "svc://pay/pi_1",
}
const EARLIER = "2026-01-31T08:30:00.000Z"

describe("what to do about a payment", () => {
  test.each([
    ["pending, with a link", { payment: payment({ status: "pending", ...link }) }, /give the link/],
    [
      "pending, without one",
      { payment: payment({ status: "pending" }) },
      /^Not paid yet: call get/,
    ],
    [
      "whose wallet has not answered",
      { payment: payment({ status: "pending", channel_outcome: "unknown" }) },
      /Do not pay again/,
    ],
    ["to be scanned", { payment: payment({ status: "qr_generated", qr }) }, /give the link/],
    ["authorized", { payment: payment({ status: "authorized" }) }, /when it delivers/],
    ["captured", { payment: payment({ status: "captured" }) }, /^Paid/],
    ["paid", { payment: payment() }, /^Paid/],
    ["failed", { payment: payment({ status: "failed" }) }, /Nothing is owed.*ask.*_key that you/],
    ["expired", { payment: payment({ status: "expired" }) }, /_key that you .* new link/],
    ["voided", { payment: payment({ status: "voided" }) }, /was cancelled.*_key that you/],
    [
      "expired, of an owed invoice",
      billed("expired", "open"),
      /Nobody .* pay with invoice_id inv_1/,
    ],
    [
      "failed, of an owed invoice",
      billed("failed", "open"),
      /failed.*still owed. Do not buy again/,
    ],
    ["voided, of one given up", billed("voided", "uncollectible"), /cancelled.*still owed/],
    ["expired, of a paid invoice", billed("expired", "paid"), /Another payment.*Nothing is owed/],
    ["expired, of a void invoice", billed("expired", "void"), /voided. Nothing is owed.$/],
    ["expired, owed by another", billed("expired", "open", false), /still owed by the buyer.$/],
    ["asked back", { payment: payment(), asked: asked("open") }, /not decided/],
    ["declined", { payment: payment(), asked: asked("declined") }, /declined/],
    ["withdrawn", { payment: payment(), asked: asked("withdrawn") }, /was withdrawn/],
    ["not decided in time", { payment: payment(), asked: asked("expired") }, /in time/],
    [
      "on its way back",
      { payment: payment(), asked: asked("approved"), given: given("pending") },
      /in progress/,
    ],
    [
      "back",
      { payment: payment(), asked: asked("approved"), given: given("succeeded") },
      /refund succeeded/,
    ],
    ["back unasked", { payment: payment(), given: given("succeeded") }, /refund succeeded/],
    [
      "not back",
      { payment: payment(), asked: asked("approved"), given: given("failed") },
      /refund failed/,
    ],
    [
      "declined, and given all the same",
      { payment: payment(), asked: asked("declined"), given: given("succeeded") },
      /refund succeeded/,
    ],
    [
      "given in part before, and declined",
      { payment: payment(), asked: asked("declined"), given: given("succeeded", EARLIER) },
      /declined/,
    ],
  ])("that is %s", (_what, known, expected) => {
    expect(nextFor(known)).toMatch(expected)
  })

  test.each([
    ["pending", { payment: payment({ status: "pending" }) }, false],
    ["authorized", { payment: payment({ status: "authorized" }) }, false],
    ["captured", { payment: payment({ status: "captured" }) }, false],
    ["paid", { payment: payment() }, true],
    ["expired", { payment: payment({ status: "expired" }) }, true],
    ["asked back", { payment: payment(), asked: asked("open") }, false],
    ["declined", { payment: payment(), asked: asked("declined") }, true],
    ["on its way back", { payment: payment(), given: given("pending") }, false],
    ["back", { payment: payment(), given: given("succeeded") }, true],
  ])("whether one that is %s can be waited for", (_what, known, isOver) => {
    expect(isSettled(known)).toBe(isOver)
  })

  test.each([
    ["pending", { status: "pending", ...link }, link.deeplink],
    ["to be scanned", { status: "qr_generated", qr }, qr.scan_url],
    ["authorized", { status: "authorized", qr }, undefined],
    ["paid", link, undefined],
    ["expired", { status: "expired", ...link }, undefined],
  ] as const)("the link of one that is %s", (_what, said, expected) => {
    expect(receipt({ payment: payment(said) }).link).toBe(expected)
  })
})

test.each([
  ["Weather reports", false],
  ["Web3 10", false],
  ["caf\u00e9 \u00fcber \u00f8re", false],
  ["\u5929\u6c14", false],
  ["\u041f\u043e\u0433\u043e\u0434\u0430", false],
  ["Pay \u041f\u043e\u0433\u043e\u0434\u0430", false],
  ["P\u0430pers", true],
  ["P\u0251pers", true],
  ["\u0441\u043e\u0440\u0430", true],
  ["\u03bf\u03bd\u03bf", true],
  ["\uff30apers", true],
  ["\ud835\udc0fapers", true],
  ["Papers.", true],
  [" Papers", true],
  ["\u00b7Papers", true],
])("whether %j may be meant to be taken for another", (name, expected) => {
  expect(isDisguised(name)).toBe(expected)
})

const id = "01997d3e-8a00-7000-8000-000000000010"
const other = "01997d3e-8a00-7000-8000-000000000009"
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => `01997d3e-8a00-7000-8000-${String(n).padStart(12, "0")}`)

test.each([
  [[], {}],
  [[["installed", ""]], { installed: true }],
  [[["installed", "true"]], { installed: true }],
  [[["installed", "false"]], undefined],
  [[["tag", "Weather"]], { tag: "Weather" }],
  [[["tag", " "]], undefined],
  [[["ids", `${id}, ${other.toUpperCase()},${id}`]], { ids: [other, id] }],
  [[["ids", `${id},`]], undefined],
  [[["ids", many(100).join(",")]], { ids: many(100) }],
  [[["ids", many(101).join(",")]], undefined],
  [
    [
      ["tag", "a"],
      ["installed", ""],
    ],
    { tag: "a", installed: true },
  ],
  [
    [
      ["tag", "a"],
      ["tag", "b"],
    ],
    undefined,
  ],
  [[["id", id]], undefined],
] as const)("the query %j", (query, expected) => {
  const filter = toolFilterOf(query)
  expect("success" in filter ? filter.success : undefined).toEqual(expected)
})
