import { parseArgs } from "node:util"
import { visible as visibleText } from "../core/qr/ScannedText.ts"
import { fromIso } from "../core/shared/Timestamp.ts"

/** Ends a text as a sentence, because advice follows. Parsers end theirs without a full stop. */
const sentence = (text: string): string => (/[.!?:…]$/.test(text) ? text : `${text}.`)

/**
 * A wrong command line. The message says what it has to be. It may quote files, whose control
 * characters must not reach a terminal.
 */
export class BadOptions extends Error {
  override readonly name = "BadOptions"
  constructor(message: string, options?: ErrorOptions) {
    super(visibleText(sentence(message.trimEnd())), options)
  }
}

/** Reads the value after `--name`. Throws `BadOptions`. */
type Reader<A> = (name: string, text: string) => A

/** How each option of a command is read: a flag has no value, and texts may be repeated. */
export type Readers = { readonly [name: string]: Reader<unknown> | "flag" | "texts" }

/** The given options: a flag is true or false, any other option its value or undefined. */
export type Given<R extends Readers> = {
  readonly [N in keyof R]: R[N] extends Reader<infer A>
    ? A | undefined
    : R[N] extends "texts"
      ? ReadonlyArray<string>
      : boolean
}

/** The value of an option that has to be given. Throws `BadOptions` where it is not. */
export const required = <A>(name: string, value: A | undefined): A => {
  if (value !== undefined) return value
  throw new BadOptions(`--${name} is missing.`)
}

/** An option has another value than it `wanted`. */
export const refused = (name: string, wanted: string, text: string): BadOptions =>
  new BadOptions(`--${name} has to be ${wanted}, not ${JSON.stringify(text)}.`)

/** Any text. */
export const anyText: Reader<string> = (_, text) => text

/** Reads a text that fits into a header; an empty text counts as missing. */
export const visible: Reader<string> = (name, text) => {
  if (text === "") throw new BadOptions(`--${name} is missing.`)
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new BadOptions(`--${name} has to be visible ASCII characters without blanks.`)
}

/** A whole number within bounds, both included, of at most 15 digits. */
export const wholeNumber =
  (least: number, most: number): Reader<number> =>
  (name, text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw refused(name, `a whole number from ${least} to ${most}`, text)
  }

/** Reads a day such as 2026-01-31. Returns its start in UTC. */
export const day: Reader<number> = (name, text) => {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? fromIso(`${text}T00:00:00Z`) : undefined
  if (start !== undefined) return start
  throw refused(name, "a day such as 2026-01-31", text)
}

/** Reads a complete URL over http or https; `example` is shown in the error. */
export const webUrl =
  (example: string): Reader<URL> =>
  (name, text) => {
    const url = URL.parse(text)
    const isWeb = url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/]/i.test(text)
    if (isWeb && url.port !== "0") return url
    throw refused(name, `a URL such as ${example}`, text)
  }

/** The base URL of a service, without a slash at its end. */
export const baseUrl: Reader<string> = (name, text) => {
  const url = webUrl("http://127.0.0.1:4020")(name, text)
  if (url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "")
  throw refused(name, "a URL without a query, such as http://127.0.0.1:4020", text)
}

/**
 * Reads a command line; returns undefined for `--help`. Throws `BadOptions` for unknown options and
 * for values that a reader refuses.
 */
export const readCommandLine = <R extends Readers>(
  args: ReadonlyArray<string>,
  readers: R,
  allowPositionals = false,
): { readonly given: Given<R>; readonly positionals: ReadonlyArray<string> } | undefined => {
  const all = Object.entries<Readers[string]>({ ...readers, help: "flag" })
  const options = Object.fromEntries(
    all.map(([name, read]) => [
      name,
      { type: read === "flag" ? "boolean" : "string", multiple: read === "texts" } as const,
    ]),
  )
  const parsed = (() => {
    try {
      return parseArgs({ args: [...args], strict: true, allowPositionals, options })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const [first = message] = message.split(". ")
      throw new BadOptions(first, { cause: error })
    }
  })()
  const { positionals, values } = parsed
  if (values["help"] === true) return undefined
  const given = Object.entries<Readers[string]>(readers).map(([name, read]) => {
    const text = values[name]
    if (read === "flag") return [name, text === true]
    if (read === "texts") return [name, Array.isArray(text) ? text : []]
    return [name, typeof text === "string" ? read(name, text) : undefined]
  })
  return { given: Object.fromEntries(given) as Given<R>, positionals }
}
