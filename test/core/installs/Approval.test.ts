import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { approvalOf, raises, type Wanted } from "../../../core/installs/Approval.ts"
import { machine, type Mandate, moveBy } from "../../../core/installs/Mandate.ts"
import type { CapPeriod, SpendCap } from "../../../core/installs/SpendCap.ts"
import type { MandateAnswer } from "../../../core/ports/Channels.ts"
import { anInstall, mandateIn, T0 } from "../../support/records.ts"

const usd = (value: number) => ({ currency: "USD", value })
const cap = (value: number, period: CapPeriod = "monthly"): SpendCap => ({
  amount: usd(value),
  period,
})

describe("terms that a person has not approved", () => {
  it.each([
    ["one more", { auto_pay_limit: usd(501), spend_cap: cap(10_000) }, true],
    [
      "another currency",
      { auto_pay_limit: { currency: "JPY", value: 1 }, spend_cap: cap(10_000) },
      true,
    ],
    ["a higher cap", { auto_pay_limit: usd(500), spend_cap: cap(10_001) }, true],
    ["no cap", { auto_pay_limit: usd(500), spend_cap: null }, true],
    ["the same", { auto_pay_limit: usd(500), spend_cap: cap(10_000) }, false],
    ["less of both", { auto_pay_limit: usd(1), spend_cap: cap(1) }, false],
  ])("%s", (_name, terms, raised) => {
    expect(raises(mandateIn("active"), terms)).toBe(raised)
  })
})

const before = anInstall({ spend_cap_in_force: cap(10_000) })
const wanted: Wanted = {
  auto_pay_limit: usd(500),
  spend_cap: cap(10_000),
  channel: "wallet_a",
  asks: true,
}

describe("what a change needs approval for", () => {
  it.each<[string, Mandate | undefined, Partial<Wanted>, "keep" | "new" | "none", SpendCap | null]>(
    [
      ["the same again", mandateIn("active"), {}, "keep", cap(10_000)],
      ["the same while it is pending", mandateIn("pending"), {}, "keep", cap(10_000)],
      ["a higher limit", mandateIn("active"), { auto_pay_limit: usd(501) }, "new", cap(10_000)],
      ["a lower limit", mandateIn("active"), { auto_pay_limit: usd(1) }, "keep", cap(10_000)],
      ["another channel", mandateIn("active"), { channel: "wallet_b" }, "new", cap(10_000)],
      ["a higher cap", mandateIn("active"), { spend_cap: cap(20_000) }, "new", cap(10_000)],
      ["no cap any more", mandateIn("active"), { spend_cap: null }, "new", cap(10_000)],
      ["a lower cap", mandateIn("active"), { spend_cap: cap(5_000) }, "keep", cap(5_000)],
      ["a lower cap while pending", mandateIn("pending"), { spend_cap: cap(5) }, "keep", cap(5)],
      ["after it was revoked, asking again", mandateIn("revoked"), {}, "new", cap(10_000)],
      [
        "after it was revoked, for other things",
        mandateIn("revoked"),
        { asks: false },
        "keep",
        cap(10_000),
      ],
      ["auto-pay switched off", mandateIn("active"), { auto_pay_limit: null }, "none", cap(10_000)],
      [
        "a higher cap without any auto-pay",
        undefined,
        { auto_pay_limit: null, spend_cap: cap(20_000) },
        "none",
        cap(20_000),
      ],
    ],
  )("%s", (_name, mandate, said, next, spend_cap_in_force) => {
    const approval = approvalOf(before, mandate, { ...wanted, ...said })
    expect(approval).toStrictEqual({ mandate: next, spend_cap_in_force })
  })

  it("has the first cap in force at once, before anybody has approved the mandate", () => {
    expect(approvalOf(undefined, undefined, wanted)).toStrictEqual({
      mandate: "new",
      spend_cap_in_force: cap(10_000),
    })
  })
})

const known = (status: "pending" | "active" | "revoked"): MandateAnswer => ({
  type: "known",
  status,
})

describe("what a channel's word makes of a mandate", () => {
  it.each<[string, Mandate, MandateAnswer, string | undefined, number | null | undefined]>([
    ["approved", mandateIn("pending"), known("active"), "active", null],
    ["declined", mandateIn("pending"), known("revoked"), "revoked", null],
    ["not yet", mandateIn("pending"), known("pending"), "pending", T0 + 1_000],
    ["unheard of", mandateIn("pending"), { type: "not_found" }, "pending", T0 + 1_000],
    ["silent", mandateIn("pending"), { type: "unknown", message: "-" }, "pending", T0 + 1_000],
    ["a month of silence", mandateIn("pending", { asks: 36 }), known("pending"), "revoked", T0],
    ["active again", mandateIn("active"), known("active"), undefined, undefined],
    ["ended in the wallet", mandateIn("active"), known("revoked"), "revoked", null],
    ["silent while active", mandateIn("active"), { type: "not_found" }, undefined, undefined],
    ["told", mandateIn("revoked"), known("revoked"), "revoked", null],
    ["never heard of", mandateIn("revoked"), { type: "not_found" }, "revoked", null],
    ["not told", mandateIn("revoked"), { type: "unknown", message: "-" }, "revoked", T0 + 1_000],
    ["still active there", mandateIn("revoked"), known("active"), "revoked", T0 + 1_000],
    [
      "active there after all",
      mandateIn("revoked", { due_at: null }),
      known("active"),
      "revoked",
      T0 + 1_000,
    ],
    ["old news", mandateIn("revoked", { due_at: null }), known("revoked"), undefined, undefined],
  ])("%s", (_name, mandate, answer, status, due_at) => {
    const move = moveBy(mandate, answer, T0)
    const moved = move && machine.step(mandate, move)
    const record = moved && Result.getOrThrow(moved).record
    expect([record?.status, record?.due_at]).toStrictEqual([status, due_at])
  })
})
