import type { Money } from "../shared/Money.ts"

/** What one revocation can reach of an access: `all`, or a name such as `read:reports`. */
export type Scope = string

/** The scopes that nest, from the narrowest: each holds those before it, `all` also any other. */
const NESTED: ReadonlyArray<Scope> = ["read:summary", "read:detail", "read:full", "all"]

/** Everything that an access allows. */
export const ALL: Scope = "all"

const FORM = /^[a-z][a-z0-9_]*(?::[a-z0-9][a-z0-9_.-]*)+$/

/** Whether the text can be a scope at all: `all`, or lower-case words joined by colons. */
export const isScope = (text: string): boolean =>
  text === ALL || (text.length <= 64 && FORM.test(text))

/** Whether it is one of the four that nest. */
export const isNested = (scope: Scope): boolean => NESTED.includes(scope)

/**
 * Whether `wider` holds `scope`: `all` ⊃ `read:full` ⊃ `read:detail` ⊃ `read:summary`, and `all`
 * holds every other one as well, which hold nothing but themselves.
 */
export const covers = (wider: Scope, scope: Scope): boolean => {
  if (wider === ALL || wider === scope) return true
  const reach = NESTED.indexOf(wider)
  const asked = NESTED.indexOf(scope)
  return asked >= 0 && asked < reach
}

/** Whether one of the scopes holds `scope`. */
export const anyCovers = (scopes: ReadonlyArray<Scope>, scope: Scope): boolean =>
  scopes.some((held) => covers(held, scope))

/**
 * What a refund of that size revokes (scope mapping for partial refunds): up to a quarter of the
 * payment `read:summary`, up to a half `read:detail`, up to three quarters `read:full`, more `all`.
 * The amounts are whole minor units of one currency, compared as an exact fraction.
 */
export const scopeOfRefund = (refund: Money["value"], payment: Money["value"]): Scope => {
  const quarters = 4 * refund
  if (quarters <= payment) return "read:summary"
  if (quarters <= 2 * payment) return "read:detail"
  return quarters <= 3 * payment ? "read:full" : ALL
}
