import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import * as revokers from "../../../adapters/revokers/layer.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../../core/ports/WebhookSender.ts"
import type { PendingRevocation } from "../../../core/revocations/Revocation.ts"
import { anAccount, id, revocationIn, T0, uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

const vault = makeVault(new Uint8Array(32).fill(7))
const secret = "whsec_of_the_seller"
const revoke_url = "https://seller.example/revoke"

const withAnswer = (sent: Array<WebhookRequest>, answer: Omit<WebhookOutcome, "duration_ms">) =>
  revokers.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
        Layer.succeed(WebhookSender, {
          send: (request) => {
            sent.push(request)
            return Effect.succeed({ duration_ms: 3, ...answer })
          },
        }),
      ),
    ),
    Layer.provideMerge(world(makeScript())),
  )

const open = (sealed = vault.seal(webhookSecretPlace(id("acct", 1)), secret)) =>
  Effect.flatMap(Store, (store) =>
    store.commit({
      writes: [{ op: "insert", kind: "account", record: anAccount({ webhook_secret: sealed }) }],
    }),
  )

const order = (attempt: number, said: Parameters<typeof revocationIn>[1] = {}) => ({
  revocation: revocationIn("pending", said) as PendingRevocation,
  attempt,
  revoke_url,
})

const revoke = (given: ReturnType<typeof order> | { readonly revoke_url: null }) =>
  Effect.flatMap(Revoker, (revoker) => revoker.revoke({ ...order(1), ...given }))

describe("a seller's own system", () => {
  it.effect("is asked by the same signed request at every attempt", () => {
    const sent: Array<WebhookRequest> = []
    return Effect.gen(function* () {
      yield* open()
      expect(yield* revoke(order(1))).toStrictEqual({ type: "revoked" })
      expect(yield* revoke(order(2))).toStrictEqual({ type: "revoked" })
      const [first, second] = sent
      expect(second).toStrictEqual(first)
      expect(first?.url).toBe(revoke_url)
      expect(JSON.parse(first?.body ?? "")).toStrictEqual({
        id: id("rvk", 1),
        refund_id: id("ref", 1),
        payment_intent: id("pi", 1),
        service_id: uuid(1),
        target_type: "access_token",
        target_id: "token-1",
        scope: "all",
      })
      const t = T0 / 1_000
      expect(first?.headers).toStrictEqual({
        "Content-Type": "application/json",
        "Webhook-Signature": `t=${t},v1=${vault.hmac(secret, `${t}.${first?.body}`)}`,
        "Idempotency-Key": id("rvk", 1),
      })
    }).pipe(Effect.provide(withAnswer(sent, { status: 204 })))
  })

  it.effect("is asked under every secret in force while the account's is replaced", () => {
    const sent: Array<WebhookRequest> = []
    return Effect.gen(function* () {
      const seal = (text: string) => vault.seal(webhookSecretPlace(id("acct", 1)), text)
      const replaced = (text: string, expires_at: number) => ({
        secret: seal(text),
        reason: "routine",
        replaced_at: 0,
        expires_at,
      })
      const previous_webhook_secrets = [replaced("whsec_before", 1), replaced("whsec_gone", 0)]
      const record = anAccount({ webhook_secret: seal(secret), previous_webhook_secrets })
      yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "account", record }] })
      yield* revoke(order(1))
      const { body = "", headers } = sent[0] ?? {}
      const t = T0 / 1_000
      const signed = [secret, "whsec_before"].map((key) => vault.hmac(key, `${t}.${body}`))
      expect(headers?.["Webhook-Signature"]).toBe(`t=${t},v1=${signed[0]},v1=${signed[1]}`)
    }).pipe(Effect.provide(withAnswer(sent, { status: 204 })))
  })

  const unavailable = "revocation_unavailable"
  const answers: ReadonlyArray<readonly [Omit<WebhookOutcome, "duration_ms">, string]> = [
    [{ status: 404 }, "revocation_target_not_found"],
    [{ status: 410 }, "revocation_target_not_found"],
    [{ status: 401 }, "permission_error"],
    [{ status: 403 }, "permission_error"],
    [{ status: 302 }, unavailable],
    [{ status: 429 }, unavailable],
    [{ status: 500 }, unavailable],
    [{ status: null, error: "timeout" }, unavailable],
    [{ status: null, error: "address_forbidden" }, unavailable],
  ]
  for (const [answer, code] of answers) {
    it.effect(`that answers ${JSON.stringify(answer)}: ${code}`, () =>
      Effect.gen(function* () {
        yield* open()
        expect(yield* revoke(order(1))).toMatchObject({ type: "failed", error: { code } })
      }).pipe(Effect.provide(withAnswer([], answer))),
    )
  }

  it.effect("is not asked without a signature", () => {
    const sent: Array<WebhookRequest> = []
    return Effect.gen(function* () {
      const outcome = { type: "failed", error: { code: unavailable } }
      expect(yield* revoke(order(1))).toMatchObject(outcome)
      yield* open("sealed by nobody")
      expect(yield* revoke(order(1))).toMatchObject(outcome)
      expect(sent).toStrictEqual([])
    }).pipe(Effect.provide(withAnswer(sent, { status: 200 })))
  })

  it.effect("is not asked where there is none, nor for the sandbox's own targets", () => {
    const sent: Array<WebhookRequest> = []
    return Effect.gen(function* () {
      yield* open()
      expect(yield* revoke({ revoke_url: null })).toStrictEqual({ type: "revoked" })
      expect(yield* revoke(order(1, { target_id: "missing_1" }))).toMatchObject({ type: "failed" })
      expect(yield* revoke(order(2, { target_id: "flaky_1" }))).toMatchObject({ type: "failed" })
      expect(sent).toStrictEqual([])
      expect(yield* revoke(order(3, { target_id: "flaky_1" }))).toStrictEqual({ type: "revoked" })
      expect(sent).toHaveLength(1)
    }).pipe(Effect.provide(withAnswer(sent, { status: 200 })))
  })
})
