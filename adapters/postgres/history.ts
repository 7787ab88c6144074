import { Effect, Schedule, type Scope } from "effect"
import { drawnAt } from "../../core/shared/Id.ts"
import { DAY, type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { configOf, withoutTimeLimit } from "./access.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { DatabaseUnusable, unusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import { NOW_SQL } from "./reads/referenceClock.ts"
import { type Connection, connectWith } from "./sessions/connectWith.ts"
import { tableOf } from "./tables.ts"
import { auditEntries } from "./tables/auditEntries.ts"
import { postings } from "./tables/postings.ts"
import type { Column, Row } from "./tables/Table.ts"

/** A column as a history shows it: whole numbers and times in milliseconds as bigint, else text. */
interface HistoryColumn {
  readonly name: string
  readonly type: "text" | "integer" | "time"
  readonly isNullable: boolean
}

type Cell = string | bigint | null

interface Source {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** Further columns, which are times, by their SQL. */
  readonly times?: { readonly [column: string]: string }
  /** The columns of an amount in minor units and of its currency. */
  readonly money?: { readonly amount: string; readonly currency: string }
  /** Whether rows are still to be worked on, and change, while they have a `due_at`. */
  readonly due: boolean
  /** Columns that change without end: how often a channel repeated its message, and when last. */
  readonly changing?: ReadonlyArray<string>
  /** Whether ids are hashes, which say nothing about the time. */
  readonly isNamed?: true
}

/**
 * What happened, table by table. What is shown of a row never changes once it is not due any more.
 */
const SOURCES: ReadonlyArray<Source> = [
  tableOf("event"),
  tableOf("delivery"),
  tableOf("log_entry"),
  { ...tableOf("callback"), changing: ["times", "last_at"] },
  {
    ...tableOf("channel_request"),
    money: { amount: "amount_value", currency: "amount_currency" },
  },
  { ...tableOf("usage_record"), isNamed: true },
  { ...postings, due: false, money: { amount: "amount", currency: "currency" } },
  { ...auditEntries, due: false, times: { at: "(content::json->>'at')::timestamptz" } },
]

/** Columns that say how a row is worked on, and not what happened. */
const LEFT_OUT = ["version", "due_at"]

const typeOf = ({ type }: Column): HistoryColumn["type"] =>
  type.startsWith("timestamptz")
    ? "time"
    : type === "bigint" || type === "integer"
      ? "integer"
      : "text"

/** Returns the smallest UUID that could be drawn at a time. */
const idAt = (at: Timestamp): string => {
  const hex = at.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const rangeOf = ({ isNamed }: Source, day: Timestamp): string => {
  const [column, type, bound] =
    isNamed === true ? ["created_at", "timestamptz", toIso] : ["id", "uuid", idAt]
  const [from, to] = [bound(day), bound(day + DAY)]
  return `${column} >= '${from}'::${type} AND ${column} < '${to}'::${type}`
}

const cellOf = (decoded: unknown): Cell => {
  if (decoded === null || decoded === undefined) return null
  if (typeof decoded === "string") return decoded
  return typeof decoded === "number" ? BigInt(decoded) : JSON.stringify(decoded)
}

/** A table of the history. */
export interface HistoryTable {
  readonly name: string
  readonly columns: ReadonlyArray<HistoryColumn>
  readonly money?: Source["money"]
}

const keptOf = ({ changing = [], columns }: Source) =>
  columns.filter(({ name }) => !LEFT_OUT.includes(name) && !changing.includes(name))

const tableOfSource = (source: Source): HistoryTable => ({
  name: source.name,
  money: source.money,
  columns: [
    ...keptOf(source).map((column) => ({
      name: column.name,
      type: typeOf(column),
      isNullable: column.codec.isNullable === true,
    })),
    ...Object.keys(source.times ?? {}).map((name) => ({
      name,
      type: "time" as const,
      isNullable: false,
    })),
  ],
})

/** The tables of the history. */
export const HISTORY_TABLES: ReadonlyArray<HistoryTable> = SOURCES.map(tableOfSource)

/** The number of rows that are read at a time. */
const PAGE = 2_000

/** A day of a table. All is of one moment. */
interface HistoryDay {
  /** How many of its rows are still worked on, and can change. */
  readonly open: number
  /** Returns the next rows, in the order of their ids, and none at the end. */
  readonly next: Effect.Effect<ReadonlyArray<ReadonlyArray<Cell>>, DatabaseUnusable>
}

/** What happened, by UTC days, read over a session of its own. Reading changes nothing. */
export interface History {
  /** The database's time. */
  readonly now: Effect.Effect<Timestamp, DatabaseUnusable>
  /** Returns the start of the day of the first row; undefined if there is no row. */
  readonly firstDay: (table: HistoryTable) => Effect.Effect<Timestamp | undefined, DatabaseUnusable>
  /** Opens a day, given by its start. Close the scope before the next day is opened. */
  readonly open: (
    table: HistoryTable,
    day: Timestamp,
  ) => Effect.Effect<HistoryDay, DatabaseUnusable, Scope.Scope>
}

const sourceOf = ({ name }: HistoryTable): Source => {
  const source = SOURCES.find((each) => each.name === name)
  if (source === undefined) throw new TypeError(`The history has no table ${name}`)
  return source
}

const orderOf = ({ isNamed }: Source): string => (isNamed === true ? "created_at, id" : "id")

const historyOver = (connection: Connection, settings: ConnectionSettings): History => {
  const ask = (sql: string) =>
    Effect.mapBoth(connection.query(sql, [], false), {
      onSuccess: ({ rows }) => rows,
      onFailure: unusable(settings),
    })
  return {
    now: Effect.map(ask(NOW_SQL), ([row]) => Number(row?.["now"])),
    firstDay: (table) => {
      const source = sourceOf(table)
      const at = source.isNamed === true ? "created_at" : "NULL AS created_at"
      return Effect.map(
        ask(`SELECT id, ${at} FROM payport.${table.name} ORDER BY ${orderOf(source)} LIMIT 1`),
        ([row]) => {
          if (row === undefined) return undefined
          const { created_at, id } = row
          const first = created_at instanceof Date ? created_at.getTime() : drawnAt(String(id))
          return first - (first % DAY)
        },
      )
    },
    open: Effect.fnUntraced(function* (table, day) {
      const source = sourceOf(table)
      const kept = keptOf(source)
      const times = Object.entries(source.times ?? {})
      const selected = [
        ...kept.map(({ name }) => name),
        ...times.map(([name, sql]) => `${sql} AS ${name}`),
      ]
      const cells = (row: Row) => [
        ...kept.map(({ codec, name }) => cellOf(codec.decode(row[name]))),
        ...times.map(([name]) => cellOf((row[name] as Date).getTime())),
      ]
      const from = `FROM payport.${table.name} WHERE ${rangeOf(source, day)}`
      yield* Effect.acquireRelease(ask("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"), () =>
        Effect.ignore(ask("ROLLBACK")),
      )
      const counting = `SELECT count(*) AS open ${from} AND due_at IS NOT NULL`
      const [row] = source.due ? yield* ask(counting) : []
      yield* ask(
        `DECLARE archived NO SCROLL CURSOR FOR
          SELECT ${selected.join(", ")} ${from} ORDER BY ${orderOf(source)}`,
      )
      return {
        open: Number(row?.["open"] ?? 0),
        next: Effect.map(ask(`FETCH ${PAGE} FROM archived`), (rows) => rows.map(cells)),
      }
    }),
  }
}

/** A number that nothing else in the database uses as an advisory lock. */
const HISTORY_LOCK = 7_296_015_434

/** A run that was killed may still have a session at the server. */
const GRACE = { times: 20, schedule: Schedule.spaced("250 millis") }

/** Makes the session the only one that reads the history until the scope closes. */
const takeAlone = Effect.fnUntraced(function* ({ query }: Connection, { lock }: OurSchema) {
  const key = lock(HISTORY_LOCK)
  const tried = query(`SELECT pg_try_advisory_lock(${key}) AS taken`, [], false)
  const taken = Effect.map(tried, ({ rows: [row] }) => row?.["taken"] === true)
  if (!(yield* Effect.repeat(taken, { until: Boolean, ...GRACE }))) {
    return yield* new DatabaseUnusable({
      message:
        "Another archive of this database is being written, and two at once could lose what the" +
        " other notes. Nothing was done. Run it again once the other one has ended; if none runs," +
        " its session with the server has not ended yet.",
    })
  }
  // A session pooler may keep the session for others, with its lock.
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.timeout(query(`SELECT pg_advisory_unlock(${key})`), "2 seconds")),
  )
})

/** Returns the settings of the server itself: sessions of a pooler may be shared. */
const serverOf = (settings: ConnectionSettings): ConnectionSettings => settings.direct ?? settings

/**
 * Opens the history of a database until the scope closes, for one process at a time. Fails after
 * some seconds while another one has it open.
 */
export const openHistory: (
  settings: ConnectionSettings,
) => Effect.Effect<History, DatabaseUnusable, Scope.Scope> = Effect.fn("openHistory")(
  function* (settings) {
    const named = serverOf(settings)
    const config = yield* configOf({ ...named, schema: settings.schema ?? named.schema })
    const { connection } = yield* connectWith(withoutTimeLimit(config))
    yield* takeAlone(connection, config.schema)
    return historyOver(connection, named)
  },
  (opened, settings) =>
    Effect.mapError(opened, (error) =>
      error._tag === "SqlError" ? unusable(serverOf(settings))(error) : error,
    ),
)
