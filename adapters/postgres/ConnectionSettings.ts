import type { Redacted } from "effect"

/** Where the database is: a URL, or its parts. `host` may be a folder that holds a socket. */
export interface ConnectionSettings {
  readonly url?: Redacted.Redacted
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  /** Connections for short reads, each of which carries many at a time. 2 by default. */
  readonly readConnections?: number
  /** Connections for longer reads and for upkeep. 4 by default. */
  readonly workConnections?: number
}
