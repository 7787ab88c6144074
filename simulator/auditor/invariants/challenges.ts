import { createHash } from "node:crypto"
import type { RedeemInput } from "../../../core/challenges/ChallengeInput.ts"
import type { Challenge } from "../../../core/challenges/Challenge.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import type { Write } from "../../../core/ports/Store.ts"
import type { Cause } from "../../world/ports/CurrentCause.ts"
import { knowledge } from "../Knowledge.ts"

/** The challenges of paid endpoints, and the accepted proofs. */
class Challenges {
  /** By payment, the challenge as it was stored last; removed ones stay known. */
  readonly #stored = new Map<string, Challenge>()
  /** The payments whose proof was accepted, with how often. */
  readonly accepted = new Map<string, number>()
  /** The single-use payments that have let a request through, with the door. */
  readonly opened = new Map<string, string>()
  /** The payments whose challenge is no longer stored. */
  readonly forgotten = new Set<string>()
  /** The payments whose money was being taken, or had been taken, when a proof was shown. */
  readonly underway = new Set<string>()

  of(payment: string): Challenge | undefined {
    return this.#stored.get(payment)
  }

  learn({ kind, op, record }: Write): void {
    if (kind !== "challenge") return
    if (op === "remove") this.forgotten.add(record.payment_intent)
    else this.#stored.set(record.payment_intent, record)
  }
}

/** The auditor's knowledge about challenges. */
export const challenges = knowledge("challenges", Challenges, (known, write) => known.learn(write))

declare module "../Observation.ts" {
  interface Observations {
    /** A request that was let through, and the door that its proof came through. */
    readonly passed: { readonly payment_intent: string; readonly door: string }
    /** A proof that was shown to a paid endpoint, and the result. */
    readonly proof: {
      readonly account: string
      readonly payment_intent: string
      readonly shown: RedeemInput
      /** The code of the failure; null for an accepted proof. */
      readonly refused: string | null
      /** Whether the failure says how the payment can still be made. */
      readonly invites: boolean
      readonly asked_at: Timestamp
      /** The model's step when the proof was shown. */
      readonly since: number
    }
  }
}

/** The statuses from which on nobody may be asked to pay again. */
const UNDERWAY: ReadonlySet<string> = new Set(["authorized", "capturing", "captured", "succeeded"])
const PAID: ReadonlySet<string> = new Set(["captured", "succeeded"])

const endOf = ({ redeemed_at, valid_seconds }: Challenge): Timestamp | undefined =>
  redeemed_at === null || valid_seconds === null ? undefined : redeemed_at + valid_seconds * SECOND

const passes: Rule<"proof"> = ({ asked_at, payment_intent, refused }, model) => {
  if (refused !== null) return undefined
  const known = model.know(challenges)
  const challenge = known.of(payment_intent)
  if (challenge === undefined) return "is accepted, and nobody has asked for it"
  const times = known.accepted.get(payment_intent) ?? 0
  known.accepted.set(payment_intent, times + 1)
  if (challenge.redeemed_at === null) return "is accepted and not used up"
  const end = endOf(challenge)
  if (end === undefined) return times === 0 ? undefined : "is accepted again"
  return asked_at < end + model.clocksOff
    ? undefined
    : `is accepted ${asked_at - end} ms after its time`
}

/** The fields of a request that uses up a proof. */
interface Using {
  readonly capture?: string
  readonly paymentRequirements?: {
    readonly amount: string
    readonly scheme: string
    readonly extra?: { readonly paymentFlow?: string }
  }
}

/**
 * Whether a payment in this status can be used: it was made; or it is held, if the seller captures
 * later; or it was released, if an x402 scheme with usage-based capture takes nothing.
 */
const mayUse = (status: string, cause: Cause): boolean => {
  if (PAID.has(status)) return true
  if (cause.type !== "client") return false
  const { capture, paymentRequirements: required } = (cause.body ?? {}) as Using
  const isEscrow = required?.scheme === "auth-capture" && required.extra?.paymentFlow === undefined
  if (status === "authorized") return capture === "later" || isEscrow
  return status === "voided" && required?.scheme !== "exact" && required?.amount === "0"
}

/** Checks that a recorded use stays, for a payment that was made or is held for later. */
const usedOnce: Rule<"commit"> = ({ cause, commit }, model) => {
  for (const { kind, op, record } of commit.writes) {
    if (kind !== "challenge" || op === "remove") continue
    const { payment_intent, redeemed_at } = record
    const before = model.know(challenges).of(payment_intent)?.redeemed_at ?? null
    if (before !== null && redeemed_at !== before) return "is used again"
    if (before !== null || redeemed_at === null) continue
    const written = commit.writes.find((write) => write.record.id === payment_intent)
    const known = model.intents.get(payment_intent)?.record.status ?? "gone"
    const status = written?.kind === "payment_intent" ? written.record.status : known
    if (!mayUse(status, cause)) return `is used while its payment is ${status}`
  }
  return undefined
}

/** Returns why a proof does not belong to the place where it is shown. */
const strayed: Rule<"proof"> = ({ account, payment_intent, shown }, model) => {
  const challenge = model.know(challenges).of(payment_intent)
  if (challenge === undefined) return "what nobody has asked for"
  const { account_id, amount, resource, service_id, token_hash } = challenge
  if (account_id !== account) return "another seller"
  if (createHash("sha256").update(shown.token).digest("hex") !== token_hash) return "another token"
  if (service_id !== shown.service_id || resource !== shown.resource) return "something else"
  return amount.value === shown.amount.value && amount.currency === shown.amount.currency
    ? undefined
    : "another amount"
}

/** Checks that an invalid proof reveals nothing about the payment. */
const bound: Rule<"proof"> = (proof, model) => {
  const { refused } = proof
  const stray = strayed(proof, model)
  const isAnswered = refused === null || refused.startsWith("PAYMENT_")
  return stray !== undefined && isAnswered && refused !== "PAYMENT_PROOF_INVALID"
    ? `is answered with ${refused ?? "what it opens"} for ${stray}`
    : undefined
}

/** Checks that an unused proof in its original form is accepted if its payment is good. */
const heard: Rule<"proof"> = (proof, model) => {
  const { payment_intent, refused } = proof
  if (refused === null || !refused.startsWith("PAYMENT_PROOF")) return undefined
  const challenge = model.know(challenges).of(payment_intent)
  if (challenge === undefined || challenge.redeemed_at !== null) return undefined
  if (strayed(proof, model) !== undefined) return undefined
  const status = model.intents.get(payment_intent)?.record.status ?? "gone"
  // A challenge that was never paid is removed.
  if (model.know(challenges).forgotten.has(payment_intent) && !PAID.has(status)) return undefined
  return `is refused as ${refused} while its payment is ${status}`
}

const statusAt = (payment: string, step: number, model: Model): string =>
  model.intents.get(payment)?.history.findLast((known) => known.step <= step)?.status ?? "unknown"

/** Checks that nobody is told how to pay once money is held, being taken or taken. */
const chargedOnce: Rule<"proof"> = ({ invites, payment_intent, since }, model) => {
  const { underway } = model.know(challenges)
  const status = statusAt(payment_intent, since, model)
  if (UNDERWAY.has(status)) underway.add(payment_intent)
  return invites && underway.has(payment_intent)
    ? `is asked for again while it is ${model.intents.get(payment_intent)?.record.status}`
    : undefined
}

/** Checks that the channel has the money of an accepted proof. */
const covered: Rule<"proof"> = ({ payment_intent, refused }, model) => {
  if (refused !== null) return undefined
  const { entries } = model.booksOf(payment_intent)
  return entries.some(({ type }) => type === "capture" || type === "payment")
    ? undefined
    : "is accepted, and its channel has no money"
}

/** Checks that one purchase lets one request through, over all doors of the proof. */
const openedOnce: Rule<"passed"> = ({ door, payment_intent }, model) => {
  const known = model.know(challenges)
  const challenge = known.of(payment_intent)
  if (challenge?.redeemed_at == null) return `lets in through ${door} what nobody has accepted`
  if (challenge.valid_seconds !== null) return undefined
  const before = known.opened.get(payment_intent)
  known.opened.set(payment_intent, door)
  // The rules of sessions check their draws.
  if (before === "session" && door === before) return undefined
  return before && `lets in through ${door} what was let in through ${before}`
}

/** The rules about the proofs that paid endpoints accept. */
export const challengeRules: Rulebook = {
  75: { proof: passes, commit: usedOnce },
  76: { proof: bound },
  77: { proof: heard },
  78: { proof: chargedOnce },
  79: { proof: covered },
  111: { passed: openedOnce },
}
