import { Cause, Effect, Exit } from "effect"
import { layerJsonLines } from "../../adapters/http/koa/telemetry.ts"
import { serve } from "./serve.ts"
import { help, readSettings } from "./settings.ts"

/** Milliseconds after the signal to stop, after which the process exits whatever still runs. */
const LAST_MOMENT = 9_800

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** Why the service ended, in one line. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const error: unknown = Cause.squash(cause)
  if (error instanceof Error) {
    const message =
      Reflect.get(error, "_tag") === "Unsealable"
        ? "PAYPORT_MASTER_KEY has to be the key that the secrets in this database were sealed with."
        : error.message
    return message.replaceAll(/\s+/g, " ").trim()
  }
  return Cause.pretty(cause).replaceAll(/\s+/g, " ")
}

const main = Effect.flatMap(readSettings, (settings) => serve(settings, print)).pipe(
  Effect.provide(layerJsonLines()),
)

const start = (): void => {
  const running = Effect.runFork(main)
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), LAST_MOMENT).unref()
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

if (process.argv.includes("--help")) process.stdout.write(help)
else start()
