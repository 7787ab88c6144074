// Written independently of core/accounts, core/keys and core/shared on purpose: see Model.ts.

import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import type { RestrictionsInput } from "../../../core/accounts/KeyRestrictions.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { type Block, isInside } from "./addressBlocks.ts"
import { kept } from "./ownership.ts"

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
  }
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

/** The rules about what keys may be given. */
export const limitedKeyRules: Rulebook = {
  135: { key_limited: limited, key_replaced: replaced, key_from: usedFrom },
}
