import { Effect, Result } from "effect"
import type { Core } from "../../adapters/http/handlers/Core.ts"
import type { Route } from "../../adapters/http/koa/Route.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { receiveCallback } from "../../core/dispatch/receiveCallback.ts"
import type { CallbackHeaders } from "../../core/gateway/ChannelCallback.ts"
import type { IntentView } from "../../core/payments/IntentView.ts"
import { invalidField } from "../../core/shared/Failure.ts"
import { forgetConsumer } from "../../core/webhooks/consumers/nameConsumers.ts"
import type { Caller, Callers, Resolve } from "./Caller.ts"
import { callMethod, readArguments } from "./callMethod.ts"
import { follow, type PaymentFeed } from "./follow.ts"
import { hostCaller } from "./hostCaller.ts"
import type { CallOptions } from "./Method.ts"
import type { Runner } from "./Runner.ts"

/** Methods that have a form of their own. */
export interface OwnForms {
  readonly resources: OwnMethods
  readonly own: {
    /** Returns a caller that the host has identified itself. Rejects with `NOT_FOUND`. */
    readonly caller: (accountId: string) => Promise<Caller>
    /**
     * Removes a consumer whose hook is no longer used: its waiting events are dropped. Resolves
     * with false if the store has no consumer of that name.
     */
    readonly forgetConsumer: (name: string) => Promise<boolean>
  }
}

/** Such methods that belong to a resource with other methods. */
export interface OwnMethods {
  readonly accounts: {
    /** Returns the owner of an API key. Rejects with `INVALID_API_KEY` and `ACCOUNT_SUSPENDED`. */
    readonly authenticate: (apiKey: string) => Promise<Caller>
  }
  readonly intents: {
    /** Yields the states of a payment as they change: first the current one, last the final one. */
    readonly follow: (
      caller: Caller,
      id: string,
      options?: Pick<CallOptions, "signal">,
    ) => AsyncGenerator<IntentView, void>
  }
  readonly channels: {
    /**
     * Processes a channel's callback: its raw body, and its signature or all of its headers.
     * Rejects with `webhook_signature_invalid` if the signature is wrong.
     */
    readonly receiveCallback: (
      channel: string,
      body: Uint8Array | string,
      signature: string | CallbackHeaders,
    ) => Promise<{ readonly received: true }>
  }
}

const FOLLOWED = "paymentIntents.events"

/** Returns the headers that are strings; a bare signature is put under its usual header. */
const headersOf = (given: unknown): { readonly [name: string]: string | undefined } => {
  if (typeof given === "string") return { "x-channel-signature": given }
  const named = typeof given === "object" && given !== null ? Object.entries(given) : []
  return Object.fromEntries(
    named.flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
    ),
  )
}

/** Reads a callback as a program passes it. A body that is a string stands for its UTF-8. */
const readCallback = (channel: unknown, body: unknown, signature: unknown) => {
  if (typeof channel !== "string") return Effect.fail(invalidField("channel", "must be text"))
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    return Effect.fail(invalidField("body", "must be the body as it was sent"))
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
  const headers = headersOf(signature)
  return receiveCallback(channel, bytes, headers["x-channel-signature"], headers)
}

/** Makes the methods that have no route, or that differ from their route. */
export const ownFormsOf = <R>(
  routes: ReadonlyMap<string, Route<R>>,
  callers: Callers<R | Core>,
  runner: Runner<R | Core>,
): OwnForms => {
  const callerBy = (resolve: Resolve<Core>) =>
    runner.run(Effect.map(resolve, (found) => callers.make(found, resolve)))

  const feedOf = (args: ReadonlyArray<unknown>) => {
    const route = routes.get(FOLLOWED)
    if (route === undefined) throw new Error(`The contract has no use case ${FOLLOWED}.`)
    return Result.map(readArguments(route, args), (read) => ({
      signal: read.options.signal,
      open: Effect.map(
        callMethod<R | Core>(route, callers, read, undefined),
        (feed) => feed as PaymentFeed<R | Core>,
      ),
    }))
  }

  return {
    resources: {
      accounts: {
        // A value that is not a string is treated like an unknown key.
        authenticate: (apiKey: unknown) =>
          callerBy(authenticate(`Bearer ${typeof apiKey === "string" ? apiKey : "none"}`)),
      },
      intents: {
        follow: (...args) => {
          const feed = feedOf(args)
          return Result.isFailure(feed)
            ? follow(runner, Effect.fail(feed.failure), undefined)
            : follow(runner, feed.success.open, feed.success.signal)
        },
      },
      channels: {
        receiveCallback: (channel, body, signature) =>
          runner.run(readCallback(channel, body, signature)),
      },
    },
    own: {
      caller: (accountId) => callerBy(hostCaller(accountId)),
      forgetConsumer: (name) => runner.run(forgetConsumer(name)),
    },
  }
}
