import { Context, type Effect, type Scope } from "effect"
import type { Store } from "../../../../core/ports/Store.ts"

/**
 * Where the connection of a commit breaks: before the server has received any of the request, while
 * the server is at work on it, or after it has finished and before its answer arrives.
 */
export const CUT_POINTS = ["before_request", "at_work", "before_answer"] as const
/** A moment of a commit at which a store can be cut off. */
export type CutPoint = (typeof CUT_POINTS)[number]

/**
 * What a store with a server behind it can be made to suffer. It is built together with the `Store`
 * that it acts on, and every build has a database of its own.
 */
export class StoreFaults extends Context.Service<
  StoreFaults,
  {
    /**
     * Runs `commit` and breaks the connection that carries it, once, at the point. Answers what
     * `commit` answered, after the server is done with the broken connection: what it stored of the
     * commit can be read from then on, and nothing is added later.
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
    /** The same database as another process of the service has it: with connections of its own. */
    readonly another: Store["Service"]
  }
>()("payport/testing/StoreFaults") {}
