import { Effect, Exit, Result } from "effect"
import { callMarket } from "../../core/market/callMarket.ts"
import { ManifestInput, manifestInputRules } from "../../core/registry/ManifestInput.ts"
import { decode, unknownFieldsOf } from "../../core/shared/Decode.ts"
import { isFailure } from "../../core/shared/Failure.ts"
import { mistakeRules, type Refused } from "../auditor/invariants/mistakes.ts"
import type { Field, Form } from "../auditor/invariants/requestFields.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { KeyInput, keyInputRules } from "../../core/keys/KeyInput.ts"
import { BLOCKS, NO_BLOCKS } from "./addressTexts.ts"
import { misspelt, strange } from "./misspelling.ts"
import { KEY_FORM, MANIFEST_FORM, TOOL_FORMS } from "./requestForms.ts"

type Sent = { readonly [name: string]: unknown }

/** Two numbers of cards, and numbers that have all of a card but its check digit or its issuer. */
const NUMBERS = [
  "4000 0000 0000 0002",
  "5105-1051-0510-5100",
  "4000 0000 0000 0001",
  "9000 0000 0000 0001",
  "4000 0000 0002",
] as const

/** Values that are right or wrong for some fields: of other types, and on both sides of limits. */
const valuesFor = (form: Form): readonly [unknown, ...ReadonlyArray<unknown>] => {
  switch (form.type) {
    case "text": {
      const most = Math.min(form.most, 4_096)
      const [full, longer] = ["📚".repeat(most), "x".repeat(most + 1)]
      return [5, "", " ", full, longer, "a\u0007b", "a\nb", "a\u200bb", ...NUMBERS]
    }
    case "key":
      return ["", "a b", "é", "!".repeat(255), "!".repeat(256), true]
    case "rate":
      return [0, "0.000001", "0.0000001", "1000000000000", "1000000000000.1", "-1", 0.5, "two"]
    case "currency":
      return ["usd", "US", "USDX", "EUR", 7]
    case "money":
      return ["7", 0, -3, 1.5, 1e12, 1e12 + 1]
    case "whole":
      return ["7", form.least, form.least - 1, form.most, form.most + 1, form.least + 0.5]
    case "string":
      return [7, false]
    case "time":
      return [7, "2030-01-31", "2030-01-31T08:00:00", "soon"]
    case "block":
      return [...BLOCKS, ...NO_BLOCKS]
    case "boolean":
      return ["true", 0, false]
    case "one of":
      return ["often", 7, ...form.values]
    case "list":
      return [{}, "one", 7]
    case "object":
      return ["one", 7, true]
  }
}

/** Returns a right value. */
const rightFor = (form: Form): unknown => {
  switch (form.type) {
    case "text":
    case "string":
    case "key":
      return "one"
    case "currency":
      return "USD"
    case "rate":
      return "12.25"
    case "time":
      return "2030-01-31T08:00:00Z"
    case "block":
      return BLOCKS[0]
    case "money":
      return 12
    case "whole":
      return form.least
    case "boolean":
      return true
    case "one of":
      return form.values[0]
    case "list":
      return [rightFor(form.of)]
    case "object":
      return rightFields(form.fields)
  }
}

const rightFields = (fields: ReadonlyArray<Field>): Sent =>
  Object.fromEntries(fields.map(({ form, name }) => [name, rightFor(form)]))

/** Makes one mistake in some fields of a request, or in what is inside of one. */
const spoil = (sent: Sent, fields: ReadonlyArray<Field>, chance: Chance): Sent => {
  const [first, ...others] = fields.filter(({ name }) => (sent[name] ?? undefined) !== undefined)
  if (first === undefined) return { ...sent, ...strange(chance) }
  const { form, name } = chance.pick([first, ...others])
  const { [name]: value, ...rest } = sent
  if (form.type === "object" && form.fields.length > 0 && chance.hits(0.7)) {
    return { ...sent, [name]: spoil(value as Sent, form.fields, chance) }
  }
  if (form.type === "list" && chance.hits(0.8)) {
    const items = value as ReadonlyArray<unknown>
    const { of } = form
    const item =
      of.type === "object"
        ? spoil(items[0] as Sent, of.fields, chance)
        : chance.pick(valuesFor(of).filter((one) => one !== items[0]) as [unknown])
    return { ...sent, [name]: [...items, item] }
  }
  return chance.weighted<() => Sent>([
    [2, () => rest],
    [4, () => ({ ...sent, [name]: chance.pick(valuesFor(form)) })],
    [2, () => ({ ...rest, [misspelt(name, chance)]: value })],
    [0.5, () => ({ ...sent, ...strange(chance) })],
    [0.5, () => ({ ...sent, [name]: null })],
  ])()
}

/** Returns the part of a request that reaches the service. */
const heard = (sent: Sent, hears: Scene["hears"]): Sent =>
  JSON.parse(hears(JSON.stringify(sent))) as Sent

const refusedAs = (error: unknown): Refused | undefined => {
  if (!isFailure(error)) return undefined
  const { code, details, field, message } = error
  return { code, message, field, details }
}

/** What is wrong with nothing but what a right request names. */
const BEYOND: ReadonlySet<string> = new Set(["NOT_FOUND", "INVALID_QUERY"])

const TOOLS = Object.keys(TOOL_FORMS) as [keyof typeof TOOL_FORMS]

/** Calls a tool of the market for nothing that exists, with mistakes in the arguments. */
const callWrongly = Effect.fnUntraced(function* (
  { auditor, hears, people }: Scene,
  chance: Chance,
) {
  const tool = chance.pick(TOOLS)
  const fields = TOOL_FORMS[tool]
  const kept = fields.filter(({ isRequired }) => isRequired || chance.hits(0.6))
  let sent = rightFields(kept)
  for (let n = chance.int(0, 2); n >= 0; n -= 1) sent = spoil(sent, fields, chance)
  const exit = yield* Effect.exit(callMarket(people.stranger, tool, heard(sent, hears)))
  const error = Exit.isFailure(exit) ? exit.cause : undefined
  const failed = error?.reasons.flatMap((one) => ("error" in one ? [one.error] : []))[0]
  const refused = refusedAs(failed)
  const isTaken = refused === undefined || BEYOND.has(refused.code)
  auditor.see("mistaken", tool, {
    fields,
    sent,
    refused: isTaken ? undefined : refused,
    unknown: undefined,
  })
})

const decodeManifest = decode(ManifestInput, manifestInputRules)
const decodeKey = decode(KeyInput, keyInputRules)

const flawOf = (read: Result.Result<unknown, unknown>): Refused | undefined =>
  Result.isFailure(read) ? refusedAs(read.failure) : undefined

/** What is written by hand: how it is read, and what it may not be without. */
const BODIES = {
  manifest: {
    fields: MANIFEST_FORM,
    read: (sent: Sent) => flawOf(decodeManifest(sent)),
    unknownIn: unknownFieldsOf(ManifestInput),
    rare: ["revocation_policy"],
  },
  key: {
    fields: KEY_FORM,
    read: (sent: Sent) => flawOf(decodeKey(sent)),
    unknownIn: unknownFieldsOf(KeyInput),
    rare: [],
  },
} as const

/** Has a body read, and shows the auditor what is said about it. */
const send = ({ auditor, hears }: Scene, what: keyof typeof BODIES, sent: Sent): void => {
  const { fields, read, unknownIn } = BODIES[what]
  const body = heard(sent, hears)
  const answer = { refused: read(body), unknown: unknownIn(body) }
  auditor.see("mistaken", what, { fields, sent, ...answer })
}

const rightBody = (what: keyof typeof BODIES): Sent => {
  const { fields, rare } = BODIES[what]
  const names: ReadonlyArray<string> = rare
  return rightFields(fields.filter(({ name }) => !names.includes(name)))
}

/** Makes a body with one mistake, or with none. */
const writeWrongly = (scene: Scene, chance: Chance): void => {
  const what = chance.pick(["manifest", "key"] as const)
  const right = rightBody(what)
  send(scene, what, chance.hits(0.05) ? right : spoil(right, BODIES[what].fields, chance))
}

/** Writes every address that there may be in one body, and a number in another's description. */
const writeMany = (scene: Scene, chance: Chance): void => {
  send(scene, "key", { restrictions: { addresses: [...BLOCKS, ...NO_BLOCKS] } })
  send(scene, "manifest", { ...rightBody("manifest"), description: chance.pick(NUMBERS) })
}

const CALLS = 4
const BODIES_WRITTEN = 3

const err = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("mistaken callers")
  for (let n = 0; n < CALLS; n += 1) yield* callWrongly(scene, chance)
  for (let n = 0; n < BODIES_WRITTEN; n += 1) writeWrongly(scene, chance)
  writeMany(scene, chance)
})

/** Agents that misspell arguments and leave them out, and sellers whose manifests are wrong. */
export const mistakenCallers: Part = {
  name: "mistaken callers",
  rules: mistakeRules,
  inspect: err,
}
