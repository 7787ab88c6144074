import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { getInstall } from "../../../core/installs/showInstalls.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import {
  type MandateDecision,
  type PaymentCode,
  Sandbox,
  type SimulatedAction,
} from "../../../core/ports/Sandbox.ts"
import { HOUR } from "../../../core/shared/Timestamp.ts"
import { aService, id } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"
import {
  buyer,
  callBack,
  later,
  makeLine,
  oneTime,
  request,
  sandboxWorld,
  statusOf,
} from "./sandboxWorld.ts"

const act = (payment_intent: string, channel: string, action: SimulatedAction) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.act({ payment_intent, channel }, action))

const decide = (mandate: string, decision: MandateDecision) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.decide(mandate, decision))

describe("a wallet that holds a payment's code", () => {
  it.effect("scans and approves it, without an account", () =>
    Effect.gen(function* () {
      const payment = yield* request()
      yield* act(payment.id, "wallet_a", "scan")
      expect(yield* statusOf(payment.id)).toBe("scanning")
      yield* act(payment.id, "wallet_a", "authorize")
      expect(yield* statusOf(payment.id)).toBe("authorized")
      const link = yield* oneTime
      yield* act(link.id, "wallet_a", "pay")
      expect(yield* statusOf(link.id)).toBe("completed")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("chooses among several channels by its code, once", () =>
    Effect.gen(function* () {
      const { channels = [], id } = yield* request(2)
      const [first, second] = channels.map(({ channel }) => channel)
      yield* act(id, second!, "scan")
      expect(yield* codeOf(act(id, first!, "authorize"))).toBe("INVALID_TRANSITION")
      yield* act(id, second!, "authorize")
      expect(yield* statusOf(id)).toBe("authorized")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  const unknown: ReadonlyArray<readonly [string, Partial<PaymentCode>]> = [
    ["of no payment", { payment_intent: id("pi", 99) }],
    ["that is no id", { payment_intent: "pi_1'" }],
    ["of a channel that is not offered", { channel: "wallet_b" }],
    ["of a channel that does not exist", { channel: "__proto__" }],
  ]
  it.effect.each(unknown)("finds nothing behind a code %s", ([, changed]) =>
    Effect.gen(function* () {
      const { id } = yield* request()
      const code = { payment_intent: id, channel: "wallet_a", ...changed }
      const sandbox = yield* Sandbox
      expect(yield* codeOf(sandbox.act(code, "authorize"))).toBe("NOT_FOUND")
      expect(yield* statusOf(id)).toBe("qr_generated")
    }).pipe(Effect.provide(sandboxWorld())),
  )
})

const limit = { currency: "USD", value: 700 }

/** An install whose mandate waits for the person. */
const pending = Effect.gen(function* () {
  yield* (yield* Sandbox).setFaults("wallet_a", { mandates: "manual" })
  const { id, mandate } = yield* putInstall(buyer, aService().id, { auto_pay_limit: limit })
  return { id, mandate: mandate! }
})

const statusOfMandate = (install: string) =>
  Effect.map(getInstall(buyer, install), ({ mandate }) => mandate?.status)

/** A payment by the buyer's agent, which is debited if a mandate allows it. */
const bought = createOneTime(buyer, {
  service_id: aService().id,
  amount: { currency: "USD", value: 699 },
  description: "One answer",
  payer: { agent_id: buyer.account.agent_id },
})

describe("a mandate that a person approves", () => {
  it.effect("says where, and debits nothing before", () =>
    Effect.gen(function* () {
      const { id, mandate } = yield* pending
      expect(mandate).toMatchObject({
        status: "pending",
        approval_url: `https://pay.test/sandbox/wallet/mandates/${mandate.id}`,
      })
      expect(yield* bought).toMatchObject({ status: "pending" })
      yield* decide(mandate.id, "approve")
      expect(yield* statusOfMandate(id)).toBe("active")
      expect(yield* bought).toMatchObject({ status: "completed", auto_paid: true })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect.each([
    [["reject"], "revoked"],
    [["approve", "end"], "revoked"],
    [["approve"], "active"],
  ] as const)("after %s is %s, and debits accordingly", ([decisions, status]) =>
    Effect.gen(function* () {
      const { id, mandate } = yield* pending
      for (const decision of decisions) yield* decide(mandate.id, decision)
      expect(yield* statusOfMandate(id)).toBe(status)
      const debited = status === "active" ? "completed" : "pending"
      expect(yield* bought).toMatchObject({ status: debited })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect.each([
    [[], "end"],
    [["approve"], "reject"],
    [["reject"], "approve"],
    [["approve", "end"], "approve"],
  ] as const)("after %s refuses to %s", ([before, refused]) =>
    Effect.gen(function* () {
      const { mandate } = yield* pending
      for (const decision of before) yield* decide(mandate.id, decision)
      expect(yield* codeOf(decide(mandate.id, refused))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("is found out by asking where the message gets lost, or told again", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id, mandate } = yield* pending
      line.losing = 1
      yield* decide(mandate.id, "approve")
      expect(yield* statusOfMandate(id)).toBe("pending")
      yield* decide(mandate.id, "approve")
      expect(yield* statusOfMandate(id)).toBe("active")
      line.losing = 1
      yield* decide(mandate.id, "end")
      expect(yield* statusOfMandate(id)).toBe("active")
      yield* decide(mandate.id, "end")
      expect(yield* statusOfMandate(id)).toBe("revoked")
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("is asked after by a worker", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id, mandate } = yield* pending
      line.losing = 1
      yield* decide(mandate.id, "approve")
      yield* later(HOUR)
      expect(yield* statusOfMandate(id)).toBe("active")
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("is in the books after a message that a tester signed by hand", () =>
    Effect.gen(function* () {
      const { mandate } = yield* pending
      const { channel, id } = mandate
      yield* callBack({ channel, mandate_id: id, mandate_status: "ACTIVE" })
      expect(yield* bought).toMatchObject({ status: "completed" })
      expect(yield* codeOf(decide(id, "reject"))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect.each([
    ["an unknown one", id("mnd", 99)],
    ["no id", "mnd_"],
  ] as const)("is not %s", ([, wrong]) =>
    Effect.gen(function* () {
      expect(yield* codeOf(decide(wrong, "approve"))).toBe("NOT_FOUND")
    }).pipe(Effect.provide(sandboxWorld())),
  )
})
