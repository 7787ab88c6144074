import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../../core/ports/WebhookSender.ts"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { anAccount, aService, id, T0 } from "../../support/records.ts"
import { testClock } from "../../support/testClock.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

export const DELIVERED: WebhookOutcome = { status: 200, duration_ms: 3 }

type Answer = (request: WebhookRequest) => Effect.Effect<WebhookOutcome>

/** The core over the memory store with everything that a worker needs. */
export const workWorld = (said: { readonly script?: Script; readonly answer?: Answer } = {}) =>
  Layer.mergeAll(
    world(said.script ?? makeScript()),
    testClock,
    Layer.succeed(WebhookSender, { send: said.answer ?? (() => Effect.succeed(DELIVERED)) }),
  )

const vault = makeVault(new Uint8Array(32).fill(7))

/** Account n with a valid webhook secret, and its service n. */
export const withService = (n: number): Commit["writes"] => [
  {
    op: "insert",
    kind: "account",
    record: anAccount({
      n,
      webhook_secret: vault.seal(webhookSecretPlace(id("acct", n)), `whsec_${n}`),
    }),
  },
  {
    op: "insert",
    kind: "service",
    record: aService({
      n,
      account_id: id("acct", n),
      endpoint: `https://receiver-${n}.example/hooks`,
    }),
  },
]

/** Returns the number of the service that receives the request. */
export const receiverOf = ({ url }: WebhookRequest): number =>
  Number(/receiver-(\d+)/.exec(url)?.[1])

/** Sets the clock to T0 and stores the writes. */
export const stored = (...writes: ReadonlyArray<Commit["writes"]>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    yield* (yield* Store).commit({ writes: writes.flat() })
  })

/** One write that inserts a record. */
export const insert = <K extends string, R>(kind: K, record: R) =>
  ({ op: "insert", kind, record }) as const
