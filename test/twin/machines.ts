import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Lifecycle, lifecycles, movesOf } from "../../apps/docs/lifecycles.ts"
import { projectRoot } from "../support/sourceFiles.ts"

/** The file of the lifecycles' model. */
export const MACHINES = "test/twin/model/Machines.qnt"

/** A lifecycle's name in the model, such as `one_time_pay`. */
export const machineName = ({ title }: Pick<Lifecycle, "title">): string =>
  title.toLowerCase().replaceAll(/[ -]/g, "_")

const texts = (each: ReadonlyArray<string>): string =>
  `Set(${each.map((text) => JSON.stringify(text)).join(", ")})`

const INTRODUCTION = `// The lifecycles of the core, from the tables that its moves are made by
// (core/MACHINES.md draws them). \`npm run diagrams\` writes this file, and a test fails
// when it is out of date.
module Machines {
  type Move = { from: str, event: str, to: str, emits: Set[str], drops: Set[str] }
  type Machine = { first: str, states: Set[str], moves: Set[Move] }
`

interface Cell {
  readonly drop?: ReadonlyArray<string>
}

const movesIn = (lifecycle: Lifecycle): ReadonlyArray<string> =>
  movesOf(lifecycle).map(({ emit, event, from, to }) => {
    const { drop = [] } = (lifecycle.table[from]?.[event] ?? {}) as Cell
    const [emits, drops] = [texts(emit === undefined ? [] : [emit]), texts(drop)]
    const move = `from: "${from}", event: "${event}", to: "${to}"`
    return `        { ${move}, emits: ${emits}, drops: ${drops} }`
  })

const machineOf = (lifecycle: Lifecycle): string =>
  [
    `    // ${lifecycle.file}`,
    `    "${machineName(lifecycle)}" -> {`,
    `      first: "${lifecycle.first}",`,
    `      states: ${texts(Object.keys(lifecycle.table))},`,
    "      moves: Set(",
    movesIn(lifecycle).join(",\n"),
    "      )",
    "    }",
  ].join("\n")

/** The model of all lifecycles. */
export const machines = (): string =>
  [
    INTRODUCTION,
    "  pure val MACHINES: str -> Machine = Map(",
    lifecycles.map(machineOf).join(",\n"),
    "  )",
    "}",
    "",
  ].join("\n")

if (import.meta.main) await writeFile(join(projectRoot, MACHINES), machines())
