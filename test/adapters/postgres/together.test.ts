import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scheduler } from "effect"
import { describe } from "vitest"
import { together } from "../../../adapters/postgres/together.ts"

/** A question that is answered when the test says so. */
const opened = () => {
  const waiting: Array<() => void> = []
  const wait = Effect.callback<void>((resume) => {
    waiting.push(() => resume(Effect.void))
  })
  return { wait, open: Effect.sync(() => waiting.shift()?.()) }
}

type Sent = Array<number | ReadonlyArray<number>>

const gated = (
  more: { readonly nameOf?: (n: number) => string; readonly fails?: (n: number) => boolean } = {},
) => {
  const { open, wait } = opened()
  const sent: Sent = []
  const { fails = () => false, nameOf } = more
  const ask = together<number, number, "refused">({
    most: 4,
    ...(nameOf === undefined ? {} : { nameOf }),
    goApart: () => true,
    alone: (n) =>
      Effect.andThen(
        Effect.sync(() => void sent.push(n)),
        Effect.andThen(wait, fails(n) ? Effect.fail("refused" as const) : Effect.succeed(10 * n)),
      ),
    all: (asked) =>
      Effect.andThen(
        Effect.sync(() => void sent.push(asked)),
        Effect.andThen(
          wait,
          asked.some(fails)
            ? Effect.fail("refused" as const)
            : Effect.succeed(asked.map((n) => 10 * n)),
        ),
      ),
  })
  const asked = (...numbers: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const fibers = []
      for (const n of numbers) {
        fibers.push(yield* Effect.forkChild(ask(n)))
        yield* Effect.yieldNow
      }
      return fibers
    })
  /** Answers the pending reads and those that follow, a few turns later. */
  const answer = Effect.gen(function* () {
    yield* open
    for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => new Promise(setImmediate))
  })
  return { sent, asked, answer }
}

describe("what is asked together", () => {
  it.live("is what came while an answer was on its way, so many at most", () =>
    Effect.gen(function* () {
      const { answer, asked, sent } = gated()
      const fibers = yield* asked(1, 2, 3, 4, 5, 6)
      expect(sent).toEqual([1])
      yield* answer
      expect(sent).toEqual([1, [2, 3, 4, 5]])
      yield* answer
      expect(sent).toEqual([1, [2, 3, 4, 5], [6]])
      yield* answer
      expect(yield* Fiber.joinAll(fibers)).toEqual([10, 20, 30, 40, 50, 60])
      yield* asked(7)
      expect(sent.at(-1)).toBe(7)
    }),
  )

  it.live("leaves out whom nobody waits for any more", () =>
    Effect.gen(function* () {
      const { answer, asked, sent } = gated()
      const [first, second, third] = yield* asked(1, 2, 3)
      yield* Fiber.interrupt(second!)
      yield* answer
      yield* answer
      expect(sent).toEqual([1, [3]])
      expect(yield* Fiber.joinAll([first!, third!])).toEqual([10, 30])
    }),
  )

  it.live("goes on when the first one has gone", () =>
    Effect.gen(function* () {
      const { answer, asked, sent } = gated()
      const [first, second] = yield* asked(1, 2)
      yield* Fiber.interrupt(first!)
      yield* Effect.promise(() => new Promise(setImmediate))
      expect(sent).toEqual([1, [2]])
      yield* answer
      yield* answer
      expect(yield* Fiber.join(second!)).toBe(20)
    }),
  )

  it.live("has nothing in common that may not go together, and keeps its order", () =>
    Effect.gen(function* () {
      const { answer, asked, sent } = gated({ nameOf: (n) => String(n % 10) })
      const fibers = yield* asked(1, 2, 12, 3, 22)
      for (let n = 0; n < 4; n++) yield* answer
      expect(sent).toEqual([1, [2, 3], [12], [22]])
      expect(yield* Fiber.joinAll(fibers)).toEqual([10, 20, 120, 30, 220])
    }),
  )

  it.live("fails nobody for another's sake", () =>
    Effect.gen(function* () {
      const { answer, asked, sent } = gated({ fails: (n) => n === 3 })
      const fibers = yield* asked(1, 2, 3)
      for (let n = 0; n < 4; n++) yield* answer
      const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, false])
      expect(sent.slice(0, 2)).toEqual([1, [2, 3]])
      expect(new Set(sent.slice(2))).toEqual(new Set([2, 3]))
    }),
  )
})

describe("whoever gives up", () => {
  const places = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap((steps) =>
    [0, 1, 2, 3, 4, 5, 6].map((turns) => ({ steps, turns })),
  )
  // A fiber that yields after so many steps is interrupted there.
  it.effect.each(places)("at step $steps, turn $turns, leaves nobody behind it", (place) =>
    Effect.gen(function* () {
      const ask = together<number, number, never>({
        most: 4,
        alone: (n) => Effect.as(Effect.yieldNow, 10 * n),
        all: (asked) => Effect.succeed(asked.map((n) => 10 * n)),
      })
      const gone = yield* Effect.forkChild(
        Effect.provideService(ask(1), Scheduler.MaxOpsBeforeYield, place.steps),
      )
      for (let turn = 0; turn < place.turns; turn += 1) yield* Effect.yieldNow
      yield* Fiber.interrupt(gone)
      const next = yield* Effect.forkChild(ask(2))
      for (let turn = 0; turn < 50; turn += 1) yield* Effect.yieldNow
      expect(next.pollUnsafe()).toEqual(Exit.succeed(20))
    }),
  )
})
