import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sealingKey } from "../../../adapters/crypto/DataKeys.ts"
import { vaultOver } from "../../../adapters/crypto/Vault.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { dataPlace } from "../../../core/kyc/verifications/Verification.ts"
import { ALL_KINDS, KINDS, Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { resealRecords } from "../../../core/secrets/resealRecords.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { anAccount, anEndpoint, id, T0, verificationIn } from "../../support/records.ts"
import { sourceFiles, sourceText } from "../../support/sourceFiles.ts"

const keys = ["AAAAAAAA", "BBBBBBBB"].map((name, n) =>
  sealingKey(name, new Uint8Array(32).fill(n + 1)),
)

/** A vault with both keys, which seals under the one at that place. */
const vaultUnder = (n: number) =>
  vaultOver({
    root: new Uint8Array(32),
    current: () => keys[n]!,
    find: (name) => keys.find((key) => key.id === name),
    refresh: Effect.succeed(true),
  })

const [before, after] = [vaultUnder(0), vaultUnder(1)]

const account = () => {
  const place = webhookSecretPlace(id("acct", 1))
  const previous = { reason: "leaked", replaced_at: T0, expires_at: T0 + 9 }
  return anAccount({
    webhook_secret: before.seal(place, "whsec_now"),
    previous_webhook_secrets: [{ ...previous, secret: before.seal(place, "whsec_then") }],
  })
}

const world = Layer.mergeAll(MemoryStore.layer, Layer.succeed(Vault, after))

describe("sealing again", () => {
  it.effect("leaves every secret what it was, under the new key", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const endpoint = anEndpoint({
        secret: before.seal(endpointSecretPlace(id("we", 1)), "whsec_endpoint"),
      })
      const verification = verificationIn("verified", {
        sealed: before.seal(dataPlace(id("kyc", 1)), '{"data":{}}'),
      })
      const erased = verificationIn("verified", { n: 2, sealed: null })
      yield* store.commit({
        writes: [
          { op: "insert", kind: "account", record: account() },
          { op: "insert", kind: "endpoint", record: endpoint },
          { op: "insert", kind: "verification", record: verification },
          { op: "insert", kind: "verification", record: erased },
        ],
      })
      const first = yield* resealRecords("BBBBBBBB")
      expect([first.changed, first.missed, first.named.size]).toEqual([3, 0, 0])
      expect((yield* resealRecords("BBBBBBBB")).changed).toBe(0)

      const found = yield* store.find("account", id("acct", 1))
      const place = webhookSecretPlace(id("acct", 1))
      const secrets = [found!.webhook_secret, found!.previous_webhook_secrets[0]!.secret]
      expect(secrets.map(after.keyOf)).toEqual(["BBBBBBBB", "BBBBBBBB"])
      expect(yield* after.open(place, secrets[0]!)).toBe("whsec_now")
      expect(yield* after.open(place, secrets[1]!)).toBe("whsec_then")
      const held = yield* store.find("verification", id("kyc", 1))
      expect(yield* after.open(dataPlace(id("kyc", 1)), held!.sealed!)).toBe('{"data":{}}')
    }).pipe(Effect.provide(world)),
  )

  it.effect("tells of what others changed meanwhile, which the next walk comes to", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ writes: [{ op: "insert", kind: "account", record: account() }] })
      const stale = Store.of({
        ...store,
        scan: (kind, page) =>
          Effect.map(store.scan(kind, page), (records) =>
            records.map((record) => ({ ...record, version: record.version + 1 })),
          ),
      })
      const walked = yield* Effect.provideService(resealRecords("BBBBBBBB"), Store, stale)
      expect(walked).toEqual({ changed: 0, missed: 1, named: new Set(["AAAAAAAA"]) })
    }).pipe(Effect.provide(world)),
  )
})

describe("what is sealed", () => {
  it("is declared by its kind, or goes within a day, or is the sandbox's", async () => {
    expect(ALL_KINDS.filter((kind) => KINDS[kind].sealed !== undefined).toSorted()).toEqual([
      "account",
      "endpoint",
      "verification",
    ])
    const files = await sourceFiles()
    const own = files.filter((path) => /^(?:core|adapters)\/.*\.ts$/.test(path))
    const texts = await Promise.all(own.map(sourceText))
    const sealing = own.filter((_, n) => /\bseal\(/.test(texts[n] ?? ""))
    expect(sealing).toEqual([
      "adapters/channels/sandbox/ChannelSettings.ts",
      "adapters/crypto/Vault.ts",
      "adapters/identity/sandbox/inbox.ts",
      "adapters/pages/console/sessions.ts",
      "core/accounts/createAccount.ts",
      "core/idempotency/requestKey.ts",
      "core/kyc/verifications/sealedData.ts",
      "core/secrets/resealRecords.ts",
      "core/webhooks/endpoints/createEndpoint.ts",
      "core/webhooks/endpoints/rotateSecret.ts",
    ])
  })
})
