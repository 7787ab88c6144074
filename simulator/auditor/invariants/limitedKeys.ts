// Written independently of core/accounts, core/keys and core/shared on purpose: see Model.ts.

import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import type { RestrictionsInput } from "../../../core/accounts/KeyRestrictions.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

/** Addresses with the same first bits: as many as `length`, of 32 in IPv4 or 128 in IPv6. */
export interface Block {
  readonly bits: string
  readonly length: number
}

/** What a key is asked for, or has, with the blocks of its addresses. */
export interface Limits {
  readonly restrictions: RestrictionsInput
  readonly blocks: ReadonlyArray<Block> | undefined
  readonly expires_at: Timestamp | undefined
}

/** For how many days an installation's keys work: usually, and at most. */
export interface Lifetime {
  readonly usual: number | null
  readonly most: number | null
}

declare module "../Observation.ts" {
  interface Observations {
    /** A key that was asked for by another one, which is undefined for the first of an account. */
    readonly key_limited: {
      readonly by: Limits | undefined
      readonly asked: Limits
      readonly lifetime: Lifetime
      readonly made: { readonly id: string; readonly restrictions: object | null } | undefined
      readonly refused: { readonly code: string; readonly field: string | undefined } | undefined
      readonly from: Timestamp
      readonly to: Timestamp
    }
    /** A key that has replaced itself. */
    readonly key_replaced: {
      readonly id: string
      readonly old: string
      /** When the old key would have ended. */
      readonly ended: Timestamp | null
      readonly lifetime: Lifetime
    }
    /** A key that was used from an address; the code of its refusal. */
    readonly key_from: {
      readonly blocks: ReadonlyArray<Block> | undefined
      readonly address: Block | undefined
      readonly refused: string | undefined
    }
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

/** The first bits of addresses of IPv4 that are written in IPv6. */
const MAPPED = `${"0".repeat(80)}${"1".repeat(16)}`

const plain = (block: Block): Block =>
  block.bits.length === 128 && block.length >= 96 && block.bits.startsWith(MAPPED)
    ? { bits: block.bits.slice(96), length: block.length - 96 }
    : block

const isInside = (given: Block, outside: Block): boolean => {
  const [inner, outer] = [plain(given), plain(outside)]
  return (
    inner.bits.length === outer.bits.length &&
    inner.length >= outer.length &&
    inner.bits.startsWith(outer.bits.slice(0, outer.length))
  )
}

const LISTS = ["routes", "services", "agents"] as const

/** Returns the first limit that a key would have to pass to give what is asked for. */
const tooWide = (by: Limits, asked: Limits): string | undefined => {
  for (const list of LISTS) {
    const [outer, inner] = [by.restrictions[list], asked.restrictions[list]]
    if (outer === undefined || inner === undefined) continue
    const own = new Set<string>(outer)
    if (inner.some((one) => !own.has(one))) return `restrictions.${list}`
  }
  const { blocks } = by
  const isWider = asked.blocks?.some((inner) => !blocks?.some((outer) => isInside(inner, outer)))
  if (blocks !== undefined && isWider === true) return "restrictions.addresses"
  const [outer, inner] = [by.restrictions.max_amount, asked.restrictions.max_amount]
  if (outer === undefined || inner === undefined) return undefined
  const isMore = inner.currency !== outer.currency || inner.value > outer.value
  return isMore ? "restrictions.max_amount" : undefined
}

/** Returns the field for which a key is refused; undefined if it is given. */
const refusedField = (seen: Observations["key_limited"], clocksOff: number) => {
  const { asked, by, from, lifetime, to } = seen
  const { expires_at } = asked
  if (expires_at !== undefined) {
    if (expires_at <= from - clocksOff) return "expires_at"
    if (expires_at <= to + clocksOff) return "unknown"
    const most = lifetime.most === null ? Infinity : lifetime.most * DAY
    if (expires_at > to + most + clocksOff) return "expires_at"
    if (expires_at > from + most - clocksOff) return "unknown"
    if (by?.expires_at !== undefined && expires_at > by.expires_at) return "expires_at"
  }
  return by && tooWide(by, asked)
}

const keyOf = (id: string, model: Model): ApiKey | undefined =>
  (model.know(kept).get("api_key")?.get(id) as ApiKey | null | undefined) ?? undefined

/** Returns when a new key ends, from its earliest to its latest time. */
const endOf = (seen: Observations["key_limited"], clocksOff: number) => {
  const { asked, by, from, lifetime, to } = seen
  if (asked.expires_at !== undefined) return [asked.expires_at, asked.expires_at] as const
  const days = Math.min(lifetime.usual ?? Infinity, lifetime.most ?? Infinity) * DAY
  const end = by?.expires_at ?? Infinity
  return [Math.min(from + days - clocksOff, end), Math.min(to + days + clocksOff, end)] as const
}

/** Checks that a key gives others no more than it may, and what was asked for but for that. */
const limited: Rule<"key_limited"> = (seen, model): Finding => {
  const { asked, by, made, refused } = seen
  const field = refusedField(seen, model.clocksOff)
  if (field === "unknown") return undefined
  if (made === undefined || field !== undefined) {
    const right = field === undefined ? "success" : { code: "INVALID_REQUEST", field }
    const differs = difference(right, refused ?? "success")
    return differs === undefined ? undefined : `is answered with ${differs}`
  }
  const { budget: outer, ...has } = by?.restrictions ?? {}
  const { budget = outer, ...own } = asked.restrictions
  const limits = { ...has, ...own, ...(budget && { budget }) }
  const expected = Object.keys(limits).length === 0 ? null : limits
  const differs = difference(expected, made.restrictions)
  if (differs !== undefined) return `is given with ${differs}`
  const [least, most] = endOf(seen, model.clocksOff)
  const end = keyOf(made.id, model)?.expires_at ?? Infinity
  return end >= least && end <= most ? undefined : `ends at ${end}, not from ${least} to ${most}`
}

/** Checks when a key ends that has replaced itself. */
const replaced: Rule<"key_replaced"> = (
  { ended: end_of_old, id, lifetime, old },
  model,
): Finding => {
  const [made, before] = [keyOf(id, model), keyOf(old, model)]
  if (made === undefined || before === undefined) return "is given and not stored"
  const { created_at, expires_at } = made
  const days = (count: number | null) => created_at + (count ?? Infinity) * DAY
  const ended = end_of_old ?? Infinity
  const isFirst = made.minted_by === null && made.restrictions === null
  const hasLifetime = lifetime.usual !== null || lifetime.most !== null
  const expected =
    isFirst && hasLifetime && ended !== Infinity
      ? Math.min(days(lifetime.usual), days(lifetime.most), created_at + ended - before.created_at)
      : ended === Infinity
        ? days(lifetime.most)
        : ended
  const end = expires_at ?? Infinity
  return end === expected ? undefined : `ends at ${end}, and its key would have at ${expected}`
}

/** Checks that a key works from its own addresses, and from no other. */
const usedFrom: Rule<"key_from"> = ({ address, blocks, refused }): Finding => {
  const isOpen =
    blocks === undefined ||
    (address !== undefined && blocks.some((block) => isInside(address, block)))
  if (isOpen === (refused === undefined) && (isOpen || refused === "FORBIDDEN")) return undefined
  return `is answered with ${refused ?? "success"} at ${JSON.stringify(address)}`
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
  const endAt = (key: ApiKey) => Math.min(key.expires_at ?? Infinity, key.revoked_at ?? Infinity)
  if (known === undefined) return "is removed, and was not stored"
  if (endAt(known) > at) return "is removed, and works"
  const byId = new Map(keys.map((key) => [key.id, key]))
  const needed = new Set<string>()
  for (const key of keys) {
    let issuer = endAt(key) > at ? key.minted_by : null
    for (; issuer !== null; issuer = byId.get(issuer)?.minted_by ?? null) needed.add(issuer)
  }
  if (needed.has(gone.id)) return "is removed, and has issued a key that works"
  const earlier = keys.find((key) => endAt(key) < endAt(known) && !needed.has(key.id))
  return earlier === undefined ? undefined : `is removed, and ${earlier.id} ended before it`
}

/** The rules about what keys may be given. */
export const limitedKeyRules: Rulebook = {
  127: { write: leaves, plan_changed: planned },
  135: { key_limited: limited, key_replaced: replaced, key_from: usedFrom },
}
