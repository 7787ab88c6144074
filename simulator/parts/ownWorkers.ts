import { Context, Effect, Exit, Fiber, Layer, Logger } from "effect"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { DueWork, type DueWorkItem } from "../../core/ports/DueWork.ts"
import { MovableClock } from "../../core/ports/MovableClock.ts"
import { Store } from "../../core/ports/Store.ts"
import { StoreUnavailable } from "../../core/ports/StoreUnavailable.ts"
import type { Quote } from "../../core/quotes/Quote.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { advanceClock } from "../../core/work/advanceClock.ts"
import { workLoop } from "../../core/work/workLoop.ts"
import { workDoneRules } from "../auditor/invariants/workDone.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

/** A quote that a worker removes at a time: the simplest work that falls due. */
const quoteOf = (number: number, due_at: Timestamp): Quote => ({
  id: `fxq_019c0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  version: 1,
  account_id: "acct_019c0000-0000-7000-8000-000000000000",
  service_id: null,
  amount: { currency: "USD", value: 100 },
  settlement_currency: "USD",
  routes: [],
  payment_intent: null,
  created_at: due_at - DAY,
  expires_at: due_at - DAY,
  due_at,
})

const insert = (store: Store["Service"], number: number, due: Timestamp) =>
  store.commit({ writes: [{ op: "insert", kind: "quote", record: quoteOf(number, due) }] })

/** Work of an adapter, of which each piece takes some time. */
class Items {
  readonly left: Array<Timestamp>
  readonly done: Array<readonly [due: Timestamp, at: Timestamp]> = []
  busyUntil: Timestamp = -Infinity
  begun = 0
  readonly #now: () => Timestamp
  readonly #takes: number
  readonly #isStuck: boolean

  constructor(now: () => Timestamp, due: ReadonlyArray<Timestamp>, takes: number, isStuck = false) {
    this.#now = now
    this.left = due.toSorted((a, b) => a - b)
    this.#takes = takes
    this.#isStuck = isStuck
  }

  readonly item: DueWorkItem = {
    name: "errands",
    nextDueAt: Effect.sync(() => (this.#isStuck ? 0 : this.left[0])),
    runDue: (now) =>
      Effect.gen({ self: this }, function* () {
        const due = this.left.filter((at) => at <= now)
        if (due.length === 0) return 0
        this.left.splice(0, due.length)
        this.begun += 1
        this.done.push(...due.map((at) => [at, this.#now()] as const))
        this.busyUntil = this.#now() + this.#takes
        if (this.#takes > 0) yield* Effect.sleep(this.#takes)
        return due.length
      }),
  }
}

/** The store's own quotes and the errands; what is logged is no error of the world. */
const apart = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self.pipe(Effect.provide(Layer.fresh(MemoryStore.layer)), Effect.provide(Logger.layer([])))

/** A clock that is moved more often never gets on. */
const MOST_MOVES = 1_000

const timesBetween = (chance: Chance, from: Timestamp, to: Timestamp) =>
  Array.from({ length: chance.int(0, 5) }, () => chance.int(from, to))

/** Moves the clock of a sandbox over work that falls due, or beyond what is possible. */
const moveClock = Effect.fnUntraced(function* ({ auditor, stage }: Scene, chance: Chance) {
  const from = stage.now()
  const beyond = Math.floor((4_102_444_800_000 - from) / SECOND) + 1
  const far = chance.int(1, 4 * 24) * 3_600 + chance.int(0, 5)
  const seconds = chance.weighted([
    [8, far],
    [1, 0],
    [1, beyond],
  ])
  const isStuck = seconds === far && chance.hits(0.15)
  const last = from + far * SECOND
  const ends = [from, from + 1, last - 1, last, last + 1]
  const drawn = isStuck ? [] : [...timesBetween(chance, from - HOUR, last + HOUR), ...ends]
  const due = drawn.filter(() => chance.hits(0.8))
  const errands = isStuck ? [] : timesBetween(chance, from - HOUR, last + HOUR)
  const items = new Items(stage.now, errands, 0, isStuck)
  const moves: Array<Timestamp> = []
  let pauses = 0
  const clock: MovableClock["Service"] = {
    moveTo: (at) =>
      Effect.suspend(() => {
        if (moves.push(at) > MOST_MOVES) return Effect.die(new Error("It moves for ever."))
        return Effect.sleep(Math.max(at - stage.now(), 0))
      }),
    pause: Effect.sync(() => void (pauses += 1)),
    exclusively: (self) => self,
  }
  const store = yield* Store
  for (const [number, at] of due.entries()) yield* insert(store, number, at)
  const exit = yield* Effect.exit(advanceClock(seconds)).pipe(
    Effect.provideService(MovableClock, clock),
    Effect.provideService(DueWork, [items.item]),
  )
  const left = yield* store.scan("quote", { after: undefined, limit: 100 })
  auditor.see("clock_moved", "a sandbox", {
    from,
    seconds,
    due: [...due, ...errands],
    isStuck,
    answer: Exit.isSuccess(exit) ? exit.value : undefined,
    refused: failedWith(exit)?.code,
    moves,
    pauses,
    left: left.length + items.left.length,
  })
})

/** How long a worker is watched. */
const WATCHED = 2 * MINUTE

/** Lets a worker work on a store that is away for a while, and tells it to end. */
const watchWorker = Effect.fnUntraced(function* ({ auditor, stage }: Scene, chance: Chance) {
  const from = stage.now()
  const until = from + WATCHED
  const start = chance.int(from, until)
  const away = chance.hits(0.5)
    ? { from: start, to: start + chance.int(1, 30) * SECOND }
    : { from: Infinity, to: -Infinity }
  const inner = yield* Store
  const done = new Map<string, Timestamp>()
  let begunLater = 0
  const unlessAway = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
      const isAway = stage.now() >= away.from && stage.now() < away.to
      return isAway
        ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "away" }))
        : self
    })
  const store: Store["Service"] = {
    ...inner,
    nextDueAt: () => unlessAway(inner.nextDueAt()),
    dueKinds: (now) => unlessAway(inner.dueKinds(now)),
    claimDue: (kind, now, options) =>
      Effect.tap(unlessAway(inner.claimDue(kind, now, options)), () =>
        Effect.sync(() => void (begunLater += stage.now() > until ? 1 : 0)),
      ),
    commit: (commit) =>
      Effect.tap(inner.commit(commit), () =>
        Effect.sync(() => {
          for (const { op, record } of commit.writes)
            if (op === "remove") done.set(record.id, stage.now())
        }),
      ),
  }
  const takes = chance.pick([0, 700, 3_000, 20_000])
  const items = new Items(stage.now, [until - chance.int(1, 2 * SECOND)], takes)
  const due = Array.from({ length: 8 }, () => chance.int(from, until))
  const known = due.filter((_, n) => n < 4)
  for (const [number, at] of known.entries()) yield* insert(inner, number, at)
  const services = Context.make(Store, store).pipe(Context.add(DueWork, [items.item]))
  const worker = yield* Effect.forkChild(Effect.provideContext(workLoop(), services))
  const later = due.slice(known.length).map((at, n) => ({ at, number: known.length + n }))
  for (const { at, number } of later.toSorted((one, other) => one.at - other.at)) {
    yield* Effect.sleep(Math.max(at - stage.now(), 0))
    yield* insert(inner, number, at)
  }
  yield* Effect.sleep(until - stage.now())
  yield* Fiber.interrupt(worker)
  auditor.see("worker_watched", "a worker", {
    pieces: [
      ...due.map((at, number) => ({ due: at, done: done.get(quoteOf(number, at).id) })),
      ...items.done.map(([at, when]) => ({ due: at, done: when })),
      ...items.left.map((at) => ({ due: at, done: undefined })),
    ],
    away,
    told: until,
    busyUntil: items.busyUntil,
    ended: stage.now(),
    begunLater,
  })
})

/** A sandbox whose clock is moved, and a worker, each over a small store of its own. */
export const ownWorkers: Part = {
  name: "own workers",
  heavy: 0.4,
  rules: workDoneRules,
  later: (scene) => {
    const chance = scene.stage.chance("own workers")
    return [
      Effect.orDie(apart(moveClock(scene, chance))),
      Effect.orDie(apart(watchWorker(scene, scene.stage.chance("own workers' worker")))),
    ]
  },
}
