import { Effect } from "effect"
import type { ChannelCall, Channels, MandateAnswer } from "../../../core/ports/Channels.ts"
import type { ChannelFaults } from "../../../core/ports/Sandbox.ts"
import { Mandates } from "./Mandates.ts"

type Calls = Pick<Channels["Service"], "requestMandate" | "askMandate" | "revokeMandate">

const silent = (channel: string): MandateAnswer => ({
  type: "unknown",
  message: `${channel} does not answer.`,
})

const known = (mandate: { readonly status: "active" | "revoked" } | undefined): MandateAnswer =>
  mandate === undefined ? { type: "not_found" } : { type: "known", status: mandate.status }

const isAway = ({ credentials_invalid, down, rate_limited }: ChannelFaults): boolean =>
  credentials_invalid || down || rate_limited

/** Why the channel declines a debit; undefined when it does not. */
export const debitRefusal = Effect.fnUntraced(function* (
  { amount, channel, mandate }: ChannelCall,
  faults: ChannelFaults,
) {
  if (faults.auto_pay_declines) return `${channel} declines the debit.`
  const found = yield* (yield* Mandates).find({ channel, mandate_id: mandate ?? "" })
  if (found?.status !== "active") return `${channel} has no such mandate.`
  const { currency, value } = found.auto_pay_limit
  return amount.currency === currency && amount.value <= value
    ? undefined
    : `${channel} has a mandate for less.`
})

/** Mandates of channels whose payers approve at once. */
export const makeMandateCalls = (
  faultsOf: (channel: string) => Effect.Effect<ChannelFaults>,
): Effect.Effect<Calls, never, Mandates> =>
  Effect.map(Mandates, (mandates) => {
    const answer = (
      channel: string,
      stored: ReturnType<typeof mandates.find>,
      canTimeOut: boolean,
    ): Effect.Effect<MandateAnswer> =>
      Effect.gen(function* () {
        const faults = yield* faultsOf(channel)
        if (isAway(faults)) return silent(channel)
        const answered = known(yield* stored)
        return canTimeOut && faults.timeout ? silent(channel) : answered
      }).pipe(
        Effect.catch((error) =>
          Effect.as(
            Effect.logWarning("The sandbox's books are out of reach.", error),
            silent(channel),
          ),
        ),
      )
    return {
      requestMandate: (mandate) => {
        const { auto_pay_limit, channel } = mandate
        const entered = mandates.change(
          mandate,
          (before) => before ?? { status: "active", auto_pay_limit },
        )
        return answer(channel, entered, true)
      },
      askMandate: (mandate) => answer(mandate.channel, mandates.find(mandate), false),
      revokeMandate: (mandate) => {
        const ended = mandates.change(mandate, (before) =>
          before?.status === "active" ? { ...before, status: "revoked" } : before,
        )
        return answer(mandate.channel, ended, true)
      },
    }
  })
