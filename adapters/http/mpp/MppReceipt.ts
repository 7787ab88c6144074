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
}

/** The receipt of a payment. */
export const receiptOf = (
  reference: string,
  timestamp: string,
  challengeId: string,
): MppReceipt => ({ status: "success", method: METHOD, timestamp, reference, challengeId })

/** A receipt as the value of `Payment-Receipt`. */
export const formatReceipt = (receipt: MppReceipt): string => encodeFields(receipt)
