import { expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import { type RevocationOutcome, Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { type JobServices, type Lane, makeLanes } from "../../../core/work/lanes.ts"
import { id, T0, uuid } from "../../support/records.ts"
import { insert, stored, withService, workWorld } from "./workWorld.ts"

/** Revocation n of the seller n. */
const aRevocation = (n: number, seller: number, due_at: Timestamp): Revocation => ({
  id: id("rvk", n),
  version: 1,
  account_id: id("acct", seller),
  refund: id("ref", n),
  payment_intent: id("pi", n),
  service_id: uuid(seller),
  position: 0,
  batch_size: 1,
  target_type: "access_token",
  target_id: `token ${n}`,
  scope: "all",
  notify: true,
  strict: false,
  attempts: 0,
  error: null,
  created_at: T0,
  status: "pending",
  due_at,
})

const SLOW = 1
const QUICK = 2
const COUNT = 640
const OTHER = 1_000

const silent: RevocationOutcome = {
  type: "failed",
  error: { code: "revocation_unavailable", message: "timeout" },
}

const REVOKED: RevocationOutcome = { type: "revoked" }

/** The slow seller's system takes so long for this outcome. Those of others answer at once. */
const revokerTaking = (seconds: number, outcome: RevocationOutcome): Revoker["Service"] => ({
  revoke: ({ revocation: { account_id } }) =>
    account_id === id("acct", SLOW)
      ? Effect.as(Effect.sleep(seconds * SECOND), outcome)
      : Effect.succeed(REVOKED),
})

/** How many of the first revocations are done. */
const countRevoked = Effect.fnUntraced(function* (count: number) {
  const store = yield* Store
  const ids = Array.from({ length: count }, (_, n) => id("rvk", n + 1))
  const found = yield* store.findMany("revocation", ids)
  return found.filter(({ status }) => status === "revoked").length
})

/** Lets a worker with these lanes begin what it has hands for, for that many seconds. */
const workFor = Effect.fnUntraced(function* (seconds: number) {
  const lanes: ReadonlyArray<Lane<JobServices>> = makeLanes()
  const lane = lanes.find(({ kind }) => kind === "revocation")
  if (lane === undefined) return yield* Effect.die("no lane")
  let busy = 0
  let most = 0
  for (let now = T0; now < T0 + seconds * SECOND; now += 100) {
    const jobs = busy < lane.width ? yield* lane.claim(now, lane.width - busy) : []
    busy += jobs.length
    for (const job of jobs) {
      yield* Effect.forkChild(
        Effect.ensuring(
          job,
          Effect.sync(() => void (busy -= 1)),
        ),
      )
    }
    yield* TestClock.adjust(100)
    if (now > T0 + 6 * SECOND) most = Math.max(most, busy)
  }
  // What is under way cannot be interrupted.
  yield* TestClock.adjust(20 * SECOND)
  return most
})

it.effect("a seller whose system hangs does not delay the revocations of others", () =>
  Effect.gen(function* () {
    yield* stored(
      withService(SLOW),
      withService(QUICK),
      Array.from({ length: COUNT }, (_, n) => insert("revocation", aRevocation(n + 1, SLOW, T0))),
      [insert("revocation", aRevocation(OTHER, QUICK, T0 + 1))],
    )
    const most = yield* workFor(10)
    const store = yield* Store
    expect((yield* store.find("revocation", id("rvk", OTHER)))?.status).toBe("revoked")
    expect(most).toBe(16)
  }).pipe(Effect.provideService(Revoker, revokerTaking(5, silent)), Effect.provide(workWorld())),
)

/** A host's revoker, whose method needs its object. */
class HostRevoker {
  readonly #outcome = REVOKED

  revoke() {
    return Effect.sync(() => this.#outcome)
  }
}

it.effect("a host's revoker may be an object of a class", () =>
  Effect.gen(function* () {
    yield* stored(withService(QUICK), [insert("revocation", aRevocation(1, QUICK, T0))])
    yield* workFor(1)
    expect(yield* countRevoked(1)).toBe(1)
  }).pipe(Effect.provideService(Revoker, new HostRevoker()), Effect.provide(workWorld())),
)

it.effect("a seller whose system needs more than a second has all hands", () =>
  Effect.gen(function* () {
    yield* stored(
      withService(SLOW),
      Array.from({ length: 300 }, (_, n) => insert("revocation", aRevocation(n + 1, SLOW, T0))),
    )
    yield* workFor(10)
    expect(yield* countRevoked(300)).toBe(300)
  }).pipe(Effect.provideService(Revoker, revokerTaking(1.2, REVOKED)), Effect.provide(workWorld())),
)

it.effect("a slow store takes no hands from a seller that answers at once", () =>
  Effect.gen(function* () {
    yield* stored(
      withService(SLOW),
      Array.from({ length: 300 }, (_, n) => insert("revocation", aRevocation(n + 1, SLOW, T0))),
    )
    const store = yield* Store
    const slow = Store.of({
      ...store,
      commit: (commit) => Effect.andThen(Effect.sleep("1800 millis"), store.commit(commit)),
    })
    const most = yield* Effect.provideService(workFor(12), Store, slow)
    expect(most).toBe(64)
  }).pipe(Effect.provideService(Revoker, revokerTaking(0, REVOKED)), Effect.provide(workWorld())),
)

it.effect("a seller whose system comes back gets its backlog done", () =>
  Effect.gen(function* () {
    yield* stored(
      withService(SLOW),
      Array.from({ length: COUNT }, (_, n) => insert("revocation", aRevocation(n + 1, SLOW, T0))),
    )
    const isBack = Effect.map(Clock.currentTimeMillis, (now) => now >= T0 + 10 * SECOND)
    const revoker: Revoker["Service"] = {
      revoke: (order) =>
        Effect.flatMap(isBack, (back) =>
          back ? Effect.succeed(REVOKED) : revokerTaking(5, silent).revoke(order),
        ),
    }
    yield* Effect.provideService(workFor(40), Revoker, revoker)
    expect(yield* countRevoked(COUNT)).toBe(COUNT)
  }).pipe(Effect.provide(workWorld())),
)
