import type { Effect } from "effect"
import type { Failure } from "../../../../core/shared/Failure.ts"

/** The worlds that the console may begin. */
export interface Offer {
  readonly scenarios: ReadonlyArray<{
    readonly name: string
    readonly about: string
    /** The default number of payments. */
    readonly payments: number
  }>
  readonly most_payments: number
  /** The world that the caller already has. */
  readonly world: string | null
}

/** Receives a world's messages as JSON. `ended` tells why there are no more. */
export interface Watcher {
  readonly hear: (json: string) => void
  readonly ended: (why: string) => void
}

/**
 * Simulated worlds in this process. Each belongs to the owner that began it. For others it does not
 * exist: they get `NOT_FOUND`.
 */
export interface LiveWorlds {
  readonly offer: (owner: string) => Effect.Effect<Offer>
  /**
   * Begins a world, and ends the owner's previous one. Fails with `INVALID_REQUEST` for an invalid
   * wish, and with `TEMPORARILY_UNAVAILABLE` if too many worlds run.
   */
  readonly begin: (owner: string, wish: unknown) => Effect.Effect<{ readonly id: string }, Failure>
  /** Checks that the world exists. */
  readonly find: (owner: string, id: string) => Effect.Effect<void, Failure>
  /** Runs or pauses a world, or advances it to an event. */
  readonly command: (owner: string, id: string, command: unknown) => Effect.Effect<void, Failure>
  /** Returns a payment's story so far. */
  readonly story: (owner: string, id: string, payment: string) => Effect.Effect<object, Failure>
  /** Returns the text of the run's file, with which the run can be repeated elsewhere. */
  readonly file: (owner: string, id: string) => Effect.Effect<string, Failure>
  /** Sends the world's state, and then its changes. Returns the function that stops it. */
  readonly watch: (
    owner: string,
    id: string,
    watcher: Watcher,
  ) => Effect.Effect<() => void, Failure>
  readonly end: (owner: string, id: string) => Effect.Effect<void, Failure>
  /** Ends all worlds. */
  readonly close: Effect.Effect<void>
}
