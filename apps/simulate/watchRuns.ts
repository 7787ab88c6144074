import { spawn } from "node:child_process"
import { type FSWatcher, watch as watchFiles } from "node:fs"
import { extname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { WatchOptions } from "./options.ts"
import type { ScenarioChoice } from "./scenarioOf.ts"
import { type Printed, shortly } from "./watch/shortly.ts"
import { concerns, type Watched, watchedOf } from "./watch/watched.ts"

/** Editors write a file in several steps: a change has ended after this time, in milliseconds. */
const SETTLES = 200

/** The exit code of a shell for an interrupted program. */
const INTERRUPTED = 130

const program = fileURLToPath(new URL(`main${extname(import.meta.url)}`, import.meta.url))

const print = (lines: ReadonlyArray<string>): void => {
  const time = new Date().toTimeString().slice(0, 8)
  process.stdout.write(`${time}  ${lines.join("\n")}\n`)
}

/** Returns a run's result in a few lines; its error output if it has printed nothing. */
const toldOf = (out: string, err: string, choice: ScenarioChoice): ReadonlyArray<string> => {
  const wanted = choice.scenario ?? "mixed"
  if (out.startsWith("{")) return shortly(JSON.parse(out) as Printed, wanted, choice)
  const [said = ""] = err.split("\n\nUsage: ", 1)
  return [said.trim() === "" ? "The run has said nothing." : said.trim()]
}

/** Plays in a new process, with the current program; returns how to end it. */
const play = (args: ReadonlyArray<string>, choice: ScenarioChoice): (() => void) => {
  const child = spawn(process.execPath, [...process.execArgv, program, ...args, "--json"], {
    // The channel ends with this process, however it ends, and the run with it (`endWithParent`).
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  let [isOver, out, err] = [false, "", ""]
  child.stdout?.on("data", (data: Buffer) => (out += data.toString()))
  child.stderr?.on("data", (data: Buffer) => (err += data.toString()))
  child.on("error", (error) => print([error.message]))
  child.on("close", () => {
    if (!isOver) print(toldOf(out, err, choice))
  })
  return () => {
    isOver = true
    child.kill("SIGKILL")
  }
}

/** Watches what a run reads, which the changes themselves may change. */
class Watchers {
  readonly #hear: (name: string) => void
  #open: ReadonlyMap<string, FSWatcher> = new Map()
  constructor(hear: (name: string) => void) {
    this.#hear = hear
  }
  /** Watches these from now on, and nothing else. Returns whether any of them is new. */
  watch(all: ReadonlyArray<Watched>): boolean {
    const next = new Map(
      all.map((one) => {
        const key = JSON.stringify(one)
        return [key, this.#open.get(key) ?? this.#begin(one)]
      }),
    )
    for (const [key, watcher] of this.#open) if (!next.has(key)) watcher.close()
    const isNew = [...next.keys()].some((key) => !this.#open.has(key))
    this.#open = next
    return isNew
  }
  #begin(watched: Watched): FSWatcher {
    const recursive = watched.file === undefined
    return watchFiles(watched.folder, { recursive }, (_, name) => {
      if (concerns(watched, name)) this.#hear(name ?? watched.folder)
    })
  }
}

/** Plays again after each change, until it is interrupted. Returns the exit code. */
export const watchRuns = ({ args, ...choice }: WatchOptions): Promise<number> => {
  const { promise, resolve: end } = Promise.withResolvers<number>()
  let stop = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  const changed = (name: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stop()
      print([`${name} has changed: playing again`])
      begin()
    }, SETTLES)
  }
  const watchers = new Watchers(changed)
  const begin = () => {
    // An edit before they were watched may have named other files.
    while (watchers.watch(watchedOf(resolve(import.meta.dirname, "../.."), choice))) continue
    stop = play(args, choice)
  }
  begin()
  const interrupt = () => {
    clearTimeout(timer)
    stop()
    watchers.watch([])
    end(INTERRUPTED)
  }
  process.once("SIGINT", interrupt)
  process.once("SIGTERM", interrupt)
  return promise
}
