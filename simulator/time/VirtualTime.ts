import { Clock, Data, Duration, Effect, type Exit, type Fiber, type Scheduler } from "effect"
import { type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { ReadyQueue, TimerQueue } from "./TimerQueue.ts"

/**
 * The program waits for something that neither runs nor sleeps in virtual time: a promise, a
 * callback of the real world, or a signal that nobody will send.
 */
export class RealAsynchrony extends Data.TaggedError("RealAsynchrony")<{
  readonly message: string
}> {}

/** The program still sleeps and wakes when its time limit is over. */
export class OutOfTime extends Data.TaggedError("OutOfTime")<{ readonly message: string }> {}

/** A clock that stops while anything can run, and then jumps to the next timer. */
export interface VirtualTime {
  readonly now: () => Timestamp
  readonly clock: Clock.Clock
  readonly scheduler: Scheduler.Scheduler
  /** Runs a task after so many milliseconds, unless the returned function is called before. */
  readonly after: (millis: number, task: () => void) => () => void
  /** Calls `look` whenever nothing can run any more, before the clock jumps. */
  readonly whenStill: (look: () => void) => void
  /**
   * Runs a program to its end, synchronously and always in the same order. Throws `RealAsynchrony`
   * if it waits for the real world, and `OutOfTime` after `until`.
   */
  readonly run: <A, E>(
    program: Effect.Effect<A, E>,
    options?: { readonly until?: Timestamp },
  ) => Exit.Exit<A, E>
}

const NANOSECONDS = 1_000_000n

/** The number of operations that a fiber may run at a time; counted, so every run is equal. */
const OPERATIONS = 2_048

const outside = (): RealAsynchrony =>
  new RealAsynchrony({
    message: "Something of the real world woke a fiber of a virtual-time program after its run.",
  })

const stuck = (now: Timestamp): RealAsynchrony =>
  new RealAsynchrony({
    message:
      `At ${toIso(now)} of virtual time nothing can run and no timer is set, but the ` +
      "program has not ended: it waits for a promise or a callback, which virtual time refuses. " +
      "A part that is put into a simulated world has to answer synchronously.",
  })

/** The shared state of a clock and its scheduler. */
class Engine {
  readonly ready = new ReadyQueue()
  readonly timers = new TimerQueue()
  readonly looks: Array<() => void> = []
  now: Timestamp
  running = false

  constructor(start: Timestamp) {
    this.now = start
  }

  schedule(task: () => void, priority: number): void {
    if (!this.running) throw outside()
    this.ready.add(task, priority)
  }

  drain(): void {
    for (let task = this.ready.take(); task !== undefined; task = this.ready.take()) task()
  }

  after(millis: number, task: () => void): () => void {
    if (!this.running) throw outside()
    const timer = this.timers.set(this.now + Math.ceil(millis), task)
    return () => {
      timer.cancelled = true
    }
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback<void>((resume) => {
      return Effect.sync(this.after(millis, () => resume(Effect.void)))
    })
  }

  /** Runs the fiber to its end, and everything else that can run meanwhile. */
  finish<A, E>(fiber: Fiber.Fiber<A, E>, until: Timestamp): Exit.Exit<A, E> {
    for (;;) {
      this.drain()
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return exit
      for (const look of this.looks) look()
      const timer = this.timers.next()
      if (timer === undefined) throw stuck(this.now)
      if (timer.at > until) {
        throw new OutOfTime({ message: `The program still runs at ${toIso(until)} virtual time.` })
      }
      this.now = timer.at
      timer.ring()
    }
  }
}

const makeClock = (engine: Engine): Clock.Clock => {
  const millis = () => engine.now
  const nanos = () => BigInt(engine.now) * NANOSECONDS
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => engine.sleep(duration),
  }
}

/** Makes a virtual time from `start` on, in whole milliseconds. It never uses the event loop. */
export const makeVirtualTime = (start: Timestamp): VirtualTime => {
  const engine = new Engine(start)
  const clock = makeClock(engine)
  const dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task, priority) => engine.schedule(task, priority),
    flush: () => engine.drain(),
  }
  const scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: (fiber) => fiber.currentOpCount >= OPERATIONS,
    makeDispatcher: () => dispatcher,
  }
  const run: VirtualTime["run"] = (program, { until = Infinity } = {}) => {
    if (engine.running) throw new RealAsynchrony({ message: "This virtual time is running." })
    engine.running = true
    let fiber: Fiber.Fiber<unknown, unknown> | undefined
    try {
      const main = Effect.runFork(Effect.provideService(program, Clock.Clock, clock), { scheduler })
      fiber = main
      return engine.finish(main, until)
    } finally {
      if (fiber?.pollUnsafe() === undefined) {
        fiber?.interruptUnsafe()
        engine.drain()
      }
      engine.running = false
    }
  }
  return {
    now: () => engine.now,
    clock,
    scheduler,
    after: engine.after.bind(engine),
    whenStill: (look) => void engine.looks.push(look),
    run,
  }
}
