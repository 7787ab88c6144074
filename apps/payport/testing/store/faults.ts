import { Context, type Effect, type Scope } from "effect"
import type { Store } from "../../../../core/ports/Store.ts"

/**
 * Where the connection of a commit breaks: before the server has received any of the request, while
 * the server processes it, or after it has finished and before its answer arrives.
 */
export const CUT_POINTS = ["before_request", "at_work", "before_answer"] as const
/** A moment of a commit at which the connection can be cut. */
export type CutPoint = (typeof CUT_POINTS)[number]

/**
 * The faults of a store with a server. They are built together with the `Store` that they affect;
 * every build has its own database.
 */
export class StoreFaults extends Context.Service<
  StoreFaults,
  {
    /**
     * Runs `commit` and cuts its connection once, at the point. Returns the result of `commit`,
     * after the server is done with the broken connection: from then on the stored parts of the
     * commit can be read, and nothing is added later.
     */
    readonly cut: <A, E, R>(
      point: CutPoint,
      commit: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E, R>
    /**
     * Until the scope closes, the server raises an error when it stores an event with this
     * id, after it has stored other parts of the same commit.
     */
    readonly failOnEvent: (eventId: string) => Effect.Effect<void, unknown, Scope.Scope>
    /** Until the scope closes, the server refuses every connection and has dropped those it had. */
    readonly down: Effect.Effect<void, unknown, Scope.Scope>
    /** Another store on the same database, as another process has it, with its own connections. */
    readonly another: Store["Service"]
  }
>()("payport/testing/StoreFaults") {}
