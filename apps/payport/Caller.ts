import type { Effect } from "effect"
import type { Caller as CoreCaller } from "../../core/accounts/Account.ts"
import type { HandlerError } from "../../adapters/http/koa/Handlers.ts"
import { Failure } from "../../core/shared/Failure.ts"

/** How a caller is found, anew for each call: its key may have been revoked in between. */
export type Resolve<R> = Effect.Effect<CoreCaller, HandlerError, R>

/**
 * Who calls, as `payport.accounts.authenticate` and `payport.caller` give it. It can be kept: an
 * account or a key that is suspended or revoked is refused at the next call. It is of the payport
 * that has made it alone.
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

/** The callers that a payport has made: nothing else is one, whatever it looks like. */
export class Callers<R> {
  readonly #known = new WeakMap<object, Resolve<R>>()

  make({ account }: CoreCaller, resolve: Resolve<R>): Caller {
    const { agent_id: agentId, id: accountId, kind } = account
    const caller: Caller = Object.freeze({ accountId, kind, agentId })
    this.#known.set(caller, resolve)
    return caller
  }

  /** How the caller is found; a failure for anything else. */
  find(given: unknown): Resolve<R> | Failure<"UNAUTHORIZED"> {
    const known = typeof given === "object" && given !== null ? this.#known.get(given) : undefined
    return known ?? unknownCaller()
  }
}
