// Written independently of core/accounts on purpose: see Model.ts.

import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { kept } from "./ownership.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to an operator who moves an account to another plan. */
    readonly plan_changed: {
      readonly account: string
      readonly plan: string
      readonly answer: { readonly id: string; readonly plan: string } | undefined
      /** The code of a refusal. */
      readonly refused: string | undefined
      readonly isKnown: boolean
    }
  }
}

/** Checks that an operator's choice of a plan is stored, and billed from then on. */
const planned: Rule<"plan_changed"> = (seen, model): Finding => {
  const { account, answer, isKnown, plan, refused } = seen
  if (!isKnown) return refused === "NOT_FOUND" ? undefined : `is answered with ${refused}`
  if (answer?.id !== account || answer.plan !== plan) return `moves to ${answer?.plan}`
  const stored = model.know(kept)
  const record = stored.get("account")?.get(account)
  const cycle = stored.get("billing_cycle")?.get(`cyc_${account.slice("acct_".length)}`)
  const has = record && "plan" in record ? record.plan : undefined
  const billed = cycle && "plans" in cycle ? cycle.plans.map((one) => one.plan) : []
  if (has !== plan || billed.at(-1) !== plan) return `is stored with ${has}, ${billed.join(", ")}`
  const twice = billed.some((one, n) => one === billed[n + 1])
  return twice ? `is billed by one plan twice: ${billed.join(", ")}` : undefined
}

const endAt = (key: ApiKey): number =>
  Math.min(key.expires_at ?? Infinity, key.revoked_at ?? Infinity)

/** Returns the ids of the keys that have issued one that works, directly or through others. */
const issuersOf = (keys: ReadonlyArray<ApiKey>, at: number): ReadonlySet<string> => {
  const byId = new Map(keys.map((key) => [key.id, key]))
  const issuerOf = (key: ApiKey): ApiKey | undefined => {
    const issuer = byId.get(key.minted_by ?? "")
    // A replaced first key counts as issued by its replacement only while it works itself.
    const isReplaced = issuer !== undefined && issuer.created_at > key.created_at
    return isReplaced && endAt(key) <= at ? undefined : issuer
  }
  const issuers = new Set<string>()
  for (const key of keys.filter((one) => endAt(one) > at)) {
    for (let issuer = issuerOf(key); issuer; issuer = issuerOf(issuer)) issuers.add(issuer.id)
  }
  return issuers
}

/** Checks that no key leaves to make room that works, has issued one that works, or ended later. */
const leaves: Rule<"write"> = ({ at, commit, write }, model): Finding => {
  if (write.kind !== "api_key" || write.op !== "remove") return undefined
  const gone = write.record
  const makesRoom = commit.writes.some(
    ({ kind, op, record }) =>
      kind === "api_key" &&
      op === "insert" &&
      Reflect.get(record, "account_id") === gone.account_id,
  )
  if (!makesRoom || model.clocksOff > 0) return undefined
  const keys = [...(model.know(kept).get("api_key")?.values() ?? [])].filter(
    (key): key is ApiKey => Reflect.get(key ?? {}, "account_id") === gone.account_id,
  )
  const known = keys.find(({ id }) => id === gone.id)
  if (known === undefined) return "is removed, and was not stored"
  if (endAt(known) > at) return "is removed, and works"
  const needed = issuersOf(keys, at)
  if (needed.has(gone.id)) return "is removed, and has issued a key that works"
  const earlier = keys.find((key) => endAt(key) < endAt(known) && !needed.has(key.id))
  return earlier === undefined ? undefined : `is removed, and ${earlier.id} ended before it`
}

/** The rules about plans and the keys that they have room for. */
export const keyRoomRules: Rulebook = { 138: { write: leaves, plan_changed: planned } }
