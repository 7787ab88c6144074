import { Worker } from "node:worker_threads"
import { describe, expect, onTestFinished, test } from "vitest"
import { Threads } from "../../../../apps/simulate/batch/runSeeds.ts"
import { shrinkOn, type ShrinkingOn } from "../../../../apps/simulate/batch/shrinkOn.ts"
import type { StartWorker } from "../../../../apps/simulate/batch/Thread.ts"
import { drawScript } from "../../../../simulator/drawScript.ts"
import { usualParts } from "../../../../simulator/parts.ts"
import { shrink } from "../../../../simulator/shrinking/shrink.ts"
import type { Shrinking, Shrunk } from "../../../../simulator/shrinking/Shrinker.ts"
import type { Script } from "../../../../simulator/world/plans/Plan.ts"
import type { Mishap } from "./scriptedThread.ts"

const program = new URL(import.meta.resolve("./scriptedThread.ts"))

/** Little memory, so that a thread that hoards it soon runs out. */
const LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 }

const scripted = (count: number, timeout?: number) => {
  const started: Array<Worker> = []
  const start: StartWorker = (memory) => {
    const worker = new Worker(program, { workerData: memory, resourceLimits: LIMITS })
    started.push(worker)
    return worker
  }
  const threads = new Threads(count, timeout, start)
  onTestFinished(() => threads.end())
  return { started, threads }
}

/** The payment that is looked for. */
const WANTED = 9

// Only faults with an effect, so that the first tries are of payments.
const faults = Object.fromEntries(
  Object.entries(drawScript({ seed: 1, intents: 16 }).faults).filter(([, size]) => size > 0),
)
const drawn: Script = { ...drawScript({ seed: 1, intents: 16, parts: [] }), faults }
const hasWanted = ({ payments }: Script): boolean =>
  payments.some(({ number }) => number === WANTED)

const shrinkBy = async (
  threads: Threads,
  scenario: string,
  options: Partial<ShrinkingOn> = {},
): Promise<Shrunk & { readonly heard: ReadonlyArray<Shrinking> }> => {
  const heard: Array<Shrinking> = []
  const onTry = (now: Shrinking) => void heard.push(now)
  const sent = { script: { ...drawn, scenario }, breaks: WANTED }
  return { ...(await shrinkOn(threads, sent, { tries: 400, onTry, ...options })), heard }
}

const namesOf = ({ payments }: Script): string => payments.map(({ number }) => number).join()

/** The result of one thread for scripts that do not fail without these payments. */
const alone = (scenario: string, without = "", tries = 400): Shrunk =>
  shrink(
    { ...drawn, scenario },
    usualParts,
    (smaller) => hasWanted(smaller) && namesOf(smaller) !== without,
    { tries },
  )

/** The second attempt, which fails if nothing happens to it. */
const SECOND = "8,9,10,11,12,13,14,15"

describe("a failing world is reduced on threads", () => {
  test.each([1, 3])("%d come to what is found without any", async (count) => {
    const { heard, ...shrunk } = await shrinkBy(scripted(count).threads, "whole")
    expect(shrunk).toEqual(alone("whole"))
    expect(shrunk.why).toBe("each_is_needed")
    expect(heard.at(-1)?.tries).toBe(shrunk.tries)
    const tries = heard.map((now) => now.tries)
    expect(tries).toEqual([...new Set(tries)].toSorted((a, b) => a - b))
  })

  test.each([1, 3])("%d are out of tries with the same", async (count) => {
    const { heard: _, ...shrunk } = await shrinkBy(scripted(count).threads, "whole", { tries: 6 })
    expect(shrunk).toEqual(alone("whole", "", 6))
    expect(shrunk.tries).toBe(6)
  })

  test("and their threads reduce another", async () => {
    const { started, threads } = scripted(2)
    const first = await shrinkBy(threads, "whole")
    expect(await shrinkBy(threads, "whole")).toMatchObject({ script: first.script })
    expect(started).toHaveLength(2)
  })
})

describe("what comes to no end does not fail", () => {
  test.each<readonly [Mishap, number, number | undefined]>([
    ["exits", 1, undefined],
    ["exits", 3, undefined],
    ["throws", 3, undefined],
    ["hoards", 2, undefined],
    ["spins", 1, 2],
    ["spins", 2, 2],
  ])("where it %s, on %d threads", async (mishap, count, timeout) => {
    const scenario = `${mishap} ${SECOND}`
    const { started, threads } = scripted(count, timeout)
    const { heard: _, ...shrunk } = await shrinkBy(threads, scenario)
    expect(shrunk).toEqual(alone(scenario, SECOND))
    expect(shrunk).not.toEqual({ ...alone("whole"), script: shrunk.script })
    expect(shrunk.script.payments).toHaveLength(1)
    // Another takes its place, where there is something to do.
    await shrinkBy(threads, "whole")
    expect(started.length).toBeGreaterThan(count)
  })

  test("unless it cannot even begin, which no other thread would either", async () => {
    await expect(shrinkBy(scripted(2).threads, `throws ${SECOND} before`)).rejects.toThrow(
      "A thread that runs worlds has ended: This thread breaks.",
    )
  })

  test("one that nobody needs any more gives its thread back", async () => {
    const { started, threads } = scripted(3)
    // The third in order begins with the second, which fails: one thread never tries it.
    const scenario = "spins 0,1,2,3,4,5,6,7"
    const { heard: _, ...shrunk } = await shrinkBy(threads, scenario)
    expect(shrunk).toEqual(alone(scenario))
    await shrinkBy(threads, "whole")
    expect(started.length).toBeGreaterThan(3)
  })
})

test("a world whose thread dies has broken down, and the others are played", async () => {
  const told = new Map<number, string>()
  await scripted(2).threads.run(
    [1, 2, 3, 4, 5].map((seed) => ({ seed })),
    (done) => {
      if (done.type === "broken") told.set(done.seed, `${done.how}: ${done.message}`)
      return true
    },
  )
  const played = "broke_down: It plays nothing."
  const died = "broke_down: Its thread has ended: exit code 7"
  const seeds = [...told].toSorted(([a], [b]) => a - b).map(([, said]) => said)
  expect(seeds).toEqual([played, died, played, died, played])
})

describe("it ends before", () => {
  test("at once when it is interrupted, with what is smallest by then", async () => {
    const { threads } = scripted(2)
    const interrupt = new AbortController()
    const onTry = ({ payments }: Shrinking) => {
      if (payments === 8) setTimeout(() => interrupt.abort(), 100)
    }
    const { script, why } = await shrinkBy(threads, "spins 4", { onTry, signal: interrupt.signal })
    expect(why).toBe("interrupted")
    expect(hasWanted(script)).toBe(true)
    expect(script.payments).toHaveLength(8)
  })

  test("when its time is up, with what was under way", async () => {
    let left = 6
    const isTimeUp = () => (left -= 1) < 0
    const { script, tries, why } = await shrinkBy(scripted(3).threads, "whole", { isTimeUp })
    expect(why).toBe("out_of_time")
    expect(tries).toBeGreaterThan(0)
    expect(tries).toBeLessThanOrEqual(6)
    expect(hasWanted(script)).toBe(true)
  })
})
