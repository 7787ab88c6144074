import { describe, expect, it } from "vitest"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { type AutoPayment, debitFor, takesDebits } from "../../../core/installs/AutoPay.ts"
import type { Install } from "../../../core/installs/Install.ts"
import { anInstall, id, uuid } from "../../support/records.ts"

const payment: AutoPayment = {
  account_id: id("acct", 1),
  agent_id: "agent-1",
  service_id: uuid(1),
  amount: { currency: "USD", value: 500 },
  requested: undefined,
  level: "business",
  accepted_channels: ["wallet_a", "wallet_b"],
  catalog: defaultCatalog,
}

const mandate = (status: "pending" | "active" | "revoked", channel = "wallet_a") => ({
  mandate: { id: id("mnd", 1), status, channel },
})

type Case = readonly [why: string, install: Partial<Install>, payment: Partial<AutoPayment>]

const asked: ReadonlyArray<Case> = [
  ["one unit above the limit", {}, { amount: { currency: "USD", value: 501 } }],
  ["another currency of the same value", {}, { amount: { currency: "EUR", value: 500 } }],
  ["a currency of which less is worth more", {}, { amount: { currency: "GBP", value: 1 } }],
  ["somebody else's account", {}, { account_id: id("acct", 2) }],
  ["another agent of the account", {}, { agent_id: "agent-2" }],
  ["another service", {}, { service_id: uuid(2) }],
  ["no limit", { auto_pay_limit: null }, {}],
  ["no mandate", { mandate: null }, {}],
  ["a mandate that nobody has approved", mandate("pending"), {}],
  ["a mandate that has ended", mandate("revoked"), {}],
  ["a channel that was asked for instead", {}, { requested: "wallet_b" }],
  ["a channel that the service accepts no more", {}, { accepted_channels: ["wallet_b"] }],
  ["a channel that is gone", mandate("active", "wallet_z"), { accepted_channels: ["wallet_z"] }],
  ["a catalog without it", {}, { catalog: [] }],
  [
    "a level that the channel is not open to",
    mandate("active", "wallet_f"),
    { accepted_channels: ["wallet_f"], level: "anonymous" },
  ],
  [
    "a channel that takes no such currency",
    { ...mandate("active", "wallet_c") },
    { accepted_channels: ["wallet_c"] },
  ],
  [
    "a channel that could not ask the person",
    mandate("active", "business_b"),
    { accepted_channels: ["business_b"] },
  ],
]

const allowed: ReadonlyArray<Case> = [
  ["exactly the limit", {}, {}],
  ["less", {}, { amount: { currency: "USD", value: 1 } }],
  ["the channel left open", {}, { requested: "auto" }],
  ["its own channel", {}, { requested: "wallet_a" }],
  [
    "a level that the channel is open to",
    mandate("active", "wallet_f"),
    { accepted_channels: ["wallet_f"], level: "basic" },
  ],
]

describe("a payment that its install does not pay", () => {
  it.each(asked)("%s", (_why, install, said) => {
    expect(debitFor(anInstall(install), { ...payment, ...said })).toBeUndefined()
  })

  it("is one without an install", () => {
    expect(debitFor(undefined, payment)).toBeUndefined()
  })

  it("is one on a channel that does not answer", () => {
    expect((["up", "rate_limited", "down"] as const).map(takesDebits)).toStrictEqual([
      true,
      false,
      false,
    ])
  })
})

describe("a payment that its install pays", () => {
  it.each(allowed)("%s", (_why, install, said) => {
    const found = anInstall(install)
    const debit = debitFor(found, { ...payment, ...said })
    expect(debit).toMatchObject({
      mandate: id("mnd", 1),
      channel: { id: found.mandate?.channel },
    })
  })
})
