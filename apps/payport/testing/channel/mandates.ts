import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import {
  type ChannelCall,
  Channels,
  type MandateAnswer,
  type MandateReference,
  type MandateRequest,
} from "../../../../core/ports/Channels.ts"
import { expect } from "../expect.ts"
import {
  AMOUNT,
  call,
  callFor,
  type ChannelCheck,
  type ChannelTestMode,
  done,
  draftCharge,
  tradeOf,
} from "./probe.ts"

const statusOf = (answer: MandateAnswer): string =>
  answer.type === "known" ? answer.status : answer.type

const drafted = ({ channel, currency }: ChannelTestMode): MandateRequest => ({
  channel,
  mandate_id: `mnd_${randomUUID()}`,
  agent_id: "agent-1",
  service_id: randomUUID(),
  auto_pay_limit: { currency, value: AMOUNT },
  spend_cap: null,
})

/** A mandate with nothing but its number. */
const named = ({ channel, mandate_id }: MandateRequest): MandateReference => ({
  channel,
  mandate_id,
})

const debitOf = (mode: ChannelTestMode, mandate: string | null, value = AMOUNT): ChannelCall => {
  const charge = draftCharge(mode, value)
  return { ...callFor({ ...charge, charge_id: charge.out_trade_no }, "debit"), mandate }
}

const approval =
  (mode: ChannelTestMode, approve: NonNullable<ChannelTestMode["approve"]>) =>
  (check: ChannelCheck) => {
    const asked = Effect.gen(function* () {
      const mandate = drafted(mode)
      const answer = yield* (yield* Channels).requestMandate(mandate)
      expect(["pending", "active"]).toContain(statusOf(answer))
      return mandate
    })
    const approved = Effect.tap(asked, (mandate) => done(() => approve(mandate)))
    const refused = { type: "refused" }

    check("is known from its request on, and active once a person has approved it", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        expect(yield* channels.askMandate(named(drafted(mode)))).toStrictEqual({
          type: "not_found",
        })
        const mandate = yield* asked
        expect(["pending", "active"]).toContain(
          statusOf(yield* channels.askMandate(named(mandate))),
        )
        yield* done(() => approve(mandate))
        expect(statusOf(yield* channels.askMandate(named(mandate)))).toBe("active")
        expect(statusOf(yield* channels.requestMandate(mandate))).toBe("active")
      }),
    )

    check("is debited once under a number, up to its limit", () =>
      Effect.gen(function* () {
        const { mandate_id } = yield* approved
        const debit = debitOf(mode, mandate_id)
        const first = yield* call(debit)
        expect(first).toMatchObject({ type: "done" })
        expect(yield* call(debit)).toStrictEqual(first)
        expect(yield* (yield* Channels).ask(debit)).toStrictEqual(first)
        const trade = yield* tradeOf(debit)
        expect(["paid", "settled"]).toContain(trade?.status)
        expect(trade?.amount).toStrictEqual(debit.amount)
        expect(yield* call(debitOf(mode, mandate_id, AMOUNT + 1))).toMatchObject(refused)
      }),
    )

    check("allows nothing in another currency, under another number, or under none", () =>
      Effect.gen(function* () {
        const { mandate_id } = yield* approved
        const currency = mode.currency === "EUR" ? "USD" : "EUR"
        const other = { ...debitOf(mode, mandate_id), amount: { currency, value: 1 } }
        expect(yield* call(other)).toMatchObject(refused)
        expect(yield* call(debitOf(mode, drafted(mode).mandate_id))).toMatchObject(refused)
        expect(yield* call(debitOf(mode, null))).toMatchObject(refused)
      }),
    )

    check("is over for good once it was revoked", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        const mandate = yield* approved
        for (const answer of [channels.revokeMandate, channels.revokeMandate]) {
          expect(statusOf(yield* answer(named(mandate)))).toBe("revoked")
        }
        expect(statusOf(yield* channels.askMandate(named(mandate)))).toBe("revoked")
        expect(yield* call(debitOf(mode, mandate.mandate_id))).toMatchObject(refused)
        expect(statusOf(yield* channels.requestMandate(mandate))).toBe("revoked")
      }),
    )

    check("is revoked without others of its channel", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        const [one, other] = [yield* approved, yield* approved]
        yield* channels.revokeMandate(named(one))
        expect(statusOf(yield* channels.askMandate(named(other)))).toBe("active")
        expect(yield* call(debitOf(mode, other.mandate_id))).toMatchObject({ type: "done" })
        yield* channels.revokeMandate(named(other))
        expect(statusOf(yield* channels.askMandate(named(other)))).toBe("revoked")
      }),
    )
  }

/** Checks mandates and debits through them. */
export const mandates = (mode: ChannelTestMode) => (check: ChannelCheck) => {
  const { approve } = mode
  if (approve === undefined) return
  check.group("a mandate", () => approval(mode, approve)(check))
}
