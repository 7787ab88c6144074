// Written independently of core/kyc on purpose: see Model.ts.

import type { Verification } from "../../core/kyc/verifications/Verification.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Write } from "../../core/ports/Store.ts"
import { SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { knowledge } from "./Knowledge.ts"

/** A level by its rank, from anonymous. */
export const RANKS = ["anonymous", "basic", "enhanced", "business"] as const

/** A decision may be taken this long before it is stored, since channels answer late. */
export const DECIDES_WITHIN = 15 * SECOND

interface Held {
  readonly rank: number
  readonly from: Timestamp
  readonly until: Timestamp
}

/** The verifications of agents, their times, and what agents spend. */
class Identities {
  readonly verifications = new Map<string, Verification>()
  /** The verifications whose end was announced. */
  readonly announced = new Set<string>()
  /** By agent, the ids of its verifications. */
  readonly #of = new Map<string, Set<string>>()
  /** By agent, each rank that it ever held; agents verified by the world stay verified. */
  readonly #held = new Map<string, Map<string, Held>>()
  readonly #given = new Map<string, number>()
  /** By account and agent name, the id of the agent's record. */
  readonly #records = new Map<string, string>()
  /** By agent and by account, the payments of each UTC day. */
  readonly spent = new Map<string, Map<string, PaymentIntent>>()

  /** Returns an agent's verifications, as they are after these writes. */
  verifiedOf(agent: string, writes: ReadonlyArray<Write> = []): ReadonlyArray<Verification> {
    const known = new Map(
      [...(this.#of.get(agent) ?? [])].map((id) => [id, this.verifications.get(id)]),
    )
    for (const { kind, record } of writes) {
      if (kind === "verification" && record.agent === agent) known.set(record.id, record)
    }
    return [...known.values()].filter((found) => found?.status === "verified")
  }

  /** Whether the world created the agent as verified. */
  isGiven(agent: string): boolean {
    return this.#given.has(agent)
  }

  /** Returns the highest rank that an agent of an account held at some moment of that time. */
  rankWithin(account: string, name: string, from: Timestamp, to: Timestamp): number {
    const agent = this.#records.get(`${account} ${name}`)
    if (agent === undefined) return 0
    const given = this.#given.get(agent)
    if (given !== undefined) return given
    const held = [...(this.#held.get(agent)?.values() ?? [])]
    const ranks = held.filter((one) => one.from <= to && one.until > from).map(({ rank }) => rank)
    return Math.max(0, ...ranks)
  }

  learn(write: Write, at: Timestamp): void {
    const { kind, record } = write
    if (kind === "agent") {
      this.#records.set(`${record.account_id} ${record.agent_id}`, record.id)
      const isGiven = record.verified.some(({ verification_id }) => verification_id === "kyc_")
      if (isGiven) this.#given.set(record.id, RANKS.indexOf(record.level))
    } else if (kind === "verification") this.#learnVerification(record, at)
    else if (kind === "event" && record.type === "kyc.expiring")
      this.announced.add(record.subject_id)
    else if (kind === "payment_intent") this.#learnPayment(record)
  }

  #learnVerification(record: Verification, at: Timestamp): void {
    this.verifications.set(record.id, record)
    this.#records.set(`${record.account_id} ${record.agent_id}`, record.agent)
    this.#of.set(record.agent, (this.#of.get(record.agent) ?? new Set()).add(record.id))
    const held = this.#held.get(record.agent) ?? new Map<string, Held>()
    this.#held.set(record.agent, held)
    const before = held.get(record.id)
    if (record.status === "verified") {
      const rank = RANKS.indexOf(record.level)
      const until = record.expires_at ?? Infinity
      held.set(record.id, { rank, from: before?.from ?? at, until })
    } else if (before !== undefined) {
      held.set(record.id, { ...before, until: Math.min(before.until, at) })
    }
  }

  #learnPayment(record: PaymentIntent): void {
    if (record.payer_account_id === null || record.payer.agent_id === null) return
    const day = dayOf(record.created_at)
    const owners = [
      `${record.payer_account_id} ${record.payer.agent_id} ${day}`,
      `${record.payer_account_id} ${day}`,
    ]
    for (const owner of owners) {
      this.spent.set(
        owner,
        (this.spent.get(owner) ?? new Map<string, PaymentIntent>()).set(record.id, record),
      )
    }
  }
}

const DAY = 86_400_000

/** Returns the number of a UTC day. */
export const dayOf = (at: Timestamp): number => Math.floor(at / DAY)

/** The auditor's knowledge about verified agents. */
export const identities = knowledge("identities", Identities, (known, write, at) =>
  known.learn(write, at),
)

interface Sent {
  readonly code: string
  /** How many codes the verification has had, with this one: a later one may arrive first. */
  readonly number: number
  readonly at: Timestamp
}

/** The codes that were sent, and what callers were told about their guesses. */
class Codes {
  readonly #sent = new Map<string, Sent>()
  readonly #codes = new Set<string>()
  readonly #used = new Set<string>()
  readonly #told = new Set<string>()

  /** Whether this was sent to anybody as a code. */
  isCode(code: string): boolean {
    return this.#codes.has(code)
  }

  send(verificationId: string, sent: Sent): void {
    this.#codes.add(sent.code)
    const last = this.#sent.get(verificationId)?.number ?? 0
    if (sent.number >= last) this.#sent.set(verificationId, sent)
  }

  latest(verificationId: string): Sent | undefined {
    return this.#sent.get(verificationId)
  }

  /** Returns whether a code of the verification was accepted before, and records that it is now. */
  use(verificationId: string): boolean {
    const before = this.#used.has(verificationId)
    this.#used.add(verificationId)
    return before
  }

  /** Returns whether a caller was told before that so many guesses are left, and records it. */
  tell(verificationId: string, left: number): boolean {
    const name = `${verificationId} ${left}`
    const before = this.#told.has(name)
    this.#told.add(name)
    return before
  }
}

/** The auditor's knowledge about codes. No write shows them. */
export const codes = knowledge("codes", Codes)
