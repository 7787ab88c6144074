import { Config, Effect, Option, Redacted } from "effect"
import { StartFailure } from "./StartFailure.ts"

/** A variable: what it has to be, and its parser, which returns undefined for anything else. */
export interface Variable<A> {
  readonly name: string
  readonly wanted: string
  /** The default while it is unset, for the help. */
  readonly unset: string
  readonly secret: boolean
  readonly parse: (text: string) => A | undefined
}

/** Makes a variable whose value may be shown. */
export const variable = <A>(
  name: string,
  wanted: string,
  unset: string,
  parse: (text: string) => A | undefined,
): Variable<A> => ({ name, wanted, unset, secret: false, parse })

/** Makes a variable whose value is never shown. */
export const secret = (
  name: string,
  wanted: string,
  unset: string,
  isRight: (text: string) => boolean,
): Variable<Redacted.Redacted> => ({
  name,
  wanted,
  unset,
  secret: true,
  parse: (text) => (isRight(text) ? Redacted.make(text) : undefined),
})

const bad = ({ name, secret: hidden, wanted }: Variable<unknown>, text: string): StartFailure => {
  const shown = hidden ? "" : `, not ${JSON.stringify(text.slice(0, 80))}`
  return new StartFailure({ message: `${name} has to be ${wanted}${shown}.` })
}

/** Reads the variable's value; undefined if it is unset or empty. */
export const read = <A>(of: Variable<A>): Effect.Effect<A | undefined, StartFailure> =>
  Config.option(Config.String(of.name)).pipe(
    Effect.mapError((error) => new StartFailure({ message: `${of.name}: ${error.message}` })),
    Effect.flatMap((found) => {
      const text = Option.getOrElse(found, () => "").trim()
      if (text === "") return Effect.undefined
      const value = of.parse(text)
      return value === undefined ? Effect.fail(bad(of, text)) : Effect.succeed(value)
    }),
  )

/** Makes the failure of a start if `other` is set, but not the variable that it needs. */
export const requiredBy = ({ name }: Variable<unknown>, other: Variable<unknown>): StartFailure =>
  new StartFailure({ message: `${name} has to be set where ${other.name} is.` })

/** Reads the values of two variables that need each other; undefined if both are unset. */
export const readPair = Effect.fnUntraced(function* <A, B>(
  first: Variable<A>,
  second: Variable<B>,
) {
  const [a, b] = [yield* read(first), yield* read(second)]
  if (a !== undefined && b !== undefined) return [a, b] as const
  if (a !== undefined) return yield* requiredBy(second, first)
  return b === undefined ? undefined : yield* requiredBy(first, second)
})

/** Whether the text can be an operator's key: 16 to 256 visible ASCII characters. */
export const isAdminKey = (text: string): boolean => /^[\x21-\x7e]{16,256}$/.test(text)

/** Whether an operator's key could be guessed: it is short, or most of it is repetition. */
export const isWeakAdminKey = (text: string): boolean => text.length < 32 || new Set(text).size < 12

/** The description of a variable with a host. */
export const HOST = "an address or a host name to listen on"

/** Parses a port from 0 to 65535. */
export const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined

const isHost = (text: string): boolean => /^[A-Za-z0-9.:_%-]{1,253}$/.test(text)

/** Parses an http or https URL without user name, query and fragment; removes a trailing slash. */
export const parseUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === ""
  return plain ? url.href.replace(/\/+$/, "") : undefined
}

/** Parses a host or an address; removes the brackets of an IPv6 address. */
export const parseHost = (text: string): string | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, "$1")
  return isHost(bare) ? bare : undefined
}
