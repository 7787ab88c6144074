import { Effect } from "effect"
import {
  KINDS,
  type Kind,
  type NamedKind,
  type Records,
  Store,
} from "../../../../core/ports/Store.ts"
import { expect } from "../expect.ts"
import { type Form, NAMED_FORMS } from "../records/named.ts"
import {
  type StoreCheck,
  hasVersion,
  insert,
  remove,
  replace,
  store,
  together,
  tryCommit,
} from "./probe.ts"

type Some = Records[Kind]

/** A unique name as it is declared, of any kind. */
interface Name {
  readonly kind: NamedKind
  readonly by: ReadonlyArray<string>
  readonly while?: { readonly [field: string]: ReadonlyArray<unknown> }
}

/** Every unique name that a kind declares. */
const NAMES: ReadonlyArray<Name> = Object.entries(KINDS).flatMap(([kind, { unique = [] }]) =>
  unique.map((name) => ({ ...name, kind }) as Name),
)

const valueOf = (record: Some, field: string): unknown => Reflect.get(record, field)

const pick = (record: Some, fields: ReadonlyArray<string>): { [field: string]: unknown } =>
  Object.fromEntries(fields.map((field) => [field, valueOf(record, field)]))

/** Returns the record with these fields, and the id and version of another, if given. */
const having = (record: Some, fields: object, other?: Some): Some => ({
  ...record,
  ...fields,
  ...(other && pick(other, ["id", "version"])),
})

const isComplete = (record: Some, by: ReadonlyArray<string>): boolean =>
  by.every((field) => valueOf(record, field) !== null)

const holds = (record: Some, { while: condition = {} }: Name): boolean =>
  Object.entries(condition).every(([field, values]) => values.includes(valueOf(record, field)))

/** Sorts the forms of a kind: those that have the name, that are outside of it, and with a null. */
const formsFor = (name: Name) => {
  const forms: ReadonlyArray<Form<Kind>> = NAMED_FORMS[name.kind]
  const complete = forms.filter((form) => isComplete(form(1), name.by))
  const named = complete.filter((form) => holds(form(1), name))
  const outside = complete.filter((form) => !holds(form(1), name))
  const [first] = named
  const isMissing = first === undefined || (name.while !== undefined && outside.length === 0)
  if (isMissing) throw new TypeError(`NAMED_FORMS has no form for ${titleOf(name)}.`)
  return { first, named, outside, partial: forms.filter((form) => !isComplete(form(1), name.by)) }
}

const titleOf = ({ by, kind }: Name): string => `${kind} (${by.join(", ")})`

const taken = { type: "key_taken" }

/** Checks that no second record takes a name, by whatever way. */
const isUnique = (name: Name) =>
  Effect.gen(function* () {
    const { by, kind } = name
    const { first, named } = formsFor(name)
    const port = yield* Store
    const own = first(1)
    const called = pick(own, by)
    yield* store(insert(kind, own as never), insert(kind, first(2) as never))
    for (const form of named) {
      const rival = having(form(3), called)
      const reason = yield* tryCommit({ writes: [insert(kind, rival as never)] })
      expect(reason, "a second record with the name").toMatchObject(taken)
      expect(yield* hasVersion(kind, rival.id, 1)).toBe(false)
    }
    const renamed = replace(kind, having(first(2), called) as never)
    expect(yield* tryCommit({ writes: [renamed] }), "a record that takes it").toMatchObject(taken)
    expect(yield* port.findBy(kind, called)).toStrictEqual(own)
    // The name is all of its fields together.
    yield* store(
      ...by.flatMap((field, n) => {
        const others = by.filter((other) => other !== field)
        return others.length === 0
          ? []
          : [insert(kind, having(first(4 + n), pick(own, others)) as never)]
      }),
    )
    const second = first(2)
    yield* store(remove(kind, own as never), replace(kind, having(second, called) as never))
    expect((yield* port.findBy(kind, called))?.id).toBe(second.id)
  })

/** Checks that of commits that arrive at once, one alone gets a name. */
const isWonByOne = (name: Name) =>
  Effect.gen(function* () {
    const { kind, by } = name
    const { first } = formsFor(name)
    const [one, two, three, four] = [first(6), first(7), first(8), first(9)]
    yield* store(insert(kind, three as never), insert(kind, four as never))
    const called = pick(one, by)
    const racers = [
      insert(kind, one as never),
      insert(kind, having(two, called) as never),
      replace(kind, having(three, called) as never),
      replace(kind, having(four, called) as never),
    ]
    const reasons = yield* together(racers.map((write) => tryCommit({ writes: [write] })))
    const refused = reasons.filter((reason) => reason !== undefined)
    expect(refused, "the losers of a race").toMatchObject(racers.slice(1).map(() => taken))
    const winner = racers[reasons.indexOf(undefined)]
    const port = yield* Store
    expect((yield* port.findBy(kind, called))?.id).toBe(winner?.record.id)
  })

/** Two records of each form, from a number on, that share what the first has of the name. */
const alike = (forms: ReadonlyArray<Form<Kind>>, by: ReadonlyArray<string>, from: number) =>
  forms.flatMap((form, n) => {
    const [one, two] = [form(from + 2 * n), form(from + 2 * n + 1)]
    return [one, having(two, pick(one, by))]
  })

/** Checks that records without the name do not stand in each other's way. */
const isFreeOutside = (name: Name) =>
  Effect.gen(function* () {
    const { by, kind } = name
    const { first, outside, partial } = formsFor(name)
    const port = yield* Store
    const own = first(10)
    const called = pick(own, by)
    const others = alike(outside, by, 11).map((record) => having(record, called))
    const all = [own, ...others, ...alike(partial, by, 21)]
    yield* store(...all.map((record) => insert(kind, record as never)))
    expect(yield* port.findBy(kind, called)).toStrictEqual(own)
    const [[leave], [other]] = [outside, others]
    if (leave === undefined || other === undefined) return
    const back = replace(kind, having(first(11), called, other) as never)
    expect(yield* tryCommit({ writes: [back] }), "a record that gets it again").toMatchObject(taken)
    yield* store(replace(kind, having(leave(10), called, own) as never))
    expect(yield* port.findBy(kind, called)).toBeUndefined()
    yield* store(back)
    expect((yield* port.findBy(kind, called))?.id).toBe(other.id)
  })

/** Checks each unique name that a kind of record declares. */
export const names = (check: StoreCheck): unknown =>
  check.group("unique names", () => {
    for (const name of NAMES) {
      check(`one record has the name ${titleOf(name)}`, () =>
        Effect.gen(function* () {
          yield* isUnique(name)
          yield* isWonByOne(name)
          yield* isFreeOutside(name)
        }),
      )
    }
  })
