import { encodeFields } from "../client/Fields.ts"
import { METHOD } from "../client/MppChallenge.ts"

/** What a paid response says of its payment (`Payment-Receipt`). */
export interface MppReceipt {
  readonly status: "success"
  readonly method: string
  /** When the proof was first accepted, in RFC 3339: the same however often it is shown. */
  readonly timestamp: string
  /** The payment's id. */
  readonly reference: string
  readonly challengeId: string
  /** "authorized" where the money is only held: the seller captures it later. */
  readonly settlement?: "authorized"
  /** Until when the seller captures what is held, in RFC 3339. */
  readonly captureBefore?: string
}

/** The receipt of a payment. */
export const receiptOf = (
  reference: string,
  timestamp: string,
  challengeId: string,
  captureBefore: string | null = null,
): MppReceipt => ({
  status: "success",
  method: METHOD,
  timestamp,
  reference,
  challengeId,
  ...(captureBefore !== null && { settlement: "authorized", captureBefore }),
})

/** A receipt as the value of `Payment-Receipt`. */
export const formatReceipt = (receipt: MppReceipt): string => encodeFields(receipt)
