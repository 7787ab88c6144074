import { defineKind } from "../commits/KindDeclaration.ts"
import { HOUR, type Timestamp } from "../shared/Timestamp.ts"

/** The longest duration of a console session, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/**
 * A console session that has not been ended. The browser's cookie contains the sealed credentials.
 * Without this record the cookie is invalid.
 */
export interface ConsoleSession {
  /** `cses_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** By the machine's clock, which a sandbox does not move. */
  readonly created_at: Timestamp
}

/** Tells whether the session has expired. */
export const hasEndedByAge = ({ created_at }: ConsoleSession, now: Timestamp): boolean =>
  now >= created_at + SESSION_LIFETIME

declare module "../commits/Records.ts" {
  interface Records {
    readonly console_session: ConsoleSession
  }
}

/** How the store keeps sessions. Each request reads one. */
export const consoleSessionKind = defineKind("console_session", {
  prefix: "cses",
  erased: false,
  cached: "found",
})
