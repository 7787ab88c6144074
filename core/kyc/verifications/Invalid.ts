import type { FieldRules } from "../../shared/Decode.ts"
import { Failure } from "../../shared/Failure.ts"

/** What is wrong with a field of an identity: it is not there, or it is not what it has to be. */
export type InvalidReason = "missing_field" | "invalid_format"

/**
 * Refuses a field of an identity by its path (Errors, `validation_error`). The value is never
 * repeated: it may be somebody's document.
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

/** How fields of identities are refused that do not decode. */
export const identityRules = {
  explain: ({ field, missing }) => invalid(field, missing ? "missing_field" : "invalid_format"),
} satisfies FieldRules
