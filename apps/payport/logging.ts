import { Cause, Layer, Logger, References } from "effect"
import type { LogEntry, PayportOptions } from "./PayportOptions.ts"

const textOf = (part: unknown): string => (typeof part === "string" ? part : JSON.stringify(part))

const toHost = (log: (entry: LogEntry) => void) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const said = (Array.isArray(message) ? message : [message]).map(textOf)
    const why = cause.reasons.length === 0 ? [] : [Cause.pretty(cause)]
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    try {
      log({ level: logLevel, message: [...said, ...why].join(" "), at: date, annotations })
    } catch {
      // A failing log of the host must not make a payment fail.
    }
  })

/** Sends the log to the host, or warnings and errors to stderr. */
export const logging = (log: PayportOptions["log"]): Layer.Layer<never> => {
  if (log === false) return Logger.layer([])
  if (log !== undefined) return Logger.layer([toHost(log)])
  return Layer.merge(
    Logger.layer([Logger.withConsoleError(Logger.formatJson)]),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  )
}
