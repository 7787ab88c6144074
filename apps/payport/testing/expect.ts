import { AssertionError } from "node:assert"
import { inspect, isDeepStrictEqual } from "node:util"

/** The expectations about a value. Each throws an `AssertionError` of `node:assert`. */
export interface Expectation {
  /** Expects the same value. */
  readonly toBe: (expected: unknown) => void
  readonly toBeDefined: () => void
  readonly toBeUndefined: () => void
  readonly toBeGreaterThanOrEqual: (least: number) => void
  readonly toBeLessThanOrEqual: (most: number) => void
  readonly toBeInstanceOf: (type: Function) => void
  /** Expects an array that has the value. */
  readonly toContain: (expected: unknown) => void
  /** Expects an array that has an equal value. */
  readonly toContainEqual: (expected: unknown) => void
  readonly toHaveLength: (expected: number) => void
  readonly toMatch: (pattern: RegExp) => void
  /** Expects all fields of the expected value, at every depth; lists must have the same length. */
  readonly toMatchObject: (expected: object) => void
  /** Expects a deeply equal value, with the same undefined fields and prototypes. */
  readonly toStrictEqual: (expected: unknown) => void
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const matches = (actual: unknown, expected: unknown): boolean => {
  if (!isObject(expected)) return Object.is(actual, expected)
  if (!isObject(actual)) return false
  if (Array.isArray(expected)) {
    const isAsLong = Array.isArray(actual) && actual.length === expected.length
    return isAsLong && expected.every((item, n) => matches(Reflect.get(actual, n), item))
  }
  const fields = Object.entries(expected)
  return fields.every(([field, value]) => matches(Reflect.get(actual, field), value))
}

const show = (value: unknown): string => inspect(value, { depth: 6 })

const lengthOf = (value: unknown): unknown =>
  isObject(value) || typeof value === "string" ? Reflect.get(Object(value), "length") : undefined

const expectation = (actual: unknown, what: string | undefined, negated: boolean): Expectation => {
  const hold = (isRight: boolean, said: string, expected?: unknown) => {
    if (isRight !== negated) return
    const about = what === undefined ? "" : `${what}: `
    const message = `${about}${show(actual)} ${negated ? "is" : "is not"} ${said}`
    throw new AssertionError({ message, actual, expected, operator: "expect" })
  }
  const equal = (expected: unknown) =>
    hold(isDeepStrictEqual(actual, expected), `equal to ${show(expected)}`, expected)
  return {
    toBe: (expected) => hold(Object.is(actual, expected), show(expected), expected),
    toBeDefined: () => hold(actual !== undefined, "defined"),
    toBeUndefined: () => hold(actual === undefined, "undefined"),
    toBeGreaterThanOrEqual: (least) => hold(Number(actual) >= least, `at least ${least}`),
    toBeLessThanOrEqual: (most) => hold(Number(actual) <= most, `at most ${most}`),
    toBeInstanceOf: (type) => hold(actual instanceof type, `a ${type.name}`),
    toContain: (expected) =>
      hold(Array.isArray(actual) && actual.includes(expected), `with ${show(expected)} in it`),
    toContainEqual: (expected) =>
      hold(
        Array.isArray(actual) && actual.some((item) => isDeepStrictEqual(item, expected)),
        `with ${show(expected)} in it`,
      ),
    toHaveLength: (expected) => hold(lengthOf(actual) === expected, `of length ${expected}`),
    toMatch: (pattern) => hold(pattern.test(String(actual)), `matched by ${String(pattern)}`),
    toMatchObject: (expected) =>
      hold(matches(actual, expected), `what has ${show(expected)}`, expected),
    toStrictEqual: equal,
  }
}

/** Makes expectations about a value; `what` names it, if there are several. */
export const expect = (actual: unknown, what?: string) => ({
  ...expectation(actual, what, false),
  not: expectation(actual, what, true),
})

/** Fails a check that reaches this place. */
export const unreachable = (what: string): never => {
  throw new AssertionError({ message: what, operator: "expect" })
}
