import { Result, Schema } from "effect"
import { Failure } from "../shared/Failure.ts"
import * as Text from "../shared/Text.ts"
import {
  checkScope,
  isTargetType,
  badType,
  MOST_TARGETS,
  type Target,
} from "../registry/RevocationTarget.ts"

/** A seller's own identifier of an access: of a token, a key, or a whole signed URL. */
export const TargetId = Text.line(2048)

/**
 * The form of a refund's field `revoke` (RevocationSpec). Types, scopes and the number of targets
 * have their own error codes, which `checkRevoke` gives.
 */
export const RevokeInput = Schema.Struct({
  targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.String.annotateKey({
          description:
            "The kind of access: `access_token`, `signed_url`, `session` or `license_key`.",
        }),
        id: TargetId.annotateKey({ description: "The access item's id, chosen by the seller." }),
        scope: Schema.optionalKey(Schema.String).annotateKey({
          description: "The scope of the access, such as `read:detail` or `all`.",
        }),
      }),
    ),
  ).annotateKey({ description: "The access items to revoke, each with its type and id." }),
  auto_revoke: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false` disables every revocation by this refund, also of `targets`.",
  }),
  webhook_notify: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the service's endpoint is notified of each revocation.",
  }),
})
/** A decoded `revoke` that is not checked yet. */
export type RevokeInput = typeof RevokeInput.Type

/**
 * Marks a refund of money that bought nothing, such as what a session did not draw. It revokes
 * nothing, unless it leaves nothing of the payment: then it revokes by policy.
 */
export interface Unused {
  readonly unused: true
}

/** The mark, see {@link Unused}. No request can have it. */
export const UNUSED: Unused = { unused: true }

/** Returns whether a refund is of money that bought nothing, by its stored field `revoke`. */
export const isUnused = (revoke: object | null): boolean => revoke !== null && "unused" in revoke

/** Returns whether the policy decides what a refund revokes, by its stored field `revoke`. */
export const isByPolicy = (revoke: object | null): boolean => revoke === null || isUnused(revoke)

/** What a refund should revoke by its request. The service's policy decides absent fields. */
export interface RevokeSpec {
  readonly targets: ReadonlyArray<Target>
  readonly auto_revoke: boolean
  readonly webhook_notify?: boolean
}

const tooMany = (count: number) =>
  new Failure({
    code: "revocation_limit_exceeded",
    message: `A refund revokes at most ${MOST_TARGETS} targets, but the request names ${count}.`,
    field: "revoke.targets",
    details: { field: "revoke.targets", limit: MOST_TARGETS, targets: count },
  })

const noTargets = () =>
  new Failure({
    code: "MISSING_REQUIRED_FIELD",
    message: "The field revoke.targets is required unless revoke.auto_revoke is false.",
    field: "revoke.targets",
    details: [{ field: "revoke.targets", reason: "must name at least one target" }],
  })

const targetFlaw = (
  { scope, type }: { readonly type: string; readonly scope?: string },
  field: string,
) =>
  !isTargetType(type)
    ? badType(type, `${field}.type`)
    : scope === undefined
      ? undefined
      : checkScope(type, scope, `${field}.scope`)

/**
 * Checks what a refund should revoke. Without targets, `auto_revoke: false` is required. It also
 * overrides targets.
 */
export const checkRevoke = (
  input: RevokeInput,
): Result.Result<
  RevokeSpec,
  Failure<
    | "revocation_limit_exceeded"
    | "revocation_target_invalid_type"
    | "revocation_scope_invalid"
    | "MISSING_REQUIRED_FIELD"
  >
> => {
  const { auto_revoke = true, targets = [], ...choices } = input
  if (targets.length > MOST_TARGETS) return Result.fail(tooMany(targets.length))
  for (const [n, target] of targets.entries()) {
    const flaw = targetFlaw(target, `revoke.targets.${n}`)
    if (flaw !== undefined) return Result.fail(flaw)
  }
  if (auto_revoke && targets.length === 0) return Result.fail(noTargets())
  return Result.succeed({ ...choices, auto_revoke, targets: targets as ReadonlyArray<Target> })
}
