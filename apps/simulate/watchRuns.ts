import { spawn } from "node:child_process"
import { watch as watchFiles } from "node:fs"
import { extname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { WatchOptions } from "./options.ts"
import type { ScenarioChoice } from "./scenarioOf.ts"
import { type Printed, shortly } from "./watch/shortly.ts"
import { concerns, watchedOf } from "./watch/watched.ts"

/** Editors write a file in several steps: so many milliseconds without any other end them. */
const SETTLES = 200

/** What a shell makes of a program that was interrupted. */
const INTERRUPTED = 130

const program = fileURLToPath(new URL(`main${extname(import.meta.url)}`, import.meta.url))

const print = (lines: ReadonlyArray<string>): void => {
  const time = new Date().toTimeString().slice(0, 8)
  process.stdout.write(`${time}  ${lines.join("\n")}\n`)
}

/** What a run has come to in a few lines; what it says of itself where it has printed nothing. */
const toldOf = (out: string, err: string, choice: ScenarioChoice): ReadonlyArray<string> => {
  const wanted = choice.scenario ?? "mixed"
  if (out.startsWith("{")) return shortly(JSON.parse(out) as Printed, wanted, choice)
  const [said = ""] = err.split("\n\nUsage: ", 1)
  return [said.trim() === "" ? "The run has said nothing." : said.trim()]
}

/** Plays in a process of its own, with the program as it is by then; returns how to end it. */
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

/** Plays again whenever something has changed, until it is interrupted. Returns the exit code. */
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
