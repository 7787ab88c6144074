import { Clock, Effect } from "effect"
import { catchFailure } from "../shared/catchFailure.ts"
import type { Caller } from "../accounts/Account.ts"
import { tooManyChannels } from "../billing/Plan.ts"
import { Installation } from "../ports/Installation.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { type KeyChange, Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { lookOf } from "../shared/Look.ts"
import type { ConflictReason } from "../commits/Commit.ts"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { isUuid } from "../shared/Id.ts"
import { move, type ServiceAction } from "./ManifestMachine.ts"
import { duplicateName } from "./registerService.ts"
import { activeLook, activeName, ownName, type ServiceManifest } from "./ServiceManifest.ts"
import { manifestView } from "./ServiceView.ts"

/**
 * Returns the unique names that a move claims or releases: among active ones, and in the account.
 */
const keyChanges = (before: ServiceManifest, after: ServiceManifest): ReadonlyArray<KeyChange> => {
  const change = (op: KeyChange["op"], key: string): KeyChange => ({ op, key, owner: after.id })
  const active = [activeName(after.name_key), activeLook(lookOf(after.name))]
  if (after.status === "active") return active.map((key) => change("claim", key))
  if (before.status === "active") return active.map((key) => change("release", key))
  if (after.status === "deleted") {
    return [change("release", ownName(after.account_id, after.name_key))]
  }
  return []
}

/**
 * Moves a service of the caller's account through its states (ServiceManifest, states). No two
 * active services have the same name, or names that look alike. Deleting a deleted one returns it.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` for more channels than the account's plan allows.
 */
export const moveService = Effect.fn("moveService")(function* (
  caller: Caller,
  id: string,
  action: ServiceAction,
) {
  const store = yield* Store
  const { plans } = (yield* Installation).terms
  if (!isUuid(id)) return yield* notFound("service", id)

  return yield* retryConflict(
    Effect.gen(function* () {
      const before = yield* store.find("service", id)
      if (before === undefined || before.account_id !== caller.account.id) {
        return yield* notFound("service", id)
      }
      // A caller whose answer was lost deletes again.
      if (action === "delete" && before.status === "deleted") {
        return manifestView(before, caller.account.id)
      }
      const now = yield* Clock.currentTimeMillis
      const after = yield* Effect.fromResult(move(before, action, now))
      if (after.status === "active") {
        const tooMany = tooManyChannels(plans, caller.account.plan, after.accepted_channels)
        if (tooMany !== undefined) return yield* tooMany
        const holder = yield* store.findBy("service", { name_key: after.name_key })
        if (holder !== undefined && holder.id !== id) return yield* duplicateName(after.name)
      }
      const view = manifestView(after, caller.account.id)
      const moved = store.commit({
        writes: [{ op: "replace", kind: "service", record: after }],
        keys: keyChanges(before, after),
        ...(yield* replyWith(view)),
      })
      const looksAlike = (reason: ConflictReason) =>
        isKeyTaken(activeLook(""))(reason) && reason.type === "key_taken" && reason.owner !== id
      yield* moved.pipe(catchConflict(looksAlike, () => duplicateName(after.name)))
      return view
    }),
  )
})

/** Deletes a service of the caller's account. A deletion claims no names and needs no channels. */
export const deleteService = (caller: Caller, id: string) =>
  moveService(caller, id, "delete").pipe(
    catchFailure(["DUPLICATE_NAME", "PLAN_LIMIT_EXCEEDED"], Effect.die),
  )
