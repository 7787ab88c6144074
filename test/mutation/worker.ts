import { registerHooks } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { Asked, Played, Start } from "./Player.ts"

/*
 * The mutant has to be known before any module of the core is loaded, so only types are imported
 * above.
 */

/** The globals that mutated code reads: the active mutant, and how often it may be reached. */
interface Switches {
  activeMutant: string | undefined
  currentTestId: string | undefined
  hitCount: number
  hitLimit: number
  mutantCoverage?: {
    readonly static: { readonly [id: string]: number }
    readonly perTest: { readonly [world: string]: { readonly [id: string]: number } }
  }
}

/** A mutant in a loop that never ends is come by so often, and then throws. */
const MOST_HITS = 20_000_000

const INTENTS = 11

const { active, sources } = workerData as Start
const switches: Switches = {
  activeMutant: active,
  currentTestId: undefined,
  hitCount: 0,
  hitLimit: MOST_HITS,
}
Reflect.set(globalThis, "__stryker__", switches)
registerHooks({
  load: (url, context, nextLoad) => {
    const source = sources.get(url)
    if (source === undefined) return nextLoad(url, context)
    return { format: "module-typescript", source, shortCircuit: true }
  },
})

const firstLine = (text: string): string => text.split("\n", 1).join("")

const tell = (played: Played) => parentPort?.postMessage(played, [])

const start = async () => {
  const { simulate } = await import("../../simulator/perform.ts")
  const { untraced } = await import("../../simulator/untraced.ts")
  const { invariants } = await import("../../simulator/auditor/invariants.ts")
  const { LIBRARY } = await import("../../simulator/scenarios/library.ts")
  const stop_at = invariants.map(({ number }) => number)

  const play = ({ mutant, world }: Asked): Played => {
    const scenario = LIBRARY.find(({ name }) => name === world.scenario)
    if (scenario === undefined) throw new Error(`No scenario is called ${world.scenario}.`)
    if (mutant !== undefined) switches.activeMutant = mutant
    const name = `${world.scenario} ${world.seed}`
    switches.currentTestId = mutant === undefined ? name : "mutated"
    switches.hitCount = 0
    try {
      const options = { seed: world.seed, intents: INTENTS, scenario, stop_at }
      const { trace_hash, violations } = untraced(() => simulate(options))
      const [first] = violations
      const covered = Object.keys(switches.mutantCoverage?.perTest[name] ?? {})
      if (first === undefined) return { type: "held", hash: trace_hash, covered }
      return { type: "broken", by: firstLine(`${first.number} ${first.name}: ${first.finding}`) }
    } catch (error) {
      return { type: "broken", by: firstLine(String(error)) }
    } finally {
      // A worker that was started with a mutant has it on for all of its life.
      switches.activeMutant = active
    }
  }
  parentPort?.on("message", (asked: Asked) => tell(play(asked)))
  tell({ type: "ready", covered: Object.keys(switches.mutantCoverage?.static ?? {}) })
}

try {
  await start()
} catch (error) {
  tell({ type: "broken", by: firstLine(`nothing starts: ${String(error)}`) })
}
