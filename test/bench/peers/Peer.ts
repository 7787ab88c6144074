/** Libraries that run jobs on PostgreSQL. */
export const LIBRARIES = ["graphile-worker", "pg-boss"] as const
export type Library = (typeof LIBRARIES)[number]

/** Deliveries that a peer is to make. */
export interface PeerJob {
  readonly library: Library
  /** The folder that the libraries are installed in. */
  readonly folder: string
  readonly databaseUrl: string
  readonly ports: ReadonlyArray<number>
  readonly count: number
  /** The body that each of them posts. */
  readonly body: string
}

/** `ready` once all jobs are stored, after which it waits for `go`. */
export type PeerSaid = "ready" | { readonly failed: string }
