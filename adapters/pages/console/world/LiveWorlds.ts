import type { Effect } from "effect"
import type { Failure } from "../../../../core/shared/Failure.ts"

/** What the console may begin. */
export interface Offer {
  readonly scenarios: ReadonlyArray<{
    readonly name: string
    readonly about: string
    /** How many payments are played unless another number is asked for. */
    readonly payments: number
  }>
  readonly most_payments: number
  /** The world that the asker has already. */
  readonly world: string | null
}

/** Hears what a world tells, as JSON; `ended` says why it tells no more. */
export interface Watcher {
  readonly hear: (json: string) => void
  readonly ended: (why: string) => void
}

/**
 * Simulated worlds that play in this process, each for whoever began it: to others there is none,
 * and they are refused with `NOT_FOUND`.
 */
export interface LiveWorlds {
  readonly offer: (owner: string) => Effect.Effect<Offer>
  /**
   * Begins a world and ends the one that its owner had. Fails with `INVALID_REQUEST` for what is
   * no wish for one, and with `TEMPORARILY_UNAVAILABLE` where too many play.
   */
  readonly begin: (owner: string, wish: unknown) => Effect.Effect<{ readonly id: string }, Failure>
  /** Whether there is that one. */
  readonly find: (owner: string, id: string) => Effect.Effect<void, Failure>
  /** Has it play, stand still, or go on to something. */
  readonly command: (owner: string, id: string, command: unknown) => Effect.Effect<void, Failure>
  /** A payment's story as far as it has come. */
  readonly story: (owner: string, id: string, payment: string) => Effect.Effect<object, Failure>
  /** The text of the run's file, with which it can be run again elsewhere. */
  readonly file: (owner: string, id: string) => Effect.Effect<string, Failure>
  /** Tells all that is there, and then what changes; returns how to stop hearing of it. */
  readonly watch: (
    owner: string,
    id: string,
    watcher: Watcher,
  ) => Effect.Effect<() => void, Failure>
  readonly end: (owner: string, id: string) => Effect.Effect<void, Failure>
  /** Ends all of them. */
  readonly close: Effect.Effect<void>
}
