import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { Gateway } from "../../../../apps/channel-gateway/gateway.ts"
import { deleteInstall } from "../../../../core/installs/deleteInstall.ts"
import { getInstall } from "../../../../core/installs/showInstalls.ts"
import { getIntent } from "../../../../core/payments/getIntent.ts"
import { receiveCallback } from "../../../../core/dispatch/receiveCallback.ts"
import { type ChannelCall, Channels } from "../../../../core/ports/Channels.ts"
import { MINUTE, SECOND } from "../../../../core/shared/Timestamp.ts"
import { runDue } from "../../../../core/work/runDue.ts"
import { seal } from "../../../../simulator/channels/Codec.ts"
import { install, opened, pay, usd } from "../../../core/installs/installWorld.ts"
import { makeScript } from "../../../support/scriptedChannels.ts"
import { as, buyer, codeOf } from "../../../support/world.ts"
import { workWorld } from "../../../core/work/workWorld.ts"
import { agreement, gateway, lineTo, over } from "./overGateway.ts"

/** Runs a test with the channels of its own gateway, with that secret. */
const withChannels = (
  test: (gateway: Gateway, channels: Channels["Service"]) => Effect.Effect<unknown>,
  secret?: string,
) =>
  Effect.scoped(
    Effect.flatMap(gateway, (made) =>
      Effect.flatMap(Channels, (channels) => test(made, channels)).pipe(
        Effect.provide(
          over(lineTo(made.url, secret === undefined ? {} : { secret: Redacted.make(secret) })),
        ),
      ),
    ),
  )

const reference = { channel: "wallet_a", mandate_id: "mnd_1" } as const
const asked = {
  ...reference,
  agent_id: "buyer-agent",
  service_id: "svc-1",
  auto_pay_limit: usd(500),
  spend_cap: { amount: usd(5_000), period: "monthly" },
} as const

const debit = (n: number, said: Partial<ChannelCall> = {}): ChannelCall => ({
  number: `creq_${n}`,
  action: "debit",
  channel: "wallet_a",
  out_trade_no: `pi_${n}`,
  charge_id: `pi_${n}`,
  trade_no: null,
  amount: usd(500),
  mandate: "mnd_1",
  ...said,
})

describe("a mandate over HTTP", () => {
  it.effect("is asked for once, approved by a person, debited within its limit, and ended", () =>
    withChannels(
      Effect.fnUntraced(function* (made, channels) {
        expect(yield* channels.askMandate(reference)).toEqual({ type: "not_found" })
        const pending = { type: "known", status: "pending" }
        expect(yield* channels.requestMandate(asked)).toMatchObject(pending)
        expect(yield* channels.call(debit(1))).toMatchObject({ type: "refused" })
        expect(made.decide("wallet_a", "mnd_1", "active")).toBe(true)
        const active = { type: "known", status: "active" }
        expect(yield* channels.requestMandate(asked)).toMatchObject(active)
        expect(yield* channels.askMandate(reference)).toMatchObject(active)
        const done = yield* channels.call(debit(2))
        expect(done).toMatchObject({ type: "done" })
        expect(yield* channels.call(debit(2))).toEqual(done)
        expect(yield* channels.ask(debit(2))).toEqual(done)
        const refused = { type: "refused" }
        expect(yield* channels.call(debit(3, { amount: usd(501) }))).toMatchObject(refused)
        const euros = { currency: "EUR", value: 1 }
        expect(yield* channels.call(debit(4, { amount: euros }))).toMatchObject(refused)
        expect(yield* channels.call(debit(5, { mandate: "mnd_2" }))).toMatchObject(refused)
        const over = { type: "known", status: "revoked" }
        expect(yield* channels.revokeMandate(reference)).toMatchObject(over)
        expect(yield* channels.revokeMandate(reference)).toMatchObject(over)
        expect(yield* channels.askMandate(reference)).toMatchObject(over)
        expect(yield* channels.call(debit(6))).toMatchObject(refused)
        expect(made.entries.filter(({ type }) => type === "payment")).toHaveLength(1)
      }),
    ),
  )

  it.effect("whose request is not answered is perhaps there, and is asked after", () =>
    withChannels(
      Effect.fnUntraced(function* (made, channels) {
        made.faults("wallet_a").timeout = true
        expect(yield* channels.requestMandate(asked)).toMatchObject({ type: "unknown" })
        expect(yield* channels.askMandate(reference)).toMatchObject({ status: "pending" })
        expect(yield* channels.revokeMandate(reference)).toMatchObject({ type: "unknown" })
        expect(yield* channels.askMandate(reference)).toMatchObject({ status: "revoked" })
      }),
    ),
  )

  it.effect("says nothing to what somebody else has signed", () =>
    withChannels(
      Effect.fnUntraced(function* (_made, channels) {
        expect(yield* channels.requestMandate(asked)).toMatchObject({ type: "unknown" })
        expect(yield* channels.askMandate(reference)).toMatchObject({ type: "unknown" })
        expect(yield* channels.revokeMandate(reference)).toMatchObject({ type: "unknown" })
        expect(yield* channels.call(debit(1))).toMatchObject({ type: "refused" })
      }),
      "another secret",
    ),
  )
})

/** The core with the gateway as its channels. */
const withWorld = <A, E>(
  test: (gateway: Gateway) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof workWorld>>>,
) =>
  Effect.scoped(
    Effect.flatMap(gateway, (made) => {
      const inner = workWorld({ script: makeScript() })
      return Effect.provide(test(made), Layer.provideMerge(over(lineTo(made.url)), inner))
    }),
  )

const approved = (made: Gateway) =>
  Effect.gen(function* () {
    yield* opened
    const { id, mandate } = yield* install({ channel_preference: "wallet_a" })
    expect(mandate).toMatchObject({ status: "pending", channel: "wallet_a" })
    expect(made.decide("wallet_a", mandate?.id ?? "", "active")).toBe(true)
    return { id, mandate: mandate?.id ?? "" }
  })

const say = (mandate_id: string, mandate_status: "ACTIVE" | "REVOKED", secret?: string) => {
  const data = { mandate_id, mandate_status }
  const { body, signature } = seal("wallet_a", secret ?? agreement.callback_secret, data)
  return receiveCallback("wallet_a", body, signature)
}

describe("paying without asking through a channel over HTTP", () => {
  it.effect("begins by its signed message, and ends with the install", () =>
    withWorld(
      Effect.fnUntraced(function* (made) {
        const { id, mandate } = yield* approved(made)
        const forged = say(mandate, "ACTIVE", "a guess")
        expect(yield* codeOf(forged)).toBe("webhook_signature_invalid")
        expect(yield* pay(400)).toMatchObject({ status: "pending" })
        yield* say(mandate, "ACTIVE")
        expect(yield* pay(500)).toMatchObject({ status: "completed", auto_paid: true })
        expect(yield* pay(501)).toMatchObject({ status: "pending" })
        yield* deleteInstall(as(buyer), id)
        yield* runDue()
        const channels = yield* Channels
        const known = yield* channels.askMandate({ channel: "wallet_a", mandate_id: mandate })
        expect(known).toMatchObject({ status: "revoked" })
        expect(made.entries.filter(({ type }) => type === "payment")).toHaveLength(1)
      }),
    ),
  )

  it.effect("begins by asking where the message is lost", () =>
    withWorld(
      Effect.fnUntraced(function* (made) {
        const { id } = yield* approved(made)
        yield* TestClock.adjust(MINUTE)
        yield* runDue()
        expect(yield* getInstall(as(buyer), id)).toMatchObject({ mandate: { status: "active" } })
      }),
    ),
  )

  it.effect("debits once where the answer is lost", () =>
    withWorld(
      Effect.fnUntraced(function* (made) {
        const { mandate } = yield* approved(made)
        yield* say(mandate, "ACTIVE")
        made.faults("wallet_a").timeout = true
        const paid = yield* pay(500)
        expect(paid).toMatchObject({ status: "pending", channel_outcome: "unknown" })
        yield* TestClock.adjust(10 * SECOND)
        yield* runDue()
        const after = yield* getIntent(as(buyer), paid.id)
        expect(after).toMatchObject({ status: "completed", auto_paid: true })
        expect(made.entries.filter(({ type }) => type === "payment")).toHaveLength(1)
      }),
    ),
  )

  it.effect("asks the person where it was ended in the wallet and nobody has told", () =>
    withWorld(
      Effect.fnUntraced(function* (made) {
        const { mandate } = yield* approved(made)
        yield* say(mandate, "ACTIVE")
        made.decide("wallet_a", mandate, "revoked")
        const asks = yield* pay(500)
        expect(asks).toMatchObject({ status: "pending" })
        expect(asks).toHaveProperty("deeplink")
        expect(made.entries.filter(({ type }) => type === "payment")).toHaveLength(0)
      }),
    ),
  )
})
