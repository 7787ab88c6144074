import type { FieldRules } from "../../shared/Decode.ts"
import { Failure } from "../../shared/Failure.ts"

/** Why a field of an identity was refused. */
export type InvalidReason = "missing_field" | "invalid_format"

/**
 * Makes the failure of a field of an identity, by its path (Errors, `validation_error`). It never
 * repeats the value, which may be a document's number.
 */
export const invalid = (field: string, reason: InvalidReason, wanted?: string) =>
  new Failure({
    code: "validation_error",
    message:
      reason === "missing_field"
        ? `The field ${field} is required.`
        : `The field ${field} is not valid${wanted === undefined ? "" : `: it must be ${wanted}`}.`,
    field,
    details: { field, reason },
  })

/** How fields of identities that do not decode are refused. */
export const identityRules = {
  explain: ({ field, missing, reason }) =>
    missing
      ? invalid(field, "missing_field")
      : invalid(field, "invalid_format", reason.replace(/^must be /, "")),
} satisfies FieldRules
