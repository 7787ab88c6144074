// Written independently of the sandbox's mandates (adapters/channels/sandbox) on purpose: the
// auditor checks the service against these.

import type { Effect } from "effect"
import type { MandateAnswer, MandateReference, MandateRequest } from "../../core/ports/Channels.ts"
import type { Money } from "../../core/shared/Money.ts"

/** A mandate in a channel's own books. */
export interface BookedMandate {
  readonly channel: string
  readonly mandate_id: string
  readonly auto_pay_limit: Money
  status: "pending" | "active" | "revoked"
}

/** The mandates of all channels. A number has one mandate, however often it is sent. */
export class Mandates {
  readonly #booked = new Map<string, BookedMandate>()

  find({ channel, mandate_id }: MandateReference): BookedMandate | undefined {
    return this.#booked.get(`${channel} ${mandate_id}`)
  }

  /** Enters a mandate that a person has yet to approve, or has already approved. */
  request(asked: MandateRequest, status: "pending" | "active"): BookedMandate {
    const before = this.find(asked)
    if (before !== undefined) return before
    const { auto_pay_limit, channel, mandate_id } = asked
    const booked: BookedMandate = { channel, mandate_id, auto_pay_limit, status }
    this.#booked.set(`${channel} ${mandate_id}`, booked)
    return booked
  }

  /** Decides as the person; returns false if there is nothing to decide. */
  decide(reference: MandateReference, status: "active" | "revoked"): boolean {
    const booked = this.find(reference)
    if (booked === undefined || booked.status === "revoked" || booked.status === status) {
      return false
    }
    booked.status = status
    return true
  }

  /** Returns why a debit is declined; undefined if the mandate allows it. */
  flawOf(reference: MandateReference, amount: Money): string | undefined {
    const booked = this.find(reference)
    if (booked?.status !== "active") return "there is no such mandate"
    const { currency, value } = booked.auto_pay_limit
    return amount.currency === currency && amount.value <= value
      ? undefined
      : "the mandate is for less"
  }
}

/** Returns a channel's answer about its mandate. */
const answerOf = (booked: BookedMandate | undefined): MandateAnswer =>
  booked === undefined ? { type: "not_found" } : { type: "known", status: booked.status }

/** A call to a channel whose answer, effect or both can get lost. */
export type LossyCall = (
  channel: string,
  effect: () => MandateAnswer,
) => Effect.Effect<MandateAnswer>

/** Makes the mandate calls of the port as lossy calls. */
export const mandateCalls = (
  mandates: Mandates,
  lossy: LossyCall,
  approves: (asked: MandateRequest) => "pending" | "active",
) => ({
  requestMandate: (asked: MandateRequest) =>
    lossy(asked.channel, () => answerOf(mandates.request(asked, approves(asked)))),
  askMandate: (reference: MandateReference) =>
    lossy(reference.channel, () => answerOf(mandates.find(reference))),
  revokeMandate: (reference: MandateReference) =>
    lossy(reference.channel, () => {
      mandates.decide(reference, "revoked")
      return answerOf(mandates.find(reference))
    }),
})
