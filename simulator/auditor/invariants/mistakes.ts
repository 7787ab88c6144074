// Written independently of core/shared on purpose: it decides a second time what is wrong with a
// request, field by field, and how that is said.

import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import type { Field, Form } from "./requestFields.ts"
import { meantBy } from "./meantNames.ts"
import { difference } from "../saysTheSame.ts"

/** A refusal as its caller sees it. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly field?: string | undefined
  readonly details?: object | undefined
}

/** A field that nobody knows: where it is, what it may have been meant to be, what is known. */
interface Unknown {
  readonly field: string
  readonly nearest?: string | undefined
  readonly known: ReadonlyArray<string>
}

declare module "../Observation.ts" {
  interface Observations {
    /** A request with mistakes in it, or with none, and its answer. */
    readonly mistaken: {
      readonly fields: ReadonlyArray<Field>
      readonly sent: { readonly [name: string]: unknown }
      /** Undefined if nothing is wrong with the request. */
      readonly refused: Refused | undefined
      /** The unknown fields that are named; undefined if they are refused. */
      readonly unknown: ReadonlyArray<Unknown> | undefined
    }
  }
}

const MOST_NAMED = 20
const MOST_CHARACTERS = 128

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns all unknown fields, outer ones as they come. */
const unknownIn = (
  sent: { readonly [name: string]: unknown },
  fields: ReadonlyArray<Field>,
  path = "",
): ReadonlyArray<Unknown> =>
  Object.entries(sent).flatMap(([name, value]): ReadonlyArray<Unknown> => {
    const field = fields.find((one) => one.name === name)
    if (field === undefined) {
      const known = fields.map((one) => one.name)
      const shown = `${path}${[...name].slice(0, MOST_CHARACTERS).join("")}`
      const nearest = meantBy(name, known)
      return [{ field: shown, ...(nearest !== undefined && { nearest }), known }]
    }
    return unknownInside(value, field.form, `${path}${name}.`)
  })

const unknownInside = (value: unknown, form: Form, path: string): ReadonlyArray<Unknown> => {
  if (form.type === "object") return isObject(value) ? unknownIn(value, form.fields, path) : []
  if (form.type !== "list" || !Array.isArray(value)) return []
  return value.flatMap((item: unknown, n) => unknownInside(item, form.of, `${path}${n}.`))
}

const reasonOf = ({ known, nearest }: Unknown): string => {
  if (nearest !== undefined) return `is not a known field; did you mean ${nearest}?`
  return `is not a known field; known are ${known.slice(0, MOST_NAMED).join(", ")}`
}

interface Wrong {
  readonly field: string
  readonly reason: string
}

const CONTROL = "must hold no control or bidirectional override characters"
const INVISIBLE = "must hold no invisible characters"

/** Numbers of cards as the world writes them. */
const CARDS: ReadonlySet<string> = new Set(["4000 0000 0000 0002", "5105-1051-0510-5100"])

type TextForm = Extract<Form, { readonly type: "text" }>

const wrongText = (
  value: string,
  { isBlock, mayHaveCards, most }: TextForm,
): string | undefined => {
  if (value.includes("\u0007")) return CONTROL
  if (value.trim() === "") return "must not be empty"
  if ([...value].length > most) return `must be at most ${most} characters`
  if (isBlock === true)
    return CARDS.has(value) && mayHaveCards !== true ? "must hold no card number" : undefined
  if (value.includes("\n")) return "must be a single line"
  return value.includes("\u200b") ? INVISIBLE : undefined
}

const MINOR = "must be a whole number of minor units from 1 to 1000000000000"

const quotedOr = (values: ReadonlyArray<string>): string => {
  const quoted = values.map((value) => `"${value}"`)
  return `must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1) ?? ""}`
}

type Numeric = Extract<Form, { readonly type: "money" | "whole" }>

const wrongNumber = (value: number, form: Numeric): string | undefined => {
  const [least, most] = form.type === "money" ? [1, 1e12] : [form.least, form.most]
  const isWhole = Number.isInteger(value)
  if (isWhole && value >= least && value <= most) return undefined
  if (form.type === "money") return MINOR
  return isWhole ? `must be a value between ${least} and ${most}` : "must be a whole number"
}

/** Returns what is wrong with a value that is neither a list nor an object. */
const wrongValue = (value: unknown, form: Form): string | undefined => {
  switch (form.type) {
    case "string": {
      const isRight = typeof value === "string" || (form.orNull && value === null)
      return isRight ? undefined : `must be a text${form.orNull ? " or null" : ""}`
    }
    case "time":
      if (value === null && form.orNull) return undefined
      if (typeof value !== "string") return `must be a text${form.orNull ? " or null" : ""}`
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)
        ? undefined
        : "must be an ISO 8601 time with its zone, such as 2030-01-31T08:00:00Z"
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false"
    case "one of":
      return form.values.includes(String(value)) ? undefined : quotedOr(form.values)
    case "money":
    case "whole":
      return typeof value === "number" ? wrongNumber(value, form) : "must be a number"
    case "rate":
      return /^\d{1,13}(?:\.\d{1,6})?$/.test(String(value)) && Number(value) <= 1e12
        ? undefined
        : "must be zero or more minor units, with at most 6 decimals"
    case "list":
      return Array.isArray(value) ? undefined : "must be a list"
    case "object":
      if (value === null && form.words?.endsWith("or null") === true) return undefined
      return isObject(value) ? undefined : `must be ${form.words ?? "an object"}`
    default:
      if (typeof value !== "string") return "must be a text"
  }
  if (form.type === "block") {
    return form.right.has(value) ? undefined : "must be an IP address or a CIDR block"
  }
  if (form.type === "text") return wrongText(value, form)
  if (form.type === "key") {
    return /^[!-~]{1,255}$/.test(value) ? undefined : "must be 1 to 255 visible ASCII characters"
  }
  return /^[A-Z]{3}$/.test(value) ? undefined : "must be an ISO 4217 code in capitals, such as USD"
}

const wrongIn = (
  sent: { readonly [name: string]: unknown },
  fields: ReadonlyArray<Field>,
  path = "",
): ReadonlyArray<Wrong> =>
  fields.flatMap(({ form, isRequired, name }): ReadonlyArray<Wrong> => {
    const value = sent[name]
    const field = `${path}${name}`
    if (value !== undefined) return wrongInside(value, form, field)
    return isRequired ? [{ field, reason: "is required" }] : []
  })

const wrongInside = (value: unknown, form: Form, field: string): ReadonlyArray<Wrong> => {
  const reason = wrongValue(value, form)
  if (reason !== undefined) return [{ field, reason }]
  if (form.type === "object" && isObject(value)) return wrongIn(value, form.fields, `${field}.`)
  if (form.type !== "list" || !Array.isArray(value)) return []
  return value.flatMap((item: unknown, n) => wrongInside(item, form.of, `${field}.${n}`))
}

const valueAt = (sent: unknown, field: string): unknown =>
  field
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined,
      sent,
    )

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

/** Returns a short value, which the refusal repeats. */
const repeated = (value: unknown): { readonly value?: unknown } =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  value === null ||
  (typeof value === "string" && value.length <= 64)
    ? { value }
    : {}

/** Returns how a request is refused that has only known fields; undefined if it is right. */
const refusalOf = ({
  fields,
  sent,
}: Pick<Observations["mistaken"], "fields" | "sent">): Refused | undefined => {
  const all = wrongIn(sent, fields)
  const topOf = ({ field }: Wrong) => fields.find(({ name }) => name === field.split(".")[0])
  const missing = all.find((wrong) => {
    const top = topOf(wrong)
    return top?.isRequired === true && isEmpty(sent[top.name])
  })
  const first = missing ?? all[0]
  if (first === undefined) return undefined
  const { reason } = first
  const field = (missing && topOf(missing)?.name) ?? first.field
  const code =
    missing === undefined ? (topOf(first)?.code ?? "INVALID_REQUEST") : "MISSING_REQUIRED_FIELD"
  const isAbsent = missing !== undefined || reason === "is required"
  const isGeneral = code === "INVALID_REQUEST" || code === "MISSING_REQUIRED_FIELD"
  return {
    code,
    message: isAbsent
      ? `The field ${field} is required.`
      : `The field ${field} is not valid: ${reason}.`,
    field,
    details: isGeneral
      ? all.slice(0, MOST_NAMED)
      : { field, constraint: reason, ...repeated(valueAt(sent, field)) },
  }
}

const unknownRefusal = (all: ReadonlyArray<Unknown>): Refused | undefined => {
  const [first] = all
  if (first === undefined) return undefined
  const reason = reasonOf(first)
  return {
    code: "INVALID_REQUEST",
    message: `The field "${first.field}" ${reason}${reason.endsWith("?") ? "" : "."}`,
    field: first.field,
    details: all.map((each) => ({ field: each.field, reason: reasonOf(each) })),
  }
}

/** Checks that a request is refused for its mistakes, in words that name all of them, or not. */
const refusedRightly: Rule<"mistaken"> = (seen): Finding => {
  const { fields } = seen
  // Models write null for arguments that they leave out.
  const isTool = seen.unknown === undefined
  const given = Object.entries(seen.sent).filter(([, value]) => !isTool || value !== null)
  const sent = Object.fromEntries(given)
  const unknown = unknownIn(sent, fields).slice(0, MOST_NAMED)
  if (seen.unknown !== undefined) {
    const differs = difference(unknown, seen.unknown)
    if (differs !== undefined) return `names its unknown fields with ${differs}`
  }
  const right = (isTool ? unknownRefusal(unknown) : undefined) ?? refusalOf({ fields, sent })
  const differs = difference(right ?? "taken", seen.refused ?? "taken")
  return differs === undefined ? undefined : `is answered with ${differs}`
}

/** The rules about mistakes in requests. */
export const mistakeRules: Rulebook = { 134: { mistaken: refusedRightly } }
