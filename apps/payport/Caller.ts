import type { Effect } from "effect"
import type { Caller as CoreCaller } from "../../core/accounts/Account.ts"
import type { HandlerError } from "../../adapters/http/koa/Handlers.ts"
import { Failure } from "../../core/shared/Failure.ts"

/** Finds the caller again for each call, since the key may have been revoked in between. */
export type Resolve<R> = Effect.Effect<CoreCaller, HandlerError, R>

/**
 * A caller, as returned by `payport.accounts.authenticate` and `payport.caller`. It can be kept:
 * the next call refuses a suspended account or a revoked key. It works only with the payport that
 * made it.
 */
export interface Caller {
  readonly accountId: string
  readonly kind: "seller" | "buyer"
  readonly agentId: string
}

const unknownCaller = () =>
  new Failure({
    code: "UNAUTHORIZED",
    message:
      "The first argument has to be a caller of this payport: use what " +
      "payport.accounts.authenticate(apiKey) or payport.caller(accountId) gives.",
    field: "caller",
  })

/** The callers that a payport has made. Objects that only look the same are refused. */
export class Callers<R> {
  readonly #known = new WeakMap<object, Resolve<R>>()

  make({ account }: CoreCaller, resolve: Resolve<R>): Caller {
    const { agent_id: agentId, id: accountId, kind } = account
    const caller: Caller = Object.freeze({ accountId, kind, agentId })
    this.#known.set(caller, resolve)
    return caller
  }

  /** Returns how to find the caller; a failure if this payport has not made it. */
  find(given: unknown): Resolve<R> | Failure<"UNAUTHORIZED"> {
    const known = typeof given === "object" && given !== null ? this.#known.get(given) : undefined
    return known ?? unknownCaller()
  }
}
