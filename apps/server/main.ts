import { Cause, Effect, Exit } from "effect"
import { layerJsonLines } from "../../adapters/http/koa/telemetry.ts"
import { commandOf } from "./commands.ts"
import { observed } from "./observe/trace.ts"
import { serve } from "./serve.ts"
import { help, readSettings } from "./settings.ts"

/**
 * Milliseconds after the signal to stop, and the pause before it closes anything, after which the
 * process exits whatever still runs.
 */
const LAST_MOMENT = 9_800

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** The same for commands, whose output is whole before the process ends: a pipe takes 64 kB. */
const printWhole = (text: string) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(`${text}\n`, () => resume(Effect.void))
  })

/** A second signal within so many milliseconds is the first, which npm passes on as well. */
const ECHO_WITHIN = 500

/** Why the service ended, in one line. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const error: unknown = Cause.squash(cause)
  const message = error instanceof Error ? error.message.trim() : ""
  return (message === "" ? Cause.pretty(cause) : message).replaceAll(/\s+/g, " ")
}

let pause = 0

const start = Effect.flatMap(readSettings, (settings) => {
  pause = settings.stop_pause
  return observed(settings.observe, serve(settings, print))
})

/** Runs a command until it ends, or until a signal stops it. */
const run = <E>(command: Effect.Effect<unknown, E>): void => {
  const running = Effect.runFork(Effect.provide(command, layerJsonLines()))
  let stoppedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (stoppedAt !== undefined && now - stoppedAt < ECHO_WITHIN) return
    if (stoppedAt !== undefined) process.exit(1)
    stoppedAt = now
    setTimeout(() => process.exit(1), pause + LAST_MOMENT).unref()
    running.interruptUnsafe()
  }
  // The service goes on when the reader of its output goes away.
  process.stdout.on("error", () => undefined)
  process.stderr.on("error", () => undefined)
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
  running.addObserver((exit) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) process.exit(0)
    process.stderr.write(`payport cannot run: ${explain(exit.cause)}\n`, () => process.exit(1))
  })
}

const [, , name = "start", ...args] = process.argv
const command = commandOf(name, args, printWhole) ?? (name === "start" ? start : undefined)

if ([name, ...args].includes("--help")) process.stdout.write(help)
else if (command !== undefined) run(command)
else {
  process.stderr.write(`payport knows no command ${JSON.stringify(name)}: see --help.\n`)
  process.exitCode = 2
}
