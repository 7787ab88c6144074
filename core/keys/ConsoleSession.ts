import { defineKind } from "../commits/KindDeclaration.ts"
import { HOUR, type Timestamp } from "../shared/Timestamp.ts"

/** How long a session of the console lasts at most. */
export const SESSION_LIFETIME = 12 * HOUR

/**
 * A session of the console that has begun and that nobody has ended. What it opens is in its
 * browser's cookie, sealed; without this record the cookie opens nothing.
 */
export interface ConsoleSession {
  /** `cses_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** By the machine's own time, which a sandbox does not move. */
  readonly created_at: Timestamp
}

/** Whether the session has ended by its age. */
export const hasEndedByAge = ({ created_at }: ConsoleSession, now: Timestamp): boolean =>
  now >= created_at + SESSION_LIFETIME

declare module "../commits/Records.ts" {
  interface Records {
    readonly console_session: ConsoleSession
  }
}

/** How sessions are kept: each request looks at one. */
export const consoleSessionKind = defineKind("console_session", {
  prefix: "cses",
  erased: false,
  cached: "found",
})
