import { type Context, Data, Effect, Exit } from "effect"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Chance } from "../../random/Chance.ts"
import type { Services, Stage } from "../Stage.ts"

/** The process that served a request ended before it answered, or no process could take it. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly message: string
}> {}

/** What all processes of a world share. */
export interface ProcessWorld {
  readonly stage: Stage
  readonly note: (what: string) => void
  /** Counts every label that a process reaches; returns true if a crash is wanted there. */
  readonly pass: (label: string) => boolean
  /** Records that a pause of its process delayed a write or a message by so many milliseconds. */
  readonly heldUp: (asked: object, millis: number) => void
  /** Whether clients cannot reach the process in that place at the moment. */
  readonly isCutOff: (place: number) => boolean
  /** The services of a process, made anew for each of its lives. */
  readonly contextOf: (life: Life) => Context.Context<Services>
}

/** How long a process stands still, in milliseconds: longer than any lease. */
export const PAUSE = { shortest: 35 * SECOND, longest: 150 * SECOND } as const

/** How long a process takes to restart, on average, and to end when it is told to. */
const BACK_AFTER = 5 * SECOND
const DRAIN = 8 * SECOND

/** A process from its start to its end; a restart begins another. */
export class Life {
  readonly name: string
  /** The number of its place. */
  readonly place: number
  readonly context: Context.Context<Services>
  /** Whether it accepts requests and work. */
  open = true
  dead = false
  readonly #world: ProcessWorld
  readonly #chance: Chance
  readonly #waiting = new Set<() => void>()
  readonly #ended: () => void
  #standsUntil: Timestamp = 0

  constructor(
    world: ProcessWorld,
    place: number,
    lives: number,
    chance: Chance,
    ended: () => void,
  ) {
    this.name = `process ${place}.${lives}`
    this.place = place
    this.#world = world
    this.#chance = chance
    this.#ended = ended
    this.context = world.contextOf(this)
  }

  /** Runs an effect in this process. Fails with `ConnectionLost` if the process ends before. */
  run<A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E | ConnectionLost> {
    return Effect.callback<A, E | ConnectionLost>((resume) => {
      const lost = () =>
        resume(Effect.fail(new ConnectionLost({ message: `${this.name} has ended.` })))
      this.#waiting.add(lost)
      const fiber = Effect.runForkWith(this.context)(Effect.andThen(Effect.yieldNow, effect))
      fiber.addObserver((exit) => {
        if (!this.#waiting.delete(lost)) return
        if (this.#world.isCutOff(this.place)) lost()
        else resume(exit)
      })
    })
  }

  /** Ends at once: nothing that it was doing continues. */
  die(why: string): void {
    if (this.dead) return
    this.dead = true
    this.open = false
    this.#world.note(`${this.name} ends: ${why}`)
    this.#world.stage.upset(this.#world.stage.now())
    for (const lost of this.#waiting) lost()
    this.#waiting.clear()
    this.#ended()
  }

  /** Decides whether and when the process continues at a step. */
  readonly at = (label: string, asked?: object): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (this.dead) return Effect.never
      const { log, now } = this.#world.stage
      const faults = this.#world.stage.faults()
      const wanted = this.#world.pass(label)
      if (wanted || this.#chance.hits(faults.process_crashed)) {
        log.note("process_crashed", this.name)
        this.die(`crash at ${label}`)
        return Effect.never
      }
      if (this.open && this.#chance.hits(faults.process_stopped)) this.#drain()
      if (this.#chance.hits(faults.process_paused)) {
        log.note("process_paused", this.name)
        this.#standsUntil = now() + this.#chance.int(PAUSE.shortest, PAUSE.longest)
        this.#world.stage.upset(this.#standsUntil)
        this.#world.note(`${this.name} stands still until ${this.#standsUntil}`)
      }
      if (this.#standsUntil <= now()) return Effect.void
      const wait = this.#standsUntil - now()
      if (asked !== undefined) this.#world.heldUp(asked, wait)
      return Effect.andThen(
        Effect.sleep(wait),
        Effect.suspend(() => (this.dead ? Effect.never : Effect.void)),
      )
    })

  #drain(): void {
    this.open = false
    this.#world.stage.log.note("process_stopped", this.name)
    this.#world.note(`${this.name} is told to end`)
    const end = Effect.sync(() => this.die("as it was told"))
    this.#world.stage.spawn(Effect.andThen(Effect.sleep(DRAIN), end))
  }
}

/** A place in which a process runs, and is restarted after it has ended. */
class Place {
  life: Life
  readonly #world: ProcessWorld
  readonly #place: number
  readonly #chance: Chance
  readonly #begun: (life: Life) => void
  #lives = 0

  constructor(world: ProcessWorld, place: number, begun: (life: Life) => void) {
    this.#world = world
    this.#place = place
    this.#chance = world.stage.chance(`process ${place}`)
    this.#begun = begun
    this.life = this.#begin()
  }

  #begin(): Life {
    this.#lives += 1
    return new Life(this.#world, this.#place, this.#lives, this.#chance, () => this.#restart())
  }

  start(): void {
    this.#begun(this.life)
  }

  #restart(): void {
    const back = Effect.sync(() => {
      this.life = this.#begin()
      this.#world.note(`${this.life.name} begins`)
      this.#begun(this.life)
    })
    const after = this.#chance.wait(BACK_AFTER)
    this.#world.stage.spawn(Effect.andThen(Effect.sleep(after), back))
  }
}

/** The processes of the service over one store: each serves requests and does due work. */
export class Processes {
  readonly #places: ReadonlyArray<Place>
  readonly #chance: Chance
  readonly #world: ProcessWorld

  /** `work` is the worker of each process, started with each of its lives. */
  constructor(world: ProcessWorld, count: number, work: (life: Life) => Effect.Effect<void>) {
    this.#world = world
    this.#chance = world.stage.chance("which process")
    const begun = (life: Life) => {
      Effect.runForkWith(life.context)(Effect.andThen(Effect.yieldNow, work(life)))
    }
    this.#places = Array.from({ length: count }, (_, n) => new Place(world, n, begun))
  }

  /** Starts the work of every process. */
  start(): void {
    for (const place of this.#places) place.start()
  }

  /** Serves a request in one of the processes that accept any. */
  serve<A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E | ConnectionLost> {
    return Effect.suspend((): Effect.Effect<A, E | ConnectionLost> => {
      const open = this.#places.filter(({ life }) => life.open)
      const [first, ...others] = open
      if (first !== undefined) {
        const { life } = this.#chance.pick([first, ...others])
        if (!this.#world.isCutOff(life.place)) return life.run(effect)
        return Effect.fail(new ConnectionLost({ message: `${life.name} cannot be reached.` }))
      }
      this.#world.stage.log.note("nobody_there")
      return Effect.fail(new ConnectionLost({ message: "No process takes requests." }))
    })
  }
}

/** Whether there was no answer: the process ended, or the store could not be reached. */
export const isOutOfReach = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) =>
      reason._tag === "Fail" &&
      (reason.error instanceof ConnectionLost || reason.error instanceof StoreUnavailable),
  )
