import { createHash } from "node:crypto"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { AuditEntry } from "../../../core/audit/AuditEntry.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Agent } from "../../../core/kyc/agents/Agent.ts"
import type { Verification } from "../../../core/kyc/verifications/Verification.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { canonicalJson } from "../../../core/shared/Text.ts"
import { DAY, HOUR, MINUTE, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { centsOf } from "./exchange.ts"
import { levelLimits } from "../LevelLimits.ts"
import { codes, dayOf, DECIDES_WITHIN, identities, RANKS } from "../Identities.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { MASTER, signatureOf } from "../../ports/simulatedVault.ts"
import { UNSPENT } from "./lifecycle.ts"
import { countedOf } from "./taken.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A code that is handed to a carrier. */
    readonly code: {
      readonly verification_id: string
      readonly code: string
      readonly number: number
      readonly at: Timestamp
    }
    /** A guess at a code, and the result. */
    readonly guess: {
      readonly verification_id: string
      readonly code: string
      /** How many guesses were left, as the caller was told; null for the right code. */
      readonly left: number | null
      readonly at: Timestamp
    }
    /** The level that an agent is told to have, while nothing else happens. */
    readonly standing: { readonly agent: string; readonly level: string; readonly at: Timestamp }
    /** The text of an error or of a log line, and where it appeared. */
    readonly refusal_text: { readonly where: string; readonly text: string }
    /** The operators' audit log at the end. */
    readonly audit: { readonly entries: ReadonlyArray<AuditEntry>; readonly acts: number }
  }
}

/** Returns what payments use of a daily limit, in cents. */
export const centsIn = (payments: Iterable<PaymentIntent>, model: Model): number => {
  let sum = 0
  for (const payment of payments) {
    if (!UNSPENT.has(payment.status)) sum += countedOf(payment, centsOf(payment, model))
  }
  return sum
}

/** Returns the rank that a channel asks of its payers. */
const levelOf = (channel: string): number =>
  RANKS.indexOf(defaultCatalog.find(({ id }) => id === channel)?.kyc_level ?? "anonymous")

const withinDay: Rule<"intent"> = ({ after, at, before }, model) => {
  const account = after.payer_account_id
  const name = after.payer.agent_id
  if (before !== undefined || account === null || name === null) return undefined
  // A payment that failed at its creation uses nothing of the day's limit.
  if (UNSPENT.has(after.status)) return undefined
  const known = model.know(identities)
  const day = dayOf(after.created_at)
  const from = after.created_at - DECIDES_WITHIN - model.clocksOff
  const rank = known.rankWithin(account, name, from, at + model.clocksOff)
  const limit = model.know(levelLimits).daily[rank] ?? 0
  const atOnce = model.know(levelLimits).atOnce[rank] ?? 0
  const cents = centsOf(after, model)
  if (cents > atOnce) return `pays ${cents} cents at once, of at most ${atOnce}`
  const closed = [after.channel, ...after.offers.map(({ channel }) => channel)].find(
    (id) => id !== null && levelOf(id) > rank,
  )
  if (closed !== undefined) return `pays on ${closed} as ${RANKS[rank]}`
  const others = known.spent.get(`${account} ${name} ${day}`)?.values() ?? []
  const sum = centsIn(others, model) + cents
  if (sum > limit) return `brings its agent to ${sum} cents in a day of at most ${limit}`
  return undefined
}

/** Returns what the agent's record has to hold: each of its verifications that is verified. */
const standings = (verified: ReadonlyArray<Verification>): string =>
  verified
    .map((one) => `${one.id} ${one.level} ${one.status === "verified" ? one.expires_at : ""}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join()

const recorded = ({ verified }: Agent): string =>
  verified
    .map(({ expires_at, level, verification_id }) => `${verification_id} ${level} ${expires_at}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join()

const rankOf = (verified: ReadonlyArray<Verification>, at: Timestamp): number =>
  Math.max(
    0,
    ...verified.map((one) =>
      one.status === "verified" && at < (one.expires_at ?? Infinity) ? RANKS.indexOf(one.level) : 0,
    ),
  )

const isSettled = (write: Write): boolean =>
  write.kind === "verification" && ["verified", "rejected", "expired"].includes(write.record.status)

const changedByVerification: Rule<"commit"> = ({ commit }, model) => {
  const known = model.know(identities)
  for (const write of commit.writes) {
    if (write.kind === "verification") {
      const { agent, id, status } = write.record
      const was = known.verifications.get(id)?.status === "verified"
      const told = commit.writes.some(({ kind, record }) => kind === "agent" && record.id === agent)
      if (was !== (status === "verified") && !told) return `moves ${id} and not its agent's level`
    }
    if (write.kind !== "agent" || known.isGiven(write.record.id)) continue
    if (write.record.verified.some(({ verification_id }) => verification_id === "kyc_")) continue
    if (!commit.writes.some(isSettled)) return `changes ${write.record.id} for no verification`
    const due = standings(known.verifiedOf(write.record.id, commit.writes))
    if (recorded(write.record) !== due) return `leaves ${write.record.id} with other levels`
  }
  return undefined
}

const shownLevel: Rule<"standing"> = ({ agent, at, level }, model) => {
  const rank = rankOf(model.know(identities).verifiedOf(agent), at)
  return level === RANKS[rank] ? undefined : `is told to be ${level} and is ${RANKS[rank]}`
}

/** Checks that of a verification's five guesses four leave a number, each a different one. */
const answered: Rule<"guess"> = ({ at, code, left, verification_id }, model) => {
  const known = model.know(codes)
  if (left === 0) return undefined
  if (left !== null) {
    return known.tell(verification_id, left) ? `was told twice that ${left} are left` : undefined
  }
  const sent = known.latest(verification_id)
  if (known.use(verification_id)) return "took a code again"
  if (sent?.code !== code) return "took what is not its code"
  const lives = 10 * MINUTE + DECIDES_WITHIN + 2 * model.clocksOff
  return at - sent.at > lives ? "took a code that was over" : undefined
}

const sent: Rule<"code"> = ({ at, code, number, verification_id }, model) => {
  model.know(codes).send(verification_id, { code, number, at })
  return /^\d{6}$/.test(code) ? undefined : `is asked for ${code}`
}

const counted: Rule<"write"> = ({ write }, model) => {
  if (write.kind !== "verification" || write.record.status !== "pending") return undefined
  const { challenge, id } = write.record
  if (challenge === null) return undefined
  if (challenge.attempts > 5) return `has looked at ${challenge.attempts} answers`
  const known = model.know(identities).verifications.get(id)
  const before = known?.status === "pending" ? (known.challenge?.attempts ?? 0) : 0
  const more = challenge.attempts - before
  return more === 0 || more === 1 ? undefined : `has gone from ${before} to ${challenge.attempts}`
}

/** The personal data of climbers, which nobody else may see. */
const PLANTED = /planted|\+1415555|QZ\d{4}/

/** Keys that open an account, and secrets that sign for it. */
const SECRET = /\b(?:sk_(?:test|live)|whsec)_[\w-]{20}/

const quiet = (text: string): Finding =>
  PLANTED.test(text)
    ? `tells ${PLANTED.exec(text)?.[0]} to others`
    : SECRET.test(text)
      ? "tells a secret to others"
      : undefined

/** Checks that no error and no log line contains a code that was sent. */
const holdsNoCode: Rule<"refusal_text"> = ({ text, where }, model) => {
  const told = quiet(text)
  if (told !== undefined || !where.includes("kyc")) return told
  const code = text.match(/\b\d{6}\b/g)?.find((digits) => model.know(codes).isCode(digits))
  return code === undefined ? undefined : `tells the code ${code} to others`
}

const NOTICE = 30 * DAY

/** Workers of a world are late, but never by more than this. */
const LATE = 30 * MINUTE

const announced: Rule<"write"> = ({ at, write }, model) => {
  if (write.kind !== "event" || write.op !== "insert") return undefined
  const { subject_id, type } = write.record
  if (type !== "kyc.expiring" && type !== "kyc.expired") return undefined
  const known = model.know(identities).verifications.get(subject_id)
  if (type === "kyc.expired" && !model.know(identities).announced.has(subject_id)) {
    return "has an end that nobody was told of before"
  }
  const end = known?.status === "verified" ? known.expires_at : null
  if (end === null) return `${type} is told of what has no end`
  const due = type === "kyc.expired" ? end : end - NOTICE
  return at >= due && at < due + LATE ? undefined : `${type} is told ${at - due} ms after its time`
}

/** Recomputes the chain by the published recipe. */
const chain: Rule<"audit"> = ({ acts, entries }) => {
  let previous = "0".repeat(64)
  for (const [n, entry] of entries.entries()) {
    const { hash, previous_hash, sequence, signature, ...note } = entry
    const content = canonicalJson({ ...note, at: toIso(note.at) })
    const text = `${previous}\n${n + 1}\n${content}`
    const right = createHash("sha256").update(text).digest("hex")
    if (sequence !== n + 1 || previous_hash !== previous || hash !== right) {
      return `is broken at ${n + 1}`
    }
    if (signature !== signatureOf(MASTER, `payport audit entry\n${hash}`)) {
      return `is not signed at ${n + 1}`
    }
    previous = hash
  }
  return entries.length === acts ? undefined : `has ${entries.length} entries of ${acts} acts`
}

const promised: Rule<"write"> = ({ write: { kind, op, record } }) => {
  if (kind !== "appeal" || op !== "insert") return undefined
  const hours = (record.estimated_resolution - record.created_at) / HOUR
  return hours === 48 ? undefined : `is to be looked at within ${hours} hours`
}

/** The rules about limits by verification, and about who learns of it. */
export const identityRules: Rulebook = {
  41: { intent: withinDay },
  42: { commit: changedByVerification, standing: shownLevel },
  43: { code: sent, guess: answered, write: counted },
  44: {
    refusal_text: holdsNoCode,
    sent: ({ body, headers }) => quiet(body + JSON.stringify(headers)),
    write: ({ write }) =>
      write.kind === "event" ? quiet(JSON.stringify(write.record.data)) : undefined,
  },
  64: { write: announced },
  65: { audit: chain },
  115: { write: promised },
}
