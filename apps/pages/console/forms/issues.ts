import { Result } from "effect"
import { ConnectionFailed, PayportError } from "../../../../adapters/http/client/PayportError.ts"
import { decode, type FieldIssue, type InputSchema } from "../../../../core/shared/Decode.ts"

export type Issue = FieldIssue
export type Issues = ReadonlyArray<Issue>

const isIssue = (value: unknown): value is Issue =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "field") === "string" &&
  typeof Reflect.get(value, "reason") === "string"

const issuesIn = (details: unknown): Issues =>
  Array.isArray(details) ? details.filter(isIssue) : []

/** Decodes a body by its route's Schema, before it is sent. */
export const readBy = <S extends InputSchema>(schema: S) => {
  const read = decode(schema)
  return (body: unknown): Result.Result<S["Type"], Issues> =>
    Result.mapError(read(body), ({ details }) => issuesIn(details))
}

const constraintOf = ({ details, message }: PayportError): string => {
  const said: unknown =
    typeof details === "object" && details !== null ? Reflect.get(details, "constraint") : undefined
  return typeof said === "string" ? said : message
}

/** Returns the service's errors for a body, by field; none if it refuses the whole body. */
export const issuesOf = (error: unknown): Issues => {
  if (!(error instanceof PayportError) || error.status >= 500) return []
  const { details, field } = error
  const named = issuesIn(details)
  if (named.length > 0) return named
  return field === undefined ? [] : [{ field, reason: constraintOf(error) }]
}

/**
 * Whether the outcome of a request is unknown; the same request again finds out. The client itself
 * repeats a lost request once, so that an answer may be to the second try.
 */
export const isOpen = (error: unknown): boolean =>
  error instanceof ConnectionFailed || (error instanceof PayportError && error.may_have_acted)

const ENUMERATION = /^must be "[^"]*"(?:(?:, | or )"[^"]*")*$/

/** Returns a reason as a sentence for its field. */
const worded = (reason: string): string => {
  if (/^(?:is required|must not be empty|must be a text that is not blank)/.test(reason)) {
    return "Fill this in."
  }
  if (ENUMERATION.test(reason)) return "Choose one of these."
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Mistakes as a form shows them: at its fields, or above them for other fields. */
export interface Placed {
  readonly beside: ReadonlyMap<string, string>
  readonly above: ReadonlyArray<string>
}

/** Returns a form's nearest field for a path, such as a list for one of its entries. */
const nearest = (path: string, names: ReadonlySet<string>): string | undefined => {
  const parts = path.split(".")
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join(".")
    if (names.has(name)) return name
  }
  return undefined
}

/** Assigns each mistake to its field; a field shows its first one. */
export const placed = (issues: Issues, names: ReadonlySet<string>): Placed => {
  const beside = new Map<string, string>()
  const above: Array<string> = []
  for (const { field, reason } of issues) {
    const name = nearest(field, names)
    if (name === undefined) above.push(`${field}: ${reason}`)
    else if (!beside.has(name)) beside.set(name, worded(reason))
  }
  return { beside, above }
}
