import { it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { describe, expect } from "vitest"
import * as VaultAdapter from "../../../adapters/crypto/Vault.ts"
import * as IdsAdapter from "../../../adapters/crypto/Ids.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import * as receiverAddress from "../../../adapters/webhooks/receiverAddress.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createEndpoint } from "../../../core/webhooks/endpoints/createEndpoint.ts"
import { rotateSecret } from "../../../core/webhooks/endpoints/rotateSecret.ts"
import {
  accountSecrets,
  endpointSecrets,
} from "../../../core/webhooks/deliveries/signingSecrets.ts"
import { open } from "../../support/core.ts"
import { installation } from "../../support/installation.ts"
import { testDatabase } from "../../support/postgres.ts"
import { stillClock } from "../../support/stillClock.ts"

/** Retries without a limit: with a stopped clock, no process asks again meanwhile. */
const patiently = { schedule: Schedule.spaced("10 millis") }

describe("a rotated secret", () => {
  it.live("signs what another process sends as soon as it is heard of", () =>
    Effect.gen(function* () {
      stillClock()
      const database = yield* testDatabase
      // A vault each, over the installation's one key, as two processes have it.
      const process = Layer.mergeAll(
        PostgresStore.layer(database),
        VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7))),
        IdsAdapter.layer,
        receiverAddress.layer,
      ).pipe(Layer.provideMerge(installation()))
      const one = yield* Layer.build(Layer.fresh(process))
      const other = yield* Layer.build(Layer.fresh(process))
      const caller = yield* Effect.provideContext(open("seller"), one)
      const endpoint = yield* Effect.provideContext(
        createEndpoint(caller, { url: "https://receiver.example", enabled_events: ["*"] }),
        one,
      )
      const store = Context.get(other, Store)
      const signing = Effect.gen(function* () {
        const account = yield* store.find("account", caller.account.id)
        const told = yield* store.find("endpoint", endpoint.id)
        return [...(yield* accountSecrets(account!)), ...(yield* endpointSecrets(told!))]
      }).pipe(Effect.provideContext(other))

      yield* Effect.sleep("100 millis")
      const before = yield* signing
      expect(before).toStrictEqual([before[0], endpoint.secret])
      const rotated = yield* Effect.all([
        rotateSecret(caller, { reason: "leak", grace_period_seconds: 0 }),
        rotateSecret(caller, {
          reason: "yearly",
          grace_period_seconds: 60,
          endpoint_id: endpoint.id,
        }),
      ]).pipe(Effect.provideContext(one))
      const expected = [...rotated.map(({ secret }) => secret), endpoint.secret]
      const heard = yield* Effect.repeat(signing, {
        ...patiently,
        until: (secrets) => secrets.join() === expected.join(),
      })
      expect(heard).toStrictEqual(expected)
    }),
  )
})
