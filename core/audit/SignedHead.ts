import { Schema } from "effect"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"
import { type AuditHead, type Chaining, Signature } from "./AuditEntry.ts"

/** Where the log ended at a time, signed: kept elsewhere, it tells of an end that was cut off. */
export const SignedHead = Schema.Struct({
  sequence: Schema.Int.annotate({
    description: "The place of the last entry; 0 for an empty log.",
  }),
  hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).annotate({
    description: "The hash of the last entry, 64 lower-case hex digits.",
  }),
  at: Time.annotateKey({ description: "When it happened." }),
  public_key: Schema.String.annotate({
    description: "The installation's key of signatures, 32 bytes in base64url. It never changes.",
  }),
  signature: Signature,
}).annotate({
  identifier: "AuditHead",
  description: "Where the audit log ended at a time, signed by the installation.",
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

/** What a head's signature is of: nothing else that is signed begins like it. */
export const signedTextOf = ({ at, hash, sequence }: Omit<SignedHead, "signature">): string =>
  `payport audit head\n${sequence}\n${hash}\n${at}`

/** The head of the log as it is signed and given away. */
export const signedHead = (
  { hash, sequence }: AuditHead,
  at: Timestamp,
  { sign, signer }: Pick<Chaining, "sign"> & { readonly signer: () => string },
): SignedHead => {
  const head = { sequence, hash, at: toIso(at), public_key: signer() }
  return { ...head, signature: sign(signedTextOf(head)) }
}
