import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import { Failure } from "../../shared/Failure.ts"
import { uuidOfHash } from "../../shared/Id.ts"
import { HOUR, SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import { LOCK } from "./Otp.ts"

/** The most codes that an agent, an e-mail address or a phone is sent in an hour. */
export const MOST_CODES = 5

/**
 * The codes that one agent or one contact was sent lately. Each has one record, so that concurrent
 * requests for codes change the same version. The record is removed once it limits nothing.
 */
export interface Allowance {
  /** `otpa_` and a UUID derived from a keyed hash, so that it reveals no name or contact. */
  readonly id: string
  readonly version: number
  /** When codes were sent in the last hour, oldest first. */
  readonly sent: ReadonlyArray<Timestamp>
  /** Until when an agent gets no code and may not answer one; null for contacts. */
  readonly locked_until: Timestamp | null
  /** When the record can be removed; null before it is stored. */
  readonly due_at: Timestamp | null
}

/** The subject whose codes are counted: an agent's record, or a contact. */
export type Counted = "agent" | "email" | "phone"

/** Returns the id of the record that counts the codes of `whom`. `fingerprint` is a keyed hash. */
export const allowanceId = (
  kind: Counted,
  whom: string,
  fingerprint: (text: string) => string,
): string => `otpa_${uuidOfHash(fingerprint(`otp ${kind} ${whom}`))}`

/** Returns an empty record. It is stored together with its first code. */
export const newAllowance = (id: string): Allowance => ({
  id,
  version: 1,
  sent: [],
  locked_until: null,
  due_at: null,
})

const dueAt = ({ locked_until, sent }: Pick<Allowance, "sent" | "locked_until">): Timestamp =>
  Math.max(locked_until ?? 0, (sent.at(-1) ?? 0) + HOUR)

const recent = (sent: Allowance["sent"], at: Timestamp) => sent.filter((time) => time + HOUR > at)

/** Returns how long no code can be sent, in milliseconds; 0 when one can be sent now. */
export const codeWait = (allowance: Allowance, at: Timestamp): number => {
  const sent = recent(allowance.sent, at)
  const oldest = sent.length < MOST_CODES ? undefined : sent[sent.length - MOST_CODES]
  return Math.max(0, lockWait(allowance, at), oldest === undefined ? 0 : oldest + HOUR - at)
}

/** Returns how long the agent is locked, in milliseconds; 0 when it is not. */
export const lockWait = ({ locked_until }: Allowance, at: Timestamp): number =>
  Math.max(0, (locked_until ?? 0) - at)

/** Adds a code that is sent at `at`. */
export const withCode = (allowance: Allowance, at: Timestamp): Allowance => {
  const next = { ...allowance, sent: [...recent(allowance.sent, at), at] }
  return { ...next, due_at: dueAt(next) }
}

/** Locks the agent after its last attempt. */
export const locked = (allowance: Allowance, at: Timestamp): Allowance => {
  const next = { ...allowance, sent: recent(allowance.sent, at), locked_until: at + LOCK }
  return { ...next, due_at: dueAt(next) }
}

/** Makes the failure of a request for a code (`OTP_RATE_LIMITED`). `wait` is in milliseconds. */
export const tooManyCodes = (wait: number) => {
  const seconds = Math.ceil(wait / SECOND)
  return new Failure({
    code: "OTP_RATE_LIMITED",
    message:
      `No code can be sent now. An agent, an address or a phone gets at most ${MOST_CODES} codes ` +
      `an hour, and none for a while after wrong codes. Try again in ${seconds} seconds.`,
    details: { retry_after_seconds: seconds },
    retry_after: seconds,
  })
}

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly otp_allowance: Allowance
  }
}

/** How the store keeps allowances. */
export const allowanceKind = defineKind("otp_allowance", {
  prefix: "otpa",
  // Erasing an account does not reset its codes.
  erased: false,
  dueAt: ownDueAt,
})
