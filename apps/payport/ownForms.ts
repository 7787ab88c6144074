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
    /** An account of whom the host knows by itself that it calls. Rejects with `NOT_FOUND`. */
    readonly caller: (accountId: string) => Promise<Caller>
    /**
     * Ends that a consumer is told of events, whose hook is in use no more: what waits for it is
     * dropped. Resolves with false where the store has none of that name.
     */
    readonly forgetConsumer: (name: string) => Promise<boolean>
  }
}

/** Those beside the others of their resource. */
export interface OwnMethods {
  readonly accounts: {
    /** Who has that API key. Rejects with `INVALID_API_KEY` and `ACCOUNT_SUSPENDED`. */
    readonly authenticate: (apiKey: string) => Promise<Caller>
  }
  readonly intents: {
    /**
     * The states of a payment as they come: first the one that it is in, last the one that ends it.
     */
    readonly follow: (
      caller: Caller,
      id: string,
      options?: Pick<CallOptions, "signal">,
    ) => AsyncGenerator<IntentView, void>
  }
  readonly channels: {
    /**
     * Takes what a channel calls back: the body as it was sent, and its signature, or all of its
     * headers. Rejects with `webhook_signature_invalid` where that is wrong.
     */
    readonly receiveCallback: (
      channel: string,
      body: Uint8Array | string,
      signature: string | CallbackHeaders,
    ) => Promise<{ readonly received: true }>
  }
}

const FOLLOWED = "paymentIntents.events"

/** A signature by itself is that of its usual header; what is no text is none. */
const headersOf = (given: unknown): { readonly [name: string]: string | undefined } => {
  if (typeof given === "string") return { "x-channel-signature": given }
  const named = typeof given === "object" && given !== null ? Object.entries(given) : []
  return Object.fromEntries(
    named.flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
    ),
  )
}

/** A callback as a program hands it over: a body of text has been bytes of UTF-8. */
const readCallback = (channel: unknown, body: unknown, signature: unknown) => {
  if (typeof channel !== "string") return Effect.fail(invalidField("channel", "must be text"))
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    return Effect.fail(invalidField("body", "must be the body as it was sent"))
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
  const headers = headersOf(signature)
  return receiveCallback(channel, bytes, headers["x-channel-signature"], headers)
}

/** The methods that follow no route, or follow it otherwise. */
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
        // Of what is no text no key is made, and it is refused as one that nobody has.
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
