import { encodeFields } from "../client/Fields.ts"
import { METHOD } from "../client/MppChallenge.ts"

/** The receipt of a payment in a paid response (`Payment-Receipt`). */
export interface MppReceipt {
  readonly status: "success"
  readonly method: string
  /** When the proof was first accepted (RFC 3339), the same for each use. */
  readonly timestamp: string
  /** The payment's id. */
  readonly reference: string
  readonly challengeId: string
  /** "authorized" if the money is only held, and the seller captures it later. */
  readonly settlement?: "authorized"
  /** Until when the seller captures the held money (RFC 3339). */
  readonly captureBefore?: string
}

/** Returns the receipt of a payment. */
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

/** Returns the receipt as the value of `Payment-Receipt`. */
export const formatReceipt = (receipt: MppReceipt): string => encodeFields(receipt)
