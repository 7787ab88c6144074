import { type Kind, KINDS, type Records } from "../../../core/ports/Store.ts"
import type { IdPrefix } from "../../../core/shared/Id.ts"
import { type Codec, id, nullable, quote, uuid, version, word } from "./codecs.ts"
import type { Decoded, Group, Part } from "./Group.ts"

export type Row = { readonly [column: string]: unknown }

/** A column of a table: its declaration and its codec. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly codec: Codec<unknown>
  /** The field in the column. Undefined if the column is made from the whole value. */
  readonly field?: string
  /** The part of the field in the column, if it is not the whole field. */
  readonly of?: (field: never) => unknown
}

/** How values of one type are stored in a table. */
export interface Shape<A> {
  readonly name: string
  /** In the order of the row. */
  readonly columns: ReadonlyArray<Column>
  /** The columns as a select list. */
  readonly selection: string
  /**
   * Returns the columns as the inside of a row literal: `(…)` makes it one. A text that is too long
   * for a row is added to `texts`, and the row holds its number there, from 1.
   */
  toRow(value: A, texts: Array<string>): string
  fromRow(row: Row): A
}

/** The rules of a table besides its columns, by name. */
export interface Rules {
  /** Columns that the database computes. */
  readonly generated?: { readonly [column: string]: string }
  readonly constraints?: { readonly [name: string]: string }
  /** Indexes besides those of the kind's lists. One with the same name replaces one of those. */
  readonly indexes?: { readonly [name: string]: string }
  /**
   * Unique indexes besides those of the kind's names. A violation means that a commit lost a race:
   * it is decided again.
   */
  readonly unique?: { readonly [name: string]: string }
}

/** The table of a kind of record. */
export interface Table<R> extends Shape<R>, Rules {
  readonly kind: Kind
  readonly prefix: IdPrefix | null
  /** Whether workers process the records: the table has `due_at` and `lease_until`. */
  readonly due: boolean
}

type Field<A> = Codec<A> | Group<A>

/** The codec or group of each field of a value. */
type Fields<A, N extends keyof A> = { readonly [F in N]: Field<A[F]> }

/** The fields that a record has only in this state. */
type FactsIn<R, S, Common> = Exclude<keyof Extract<R, { readonly status: S }>, Common>

type Fact<R, S, N extends PropertyKey> =
  Extract<R, { readonly status: S }> extends { readonly [F in N]: infer V }
    ? Codec<V>
    : Codec<unknown> & { readonly isOptional: true }

/** The facts of each state. A missing one does not compile. */
export type States<R extends { readonly status: string }, Common = keyof R> = {
  readonly [S in R["status"]]: { readonly [N in FactsIn<R, S, Common>]: Fact<R, S, N> }
}

/** A group without the type of its value. */
interface AnyGroup {
  readonly parts: { readonly [column: string]: Part<never> }
  readonly restore: Group<unknown>["restore"]
}

type AnyField = Codec<unknown> | AnyGroup

type AnyFacts = { readonly [fact: string]: Codec<unknown> }

/** The common description of all tables, without the types of their fields. */
interface Plan extends Rules {
  readonly name: string
  readonly fields: { readonly [field: string]: AnyField }
  readonly facts?: AnyFacts
  /** Returns the facts of a record from its other fields. */
  readonly factsOf?: (value: Decoded) => AnyFacts | undefined
  /** Columns for the database's own use, which are not read back. */
  readonly derived?: { readonly [column: string]: Part<never> }
}

const isGroup = (field: AnyField): field is AnyGroup => "parts" in field

/** Returns the columns of a field, or of its parts. */
const columnsOf = (field: string, kept: AnyField): ReadonlyArray<Column> =>
  isGroup(kept)
    ? Object.entries(kept.parts).map(([name, { codec, of }]) => ({
        name,
        type: codec.type,
        codec,
        field,
        of,
      }))
    : [{ name: field, type: kept.type, codec: kept, field }]

const factColumn = ([name, codec]: [string, Codec<unknown>]): Column => ({
  name,
  type: codec.type,
  codec: nullable(codec),
  field: name,
})

const derivedColumn = ([name, { codec, of }]: [string, Part<never>]): Column => ({
  name,
  type: codec.type,
  codec,
  of,
})

const build = <A extends object>(plan: Plan): Shape<A> => {
  const { derived = {}, facts = {}, factsOf, fields, name } = plan
  const entries = Object.entries(fields)
  const kept = entries.flatMap(([field, codec]) => columnsOf(field, codec))
  const read = [...kept, ...Object.entries(facts).map(factColumn)]
  const columns = [...read, ...Object.entries(derived).map(derivedColumn)]
  const writers = columns.map(({ codec, field, of }) => ({
    codec,
    field,
    of,
    isBeside: codec.isBeside === true,
    isQuoted: codec.isQuoted === true,
  }))
  const single = entries.flatMap(([field, codec]) => (isGroup(codec) ? [] : [{ field, codec }]))
  const groups = entries.flatMap(([field, group]) => (isGroup(group) ? [{ field, group }] : []))
  const parts = groups.flatMap(({ field, group }) => columnsOf(field, group))
  return {
    name,
    columns,
    selection: read.map((column) => `${name}.${column.name}`).join(", "),
    // Runs for every column of every written record. Destructured pairs would cost measurable time.
    toRow(value, texts) {
      let row = ""
      let comma = ""
      for (const { codec, field, isBeside, isQuoted, of } of writers) {
        const given = field === undefined ? value : ((value as Decoded)[field] ?? null)
        const written = codec.encode(of === undefined ? given : of(given as never))
        row += comma
        if (written !== null) {
          if (isBeside) row += texts.push(written)
          else row += isQuoted ? quote(written) : written
        }
        comma = ","
      }
      return row
    },
    fromRow(row) {
      const value: { [field: string]: unknown } = {}
      for (const { field, codec } of single) value[field] = codec.decode(row[field])
      const decoded: { [column: string]: unknown } = {}
      for (const { codec, name: column } of parts) decoded[column] = codec.decode(row[column])
      for (const { field, group } of groups) value[field] = group.restore(decoded, value)
      if (factsOf !== undefined) restoreFacts(name, value, row, factsOf(value))
      return value as A
    },
  }
}

/** Reads the facts that a record has by its state. Null values do not decide that. */
const restoreFacts = (
  name: string,
  value: { [field: string]: unknown },
  row: Row,
  facts: AnyFacts | undefined,
): void => {
  if (facts === undefined) throw new TypeError(`A row of ${name} is in no state that there is.`)
  for (const fact of Object.keys(facts)) {
    const codec = facts[fact]
    if (codec === undefined || (row[fact] === null && codec.isOptional === true)) continue
    value[fact] = codec.decode(row[fact])
  }
}

/** Describes values that are no records. A field missing in `fields` cannot be read back. */
export const describe = <A extends object, N extends keyof A = keyof A>(
  name: string,
  fields: Fields<A, N>,
  derived: { readonly [column: string]: Part<A> } = {},
): Shape<A> => build({ name, fields, derived })

/** Returns the facts of all these states. */
export const factsIn = (
  ...each: ReadonlyArray<{ readonly [status: string]: AnyFacts }>
): AnyFacts => {
  const facts: { [fact: string]: Codec<unknown> } = {}
  for (const states of each) Object.assign(facts, ...Object.values(states))
  return facts
}

/** Returns what the kind declares about its table. */
const declared = <K extends Kind>(kind: K) => ({
  kind,
  prefix: KINDS[kind].prefix,
  due: KINDS[kind].dueAt !== undefined,
})

/** The fields of every record. */
type Every = "id" | "version"

const everyField = (kind: Kind) => {
  const { prefix } = KINDS[kind]
  return { id: prefix === null ? uuid : id(prefix), version }
}

interface Described<K extends Kind, N extends keyof Records[K]> extends Rules {
  readonly kind: K
  readonly name: string
  /** The fields besides those of {@link Every} record, which come first. */
  readonly fields: Fields<Records[K], Exclude<N, Every>>
  readonly derived?: { readonly [column: string]: Part<Records[K]> }
}

const made = <K extends Kind>(described: Plan & { readonly kind: K }): Table<Records[K]> => {
  const plan = { ...described, fields: { ...everyField(described.kind), ...described.fields } }
  return { ...plan, ...declared(plan.kind), ...build<Records[K]>(plan) }
}

/** Makes the table of a kind whose records have the same fields in all states. */
export const makeTable = <K extends Kind>(
  description: Described<K, keyof Records[K]>,
): Table<Records[K]> => made(description)

/** Makes the table of a kind whose records have facts that depend on their `status`. */
export const makeStateTable = <K extends StateKind>(
  description: Described<K, Exclude<keyof Records[K], "status">> & {
    readonly states: States<Records[K]>
  },
): Table<Records[K]> => {
  const { constraints = {}, fields, name } = description
  const states: { readonly [status: string]: AnyFacts } = description.states
  return made({
    ...description,
    fields: { ...fields, status: word(...Object.keys(states)) },
    facts: factsIn(states),
    factsOf: ({ status }: Decoded) => states[String(status)],
    constraints: { ...constraints, ...factRules(name, states) },
  })
}

/** Makes the table of a kind whose records have facts that depend on more than their `status`. */
export const makeFactTable = <K extends Kind>(
  description: Described<K, keyof Records[K]> & {
    readonly facts: AnyFacts
    /** Returns the facts of a record in the state of `value`, its other fields. */
    readonly factsOf: (value: Decoded) => AnyFacts | undefined
  },
): Table<Records[K]> => made(description)

/** The kinds whose records have a status. */
type StateKind = {
  [K in Kind]: Records[K] extends { readonly status: string } ? K : never
}[Kind]

/** Returns the CHECKs that say in which states each fact must exist, and in which it may. */
const factRules = (
  table: string,
  states: { readonly [status: string]: AnyFacts },
): { readonly [name: string]: string } => {
  const names = [...new Set(Object.values(states).flatMap((facts) => Object.keys(facts)))]
  const having = (fact: string, has: (codec: Codec<unknown>) => boolean) =>
    Object.keys(states)
      .filter((status) => {
        const codec = states[status]?.[fact]
        return codec !== undefined && has(codec)
      })
      .map((status) => `'${status}'`)
      .join(", ")
  const rules = names.map((fact) => {
    const all = having(fact, () => true)
    const sure = having(fact, (codec) => codec.isNullable !== true && codec.isOptional !== true)
    if (all === sure) return `(${fact} IS NOT NULL) = (status IN (${all}))`
    const rule = `(${fact} IS NULL OR status IN (${all}))`
    return sure === "" ? rule : `${rule} AND (${fact} IS NOT NULL OR status NOT IN (${sure}))`
  })
  return rules.length === 0 ? {} : { [`${table}_facts`]: rules.join(" AND ") }
}
