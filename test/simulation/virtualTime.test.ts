import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { describe, expect, test } from "vitest"
import { makeVirtualTime, OutOfTime, RealAsynchrony } from "../../simulator/time/VirtualTime.ts"

const START = 1_000_000

const run = <A, E>(program: Effect.Effect<A, E>) => {
  const time = makeVirtualTime(START)
  const exit = time.run(program)
  return { value: Exit.isSuccess(exit) ? exit.value : undefined, exit, passed: time.now() - START }
}

describe("virtual time", () => {
  test("a long sleep is over at once, and the clock has moved by it", () => {
    const { value, passed } = run(Effect.andThen(Effect.sleep("30 days"), Clock.currentTimeMillis))
    expect(passed).toBe(30 * 86_400_000)
    expect(value).toBe(START + passed)
  })

  test("timers ring by time, and those of one moment in the order in which they were set", () => {
    const rung: Array<string> = []
    const ring = (name: string, millis: number) =>
      Effect.andThen(
        Effect.sleep(millis),
        Effect.sync(() => rung.push(name)),
      )
    run(
      Effect.all([ring("c", 30), ring("a", 10), ring("b1", 20), ring("b2", 20), ring("b3", 20)], {
        concurrency: "unbounded",
      }),
    )
    expect(rung).toEqual(["a", "b1", "b2", "b3", "c"])
  })

  test("whatever can run does so before the clock goes on", () => {
    const seen: Array<[string, number]> = []
    const note = (name: string) =>
      Effect.map(Clock.currentTimeMillis, (at) => seen.push([name, at - START]))
    run(
      Effect.gen(function* () {
        const woken = yield* Effect.forkChild(Effect.andThen(Effect.sleep(5), note("timer")))
        yield* Effect.yieldNow
        yield* note("first")
        yield* Effect.yieldNow
        yield* note("second")
        yield* Fiber.join(woken)
      }),
    )
    expect(seen).toEqual([
      ["first", 0],
      ["second", 0],
      ["timer", 5],
    ])
  })

  test("parts of a millisecond are rounded up: time is whole milliseconds", () => {
    expect(run(Effect.sleep("1500 micros")).passed).toBe(2)
  })

  test("an interrupted sleep holds the clock no longer", () => {
    const { passed } = run(Effect.raceFirst(Effect.sleep("1 hour"), Effect.sleep("1 second")))
    expect(passed).toBe(1_000)
  })

  test("fibers hand values to each other", () => {
    const { value } = run(
      Effect.gen(function* () {
        const promised = yield* Deferred.make<string>()
        yield* Effect.forkChild(
          Effect.andThen(Effect.sleep("1 minute"), Deferred.succeed(promised, "here")),
        )
        return yield* Deferred.await(promised)
      }),
    )
    expect(value).toBe("here")
  })

  test("a failure is the run's exit", () => {
    expect(Exit.isFailure(run(Effect.fail("no")).exit)).toBe(true)
  })

  test.each([
    ["a promise", Effect.promise(() => Promise.resolve(1))],
    ["a callback that does not come at once", Effect.callback<void>(() => undefined)],
    ["a timer of the real world", Effect.promise(() => new Promise((go) => setTimeout(go, 1)))],
    ["a signal that nobody gives", Effect.never],
  ])("%s is refused", (_, program) => {
    expect(() => run(program)).toThrow(RealAsynchrony)
  })

  test("what was refused never goes on later", async () => {
    let went = false
    const late = Effect.andThen(
      Effect.promise(() => Promise.resolve()),
      Effect.sync(() => {
        went = true
      }),
    )
    expect(() => run(late)).toThrow(RealAsynchrony)
    await new Promise((go) => setTimeout(go, 5))
    expect(went).toBe(false)
  })

  test("a callback that comes at once is none of the real world's", () => {
    expect(run(Effect.callback<number>((resume) => resume(Effect.succeed(7)))).value).toBe(7)
  })

  test("a program that goes on for ever ends with its time", () => {
    const time = makeVirtualTime(START)
    const forever = Effect.forever(Effect.sleep("1 hour"))
    expect(() => time.run(forever, { until: START + 86_400_000 })).toThrow(OutOfTime)
  })

  test("the event loop is never entered", () => {
    const order: Array<string> = []
    void Promise.resolve().then(() => order.push("microtask"))
    run(Effect.forEach(Array.from({ length: 100 }), () => Effect.sleep("1 second")))
    order.push("run")
    expect(order).toEqual(["run"])
  })
})
