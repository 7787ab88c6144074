import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { makeLanes } from "../../../core/work/lanes.ts"
import {
  aDelivery,
  anAccount,
  anEndpoint,
  anEvent,
  aService,
  id,
  T0,
} from "../../support/records.ts"
import { sealed, SECRET, withWorld } from "../webhooks/endpointWorld.ts"

const COUNT = 400

/** The duration of each attempt, and the number of simultaneous attempts. */
const TIMEOUT = 5 * SECOND
const AT_A_TIME = 16

const HOUR_SCHEDULE = 60 + 300 + 1_800 + 7_200 + 21_600
const DAY_SCHEDULE = 10 + 60 + 300 + 900 + 3_600 + 14_400 + 43_200 + 86_400 + 259_200

const own = { endpoint_id: null, service_id: aService().id }
const registered = { endpoint_id: id("we", 1), service_id: null }

/** A receiver with that many deliveries, due at `from`. */
const begin = Effect.fnUntraced(function* (to: typeof own | typeof registered, from: Timestamp) {
  const store = yield* Store
  const account = (yield* store.find("account", id("acct", 1))) ?? anAccount()
  const webhook_secret = sealed(webhookSecretPlace(account.id), SECRET)
  const secret = sealed(endpointSecretPlace(id("we", 1)), SECRET)
  const first_failure_at = from === T0 ? null : T0
  yield* store.commit({
    writes: [
      { op: "replace", kind: "account", record: { ...account, webhook_secret } },
      { op: "insert", kind: "service", record: aService() },
      { op: "insert", kind: "endpoint", record: anEndpoint({ secret, first_failure_at }) },
      ...Array.from({ length: COUNT }, (_, n) => ({
        op: "insert" as const,
        kind: "delivery" as const,
        record: aDelivery({ n: n + 1, event_id: id("evt", n + 1), due_at: from, ...to }),
      })),
    ],
    events: Array.from({ length: COUNT }, (_, n) => anEvent({ n: n + 1, due_at: null })),
  })
})

/** One worker from round to round, each as long as an attempt where any was made. */
const work = Effect.fnUntraced(function* (received: ReadonlyArray<unknown>) {
  const store = yield* Store
  const lanes = makeLanes()
  let most = 0
  for (let due = yield* store.nextDueAt(); due !== undefined; due = yield* store.nextDueAt()) {
    const now = Math.max(due, yield* Clock.currentTimeMillis)
    yield* TestClock.setTime(now)
    const before = received.length
    for (const lane of lanes) {
      yield* Effect.all(yield* lane.claim(now, lane.width), { concurrency: lane.width })
    }
    const made = received.length - before
    most = Math.max(most, made)
    yield* TestClock.adjust(made > 0 ? TIMEOUT : 10)
  }
  return { most, endedAt: yield* Clock.currentTimeMillis }
})

const stored = Effect.gen(function* () {
  const found = yield* Effect.forEach(
    Array.from({ length: COUNT }, (_, n) => id("wd", n + 1)),
    (delivery) => Effect.flatMap(Store, (store) => store.find("delivery", delivery)),
  )
  return found.flatMap((delivery) => delivery ?? [])
})

const never = () => ({ status: null, duration_ms: TIMEOUT, error: "timeout" })

describe("the backlog of a receiver that never answers", () => {
  it.effect.each([
    ["service's own endpoint", own, 6, HOUR_SCHEDULE * SECOND],
    ["registered endpoint", registered, 10, DAY_SCHEDULE * SECOND],
  ] as const)(
    "ends in its schedule and the time that attempts take: a %s",
    ([, to, tries, schedule]) =>
      withWorld(never)((received) =>
        Effect.gen(function* () {
          yield* begin(to, T0)
          const { endedAt, most } = yield* work(received)
          const ended = yield* stored
          expect(ended).toHaveLength(COUNT)
          expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["failed"]))
          expect(received).toHaveLength(COUNT * tries)
          expect(most).toBeLessThanOrEqual(AT_A_TIME)
          const attempts = ((COUNT * tries) / AT_A_TIME) * TIMEOUT
          const last = Math.max(...ended.flatMap(({ attempts }) => attempts.map(({ at }) => at)))
          expect(last - T0).toBeLessThanOrEqual(schedule + attempts)
          expect(endedAt).toBeGreaterThan(last)
          for (const { attempts } of ended) expect(attempts).toHaveLength(tries)
        }),
      ),
  )

  it.effect("is skipped at once when the endpoint is disabled after five days", () =>
    withWorld(never)((received) =>
      Effect.gen(function* () {
        yield* begin(registered, T0 + 5 * DAY - HOUR)
        const { endedAt } = yield* work(received)
        const ended = yield* stored
        expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["skipped"]))
        expect(Math.max(...received.map(({ at }) => at))).toBeLessThan(T0 + 5 * DAY)
        const waiting = Math.max(...ended.map(({ attempts }) => attempts.at(-1)?.at ?? 0))
        expect(endedAt - waiting).toBeLessThan(4 * HOUR + HOUR)
      }),
    ),
  )
})
