import { randomUUID } from "node:crypto"
import { Effect, type Layer } from "effect"
import { type RevocationOutcome, Revoker } from "../../../core/ports/Revoker.ts"
import type { PendingRevocation, RevocationError } from "../../../core/revocations/Revocation.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"

/** An access, with the fields by which a refund names it. */
export type RevocationTarget = Pick<PendingRevocation, "target_id" | "target_type"> &
  Partial<Pick<PendingRevocation, "account_id" | "scope" | "service_id">>

/** The revoker to be checked, with the test mode of the system that grants access. */
export interface RevokerUnderTest {
  /** Makes a layer of the adapter; called once for each check, which closes the layer. */
  readonly open: () => Layer.Layer<Revoker, unknown>
  /** Grants access to a new target. */
  readonly grant: () => RevocationTarget | Promise<RevocationTarget>
  /**
   * Grants several accesses to one new id: in two scopes of which neither covers the other, and of
   * two types, as far as the system tells these apart. Without it, orders for other accesses to the
   * same id are not checked.
   */
  readonly grantAlike?: () =>
    | ReadonlyArray<RevocationTarget>
    | Promise<ReadonlyArray<RevocationTarget>>
  /** Whether an access is still granted. Without it, effects of revocations are not checked. */
  readonly isGranted?: (target: RevocationTarget) => boolean | Promise<boolean>
  /** For each failure a target that causes it: unknown, refused, or out of reach. */
  readonly failing?: { readonly [C in RevocationError["code"]]?: RevocationTarget }
  /** The URL of the seller's own system, if the service has one; none by default. */
  readonly revokeUrl?: string
}

const uuid = () => randomUUID()

const pending = (target: RevocationTarget): PendingRevocation => ({
  id: `rvk_${uuid()}`,
  version: 1,
  account_id: `acct_${uuid()}`,
  refund: `ref_${uuid()}`,
  payment_intent: `pi_${uuid()}`,
  service_id: uuid(),
  position: 0,
  batch_size: 1,
  scope: "all",
  notify: true,
  strict: false,
  attempts: 0,
  error: null,
  created_at: Date.now() - MINUTE,
  status: "pending",
  due_at: Date.now(),
  ...target,
})

const revoked: RevocationOutcome = { type: "revoked" }

const orders =
  ({ failing = {}, grant, grantAlike, isGranted, revokeUrl }: RevokerUnderTest) =>
  (check: Check<Revoker>): void => {
    const granted = Effect.promise(async () => grant())
    const order = (revocation: PendingRevocation, attempt = 1) =>
      Effect.flatMap(Revoker, (revoker) =>
        revoker.revoke({ revocation, attempt, revoke_url: revokeUrl ?? null }),
      )
    const holds = (target: RevocationTarget, expected: boolean) =>
      Effect.promise(async () => {
        if (isGranted === undefined) return
        const { scope = "all", target_id, target_type } = target
        const said = `still granted: ${scope} of ${target_type} ${target_id}`
        expect(await isGranted(target), said).toBe(expected)
      })

    check("takes the access away that it is told to, and no other", () =>
      Effect.gen(function* () {
        const [first, second] = [yield* granted, yield* granted]
        expect(yield* order(pending(first))).toStrictEqual(revoked)
        yield* holds(first, false)
        yield* holds(second, true)
      }),
    )

    if (grantAlike !== undefined) {
      const alike = Effect.promise(async () => grantAlike())
      check("takes one access to an id, and leaves its other scopes and types", () =>
        Effect.gen(function* () {
          const count = (yield* alike).length
          expect(count, "accesses to one id").toBeGreaterThanOrEqual(2)
          for (let place = 0; place < count; place += 1) {
            const all = yield* alike
            const [one, ...others] = [...all.slice(place), ...all.slice(0, place)]
            if (one === undefined) return
            for (const { target_id } of others) expect(target_id).toBe(one.target_id)
            for (const target of all) yield* holds(target, true)
            expect(yield* order(pending(one))).toStrictEqual(revoked)
            yield* holds(one, false)
            for (const other of others) yield* holds(other, true)
          }
        }),
      )
    }

    check("an order that is repeated changes nothing", () =>
      Effect.gen(function* () {
        const target = yield* granted
        const revocation = pending(target)
        for (const attempt of [1, 2, 3]) {
          expect(yield* order(revocation, attempt)).toStrictEqual(revoked)
          yield* holds(target, false)
        }
      }),
    )

    check("an order that is sent many times at once is carried out", () =>
      Effect.gen(function* () {
        const target = yield* granted
        const revocation = pending(target)
        const sent = Array.from({ length: 8 }, () => order(revocation))
        for (const outcome of yield* Effect.all(sent, { concurrency: "unbounded" })) {
          expect(outcome).toStrictEqual(revoked)
        }
        yield* holds(target, false)
      }),
    )

    for (const [code, target] of Object.entries(failing)) {
      check(`a target that fails with ${code} is said to, and takes nothing from others`, () =>
        Effect.gen(function* () {
          const other = yield* granted
          const outcome = yield* order(pending(target))
          expect(outcome).toMatchObject({ type: "failed", error: { code } })
          const message = outcome.type === "failed" ? outcome.error.message : ""
          expect(typeof message === "string" && message.length > 0, "a message").toBe(true)
          yield* holds(other, true)
          expect(yield* order(pending(other))).toStrictEqual(revoked)
        }),
      )
    }
  }

/** Checks what every revoker does. */
export const revokerContract = (revoker: RevokerUnderTest): Contract<MethodsCovered> =>
  portContract(Revoker, { revoke: 0 }, revoker.open, [orders(revoker)])
