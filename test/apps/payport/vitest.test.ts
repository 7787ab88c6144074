import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Result } from "effect"
import { describe, expect, test, type TestContext } from "vitest"
import {
  NO_FAULTS,
  perform,
  readScenario,
  type Report,
  simulate,
} from "../../../simulator/index.ts"
import { readRunFile } from "../../../simulator/RunFile.ts"
import { arbitraryWorld, testWorldProperty, testWorlds } from "../../../apps/payport/vitest.ts"
import { failureOf } from "../../../apps/payport/vitest/failureOf.ts"
import { holdProperty } from "../../../apps/payport/vitest/testWorldProperty.ts"
import { attach } from "../../../apps/payport/vitest/testWorlds.ts"
import { dropping } from "../../simulation/flaw.ts"
import { temporaryFolder } from "../server/service.ts"

const small = { seed: 1, intents: 2, faults: NO_FAULTS, parts: [] } as const
const broken = () => simulate({ ...small, alterations: dropping("events") })

describe("expect(world).toHold()", () => {
  test("passes where every invariant held", () => {
    const report = simulate(small)
    expect(report).toHold()
    expect(() => expect(report).not.toHold()).toThrow(/with seed 1 holds, and should not/)
  })

  test("fails with the story, the seed, the file and how to run it again", async () => {
    const folder = await temporaryFolder()
    const report = broken()
    expect(() => expect(report).toHold({ folder, tries: 20 })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /seed 1 .*invariant 28 .*Reduced to one .*payment #1.*✗ INVARIANT 28.*Run it again:/s,
        ) as string,
      }) as Error,
    )
    expect(report).not.toHold({ folder, tries: 20 })
    const file = failureOf(report)?.file ?? ""
    const text = await readFile(file, "utf8")
    const { script, trace_hash } = Result.getOrThrow(readRunFile(JSON.parse(text)))
    expect(script.payments).toHaveLength(1)
    const again = perform(script, { alterations: dropping("events") })
    expect(again.trace_hash).toBe(trace_hash)
    expect(failureOf(report)?.message).toContain(file)
  })

  test("tells what broke where the file cannot be written, and why it cannot", async () => {
    const folder = join(await temporaryFolder(), "taken")
    await writeFile(folder, "a file, and no folder")
    const failure = failureOf(broken(), { folder, tries: 0 })
    expect(failure?.file).toBeUndefined()
    expect(failure?.message).toMatch(/invariant 28 .*Its file could not be written: .*taken/s)
  })

  test("says of a report from elsewhere what broke, without a story", async () => {
    const folder = await temporaryFolder()
    const failure = failureOf(structuredClone(broken()), { folder })
    expect(failure).toMatchObject({ file: undefined })
    expect(failure?.message).toMatch(/invariant 28 .*cannot be told.*seed: 1, intents: 2/s)
  })

  test.each([[undefined], [null], [7], [{ seed: 1 }]])("refuses %j", (received) => {
    expect(() => expect(received).toHold()).toThrow(/takes the report of a world/)
  })
})

const attaching = (task: TestContext["task"]) => {
  const attached: Array<ReadonlyArray<unknown>> = []
  const annotate = (...given: ReadonlyArray<unknown>) => {
    attached.push(given)
    return Promise.resolve({ message: "", type: "" })
  }
  return { annotate, attached, task }
}

test("the file of a world that broke is attached, with how its test is run alone", async ({
  task,
}) => {
  const folder = await temporaryFolder()
  const context = attaching(task)
  await attach(context, simulate(small), { folder })
  expect(context.attached).toEqual([])
  const report = broken()
  await attach(context, report, { folder, tries: 0 })
  const path = failureOf(report)?.file
  expect(context.attached).toEqual([
    [expect.stringContaining(`${task.name}$`), "seed"],
    [expect.stringContaining("replay"), "run file", { path, contentType: "application/json" }],
  ])
})

test.each(["our store (v2), seed 7", "$HOME > $5 `id`", "store [a+b] of Ann's?", "a\\\\d|b"])(
  "the command that is attached plays %s, in every shell",
  async (name) => {
    const folder = await temporaryFolder()
    const context = attaching({ name, file: { name: "a.test.ts" } } as TestContext["task"])
    await attach(context, broken(), { folder, tries: 0 })
    const printed = String(context.attached[0]?.[0]).replace("npx vitest run -t", "printf %s")
    const pattern = new RegExp(execFileSync("sh", ["-c", printed], { encoding: "utf8" }))
    expect(pattern.test(`a suite ${name}`)).toBe(true)
  },
)

test("tests of two stores that play the same seed have a file each, and keep it", async () => {
  const folder = await temporaryFolder()
  const file = (test: string) => failureOf(broken(), { folder, tries: 0 }, test)?.file
  const [one, other] = [file("one store"), file("another store")]
  expect(one).not.toBe(other)
  const more = simulate({ ...small, intents: 3, alterations: dropping("events") })
  expect(failureOf(more, { folder, tries: 0 }, "one store")?.file).not.toBe(one)
  expect(file("one store")).toBe(one)
  expect(await readdir(folder)).toHaveLength(3)
})

test.each([
  ["seeds", { seeds: Number("") }],
  ["seeds", { seeds: Number.NaN }],
  ["seeds", { seeds: 1.5 }],
  ["seed", { seed: Number.NaN }],
  ["seed", { seed: 0.5 }],
])("%s of %j would test nothing, or another world, and is refused", (name, options) => {
  expect(() => testWorlds("our store", options)).toThrow(
    new RegExp(`^The option ${name} has to be a whole number`),
  )
})

test("a matcher's file is that of its test", async ({ task }) => {
  const folder = await temporaryFolder()
  const [report, same] = [broken(), broken()]
  expect(report).not.toHold({ folder, tries: 0 })
  await attach(attaching(task), same, { folder, tries: 0 })
  expect(failureOf(same)?.file).toBe(failureOf(report)?.file)
})

describe("worlds of fast-check", () => {
  test("that break are reduced, and told with seed and path", async ({ task }) => {
    const folder = await temporaryFolder()
    const options = { runs: 2, parts: [], alterations: dropping("events"), folder, tries: 0 }
    await expect(holdProperty(9, options, undefined, attaching(task))).rejects.toThrow(
      /seed 9 does not hold.*payments: 1, faults that are on: 0,.*fast-check: \{ seed: 9, path: "/s,
    )
  })

  test("that hold and are not as wanted are told by fast-check", async ({ task }) => {
    const options = { runs: 2, parts: [], intents: 3 }
    const isEmpty = ({ intents }: Report) => intents > 3
    await expect(holdProperty(9, options, isEmpty, attaching(task))).rejects.toThrow(
      /seed 9 holds, and is not .*payments: 1, faults: \{\}.*false.*fast-check: \{ seed: 9/s,
    )
  })

  test("have its seed, and faults at their worst or off", () => {
    const world = arbitraryWorld(fc, { seed: 7, intents: 3 })
    fc.assert(
      fc.property(world, ({ faults, intents, seed }) => {
        const on = Object.values(faults ?? {}).filter((size) => size > 0)
        return seed === 7 && (intents ?? 9) <= 3 && on.length <= 6
      }),
      { seed: 7 },
    )
  })
})

const scenario = Result.getOrThrow(
  readScenario({
    name: "hasty",
    about: "Everybody pays at once.",
    payments: 2,
    load: { shape: "steady", mean_gap_ms: 500 },
    payers: [{ weight: 1, persona: "hasty" }],
    payees: [{ weight: 1, persona: "brisk" }],
    one_time: 0,
    keyed: 1,
    reuses_key: 0,
    buys_again: 0,
    nosy: 0,
    faults: { base: "none" },
  }),
)

let judged: Array<number> = []
testWorlds("each seed has a test", { seed: 4, seeds: 2, scenario }, ({ seed }, { task }) => {
  expect(task.name).toBe(`each seed has a test, seed ${seed}`)
  judged = [...judged, seed]
})
test("and each was judged", () => expect(judged).toEqual([4, 5]))

testWorldProperty("a property over worlds holds", { seed: 3, seeds: 1, runs: 2 }, ({ seed }) => {
  expect(seed).toBe(3)
})
