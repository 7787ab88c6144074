import type { Finding, Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { difference } from "../saysTheSame.ts"
import type { Kind, Write } from "../../../core/ports/Store.ts"
import { type Knowledge, knowledge } from "../Knowledge.ts"

/** The kinds of record that only their owners may see. */
const PRIVATE: ReadonlySet<Kind> = new Set<Kind>([
  "api_key",
  "appeal",
  "delivery",
  "endpoint",
  "event",
  "install",
  "invoice",
  "payment_intent",
  "refund",
  "statement",
  "subscription",
  "verification",
  "webhook_key",
])

const IDS = /\b[a-z]{2,5}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** The accounts that each private record belongs to, by its id. */
class Owners {
  readonly #owners = new Map<string, ReadonlySet<unknown>>()

  learn({ kind, op, record }: Write): void {
    if (op !== "insert" || !PRIVATE.has(kind)) return
    const named = Object.entries(record).flatMap(([field, value]) =>
      field.endsWith("account_id") && value !== null ? [value as unknown] : [],
    )
    const paid = kind === "refund" ? (this.#owners.get(record.payment_intent) ?? []) : []
    this.#owners.set(record.id, new Set([...named, ...paid]))
  }

  /** Returns the first record that a text names although the account does not own it. */
  stranger(account: string, text: string): string | undefined {
    return text.match(IDS)?.find((id) => this.#owners.get(id)?.has(account) === false)
  }

  /** Returns some records of others whose ids begin with a prefix, the latest first. */
  of(others: string, prefix: string, most: number): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const [id, owners] of [...this.#owners].toReversed()) {
      if (found.length === most) break
      if (id.startsWith(`${prefix}_`) && !owners.has(others)) found.push(id)
    }
    return found
  }
}

/** The auditor's knowledge about the owners of records. */
export const owners = knowledge("owners", Owners, (known, write) => known.learn(write))

/** Every record as it was committed last; null for one that was removed. */
type Kept = Map<Kind, Map<string, Write["record"] | null>>

/** The auditor's knowledge about every committed record. */
export const kept: Knowledge<Kept> = {
  name: "kept",
  make: () => new Map(),
  learn: (known, { kind, op, record }) => {
    const records = known.get(kind) ?? new Map<string, Write["record"] | null>()
    known.set(kind, records.set(record.id, op === "remove" ? null : record))
  },
}

declare module "../Observation.ts" {
  interface Observations {
    /** The text of an answer to an account. */
    readonly disclosed: { readonly account: string; readonly text: string }
    /** All records of a kind, as they were committed last and as the store has them at the end. */
    readonly kept: {
      readonly kind: string
      readonly compared: ReadonlyArray<{
        readonly id: string
        readonly was: object | null
        readonly stored: unknown
      }>
    }
  }
}

const own = (account: string, text: string, model: Model): Finding => {
  const id = model.know(owners).stranger(account, text)
  return id === undefined ? undefined : `tells ${account} of ${id}`
}

const sentToOwner: Rule<"sent"> = ({ body, event_id, url }, model) => {
  const account = model.receivers.at(url)?.account_id ?? model.accountOf(event_id)
  return account === undefined ? undefined : own(account, body, model)
}

const paymentOf: Rule<"read"> = ({ account, id, status }, model) => {
  const record = model.intents.get(id)?.record
  if (record === undefined || status === undefined) return undefined
  const parties = [record.account_id, record.payee_account_id, record.payer_account_id]
  return parties.includes(account) ? undefined : `was shown to ${account}`
}

const stillThere: Rule<"kept"> = ({ compared, kind }) => {
  for (const { id, stored, was } of compared) {
    if (was === null) {
      if (stored !== undefined) return `has ${kind} ${id}, which was removed`
      continue
    }
    if (stored === undefined) return `has lost ${kind} ${id}`
    // Versions are compared separately.
    const differs = difference(was, stored, ["version"])
    if (differs !== undefined) return `has another ${kind} ${id}, with ${differs}`
  }
  return undefined
}

const rested: Rule<"rest"> = ({ intent, stored }, model) => {
  const hasLeft = model.left.has(intent.id)
  if (stored === undefined) return hasLeft ? undefined : "is gone"
  if (hasLeft) return "is stored, and was removed"
  const differs = difference(intent, stored, ["version"])
  return differs === undefined ? undefined : `is stored otherwise than committed, with ${differs}`
}

/** The rules that records are stored, and shown only to their owners. */
export const ownershipRules: Rulebook = {
  26: { rest: rested, kept: stillThere },
  46: {
    read: paymentOf,
    disclosed: ({ account, text }, model) => own(account, text, model),
    // A scan repeats what its image says; the rule of scans judges what it adds.
    answer: ({ account, request, text }, model) =>
      text === undefined || request.startsWith("POST /v1/ai/scan-qr ")
        ? undefined
        : own(account, text, model),
    sent: sentToOwner,
  },
}
