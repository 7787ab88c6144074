import type { Redacted } from "effect"

/** How far a connection is encrypted, and the server's certificate looked at: libpq's modes. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full"

/** TLS as libpq has it. What names a file is its path. */
export interface TlsSettings {
  readonly mode: TlsMode
  /** The authorities that the server's certificate is held to; `system` for the machine's own. */
  readonly rootCertificate?: string
  /** Who this process is, for servers that ask for certificates; always with the key. */
  readonly certificate?: string
  readonly key?: string
}

/** One server: a name, an address or a folder that holds a socket, and its port. */
export interface ServerPlace {
  readonly host: string
  readonly port: number
}

/** What a server has to be to be used: anything, or the one that takes writes. */
export type TargetSession = "any" | "read-write"

/** Servers that follow the primary, and how far behind one may be that answers. */
export interface ReplicaSettings {
  /** Each is one server: what was found about it has to hold for the next question. */
  readonly servers: ReadonlyArray<ConnectionSettings>
  /** In seconds. 10 by default. */
  readonly longestLag?: number
}

/** Where the database is and who asks. `host` may be a folder that holds a socket. */
export interface ConnectionSettings {
  readonly host?: string
  readonly port?: number
  /** Further servers of the same database, to be tried in this order behind the first. */
  readonly otherServers?: ReadonlyArray<ServerPlace>
  /** `read-write` where a URL names several servers and says nothing, else `any`. */
  readonly targetSession?: TargetSession
  readonly database?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  /** Without it nothing is encrypted. */
  readonly tls?: TlsSettings
  /** What PostgreSQL calls `options`, such as `-c search_path=payments`. */
  readonly startupOptions?: string
  readonly applicationName?: string
  /** Seconds that making a connection may take. 2 by default. */
  readonly connectTimeout?: number
  /**
   * The schema of the tables, by its name as it is. Without it: `payport`, or `public` where that
   * has a payport already.
   */
  readonly schema?: string | undefined
  /**
   * The server itself, where the rest of the settings name a pooler that shares sessions between
   * its clients: for what needs a session of its own.
   */
  readonly direct?: ConnectionSettings
  /** Connections for short reads, each of which carries many at a time. 2 by default. */
  readonly readConnections?: number
  /** Connections for longer reads and for upkeep. 4 by default. */
  readonly workConnections?: number
  /** Who answers lists, searches and reports; without it the primary does. */
  readonly replicas?: ReplicaSettings
}
