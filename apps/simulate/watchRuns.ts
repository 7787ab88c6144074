import { spawn } from "node:child_process"
import { watch as watchFiles } from "node:fs"
import { extname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { WatchOptions } from "./options.ts"
import type { ScenarioChoice } from "./scenarioOf.ts"
import { type Printed, shortly } from "./watch/shortly.ts"
import { concerns, watchedOf } from "./watch/watched.ts"

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
    stdio: ["ignore", "pipe", "pipe"],
  })
  let [isOver, out, err] = [false, "", ""]
  child.stdout.on("data", (data: Buffer) => (out += data.toString()))
  child.stderr.on("data", (data: Buffer) => (err += data.toString()))
  child.on("error", (error) => print([error.message]))
  child.on("close", () => {
    if (!isOver) print(toldOf(out, err, choice))
  })
  return () => {
    isOver = true
    child.kill("SIGKILL")
  }
}

/** Plays again after each change, until it is interrupted. Returns the exit code. */
export const watchRuns = ({ args, ...choice }: WatchOptions): Promise<number> => {
  const { promise, resolve: end } = Promise.withResolvers<number>()
  let stop = play(args, choice)
  let timer: NodeJS.Timeout | undefined
  const changed = (name: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stop()
      print([`${name} has changed: playing again`])
      stop = play(args, choice)
    }, SETTLES)
  }
  const watchers = watchedOf(resolve(import.meta.dirname, "../.."), choice).map((watched) => {
    const recursive = watched.file === undefined
    return watchFiles(watched.folder, { recursive }, (_, name) => {
      if (concerns(watched, name)) changed(name ?? watched.folder)
    })
  })
  const interrupt = () => {
    clearTimeout(timer)
    stop()
    for (const watcher of watchers) watcher.close()
    end(INTERRUPTED)
  }
  process.once("SIGINT", interrupt)
  process.once("SIGTERM", interrupt)
  return promise
}
