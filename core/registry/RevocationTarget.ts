import { Failure, type FailureCode } from "../shared/Failure.ts"
import { isNested, isScope, type Scope } from "./RevocationScope.ts"

/** What can be revoked (RevocationTarget). */
export const TARGET_TYPES = ["access_token", "signed_url", "session", "license_key"] as const
/** One of {@link TARGET_TYPES}. */
export type TargetType = (typeof TARGET_TYPES)[number]

/** No refund revokes more, and no payment has more access items (Limits). */
export const MOST_TARGETS = 100

/** One access, by the seller's own identifier; without a scope the size of the refund decides. */
export interface Target {
  readonly type: TargetType
  readonly id: string
  readonly scope?: Scope
}

/** Whether the text names a type of target. */
export const isTargetType = (text: string): text is TargetType =>
  (TARGET_TYPES as ReadonlyArray<string>).includes(text)

const anyScope = (): boolean => true

/**
 * Which scopes each type can have besides the four that nest. Tokens and sessions carry whatever
 * their service named; a signed URL can only be read; a licence key has editions and no parts.
 */
const OWN_SCOPES: { readonly [T in TargetType]: (scope: Scope) => boolean } = {
  access_token: anyScope,
  session: anyScope,
  signed_url: (scope) => scope.startsWith("read:"),
  license_key: () => false,
}

/** Whether an access of that type can have that scope. */
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

/** The refusal of what is no type of target. */
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
