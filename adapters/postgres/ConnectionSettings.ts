import type { Redacted } from "effect"

/** Encryption of a connection and verification of the server's certificate: the modes of libpq. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full"

/** TLS settings as in libpq. Files are given by their paths. */
export interface TlsSettings {
  readonly mode: TlsMode
  /** The certificate authorities for the server's certificate; `system` for the machine's own. */
  readonly rootCertificate?: string
  /** The client certificate, for servers that ask for one; always together with the key. */
  readonly certificate?: string
  readonly key?: string
}

/** One server: its host (a name, an address or a folder with a socket) and its port. */
export interface ServerPlace {
  readonly host: string
  readonly port: number
}

/** The role that a server must have: `any`, or `read-write` for the server that takes writes. */
export type TargetSession = "any" | "read-write"

/** The replicas, and the longest lag at which a replica may answer. */
export interface ReplicaSettings {
  /** Each entry is one server: what is known about it has to hold for the next query. */
  readonly servers: ReadonlyArray<ConnectionSettings>
  /** Seconds. 10 by default. */
  readonly longestLag?: number
}

/** Where the database is, and the login. `host` may be a folder that holds a socket. */
export interface ConnectionSettings {
  readonly host?: string
  readonly port?: number
  /** Further servers of the same database, tried in this order after the first. */
  readonly otherServers?: ReadonlyArray<ServerPlace>
  /** By default `read-write` if a URL names several servers, else `any`. */
  readonly targetSession?: TargetSession
  readonly database?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  /** Without it, the connection is not encrypted. */
  readonly tls?: TlsSettings
  /** PostgreSQL's `options`, such as `-c search_path=payments`. */
  readonly startupOptions?: string
  readonly applicationName?: string
  /** Time limit for opening a connection, in seconds. 2 by default. */
  readonly connectTimeout?: number
  /**
   * The schema of the tables, by its unquoted name. By default `payport`, or `public` if that
   * already holds a payport.
   */
  readonly schema?: string | undefined
  /**
   * The server itself, if the other settings name a pooler that shares sessions between its
   * clients. It is used for work that needs its own session.
   */
  readonly direct?: ConnectionSettings
  /** Connections for short reads. Each carries many reads at a time. 2 by default. */
  readonly readConnections?: number
  /** Connections for longer reads and for upkeep. 4 by default. */
  readonly workConnections?: number
  /** The replicas that answer lists, searches and reports. Without them the primary answers. */
  readonly replicas?: ReplicaSettings
}
