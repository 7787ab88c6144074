import { Effect, Layer } from "effect"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { denyList } from "../../../adapters/revokers/denyList.ts"
import * as revokers from "../../../adapters/revokers/layer.ts"
import {
  type RevocationTarget,
  revokerContract,
  type RevokerUnderTest,
} from "../../../apps/payport/testing/revokerContract.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { type RevocationOutcome, Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { type Flaws, noticesMutants } from "../../support/mutation.ts"
import { anAccount, id, T0 } from "../../support/records.ts"
import { runContract } from "../../support/runContract.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

type Service = Revoker["Service"]

const STATUSES = { unknown: 404, refused: 403, away: 503 }

const accessOf = ({ scope = "all", target_id, target_type }: RevocationTarget) =>
  `${target_type} ${target_id} ${scope}`

/** A seller's system that grants and revokes, and how it answers what it is sent. */
const aSystem = () => {
  const granted = new Set<string>()
  const target = (target_id: string): RevocationTarget => ({
    target_type: "access_token",
    target_id,
    account_id: id("acct", 1),
  })
  return {
    granted,
    target,
    answer: (body: string): number => {
      const told = JSON.parse(body) as Required<RevocationTarget>
      granted.delete(accessOf(told))
      return Object.entries(STATUSES).find(([name]) => name === told.target_id)?.[1] ?? 204
    },
  }
}

const sellerSystem = (change = (sound: Service) => sound): RevokerUnderTest => {
  const { answer, granted, target } = aSystem()
  let grants = 0
  const vault = makeVault(new Uint8Array(32).fill(7))
  const record = anAccount({
    webhook_secret: vault.seal(webhookSecretPlace(id("acct", 1)), "whsec_of_the_seller"),
  })
  const sender = Layer.succeed(WebhookSender, {
    send: ({ body }) => Effect.sync(() => ({ duration_ms: 1, status: answer(body) })),
  })
  const ours = Layer.effect(
    Revoker,
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ writes: [{ op: "insert", kind: "account", record }] })
      return change(yield* Revoker)
    }),
  ).pipe(
    Layer.provide(revokers.layer),
    Layer.provide(Layer.merge(sender, Layer.succeed(WallClock, { now: Effect.succeed(T0) }))),
  )
  return {
    open: () => ours.pipe(Layer.provide(world(makeScript()))),
    grant: () => {
      const given = target(`token-${(grants += 1)}`)
      granted.add(accessOf(given))
      return given
    },
    grantAlike: () => {
      const given = target(`token-${(grants += 1)}`)
      const alike = (["access_token", "session"] as const).flatMap((target_type) =>
        ["read:summary", "read:detail"].map((scope) => ({ ...given, target_type, scope })),
      )
      for (const one of alike) granted.add(accessOf(one))
      return alike
    },
    isGranted: (one) => granted.has(accessOf(one)),
    failing: {
      revocation_target_not_found: target("unknown"),
      permission_error: target("refused"),
      revocation_unavailable: target("away"),
    },
    revokeUrl: "https://seller.example/revoke",
  }
}

runContract("a seller's own system", revokerContract(sellerSystem()))

runContract(
  "the deny list",
  revokerContract({
    open: () => Layer.succeed(Revoker, denyList),
    grant: () => ({ target_type: "access_token", target_id: "any" }),
  }),
)

const outcomes = (change: (outcome: RevocationOutcome) => unknown) => (sound: Service) => ({
  revoke: (order: Parameters<Service["revoke"]>[0]) =>
    Effect.map(sound.revoke(order), (outcome) => change(outcome) as RevocationOutcome),
})

const errors = (change: (error: { code: string; message: string }) => object) =>
  outcomes((outcome) =>
    outcome.type === "failed" ? { type: "failed", error: change(outcome.error) } : outcome,
  )

const flaws: Flaws<Service> = {
  revoke: {
    "does nothing and says that it has": () => ({
      revoke: () => Effect.succeed({ type: "revoked" } as const),
    }),
    "refuses what it is told again": (sound) => ({
      revoke: (order) =>
        order.attempt === 1
          ? sound.revoke(order)
          : Effect.succeed({
              type: "failed",
              error: { code: "revocation_target_not_found", message: "Gone." },
            } as const),
    }),
    "takes another access": (sound) => ({
      revoke: (order) =>
        sound.revoke({
          ...order,
          revocation: {
            ...order.revocation,
            target_id: order.revocation.target_id.replace(/\d+$/, (n) => `${Number(n) + 1}`),
          },
        }),
    }),
    "takes every scope": (sound) => ({
      revoke: ({ revocation, ...order }) =>
        Effect.andThen(
          Effect.forEach(["read:summary", "read:detail"], (scope) =>
            sound.revoke({ ...order, revocation: { ...revocation, scope } }),
          ),
          sound.revoke({ ...order, revocation }),
        ),
    }),
    "takes every type": (sound) => ({
      revoke: ({ revocation, ...order }) =>
        Effect.andThen(
          Effect.forEach(["access_token", "session"] as const, (target_type) =>
            sound.revoke({ ...order, revocation: { ...revocation, target_type } }),
          ),
          sound.revoke({ ...order, revocation }),
        ),
    }),
    "says yes and more": outcomes((outcome) => ({ ...outcome, at: 1 })),
    "takes each failure for another": errors(({ message }) => ({ code: "failed", message })),
    "says nothing of a failure": errors(({ code }) => ({ code, message: "" })),
    "takes failures for revocations": outcomes(() => ({ type: "revoked" })),
    "dies of failures": (sound) => ({
      revoke: (order) =>
        Effect.flatMap(sound.revoke(order), (outcome) =>
          outcome.type === "failed" ? Effect.die("failed") : Effect.succeed(outcome),
        ),
    }),
  },
}

noticesMutants<Service>((change) => revokerContract(sellerSystem(change)), flaws, [
  // What it tells the seller's system is up to the two of them.
  /^revoke (does not heed|takes) (attempt|revocation|revoke_url)/,
])
