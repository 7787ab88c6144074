import { Effect, Result, Schema } from "effect"
import type { Failure } from "../shared/Failure.ts"
import * as Text from "../shared/Text.ts"
import { TargetId } from "./RevokeInput.ts"
import { ALL } from "../registry/RevocationScope.ts"
import { badType, checkScope, isTargetType, type TargetType } from "../registry/RevocationTarget.ts"

/** The body of `POST /v1/access-items`. Without scopes the item allows `all`. */
export const RegisterItemInput = Schema.Struct({
  payment_intent: Text.line(64).annotateKey({ description: "The payment's id." }),
  type: Schema.String.annotateKey({
    description: "The kind of access: `access_token`, `signed_url`, `session` or `license_key`.",
  }),
  id: TargetId.annotateKey({ description: "The access item's id, chosen by the seller." }),
  scopes: Schema.NonEmptyArray(Schema.String)
    .check(Schema.isMaxLength(32), Schema.isUnique())
    .annotate({ description: "The scopes that the payment bought." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([ALL] as const))),
})
/** A decoded {@link RegisterItemInput}. */
export type RegisterItemInput = typeof RegisterItemInput.Type

/** The body of `POST /v1/access-items/introspect`. With a scope it asks about that scope only. */
export const IntrospectInput = Schema.Struct({
  type: Schema.String.annotateKey({
    description: "The kind of access: `access_token`, `signed_url`, `session` or `license_key`.",
  }),
  id: TargetId.annotateKey({ description: "The access item's id, chosen by the seller." }),
  scope: Schema.optionalKey(Schema.String).annotateKey({
    description: "The scope of the access, such as `read:detail` or `all`.",
  }),
})
/** A decoded {@link IntrospectInput}. */
export type IntrospectInput = typeof IntrospectInput.Type

/** Checks a type and the scopes that are given for an item of it. */
export const checkItem = (
  type: string,
  scopes: ReadonlyArray<readonly [string, string]>,
): Result.Result<
  TargetType,
  Failure<"revocation_target_invalid_type" | "revocation_scope_invalid">
> => {
  if (!isTargetType(type)) return Result.fail(badType(type, "type"))
  for (const [field, scope] of scopes) {
    const flaw = checkScope(type, scope, field)
    if (flaw !== undefined) return Result.fail(flaw)
  }
  return Result.succeed(type)
}
