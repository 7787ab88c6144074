import { Schema } from "effect"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"
import { type AuditHead, type Chaining, Signature } from "./AuditEntry.ts"

/** The signed end of the log at a time. A copy kept elsewhere reveals a log that was cut off. */
export const SignedHead = Schema.Struct({
  sequence: Schema.Int.annotate({
    description: "The place of the last entry; 0 for an empty log.",
  }),
  hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).annotate({
    description: "The hash of the last entry, 64 lower-case hex digits.",
  }),
  at: Time.annotateKey({ description: "When the head was signed." }),
  public_key: Schema.String.annotate({
    description: "The installation's public signing key, 32 bytes in base64url. It never changes.",
  }),
  signature: Signature,
}).annotate({
  identifier: "AuditHead",
  description: "The end of the audit log at a time, signed by the installation.",
  examples: [
    {
      sequence: 1203,
      hash: "9b2f6c0d".repeat(8),
      at: "2026-01-31T00:12:00.000Z",
      public_key: "A".repeat(43),
      signature: "A".repeat(86),
    },
  ],
})
export type SignedHead = typeof SignedHead.Type

/** Returns the text that a head's signature covers. No other signed text begins like it. */
export const signedTextOf = ({ at, hash, sequence }: Omit<SignedHead, "signature">): string =>
  `payport audit head\n${sequence}\n${hash}\n${at}`

/** Signs the head of the log. */
export const signedHead = (
  { hash, sequence }: AuditHead,
  at: Timestamp,
  { sign, signer }: Pick<Chaining, "sign"> & { readonly signer: () => string },
): SignedHead => {
  const head = { sequence, hash, at: toIso(at), public_key: signer() }
  return { ...head, signature: sign(signedTextOf(head)) }
}
