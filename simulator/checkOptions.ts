import type { Alterations } from "./Alterations.ts"
import type { SimulateOptions } from "./perform.ts"
import { otherName } from "./scenarios/decodeStrictly.ts"

const OPTIONS: { readonly [Name in keyof Required<SimulateOptions>]: true } = {
  seed: true,
  intents: true,
  scenario: true,
  faults: true,
  crashes: true,
  parts: true,
  alterations: true,
  stop_at: true,
  store: true,
  onProgress: true,
  onStep: true,
  onFault: true,
  onViolation: true,
  onWorld: true,
}

const ALTERATIONS: { readonly [Name in keyof Required<Alterations>]: "function" | "object" } = {
  store: "function",
  channels: "function",
  vault: "function",
  revoker: "function",
  rates: "function",
  sender: "function",
  probe: "function",
  clock: "function",
  offset: "function",
  leases: "function",
  doors: "object",
  hears: "function",
  makeLedger: "function",
  terms: "object",
}

const unknownIn = (given: object, known: object, path: string): ReadonlyArray<string> => {
  const names = Object.keys(known)
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `${path}${name}: there is no such option. ${otherName(name, names)}`)
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const refuse = (mistakes: ReadonlyArray<string>): void => {
  if (mistakes.length === 0) return
  throw new RangeError(`The world cannot be played:\n${mistakes.join("\n")}`)
}

/**
 * Refuses options with a name that no option has: without the option that was meant, another world
 * would hold than the one to be tested. Throws `RangeError`.
 */
export const checkOptions = (options: SimulateOptions): void => {
  if (!isObject(options)) throw new RangeError("The world cannot be played without options.")
  refuse(unknownIn(options, OPTIONS, ""))
}

/** Refuses alterations that would alter nothing, for the same reason. Throws `RangeError`. */
export const checkAlterations = (alterations: Alterations): void => {
  if (!isObject(alterations)) refuse(["alterations: must be an object"])
  const wrong = Object.entries(ALTERATIONS).filter(([name, type]) => {
    const value: unknown = Reflect.get(alterations, name)
    return value !== undefined && (typeof value !== type || value === null)
  })
  refuse([
    ...unknownIn(alterations, ALTERATIONS, "alterations."),
    ...wrong.map(
      ([name, type]) => `alterations.${name}: must be ${type === "object" ? "an" : "a"} ${type}`,
    ),
  ])
}
