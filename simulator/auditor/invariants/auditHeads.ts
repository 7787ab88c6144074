// Written independently of core/audit on purpose: see Model.ts.

import { createHash } from "node:crypto"
import type { AuditEntry } from "../../../core/audit/AuditEntry.ts"
import { fromIso, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { MASTER, signatureOf } from "../../ports/simulatedVault.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"

/** What several processes did that signed the end of the log at the same time. */
interface Signing {
  /** The UTC day, such as `2030-01-31`. */
  readonly day: string
  readonly from: Timestamp
  readonly to: Timestamp
  /** How many entries the log had before and afterwards. */
  readonly least: number
  readonly most: number
  /** Whether each of them says that it has signed. */
  readonly told: ReadonlyArray<boolean>
}

interface Head {
  readonly sequence: number
  readonly hash: string
  readonly at: string
  readonly public_key: string
  readonly signature: string
}

declare module "../Observation.ts" {
  interface Observations {
    /** The signed ends of the operators' log, as they are listed. */
    readonly heads_listed: {
      readonly signings: ReadonlyArray<Signing>
      readonly entries: ReadonlyArray<AuditEntry>
      readonly lists: ReadonlyArray<{
        readonly after: string | undefined
        readonly limit: number
        readonly answer: { readonly data: ReadonlyArray<Head>; readonly has_more: boolean }
      }>
    }
  }
}

const publicKey = createHash("sha256").update(`${MASTER} signer`).digest("base64url")

/** Returns what is wrong with the head that a signing has left. */
const flawOf = (
  head: Head,
  { from, least, most, to }: Signing,
  entries: ReadonlyArray<AuditEntry>,
): Finding => {
  const { at, hash, public_key, sequence, signature } = head
  const time = fromIso(at) ?? 0
  if (time < from || time > to) return `is of ${at}, not from ${toIso(from)} to ${toIso(to)}`
  if (sequence < least || sequence > most) return `ends at ${sequence}, not ${least} to ${most}`
  const last = sequence === 0 ? "0".repeat(64) : entries[sequence - 1]?.hash
  if (hash !== last) return `has the hash ${hash} at ${sequence}`
  const text = `payport audit head\n${sequence}\n${hash}\n${at}`
  if (signature !== signatureOf(MASTER, text)) return `is not signed at ${sequence}`
  return public_key === publicKey ? undefined : `names the key ${public_key}`
}

/** Checks that each day has one head, that it is the log's end, and that lists have all of them. */
const heads = ({ entries, lists, signings }: Observations["heads_listed"]): Finding => {
  const days = new Map<string, Signing>()
  for (const signing of signings) {
    const { day, told } = signing
    const [signed, due] = [told.filter(Boolean).length, days.has(day) ? 0 : 1]
    if (signed !== due) return `is signed by ${signed} on ${day}, not by ${due}`
    if (due === 1) days.set(day, signing)
  }
  for (const { after = "", answer, limit } of lists) {
    const all = [...days.values()].filter(({ day }) => day > after)
    const due = all.slice(0, limit)
    const { data, has_more } = answer
    if (data.length !== due.length) return `is listed ${data.length} times, not ${due.length}`
    if (has_more !== all.length > limit) return `is said to be followed by more: ${has_more}`
    for (const [n, head] of data.entries()) {
      const signing = due[n]
      const flaw = signing === undefined ? undefined : flawOf(head, signing, entries)
      if (flaw !== undefined) return flaw
    }
  }
  return undefined
}

/** The rules about the signed ends of the operators' log. */
export const auditHeadRules: Rulebook = { 139: { heads_listed: heads } }
