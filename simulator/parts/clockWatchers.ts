import { Context, Effect, Exit, Layer, Logger } from "effect"
import { ReferenceClock, WrongClock } from "../../core/ports/ReferenceClock.ts"
import { Store } from "../../core/ports/Store.ts"
import { StoreUnavailable } from "../../core/ports/StoreUnavailable.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { guardedStore } from "../../core/work/guardedStore.ts"
import { watchedClockRules } from "../auditor/invariants/watchedClocks.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

type Use = Observations["clock_watched"]["uses"][number]

const OFFSETS = [0, 0, 400, -1_900, 12_000, -29_999, 30_000, -30_000] as const
const WRONG = [30_001, -30_001, 59_600, -3_600_000, 962_000] as const

/** A process asks the store every ten seconds; one of its questions takes longer. */
const LEARNS_WITHIN = 16 * SECOND

/** How long the answers of the store's clock take; one of seven is too slow to count. */
const TAKES = 20
const TOO_SLOW = { nth: 7, takes: 2_500 } as const

/** The clocks of a process and of its store. */
class Clocks {
  readonly #scene: Scene
  readonly #chance: Chance
  #asked = 0
  #isAway = false
  #store = 0
  /** How far the process's clock is ahead of true time. */
  wall: number
  /** Until when the process may not know what the store's clock says. */
  unsureUntil = -Infinity
  lastWrong = -Infinity
  lastRefused = -Infinity

  constructor(scene: Scene, chance: Chance) {
    this.#scene = scene
    this.#chance = chance
    this.wall = chance.hits(0.1) ? chance.pick(WRONG) : chance.pick(OFFSETS)
  }

  get now(): number {
    return this.#scene.stage.now()
  }

  get ahead(): number {
    return this.wall - this.#store
  }

  get isWrong(): boolean {
    return Math.abs(this.ahead) > 30 * SECOND
  }

  /** The store's clock, whose answers take a while. */
  readonly reference: ReferenceClock["Service"] = {
    now: Effect.gen({ self: this }, function* () {
      if (this.#isAway) {
        return yield* new StoreUnavailable({ outcome: "not_stored", cause: "away" })
      }
      this.#asked += 1
      const isSlow = this.#asked % TOO_SLOW.nth === 0
      yield* Effect.sleep(TAKES)
      const now = this.now + this.#store
      yield* Effect.sleep(isSlow ? TOO_SLOW.takes : TAKES)
      return now
    }),
  }

  #isUnsureFor(time: number): void {
    this.unsureUntil = this.#isAway ? Infinity : this.now + time
  }

  /** Sets the process's clock ahead of the store's. */
  setBy(ahead: number): void {
    if (this.isWrong) this.lastWrong = this.now
    this.wall = this.#store + ahead
  }

  /** Sets one of the clocks, or lets the store's clock be away or come back. */
  set(what: "wall" | "store" | "away"): void {
    if (this.isWrong) this.lastWrong = this.now
    if (what === "wall") {
      this.setBy(this.#chance.hits(0.35) ? this.#chance.pick(WRONG) : this.#chance.pick(OFFSETS))
    } else if (what === "store") {
      this.#store = this.#chance.pick(OFFSETS) * 3
      this.#isUnsureFor(LEARNS_WITHIN)
    } else {
      this.#isAway = !this.#isAway
      if (this.now < this.unsureUntil) this.#isUnsureFor(LEARNS_WITHIN)
    }
    if (this.isWrong) this.lastWrong = this.now
  }
}

/** Uses the store, and claims due work. */
const use = Effect.fnUntraced(function* (
  store: Store["Service"],
  clocks: Clocks,
  claims: Array<number | undefined>,
) {
  const { ahead, isWrong, lastRefused, now: at, unsureUntil } = clocks
  if (isWrong) clocks.lastWrong = at
  const { lastWrong } = clocks
  const exit = yield* Effect.exit(
    Effect.andThen(store.auditHead(), store.claimDue("event", at, { limit: 1, lease: SECOND })),
  )
  const [failed] = Exit.isFailure(exit)
    ? exit.cause.reasons.flatMap((one) => ("error" in one ? [one.error] : []))
    : []
  const { cause, trouble } = (failed ?? {}) as Partial<StoreUnavailable>
  const words = cause instanceof WrongClock ? cause.message : String(cause)
  const isUnsure = at < unsureUntil
  if (isWrong && !isUnsure) clocks.lastRefused = at
  const found: Use = {
    at,
    ahead,
    isUnsure,
    lastWrong: Math.max(lastWrong, unsureUntil),
    lastRefused,
    refused: Exit.isFailure(exit) ? { trouble, words } : undefined,
    claimed: claims.at(-1),
  }
  return found
})

/** Uses the store with a wrong clock, and sets it right. Returns how long to wait then. */
const beRight = Effect.fnUntraced(function* (
  store: Store["Service"],
  clocks: Clocks,
  claims: Array<number | undefined>,
  chance: Chance,
) {
  clocks.setBy(chance.pick(WRONG))
  yield* use(store, clocks, claims)
  clocks.setBy(0)
  return chance.pick([9_999, 10_000, 10_001])
})

const STEPS = 10

/** Lets a process use the store while its clock and the store's are set. */
const live = Effect.fnUntraced(function* (
  store: Store["Service"],
  clocks: Clocks,
  claims: Array<number | undefined>,
  chance: Chance,
) {
  const uses: Array<Use> = []
  for (let n = 0; n < STEPS; n += 1) {
    const act = chance.weighted([
      [3, "wall"],
      [1.5, "right"],
      [0.7, "store"],
      [0.3, "away"],
      [3, "wait"],
      [2, "rest"],
    ] as const)
    if (act === "right") yield* Effect.sleep(yield* beRight(store, clocks, claims, chance))
    if (act === "wall" || act === "store" || act === "away") clocks.set(act)
    const wait = chance.pick([1, 999, 9_999, 10_000, 10_000, 10_001, 25_000])
    if (act === "wait") yield* Effect.sleep(wait)
    if (act === "rest") yield* Effect.sleep(LEARNS_WITHIN + chance.int(0, SECOND))
    uses.push(yield* use(store, clocks, claims))
  }
  return uses
})

const run = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("clock watchers")
  const clocks = new Clocks(scene, chance)
  const startedAhead = clocks.ahead
  const claims: Array<number | undefined> = []
  const store: Store["Service"] = {
    ...scene.store,
    claimDue: (_kind, _now, { ahead }) => {
      claims.push(ahead)
      return Effect.succeed([])
    },
  }
  const services = Context.make(Store, store).pipe(
    Context.add(ReferenceClock, clocks.reference),
    Context.add(WallClock, { now: Effect.sync(() => clocks.now + clocks.wall) }),
  )
  const guarded = Effect.provide(Layer.build(guardedStore), services)
  // What a process with a wrong clock logs is no error of the world.
  const silent = Logger.layer([])
  const exit = yield* Effect.exit(
    Effect.scoped(
      Effect.flatMap(guarded, (built) => live(Context.get(built, Store), clocks, claims, chance)),
    ).pipe(Effect.provide(silent)),
  )
  const [failed] = Exit.isFailure(exit)
    ? exit.cause.reasons.flatMap((one): ReadonlyArray<unknown> =>
        "error" in one ? [one.error] : [one],
      )
    : []
  const why = failed instanceof WrongClock ? failed.message : "another failure"
  scene.auditor.see("clock_watched", "a process", {
    startedAhead,
    refusesToStart: failed === undefined ? undefined : why,
    uses: Exit.isSuccess(exit) ? exit.value : [],
  })
})

/** A process whose clock is set, and that of its store, too. */
export const clockWatchers: Part = {
  name: "clock watchers",
  heavy: 0.4,
  rules: watchedClockRules,
  later: (scene) => [run(scene)],
}
