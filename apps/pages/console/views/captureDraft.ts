import type {
  CaptureInput,
  Money,
  PaymentIntent,
} from "../../../../adapters/http/client/Resources.ts"
import { money } from "../show/money.ts"

/** A typed capture as it is sent, and the text about it. */
export interface CaptureRead {
  readonly input: CaptureInput
  readonly taken: Money
  /** What happens to the rest. */
  readonly note: string
  /** Why it cannot be sent. */
  readonly problem: string | undefined
}

/**
 * Reads a capture from the typed minor units; undefined if they are invalid. A capture of the whole
 * is sent without an amount, which every channel accepts.
 */
export const captureOf = (
  { amount, channel }: Pick<PaymentIntent, "amount" | "channel">,
  inPart: boolean | undefined,
  value: number | undefined,
): CaptureRead => {
  const { currency, value: whole } = amount
  const taken = { currency, value: value ?? 0 }
  const name = channel ?? "The channel"
  const read = (note: string, problem?: string): CaptureRead => ({
    input: value === undefined || value === whole ? {} : { amount: taken },
    taken,
    note,
    problem,
  })
  if (value === undefined) return read("", `Type an amount, at most ${money(amount)}.`)
  if (value > whole) return read("", `Must be at most ${money(amount)}, which was authorized.`)
  if (value === whole) {
    return read(
      inPart === false
        ? `${name} cannot capture a part of a payment. Capture all, then refund a part.`
        : "The whole amount is captured. If you enter less, the rest is released, for good.",
    )
  }
  return inPart === false
    ? read("", `${name} cannot capture a part of a payment.`)
    : read(`The rest, ${money({ currency, value: whole - value })}, is released for good.`)
}
