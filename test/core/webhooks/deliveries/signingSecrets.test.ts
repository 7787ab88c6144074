import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as VaultAdapter from "../../../../adapters/crypto/Vault.ts"
import { webhookSecretPlace } from "../../../../core/accounts/Account.ts"
import { Vault } from "../../../../core/ports/Vault.ts"
import { endpointSecretPlace } from "../../../../core/webhooks/endpoints/Endpoint.ts"
import {
  accountSecrets,
  endpointSecrets,
} from "../../../../core/webhooks/deliveries/signingSecrets.ts"
import { anAccount, anEndpoint, id, T0 } from "../../../support/records.ts"

const vault = VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7)))

const sealedAt = Effect.fnUntraced(function* (place: string) {
  const { seal } = yield* Vault
  const previous = (secret: string, expires_at: number) => ({
    secret: seal(place, secret),
    reason: "a test",
    replaced_at: T0,
    expires_at,
  })
  return {
    secret: seal(place, "current"),
    previous: [previous("older", T0 + 10), previous("oldest", T0 + 5)],
  }
})

describe("the secrets that sign", () => {
  it.effect("an endpoint's webhooks are opened, those in their grace behind the current one", () =>
    Effect.gen(function* () {
      const { previous, secret } = yield* sealedAt(endpointSecretPlace(id("we", 1)))
      const endpoint = anEndpoint({ secret, previous_secrets: previous })
      yield* TestClock.setTime(T0)
      expect(yield* endpointSecrets(endpoint)).toStrictEqual(["current", "older", "oldest"])
      yield* TestClock.setTime(T0 + 5)
      expect(yield* endpointSecrets(endpoint)).toStrictEqual(["current", "older"])
      yield* TestClock.setTime(T0 + 10)
      expect(yield* endpointSecrets(endpoint)).toStrictEqual(["current"])
    }).pipe(Effect.provide(vault)),
  )

  it.effect("an account's webhooks too, and open nowhere else", () =>
    Effect.gen(function* () {
      const { previous, secret } = yield* sealedAt(webhookSecretPlace(id("acct", 1)))
      const secrets = { webhook_secret: secret, previous_webhook_secrets: previous }
      yield* TestClock.setTime(T0 + 9)
      expect(yield* accountSecrets(anAccount(secrets))).toStrictEqual(["current", "older"])
      const moved = yield* Effect.flip(accountSecrets(anAccount({ n: 2, ...secrets })))
      expect(moved._tag).toBe("Unsealable")
      const borrowed = anEndpoint({ secret, previous_secrets: previous })
      expect((yield* Effect.flip(endpointSecrets(borrowed)))._tag).toBe("Unsealable")
    }).pipe(Effect.provide(vault)),
  )
})
