import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Data } from "effect"
import type { StoreTrouble } from "../../core/ports/StoreUnavailable.ts"
import { RACED } from "./commit/otherSteps.ts"

/**
 * An error of the database without the values that the server quotes: they are people's data, and
 * causes are logged. `code` is the SQLSTATE if there is one.
 */
export class DatabaseError extends Data.Error<{
  readonly message: string
  readonly code: string | undefined
}> {}

/**
 * Why a group was not stored:
 * - `unsent`: it was never sent;
 * - `lost`: it was sent, and whether it was stored is unknown;
 * - `again`: it collided with other work and can be sent again unchanged;
 * - `unable`: the database takes no writes at the moment;
 * - `taken`: a unique constraint was violated; `existing` is the id of the existing row if known;
 * - `refused`: something in the group is wrong, or it waits for a lock that is held for long.
 */
export class GroupFailure extends Data.TaggedError("GroupFailure")<{
  readonly type: "unsent" | "lost" | "again" | "unable" | "taken" | "refused"
  readonly cause: DatabaseError
  readonly constraint?: string
  readonly existing?: string
}> {}

const fieldOf = (cause: unknown, field: string): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  const value: unknown = Reflect.get(cause, field)
  return typeof value === "string" ? value : undefined
}

/** Errors whose texts from the server never quote a value. */
const TELLING: ReadonlySet<string> = new Set([
  "ConnectionError",
  "AuthenticationError",
  "AuthorizationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError",
])

export const databaseError = ({ reason }: SqlError): DatabaseError => {
  const code = fieldOf(reason.cause, "code")
  const constraint = fieldOf(reason.cause, "constraint")
  const about = constraint === undefined ? "" : ` (${constraint})`
  const said = fieldOf(reason.cause, "message") ?? ""
  return new DatabaseError({
    code,
    message:
      said !== "" && (code === undefined || TELLING.has(reason._tag))
        ? `${said}${about}`
        : `PostgreSQL answered ${reason._tag} ${code ?? ""}${about}`,
  })
}

/** Whether the server has no space, memory or connections left, or is read-only. */
const isUnable = (code: string): boolean => code.startsWith("53") || isReadOnly(code)

const isReadOnly = (code: string): boolean => code === "25006"

const isShutdown = (code: string): boolean => code.startsWith("57P")

/** Returns the SQLSTATE of an error of a session, or of a group's failure. */
const codeOf = (error: unknown): string => {
  if (error instanceof GroupFailure) return error.cause.code ?? ""
  return isSqlError(error) ? (fieldOf(error.reason.cause, "code") ?? "") : ""
}

/** Whether the server is read-only. After a failover it may be the former primary. */
export const meansReadOnly = (error: unknown): boolean => isReadOnly(codeOf(error))

/** Whether the server ends its sessions. */
export const meansShutdown = (error: unknown): boolean => isShutdown(codeOf(error))

/** Returns what keeps a server from taking writes. */
export const troubleOf = ({ code = "" }: DatabaseError): StoreTrouble => {
  if (isReadOnly(code)) return "read_only"
  if (code === "53100") return "full"
  if (code === "53300") return "no_connections"
  if (code === "NO_ANSWER" || code === "BUSY") return "no_answer"
  return /^[0-9A-Z]{5}$/.test(code) && !isShutdown(code) ? "refused" : "unreachable"
}

/** Returns what happened to a group that the database answered with an error, or not at all. */
export const groupFailure = (error: SqlError): GroupFailure => {
  const { reason } = error
  const cause = databaseError(error)
  const code = cause.code ?? ""
  const fail = (type: GroupFailure["type"]) => new GroupFailure({ type, cause })
  if (reason.operation === "connect") return fail("unsent")
  switch (reason._tag) {
    case "ConnectionError":
      return fail("lost")
    case "SerializationError":
    case "DeadlockError":
      return fail("again")
    case "UniqueViolation": {
      const existing = /^Key \(id\)=\(([^)]*)\)/.exec(fieldOf(reason.cause, "detail") ?? "")?.[1]
      return new GroupFailure({
        type: "taken",
        cause,
        constraint: reason.constraint,
        ...(existing === undefined ? {} : { existing }),
      })
    }
    default:
      if (code === RACED) return fail("again")
      // The session may have ended after the commit and before its answer.
      if (isShutdown(code)) return fail("lost")
      return fail(isUnable(code) ? "unable" : "refused")
  }
}
