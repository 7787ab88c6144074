// Written independently of core/keys on purpose: see Model.ts.

import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

/** What the holder of a key, or an operator, does with keys of an account. */
export type KeyAct =
  | { readonly type: "first" }
  | { readonly type: "issue"; readonly by: string; readonly isRestricted: boolean }
  | {
      readonly type: "roll"
      readonly by: string
      readonly target: string
      readonly grace_seconds: number
      readonly cascade: boolean
    }
  | {
      readonly type: "revoke"
      readonly by: string
      readonly target: string
      readonly cascade: boolean
    }
  | {
      readonly type: "suspend_key"
      readonly target: string
      readonly on: boolean
      readonly cascade: boolean
    }
  | { readonly type: "suspend_account"; readonly on: boolean }

interface Acted {
  readonly account: string
  readonly act: KeyAct
  /** The new key's id. */
  readonly made: string | undefined
  /** The code of a refusal. */
  readonly refused: string | undefined
  readonly asked: Timestamp
  readonly at: Timestamp
}

interface Opened {
  readonly account: string
  readonly key: string
  readonly refused: string | undefined
  readonly asked: Timestamp
  readonly at: Timestamp
}

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to an act on a key. */
    readonly key_act: Acted
    /** Whether a key opened its account. */
    readonly key_opened: Opened
  }
}

interface Key {
  readonly id: string
  issuer: string | null
  isRevoked: boolean
  isSuspended: boolean
  readonly isRestricted: boolean
  /** When it ends, at the earliest and at the latest. */
  ends: readonly [from: Timestamp, to: Timestamp]
}

const NEVER = [Infinity, Infinity] as const

/** The keys of an account, as what was done with them has left them. */
class KeyRing {
  readonly keys = new Map<string, Key>()
  isSuspended = false

  add(id: string, issuer: string | null, isRestricted: boolean, ends: Key["ends"]): void {
    const state = { isRevoked: false, isSuspended: false, isRestricted }
    this.keys.set(id, { id, issuer, ends, ...state })
  }

  get(id: string): Key {
    const key = this.keys.get(id)
    if (key === undefined) throw new Error(`Nobody has made the key ${id}.`)
    return key
  }

  /** Whether a key is the other one, or has issued it, directly or through others. */
  isOver(id: string, other: string): boolean {
    for (let one: string | null = other; one !== null; one = this.get(one).issuer) {
      if (one === id) return true
    }
    return false
  }

  /** Returns the keys that work at a time of those that a key has issued. */
  below(id: string, at: Timestamp): ReadonlyArray<Key> {
    return [...this.keys.values()].filter(
      (key) => key.id !== id && this.isOver(id, key.id) && !key.isRevoked && at < key.ends[0],
    )
  }
}

/** The accounts whose keys are played. */
class KeyRings {
  readonly #rings = new Map<string, KeyRing>()

  of(account: string): KeyRing {
    const ring = this.#rings.get(account) ?? new KeyRing()
    this.#rings.set(account, ring)
    return ring
  }
}

/** The auditor's knowledge about what keys may do. */
export const keyRings = knowledge("key rings", KeyRings)

const DECIDES_WITHIN = 30 * SECOND

/** Whether a key has ended by itself: unknown near its end. */
const hasEnded = ({ ends: [from, to] }: Key, asked: Timestamp, at: Timestamp, model: Model) => {
  const slack = DECIDES_WITHIN + model.clocksOff
  if (at + slack < from) return false
  return asked - slack > to ? true : undefined
}

const isFirst = ({ ends, isRestricted, issuer }: Key): boolean =>
  issuer === null && !isRestricted && ends[0] === Infinity

/** Returns the code with which an act has to be refused; undefined if it has to be done. */
const refusalOf = ({ act, asked, at }: Acted, ring: KeyRing, model: Model) => {
  switch (act.type) {
    case "roll": {
      const target = ring.get(act.target)
      const isGone = target.isRevoked || hasEnded(target, asked, at, model)
      if (isGone === undefined) return "unknown"
      if (isGone) return "NOT_FOUND"
      const may = isFirst(ring.get(act.by)) || ring.isOver(act.by, act.target)
      return may ? undefined : "FORBIDDEN"
    }
    case "revoke":
      return ring.get(act.by).isRestricted && !ring.isOver(act.by, act.target)
        ? "FORBIDDEN"
        : undefined
    default:
      return undefined
  }
}

const earliest = (a: Key["ends"], b: Key["ends"]): Key["ends"] => (a[0] <= b[0] ? a : b)

/** Carries out what was done. */
const apply = ({ act, asked, at, made }: Acted, ring: KeyRing): void => {
  switch (act.type) {
    case "first":
      if (made !== undefined) ring.add(made, null, false, NEVER)
      return
    case "issue": {
      const by = ring.get(act.by)
      const isRestricted = act.isRestricted || by.isRestricted
      if (made !== undefined) ring.add(made, by.id, isRestricted, by.ends)
      return
    }
    case "roll": {
      const [by, old] = [ring.get(act.by), ring.get(act.target)]
      const below = ring.below(old.id, at)
      const issuer = by === old && old.issuer === null ? null : by.id
      if (made !== undefined) ring.add(made, issuer, old.isRestricted, earliest(old.ends, by.ends))
      const grace = act.grace_seconds * SECOND
      old.ends = earliest(old.ends, [asked + grace, at + grace])
      old.issuer ??= made ?? null
      if (act.cascade) for (const key of below) key.isRevoked = true
      return
    }
    case "revoke": {
      const below = act.cascade ? ring.below(act.target, at) : []
      for (const key of [ring.get(act.target), ...below]) key.isRevoked = true
      return
    }
    case "suspend_key": {
      const below = act.cascade ? ring.below(act.target, at) : []
      for (const key of [ring.get(act.target), ...below]) key.isSuspended = act.on
      return
    }
    case "suspend_account":
      ring.isSuspended = act.on
  }
}

const acted: Rule<"key_act"> = (seen, model): Finding => {
  const ring = model.know(keyRings).of(seen.account)
  const right = refusalOf(seen, ring, model)
  if (right !== "unknown" && right !== seen.refused) {
    const [was, due] = [seen.refused ?? "success", right ?? "success"]
    return `${seen.act.type} is answered with ${was}, not ${due}`
  }
  if (seen.refused === undefined) apply(seen, ring)
  return undefined
}

const opened: Rule<"key_opened"> = ({ account, asked, at, key: id, refused }, model): Finding => {
  const ring = model.know(keyRings).of(account)
  const key = ring.get(id)
  const isGone = key.isRevoked ? true : hasEnded(key, asked, at, model)
  // Near its end, a process may also have thought that it could not be suspended any more.
  if (isGone === undefined) return undefined
  const isHeld = ring.isSuspended || key.isSuspended
  const right = isGone ? "INVALID_API_KEY" : isHeld ? "ACCOUNT_SUSPENDED" : undefined
  if (refused === right) return undefined
  return `${id} is answered with ${refused ?? "success"}, not ${right ?? "success"}`
}

/** The rules about what is done with keys. */
export const keyRingRules: Rulebook = { 125: { key_act: acted, key_opened: opened } }
