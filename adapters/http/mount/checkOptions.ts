import { type Failure, invalidField } from "../../../core/shared/Failure.ts"
import { AddressGate } from "../../shared/addresses/AddressGate.ts"
import { Intake } from "../../shared/Intake.ts"

type Check = readonly [is: (value: unknown) => boolean, wanted: string]

const isFunction = (value: unknown): boolean => typeof value === "function"
const isFlag = (value: unknown): boolean => typeof value === "boolean"
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const isPart = (value: unknown): boolean =>
  isObject(value) && ["serves", "handle", "close"].every((name) => Reflect.has(value, name))

const hasParts = (value: unknown): boolean => Array.isArray(value) && value.every(isPart)

const FLAG: Check = [isFlag, "must be true or false"]

/** The shortest key that cannot be guessed. */
const KEY = /^[\x21-\x7e]{16,}$/

const CHECKS: { readonly [name: string]: Check } = {
  prefix: [(value) => typeof value === "string", "must be a path such as /payments"],
  rewritten: FLAG,
  adminKey: [
    (value) => typeof value === "string" && KEY.test(value),
    "must be a text of 16 visible ASCII characters or more",
  ],
  operators: [isFunction, "must be a function that gives the keys of operators"],
  gate: [(value) => value instanceof AddressGate, "must be an AddressGate"],
  intake: [(value) => value instanceof Intake, "must be an Intake"],
  beforeMetrics: [isObject, "must be an Effect"],
  streams: [isObject, "must be an object of limits"],
  tracing: [isObject, "must say how requests are traced"],
  accessLog: [(value) => typeof value === "string", "must say which requests have a line"],
  openapi: FLAG,
  discovery: FLAG,
  health: FLAG,
  metrics: FLAG,
  beside: [hasParts, "must be a list of what mcp(payport) gives"],
  drainWithin: [
    (value) => typeof value === "number" && value >= 0 && value < 2 ** 31,
    "must be milliseconds from 0 on",
  ],
}

/** Returns the flaw of a mount's options; undefined if there is none. */
export const flawOfOptions = (given: object): Failure<"INVALID_REQUEST"> | undefined => {
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined
    if (check === undefined) {
      return invalidField(name, `is not known; there are ${Object.keys(CHECKS).join(", ")}`)
    }
    const [is, wanted] = check
    if (value !== undefined && !is(value)) return invalidField(name, wanted)
  }
  return undefined
}
