import { type Kind, KINDS, type Records } from "../../../core/ports/Store.ts"
import type { IdPrefix } from "../../../core/shared/Id.ts"
import { type Codec, id, nullable, quote, uuid, version, word } from "./codecs.ts"
import type { Decoded, Group, Part } from "./Group.ts"

export type Row = { readonly [column: string]: unknown }

/** A column of a table: how it is declared, and how it is written and read. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly codec: Codec<unknown>
  /** The field that it is written from; undefined where that is the whole value. */
  readonly field?: string
  /** What it keeps of the field, where that is not the field itself. */
  readonly of?: (field: never) => unknown
}

/** How values of one shape are kept in a table. */
export interface Shape<A> {
  readonly name: string
  /** In the order of the row. */
  readonly columns: ReadonlyArray<Column>
  /** The columns as a select list. */
  readonly selection: string
  /**
   * The columns as the inside of a row literal: `(…)` makes it one. What is too long for a row is
   * added to `texts`, and the row has its number there, from 1.
   */
  toRow(value: A, texts: Array<string>): string
  fromRow(row: Row): A
}

/** What a table has besides its columns, by name. */
export interface Rules {
  /** Columns that the database makes itself. */
  readonly generated?: { readonly [column: string]: string }
  readonly constraints?: { readonly [name: string]: string }
  /** Besides those of the lists that its kind declares; one of the same name stands in for it. */
  readonly indexes?: { readonly [name: string]: string }
  /**
   * Besides the names that its kind declares. Their violations are races that a commit lost: it is
   * decided again.
   */
  readonly unique?: { readonly [name: string]: string }
}

/** Where a kind of record is kept and how. */
export interface Table<R> extends Shape<R>, Rules {
  readonly kind: Kind
  readonly prefix: IdPrefix | null
  /** Whether a worker looks after it: the table has `due_at` and `lease_until`. */
  readonly due: boolean
}

type Field<A> = Codec<A> | Group<A>

/** What keeps each field of a value. */
type Fields<A, N extends keyof A> = { readonly [F in N]: Field<A[F]> }

/** The fields that a record has in the state only. */
type FactsIn<R, S, Common> = Exclude<keyof Extract<R, { readonly status: S }>, Common>

type Fact<R, S, N extends PropertyKey> =
  Extract<R, { readonly status: S }> extends { readonly [F in N]: infer V }
    ? Codec<V>
    : Codec<unknown> & { readonly isOptional: true }

/** The facts of each state: the compiler asks for each. */
export type States<R extends { readonly status: string }, Common = keyof R> = {
  readonly [S in R["status"]]: { readonly [N in FactsIn<R, S, Common>]: Fact<R, S, N> }
}

/** A group whose value's type is forgotten. */
interface AnyGroup {
  readonly parts: { readonly [column: string]: Part<never> }
  readonly restore: Group<unknown>["restore"]
}

type AnyField = Codec<unknown> | AnyGroup

type AnyFacts = { readonly [fact: string]: Codec<unknown> }

/** What all tables are made from, with the types of their fields forgotten. */
interface Plan extends Rules {
  readonly name: string
  readonly fields: { readonly [field: string]: AnyField }
  readonly facts?: AnyFacts
  /** The facts of a record, of which the other fields are known. */
  readonly factsOf?: (value: Decoded) => AnyFacts | undefined
  /** Written for the database's own use, and not read back. */
  readonly derived?: { readonly [column: string]: Part<never> }
}

const isGroup = (field: AnyField): field is AnyGroup => "parts" in field

/** The columns of a field, or those of its parts. */
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
    // Runs for every column of every record that is written: pairs to take apart would show.
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

/** Which facts a record has is decided by its state, never guessed from what is null. */
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

/** How values of a shape that are no records are kept; what `fields` lacks cannot be read back. */
export const describe = <A extends object, N extends keyof A = keyof A>(
  name: string,
  fields: Fields<A, N>,
  derived: { readonly [column: string]: Part<A> } = {},
): Shape<A> => build({ name, fields, derived })

/** The facts of all these states. */
export const factsIn = (
  ...each: ReadonlyArray<{ readonly [status: string]: AnyFacts }>
): AnyFacts => {
  const facts: { [fact: string]: Codec<unknown> } = {}
  for (const states of each) Object.assign(facts, ...Object.values(states))
  return facts
}

/** What of a table its kind declares. */
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
  /** Besides those of {@link Every} record, which come first. */
  readonly fields: Fields<Records[K], Exclude<N, Every>>
  readonly derived?: { readonly [column: string]: Part<Records[K]> }
}

const made = <K extends Kind>(described: Plan & { readonly kind: K }): Table<Records[K]> => {
  const plan = { ...described, fields: { ...everyField(described.kind), ...described.fields } }
  return { ...plan, ...declared(plan.kind), ...build<Records[K]>(plan) }
}

/** The table of a kind whose records have the same fields in all of their states. */
export const makeTable = <K extends Kind>(
  description: Described<K, keyof Records[K]>,
): Table<Records[K]> => made(description)

/** The table of a kind whose records have facts that depend on their `status`. */
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

/** The table of a kind whose records have facts that depend on more than their `status`. */
export const makeFactTable = <K extends Kind>(
  description: Described<K, keyof Records[K]> & {
    readonly facts: AnyFacts
    /** The facts of a record in the state of `value`, its other fields. */
    readonly factsOf: (value: Decoded) => AnyFacts | undefined
  },
): Table<Records[K]> => made(description)

/** The kinds whose records have a status. */
type StateKind = {
  [K in Kind]: Records[K] extends { readonly status: string } ? K : never
}[Kind]

/** Says of each fact in which states it has to be there, and in which it may. */
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
