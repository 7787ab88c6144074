import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Commit, Store } from "../../core/ports/Store.ts"
import { sourceText } from "../support/sourceFiles.ts"
import { check, checkMutant, MODELS, modelsOf, mutate } from "./check.ts"
import { lifecycles, store } from "./explorations.ts"
import { installedQuint } from "./installQuint.ts"
import { MACHINES, machines } from "./machines.ts"
import { MUTANTS } from "./mutants.ts"
import { playTraced } from "./traces/playTraced.ts"

describe("the models", () => {
  it("have the lifecycles as they are", async () => {
    expect(await sourceText(MACHINES), "`npm run diagrams` writes them anew").toBe(machines())
  })

  it.each(MUTANTS)("are changed where $name", async (mutant) => {
    const text = await readFile(join(MODELS, `${mutant.file}.qnt`), "utf8")
    expect(mutate(text, mutant)).not.toBe(text)
  })
})

const installed = installedQuint()
const quint = installed ?? ""
if (installed === undefined) {
  process.stderr.write("THE MODELS WERE NOT CHECKED: npm run twin installs Quint and does it.\n")
}

/** A store that gets changed commits. */
const storing = (change: (commit: Commit) => Commit) => (memory: Store["Service"]) => ({
  ...memory,
  commit: (commit: Commit) => memory.commit(change(commit)),
})

describe.skipIf(installed === undefined)("by Quint,", () => {
  const models = modelsOf(quint)

  it("every lifecycle keeps its rules", { timeout: 300_000 }, async () => {
    const { broken, states } = await check(models, lifecycles)
    expect(broken).toBeUndefined()
    expect(states).toBeGreaterThan(60)
  })

  it("two commits keep theirs", { timeout: 300_000 }, async () => {
    const plans = ["take", "spend"] as const
    const two = store({ plans, together: true, sameKey: false, faults: 0 })
    expect((await check(models, two)).broken).toBeUndefined()
  })

  it("a model without versions is refuted", { timeout: 300_000 }, async () => {
    const [mutant] = MUTANTS
    if (mutant === undefined) return expect.unreachable()
    const { broken } = await checkMutant(quint, mutant)
    expect(broken?.rules).toContain(mutant.refuted_by)
    expect(broken?.way.length).toBeGreaterThan(4)
  })

  it("a model takes each step of a world's store", { timeout: 300_000 }, async () => {
    const traced = playTraced(await models("Trace"), 1, 1)
    expect(traced.found).toStrictEqual([])
    expect(traced.commits).toBeGreaterThan(50)
    expect(traced.moves).toBeGreaterThan(3)
  })

  it.each([
    {
      flaw: "loses what is reserved",
      alter: storing(({ reservations: _, ...commit }) => commit),
      says: /the model at/,
    },
    {
      flaw: "loses events",
      alter: storing(({ events: _, ...commit }) => commit),
      says: /left event .* in version undefined, the model in 1/,
    },
  ])("a store that $flaw is noticed", { timeout: 300_000 }, async ({ alter, says }) => {
    const { found } = playTraced(await models("Trace"), 1, 1, alter)
    expect(found.join("\n")).toMatch(says)
  })
})
