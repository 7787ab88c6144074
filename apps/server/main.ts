import { Cause, Effect, Exit } from "effect"
import cluster from "node:cluster"
import { layerJsonLines } from "../../adapters/shared/jsonLines.ts"
import { BadOptions, readCommandLine } from "../commandLine.ts"
import { commandOf } from "./commands.ts"
import { greeting, type Ready } from "./greeting.ts"
import { misspelt } from "./misspelt.ts"
import { type Output, outputOf } from "./Output.ts"
import { VERSION } from "../../core/shared/Version.ts"
import { ProcessEnded } from "./processes/ProcessEnded.ts"
import { programAsked } from "./programs.ts"
import { doubtsAbout, helpFor, readSettings, type Settings } from "./settings.ts"

/**
 * Milliseconds after which the process exits whatever still runs. They are counted from the signal
 * to stop, plus the pause before anything is closed.
 */
const LAST_MOMENT = 9_800

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** The same for commands, whose output is complete before the process ends: a pipe holds 64 kB. */
const printWhole = (text: string) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(`${text}\n`, () => resume(Effect.void))
  })

/** A second signal within so many milliseconds is the same signal, passed on by npm. */
const ECHO_WITHIN = 500

/** Explains in one line why the service ended. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const error: unknown = Cause.squash(cause)
  const message = error instanceof Error ? error.message.trim() : ""
  return (message === "" ? Cause.pretty(cause) : message).replaceAll(/\s+/g, " ")
}

let pause = 0

/** The other processes of a service have the environment of the first, which tells of it. */
const warn = (settings: Settings) => {
  const doubts = cluster.isWorker ? [] : [...misspelt(process.env), ...doubtsAbout(settings)]
  return Effect.forEach(doubts, (line) => Effect.logWarning(line), { discard: true })
}

/** Announces that the service can be used. */
type Announce = (ready: Ready) => Effect.Effect<void>

/** Loads the service, which is most of starting it, once it is known that it is to be started. */
const served = (settings: Settings, announce: Announce) =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("./observe/trace.ts"), import("./serve.ts")])),
    ([{ observed }, { serve }]) => observed(settings.observe, serve(settings, announce)),
  )

/** Loads what starts the service's processes. Each of them loads the service. */
const supervised = (settings: Settings, announce: Announce) =>
  Effect.flatMap(
    Effect.promise(() =>
      Promise.all([import("./observe/trace.ts"), import("./processes/supervise.ts")]),
    ),
    ([{ observed }, { supervise }]) => observed(settings.observe, supervise(settings, announce)),
  )

const start = ({ result, say }: Output) =>
  Effect.flatMap(Effect.tap(readSettings, warn), (settings) => {
    pause = settings.stop_pause
    const announce = (ready: Ready) => Effect.andThen(say(greeting(ready)), result(ready))
    // A process that is only a worker gains nothing from more processes, which would serve no
    // requests.
    const isAlone = settings.processes === 1 || !settings.roles.has("api")
    const run = isAlone ? served : supervised
    return run(settings, announce)
  })

/** The exit codes of commands that a signal has ended, as shells give them. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const

/** Runs a command until it ends, or until a signal stops it. */
const run = <E>(command: Effect.Effect<unknown, E>): void => {
  const running = Effect.runFork(Effect.provide(command, layerJsonLines()))
  let stoppedAt: number | undefined
  let stoppedBy: keyof typeof STOPPED | undefined
  const stop = (signal: keyof typeof STOPPED) => {
    const now = performance.now()
    if (stoppedAt !== undefined && now - stoppedAt < ECHO_WITHIN) return
    // One of several processes is told by its first one, too, which may be late. It ends with that.
    if (stoppedAt !== undefined && cluster.isWorker) return
    if (stoppedAt !== undefined) process.exit(1)
    stoppedAt = now
    stoppedBy = signal
    setTimeout(() => process.exit(1), pause + LAST_MOMENT).unref()
    running.interruptUnsafe()
  }
  // The service continues if the reader of its output goes away.
  process.stdout.on("error", () => undefined)
  process.stderr.on("error", () => undefined)
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
  running.addObserver((exit) => {
    if (Exit.isSuccess(exit)) process.exit(0)
    if (Cause.hasInterruptsOnly(exit.cause)) {
      // A service is always ended by a signal. Whatever waits for a command must not go on.
      if (name === "start" || stoppedBy === undefined) process.exit(0)
      const code = STOPPED[stoppedBy]
      const line = `payport ${name} was stopped by ${stoppedBy} before it was done.\n`
      process.stderr.write(line, () => process.exit(code))
      return
    }
    const error: unknown = Cause.squash(exit.cause)
    // A service process that ended with 1 has already said why.
    if (error instanceof ProcessEnded && error.how === 1) process.exit(1)
    process.stderr.write(`payport cannot run: ${explain(exit.cause)}\n`, () => process.exit(1))
  })
}

const [first = "start", ...others] = process.argv.slice(2)

/** Options without a command are those of `start`. */
const [name, args] = first.startsWith("--") ? ["start", [first, ...others]] : [first, others]

/** Returns what the command runs; undefined for an unknown name, null if its help is asked for. */
const read = () => {
  if (name !== "start") return commandOf(name, args, printWhole)
  const given = readCommandLine(args, { json: "flag" } as const)?.given
  return given === undefined ? null : start(outputOf(given.json, print))
}

/** What is answered without running anything. */
const INFORMING = new Set(["--help", "help", "--version"])

/** Says what is wrong with the arguments. */
const refuse = (message: string): void => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}

const answer = (): void => {
  const command = INFORMING.has(first) ? null : read()
  if (command === undefined) {
    refuse(`payport has no command ${JSON.stringify(name)}. See payport --help.`)
  } else if (command !== null) run(command)
  else process.stdout.write(first === "--version" ? `payport ${VERSION}\n` : helpFor(first))
}

const program = programAsked()

try {
  if (program === undefined) answer()
  else await program()
} catch (error) {
  if (!(error instanceof BadOptions)) throw error
  refuse(`${error.message} See payport ${name} --help.`)
}
