import { Failure, type FailureCode } from "../shared/Failure.ts"
import { isNested, isScope, type Scope } from "./RevocationScope.ts"

/** The types of access that can be revoked (RevocationTarget). */
export const TARGET_TYPES = ["access_token", "signed_url", "session", "license_key"] as const
/** One of {@link TARGET_TYPES}. */
export type TargetType = (typeof TARGET_TYPES)[number]

/** The most targets of a refund, and the most access items of a payment (Limits). */
export const MOST_TARGETS = 100

/**
 * An access under the seller's own identifier. Without a scope, the size of the refund decides it.
 */
export interface Target {
  readonly type: TargetType
  readonly id: string
  readonly scope?: Scope
}

/** Tells whether the text is a type of target. */
export const isTargetType = (text: string): text is TargetType =>
  (TARGET_TYPES as ReadonlyArray<string>).includes(text)

const anyScope = (): boolean => true

/**
 * The scopes that each type can have besides the nested ones. Tokens and sessions carry any scope
 * that their service named; a signed URL can only be read; a licence key has no partial scopes.
 */
const OWN_SCOPES: { readonly [T in TargetType]: (scope: Scope) => boolean } = {
  access_token: anyScope,
  session: anyScope,
  signed_url: (scope) => scope.startsWith("read:"),
  license_key: () => false,
}

/** Tells whether an access of that type can have that scope. */
export const canHave = (type: TargetType, scope: Scope): boolean =>
  isNested(scope) || (isScope(scope) && OWN_SCOPES[type](scope))

const refusal = <Code extends FailureCode>(
  code: Code,
  field: string,
  constraint: string,
  value: string,
) =>
  new Failure({
    code,
    message: `The field ${field} is not valid: ${constraint}.`,
    field,
    details: { field, constraint, ...(value.length <= 64 && { value }) },
  })

/** Makes the failure of an unknown type of target. */
export const badType = (type: string, field: string) =>
  refusal(
    "revocation_target_invalid_type",
    field,
    `must be one of ${TARGET_TYPES.join(", ")}`,
    type,
  )

const SCOPE_RULES: { readonly [T in TargetType]: string } = {
  access_token: "or a scope of your own such as read:reports",
  session: "or a scope of your own such as read:reports",
  signed_url: "or a scope of your own that begins with read:",
  license_key: "since licence keys have no other scopes",
}

/** Refuses a scope that an access of that type cannot have. */
export const checkScope = (type: TargetType, scope: Scope, field: string) =>
  canHave(type, scope)
    ? undefined
    : refusal(
        "revocation_scope_invalid",
        field,
        `must be all, read:full, read:detail or read:summary, ${SCOPE_RULES[type]}`,
        scope,
      )
