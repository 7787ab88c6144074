import type { Money } from "../shared/Money.ts"

/** The part of an access that a revocation takes away: `all`, or a name such as `read:reports`. */
export type Scope = string

/**
 * The nested scopes, the narrowest first. Each covers those before it; `all` covers every scope.
 */
const NESTED: ReadonlyArray<Scope> = ["read:summary", "read:detail", "read:full", "all"]

/** The scope that covers every other. */
export const ALL: Scope = "all"

const FORM = /^[a-z][a-z0-9_]*(?::[a-z0-9][a-z0-9_.-]*)+$/

/** Tells whether the text is a valid scope: `all`, or lower-case words joined by colons. */
export const isScope = (text: string): boolean =>
  text === ALL || (text.length <= 64 && FORM.test(text))

/** Tells whether it is one of the four nested scopes. */
export const isNested = (scope: Scope): boolean => NESTED.includes(scope)

/**
 * Tells whether `wider` covers `scope`: `all` ⊃ `read:full` ⊃ `read:detail` ⊃ `read:summary`. `all`
 * also covers every other scope; other scopes cover only themselves.
 */
export const covers = (wider: Scope, scope: Scope): boolean => {
  if (wider === ALL || wider === scope) return true
  const reach = NESTED.indexOf(wider)
  const asked = NESTED.indexOf(scope)
  return asked >= 0 && asked < reach
}

/** Tells whether one of the scopes covers `scope`. */
export const anyCovers = (scopes: ReadonlyArray<Scope>, scope: Scope): boolean =>
  scopes.some((held) => covers(held, scope))

/**
 * Returns the scope that a refund of that size revokes (scope mapping for partial refunds):
 * `read:summary` up to a quarter of the payment, `read:detail` up to a half, `read:full` up to
 * three quarters, and `all` above. The amounts are whole minor units of one currency, compared as
 * an exact fraction.
 */
export const scopeOfRefund = (refund: Money["value"], payment: Money["value"]): Scope => {
  const quarters = 4 * refund
  if (quarters <= payment) return "read:summary"
  if (quarters <= 2 * payment) return "read:detail"
  return quarters <= 3 * payment ? "read:full" : ALL
}
