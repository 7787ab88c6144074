import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { journalsOf, lateMoney } from "../../../core/payments/IntentJournals.ts"
import { flawOf, toPostings } from "../../../core/ledger/Posting.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { feesFrom } from "../../../core/pricing/Price.ts"
import { aChannelRequest, id, intentIn, oneTimeIn, T0, uuid } from "../../support/records.ts"

const fees = feesFrom("USD", 2, 0, 3)
const said = { fees, amount: { currency: "USD", value: 500 } } as const
const settlement = { currency: "USD", value: 500, rate: "1" } as const

type Named = readonly [name: string, intent: PaymentIntent | undefined]

const request = (status: Parameters<typeof intentIn>[0]): Named => [
  status,
  { ...intentIn(status, said), settlement },
]

const lost: Named = [
  "failed after its capture",
  { ...intentIn("failed", said), settlement, captured_at: T0 + 3 } as PaymentIntent,
]

const REQUEST: ReadonlyArray<Named> = [
  ["nothing", undefined],
  ...(
    [
      "pending",
      "qr_generated",
      "scanning",
      "authorized",
      "capturing",
      "captured",
      "succeeded",
      "failed",
      "expired",
      "cancelled",
      "voided",
    ] as const
  ).map(request),
  lost,
]

const ONE_TIME: ReadonlyArray<Named> = [
  ["nothing", undefined],
  ...(["pending", "completed", "failed", "expired", "cancelled", "voided"] as const).map(
    (status): Named => [status, { ...oneTimeIn(status, said), settlement }],
  ),
]

/** The money movements before each state. All other states have none. */
const THROUGH: { readonly [name: string]: ReadonlyArray<string> } = {
  captured: ["captured"],
  succeeded: ["captured", "settled", "fees"],
  completed: ["captured", "settled", "fees"],
  "failed after its capture": ["captured", "settlement_failed"],
}

const through = (name: string): ReadonlyArray<string> => THROUGH[name] ?? []

describe("what a move posts", () => {
  for (const [flow, states] of [
    ["Request Payment", REQUEST],
    ["One-Time Pay", ONE_TIME],
  ] as const) {
    for (const [from, before] of states) {
      for (const [to, after] of states) {
        if (after === undefined) continue
        const expected = through(to).filter((kind) => !through(from).includes(kind))
        it(`${flow}, from ${from} to ${to}: ${expected.join(", ") || "nothing"}`, () => {
          const kinds = journalsOf(before, after).map(({ kind }) => kind)
          expect(kinds).toStrictEqual(expected)
        })
      }
    }
  }

  const lines = (before: PaymentIntent | undefined, after: PaymentIntent) =>
    journalsOf(before, after).map(({ kind, lines: rows }) => [
      kind,
      rows.map(({ amount, currency, ledger_account }) => `${ledger_account} ${amount} ${currency}`),
    ])

  it("in one currency moves the amount, and owes what is charged for it", () => {
    const [, completed] = ONE_TIME[2] ?? []
    if (completed === undefined) throw new Error("there is no completed payment")
    expect(lines(undefined, completed)).toStrictEqual([
      ["captured", ["channel_clearing 500 USD", "payer_clearing -500 USD"]],
      ["settled", ["payer_clearing 500 USD", "merchant_wallet -500 USD"]],
      ["fees", ["fees_due 5 USD", "service_fees -2 USD", "channel_fees -3 USD"]],
    ])
  })

  it("through an exchange keeps the spread apart from what the merchant gets", () => {
    const exchanged: PaymentIntent = {
      ...intentIn("succeeded", { amount: { currency: "JPY", value: 1_000 } }),
      fees: feesFrom("USD", 4, 7, 3),
      settlement: { currency: "USD", value: 660, rate: "0.0066" },
    }
    const before: PaymentIntent = { ...intentIn("captured"), amount: exchanged.amount }
    expect(lines(before, exchanged)).toStrictEqual([
      [
        "settled",
        [
          "payer_clearing 1000 JPY",
          "fx -1000 JPY",
          "fx 667 USD",
          "fx_spread -7 USD",
          "merchant_wallet -660 USD",
        ],
      ],
      ["fees", ["fees_due 7 USD", "service_fees -4 USD", "channel_fees -3 USD"]],
    ])
  })

  it("is in the payee's books, with the channel that was paid", () => {
    const [journal] = journalsOf(undefined, {
      ...intentIn("captured", { payee_account_id: id("acct", 9), channel: "wallet_c" }),
    })
    expect(journal).toMatchObject({
      account_id: id("acct", 9),
      channel: "wallet_c",
      payment_intent: id("pi", 1),
      refund: null,
    })
  })

  it("of late money cancels when it has gone back", () => {
    const came = aChannelRequest({ action: "refund" })
    const [into, out] = [
      lateMoney(intentIn("expired"), came, "in"),
      lateMoney(intentIn("expired"), came, "out"),
    ]
    expect(into).toMatchObject({ kind: "late_payment", refund: came.id, channel: "wallet_a" })
    expect(out).toMatchObject({ kind: "late_payment_returned", refund: came.id })
    const sum = (account: string) =>
      [...into.lines, ...out.lines]
        .filter(({ ledger_account }) => ledger_account === account)
        .reduce((total, { amount }) => total + amount, 0)
    expect([sum("channel_clearing"), sum("payer_clearing")]).toStrictEqual([0, 0])
  })
})

describe("any history of a payment", () => {
  const money = fc.integer({ min: 1, max: 1_000_000_000_000 })
  const terms = fc.record({
    amount: money,
    settled: fc.integer({ min: 0, max: 1_000_000_000_000 }),
    service: fc.nat(1e9),
    spread: fc.nat(1e9),
    channel: fc.nat(1e9),
    exchanged: fc.boolean(),
    priced: fc.boolean(),
    steps: fc.array(fc.nat(REQUEST.length - 1), { maxLength: 8 }),
  })

  it("posts journals that sum to zero, and ends with what its last state has seen", () => {
    fc.assert(
      fc.property(terms, ({ amount, exchanged, priced, settled, steps, ...lines }) => {
        const currency = exchanged ? "EUR" : "USD"
        const value = exchanged ? settled : amount
        const all = feesFrom(currency, lines.service, lines.spread, lines.channel)
        // A payment only moves forward: the states of a history are in the table's order.
        const states = [...new Set(steps)].toSorted((a, b) => a - b).map((at) => REQUEST[at])
        let n = 0
        let before: PaymentIntent | undefined
        const posted = states.flatMap((named) => {
          if (named?.[1] === undefined) return []
          const after: PaymentIntent = {
            ...named[1],
            amount: { currency: "USD", value: amount },
            settlement: { currency, value, rate: "1" },
            fees: priced ? all : null,
          }
          const journals = journalsOf(before, after)
          before = after
          return toPostings(journals, () => uuid((n += 1)), T0)
        })
        expect(flawOf(posted)).toBeUndefined()
        const sum = (account: string) =>
          posted
            .filter(({ ledger_account }) => ledger_account === account)
            .reduce((total, { amount: moved }) => total + moved, 0)
        const wallet = posted.some(({ kind }) => kind === "settled") ? -value : 0
        expect(sum("merchant_wallet")).toBe(wallet || 0)
        const owed = posted.some(({ kind }) => kind === "fees")
        expect(sum("fees_due")).toBe(owed ? lines.service + lines.channel : 0)
      }),
    )
  })
})
