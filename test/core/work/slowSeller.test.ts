import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
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

const revoker: Revoker["Service"] = {
  revoke: ({ revocation: { account_id } }) =>
    account_id === id("acct", SLOW)
      ? Effect.as(Effect.sleep("5 seconds"), silent)
      : Effect.succeed({ type: "revoked" }),
}

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
  }).pipe(Effect.provideService(Revoker, revoker), Effect.provide(workWorld())),
)
