import { Cause, Formatter, Layer, Logger, References } from "effect"
import type { LogEntry, PayportOptions } from "./PayportOptions.ts"

/** Returns a part of a message as text. Errors of the host's code may hold anything. */
const textOf = (part: unknown): string => {
  try {
    return typeof part === "string" ? part : Formatter.formatJson(part)
  } catch {
    return "(a value that cannot be written)"
  }
}

const traceOf = (cause: Cause.Cause<unknown>): ReadonlyArray<string> => {
  if (cause.reasons.length === 0) return []
  try {
    return [Cause.pretty(cause)]
  } catch {
    return ["(a cause that cannot be written)"]
  }
}

// A log that fails, at once or later, must not make a payment fail or end the host's process.
const toHost = (log: (entry: LogEntry) => unknown) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const said = (Array.isArray(message) ? message : [message]).map(textOf)
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    const text = [...said, ...traceOf(cause)].join(" ")
    const told = async () => log({ level: logLevel, message: text, at: date, annotations })
    told().catch(() => undefined)
  })

/** Returns an entry as a line of JSON, also where it holds an error that cannot be read. */
const toLine = Logger.make<unknown, string>((entry) => {
  try {
    return Logger.formatJson.log(entry)
  } catch {
    const message = [textOf(entry.message), ...traceOf(entry.cause)]
    return Logger.formatJson.log({ ...entry, message, cause: Cause.empty })
  }
})

/** Sends the log to the host, or warnings and errors to stderr. */
export const logging = (log: PayportOptions["log"]): Layer.Layer<never> => {
  if (log === false) return Logger.layer([])
  if (log !== undefined) return Logger.layer([toHost(log)])
  return Layer.merge(
    Logger.layer([Logger.withConsoleError(toLine)]),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  )
}
