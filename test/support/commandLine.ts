import { parseArgs, type ParseArgsOptionsConfig } from "node:util"

/** A mistake on the command line, with its message. */
export class OptionError extends Error {}

/** Parses a command line. Throws an `OptionError` for unknown options. */
export const parseOptions = <O extends ParseArgsOptionsConfig>(
  args: ReadonlyArray<string>,
  options: O,
) => {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** A whole number within bounds. Throws an `OptionError`. */
export const whole = (name: string, text: string, least: number, most: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const wanted = `a whole number from ${least} to ${most}`
  throw new OptionError(`--${name} has to be ${wanted}, not ${JSON.stringify(text)}.`)
}

/** Returns the parts that `--only` names, separated by commas. Throws an `OptionError`. */
export const chosen = <P extends string>(parts: ReadonlyArray<P>, text: string): ReadonlySet<P> => {
  const isPart = (name: string): name is P => parts.some((part) => part === name)
  const named = text.split(",").map((name) => name.trim())
  const unknown = named.find((name) => !isPart(name))
  if (unknown === undefined) return new Set(named.filter(isPart))
  throw new OptionError(
    `--only knows no part ${JSON.stringify(unknown)}. Choose from ${parts.join(", ")}.`,
  )
}

/** Describes the error that stopped a command, with its causes. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OptionError) return `${error.message} --help shows the options.`
  return error.cause === undefined ? error.message : `${error.message}: ${explain(error.cause)}`
}
