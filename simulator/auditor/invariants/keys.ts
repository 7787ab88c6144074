import type { Commit, Kind } from "../../../core/ports/Store.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { knowledge } from "../Knowledge.ts"

/** The requests and effects under Idempotency-Keys, by account. */
class Keys {
  readonly #asked = new Map<string, Array<string>>()
  readonly #answers = new Map<string, Map<string, string>>()
  readonly #made = new Map<string, string>()

  ask(account: string, key: string, request: string): void {
    const name = `${account} ${key}`
    const asked = this.#asked.get(name)
    if (asked === undefined) this.#asked.set(name, [request])
    else asked.push(request)
  }

  /** Returns the requests that the account has sent under the key, one for each time. */
  asked(account: string, key: string): ReadonlyArray<string> {
    return this.#asked.get(`${account} ${key}`) ?? []
  }

  /** Records an account's answer; returns another account with the same answer for the key. */
  answer(account: string, key: string, text: string): string | undefined {
    const answers = this.#answers.get(key) ?? new Map<string, string>()
    this.#answers.set(key, answers.set(account, text))
    for (const [other, given] of answers) if (other !== account && given === text) return other
    return undefined
  }

  /** Records what a request has made of a kind; returns what it had made before. */
  make(account: string, key: string, kind: string, id: string): string | undefined {
    const name = `${account} ${key} ${kind}`
    const before = this.#made.get(name)
    if (before === undefined) this.#made.set(name, id)
    return before
  }

  /** Returns the record of a kind that a request has made; undefined if there is none. */
  made(account: string, key: string, kind: string): string | undefined {
    return this.#made.get(`${account} ${key} ${kind}`)
  }
}

/** The auditor's knowledge about keys. Its rules update it, since no write does. */
export const keys = knowledge("keys", Keys)

/** A request with an Idempotency-Key: its route and its body. */
interface Keyed {
  readonly account: string
  readonly key: string
  readonly request: string
}

declare module "../Observation.ts" {
  interface Observations {
    /** A client sends a request, for the first time or again. */
    readonly asked: Keyed
    /** A sent request failed, or got no answer. */
    readonly refused: Keyed & {
      readonly code: string
      /** The payment that prevents it, according to the error. */
      readonly payment_intent: string | undefined
    }
    /**
     * The final outcome, as the client knows it, of a request without an answer; `outcome` is null
     * if the client still does not know.
     */
    readonly settled: Keyed & { readonly outcome: string | null }
  }
}

/** Checks that no two accounts get the same answer, since it names what the account has made. */
const ownAnswer: Rule<"answer"> = ({ account, key, text }, model) => {
  if (text?.startsWith("2") !== true) return undefined
  const other = model.know(keys).answer(account, key, text)
  return other === undefined ? undefined : `was answered under ${key} what ${other} was`
}

const ownRefusal: Rule<"refused"> = ({ account, code, key, payment_intent, request }, model) => {
  if (payment_intent !== undefined) {
    const record = model.intents.get(payment_intent)?.record
    const parties = [record?.account_id, record?.payee_account_id, record?.payer_account_id]
    return parties.includes(account) ? undefined : `was refused for another's ${payment_intent}`
  }
  const asked = model.know(keys).asked(account, key)
  if (code === "IDEMPOTENCY_KEY_USED" && asked.every((one) => one === request)) {
    return `was refused ${key}, which it had used for nothing else`
  }
  return code === "IDEMPOTENCY_KEY_IN_PROGRESS" && asked.length < 2
    ? `was told that ${key} is in use, which it had not used before`
    : undefined
}

/** The kinds of record of which a request makes at most one. */
const EFFECTS: ReadonlySet<Kind> = new Set<Kind>([
  "account",
  "appeal",
  "endpoint",
  "install",
  "listing",
  "payment_intent",
  "quote",
  "refund",
  "service",
  "subscription",
  "verification",
  "webhook_key",
])

const namesOf = (commit: Commit): ReadonlyArray<string> => [
  ...commit.writes.map(({ kind, op, record }) => `${op} of ${kind} ${record.id}`),
  ...(commit.events ?? []).map(({ id }) => `event ${id}`),
  ...(commit.postings ?? []).map(({ amount, id }) => `row ${id} of ${amount}`),
  ...(commit.keys ?? []).map(({ key, op }) => `${op} of ${key}`),
  ...(commit.reservations ?? []).map(({ add, counter }) => `${add} on ${counter}`),
  ...(commit.fee_days ?? []).map(({ id }) => `day ${id}`),
  ...(commit.reply === undefined ? [] : [`reply to ${commit.reply.key}`]),
  ...(commit.audit === undefined ? [] : ["entry of the audit log"]),
]

/** Checks that everything that was to be committed together was stored. */
const whole = (asked: Commit, stored: Commit): Finding => {
  if (asked === stored) return undefined
  const there = new Set(namesOf(stored))
  const lost = namesOf(asked).find((name) => !there.has(name))
  return lost === undefined ? undefined : `was stored without the ${lost}`
}

const oneEffect: Rule<"commit"> = ({ asked, cause, commit }, model) => {
  const lost = asked === undefined ? undefined : whole(asked, commit)
  if (lost !== undefined) return lost
  if (cause.type !== "client" || cause.key === undefined) return undefined
  for (const { kind, op, record } of commit.writes) {
    if (op !== "insert" || !EFFECTS.has(kind)) continue
    const before = model.know(keys).make(cause.account, cause.key, kind, record.id)
    if (before !== undefined) return `made ${record.id} under ${cause.key}, beside ${before}`
  }
  return undefined
}

/** The kind of record that an answered request has made, by its route. */
const MAKES: { readonly [route: string]: Kind } = {
  "POST /v1/payment-intents": "payment_intent",
  "POST /v1/refunds": "refund",
}

const converged: Rule<"settled"> = ({ account, key, outcome, request }, model) => {
  if (outcome === null) return `nobody knows what has become of ${key}`
  const kind = MAKES[request.slice(0, request.indexOf(" {"))]
  if (kind === undefined || !outcome.startsWith("201")) return undefined
  const made = model.know(keys).made(account, key, kind)
  if (made === undefined) return `was answered under ${key} for nothing that was made`
  return outcome.includes(made) ? undefined : `was answered under ${key} without ${made}`
}

/** The rules about Idempotency-Keys, and about requests without an answer. */
export const keyRules: Rulebook = {
  25: {
    asked: ({ account, key, request }, model) => {
      model.know(keys).ask(account, key, request)
      return undefined
    },
    answer: ownAnswer,
    refused: ownRefusal,
  },
  27: { commit: oneEffect, settled: converged },
}
