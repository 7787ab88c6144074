import { Effect } from "effect"
import type {
  ChannelCall,
  Channels,
  MandateAnswer,
  MandateReference,
} from "../../../core/ports/Channels.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import type { ChannelFaults } from "../../../core/ports/Sandbox.ts"
import { type Mandate, Mandates } from "./Mandates.ts"

type Calls = Pick<Channels["Service"], "requestMandate" | "askMandate" | "revokeMandate">

const silent = (channel: string): MandateAnswer => ({
  type: "unknown",
  message: `${channel} does not answer.`,
})

const known = (mandate: Mandate | undefined, approval_url: string): MandateAnswer => {
  if (mandate === undefined) return { type: "not_found" }
  const { status } = mandate
  return { type: "known", status, ...(status === "pending" && { approval_url }) }
}

const isAway = ({ credentials_invalid, down, rate_limited }: ChannelFaults): boolean =>
  credentials_invalid || down || rate_limited

/** Returns why the channel declines a debit; undefined if it does not. */
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

/** Simulates mandates of channels whose payers approve at once, or in the sandbox's wallet. */
export const makeMandateCalls = (
  faultsOf: (channel: string) => Effect.Effect<ChannelFaults>,
): Effect.Effect<Calls, never, Installation | Mandates> =>
  Effect.gen(function* () {
    const { base_url } = yield* Installation
    const mandates = yield* Mandates
    const answer = (
      { channel, mandate_id }: MandateReference,
      stored: (faults: ChannelFaults) => ReturnType<typeof mandates.find>,
      canTimeOut: boolean,
    ): Effect.Effect<MandateAnswer> =>
      Effect.gen(function* () {
        const faults = yield* faultsOf(channel)
        if (isAway(faults)) return silent(channel)
        const url = `${base_url}/sandbox/wallet/mandates/${mandate_id}`
        const answered = known(yield* stored(faults), url)
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
        const { auto_pay_limit } = mandate
        const entered = ({ mandates: approval }: ChannelFaults) => {
          const status = approval === "manual" ? "pending" : "active"
          return mandates.change(mandate, (before) => before ?? { status, auto_pay_limit })
        }
        return answer(mandate, entered, true)
      },
      askMandate: (mandate) => answer(mandate, () => mandates.find(mandate), false),
      revokeMandate: (mandate) => {
        const ended = mandates.change(
          mandate,
          (before) => before && { ...before, status: "revoked" },
        )
        return answer(mandate, () => ended, true)
      },
    }
  })
