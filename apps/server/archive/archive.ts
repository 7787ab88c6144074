import { Effect, Result } from "effect"
import { ArchiveFolder } from "../../../adapters/archive/ArchiveFolder.ts"
import { findEmbeddedPostgres } from "../../../adapters/postgres/embedded/findEmbeddedPostgres.ts"
import { startEmbeddedPostgres } from "../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import {
  type History,
  HISTORY_TABLES,
  type HistoryTable,
  openHistory,
} from "../../../adapters/postgres/history.ts"
import { DAY, HOUR, type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"
import { StartFailure } from "../StartFailure.ts"
import { readConnection, readDatabaseUse } from "../databaseSettings.ts"
import type { Output } from "../Output.ts"
import { variables } from "../settingVariables.ts"
import { read } from "../variables.ts"

/**
 * A day is complete this long after its end. What a commit stores got its ids at most a few minutes
 * before, and no process works whose clock is half a minute wrong.
 */
const COMPLETE_AFTER = HOUR

/** After how many rows of a file a person hears of it. */
const HEARD_OF_AFTER = 1_000_000

const openFolder = Effect.gen(function* () {
  const path = yield* read(variables.archive_dir)
  if (path !== undefined) return new ArchiveFolder(path)
  const { name } = variables.archive_dir
  return yield* new StartFailure({ message: `${name} has to be set: the archive's folder.` })
})

/** Connects with the database of the settings, or with the embedded one, whether it runs or not. */
const openDatabase = Effect.gen(function* () {
  const { schema } = yield* readDatabaseUse
  const connection = yield* readConnection
  if (connection !== undefined) return yield* openHistory({ ...connection, schema })
  const dataDirectory = (yield* read(variables.data_dir)) ?? ".payport"
  const running = yield* Effect.promise(() => findEmbeddedPostgres(dataDirectory))
  const settings = running ?? (yield* startEmbeddedPostgres({ dataDirectory })).service
  return yield* openHistory({ ...settings, schema })
})

interface Archived {
  readonly table: string
  readonly day: string
  readonly rows: number
  readonly bytes: number
}

/** A day that cannot be archived yet, since so many of its rows can still change. */
type Waiting = Omit<Archived, "bytes">

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Archives a day of a table, unless some of its rows can still change. */
const archiveDay = Effect.fnUntraced(function* (
  { folder, history }: Places,
  table: HistoryTable,
  at: Timestamp,
  say: Output["say"],
) {
  const { next, open } = yield* history.open(table, at)
  const day = utcDay(at)
  const title = `${table.name} ${day}`
  if (open > 0) {
    yield* say(`${title}: waits, since ${open} of its rows can still change`)
    return { waits: { table: table.name, day, rows: open } }
  }
  let heard = HEARD_OF_AFTER
  const { bytes, rows } = yield* folder.add(table, at, next, (count) => {
    if (count < heard) return Effect.void
    heard += HEARD_OF_AFTER
    return say(`${title}: ${count} rows so far`)
  })
  yield* say(`${title}: ${rows} rows, ${megabytes(bytes)}`)
  return { archived: { table: table.name, day, rows, bytes } }
}, Effect.scoped)

/** What a run has done, and the messages of what failed. */
interface Done {
  readonly archived: Array<Archived>
  readonly waiting: Array<Waiting>
  readonly failures: Array<string>
}

interface Places {
  readonly folder: ArchiveFolder
  readonly history: History
}

/**
 * Archives the days of a table before `end`, in order, and those that had to wait before. A day
 * that has to wait, or fails, keeps no other day from being archived.
 */
const archiveTable = Effect.fnUntraced(function* (
  places: Places,
  table: HistoryTable,
  end: Timestamp,
  say: Output["say"],
) {
  const { folder, history } = places
  yield* folder.clear(table.name)
  yield* folder.removeMarks(table.name)
  const known = yield* folder.days(table.name)
  for (const day of known.archived) yield* folder.manifest(table.name, day)
  const last = Math.max(...known.archived, ...known.waiting)
  const first = last === -Infinity ? yield* history.firstDay(table) : last + DAY
  const days = known.waiting.filter((day) => day < end)
  for (let day = first ?? end; day < end; day += DAY) days.push(day)
  const done: Done = { archived: [], waiting: [], failures: [] }
  for (const day of days) {
    const outcome = yield* Effect.result(archiveDay(places, table, day, say))
    if (Result.isFailure(outcome)) {
      if (outcome.failure._tag === "DatabaseUnusable") return yield* outcome.failure
      done.failures.push(outcome.failure.message)
    } else if (outcome.success.waits === undefined) {
      done.archived.push(outcome.success.archived)
      continue
    } else done.waiting.push(outcome.success.waits)
    yield* folder.wait(table.name, day)
  }
  return done
})

/**
 * Writes the complete days before `before` that the folder does not have. What it has is not read
 * again; its files have to be there. What fails of one table keeps no other from being archived,
 * and fails the run at its end.
 */
export const archive = Effect.fnUntraced(function* (
  before: Timestamp | undefined,
  { result, say }: Output,
) {
  const folder = yield* openFolder
  const history = yield* openDatabase
  const complete = (yield* history.now) - COMPLETE_AFTER
  const end = Math.min(complete - (complete % DAY), before ?? Infinity)
  const all: Done = { archived: [], waiting: [], failures: [] }
  for (const table of HISTORY_TABLES) {
    const done = yield* Effect.result(archiveTable({ folder, history }, table, end, say))
    if (Result.isSuccess(done)) {
      all.archived.push(...done.success.archived)
      all.waiting.push(...done.success.waiting)
      all.failures.push(...done.success.failures)
    } else if (done.failure._tag === "DatabaseUnusable") return yield* done.failure
    else all.failures.push(done.failure.message)
  }
  const { archived, failures, waiting } = all
  yield* say(`${archived.length} files were written to ${folder.path}.`)
  yield* result({ archived, waiting, failures })
  const [first] = failures
  if (first === undefined) return
  const others = failures.length > 1 ? ` ${failures.length - 1} more failed after it.` : ""
  return yield* new StartFailure({ message: `${first}${others}` })
}, Effect.scoped)

/** Reads every file of the folder again. Fails if one is not as it was archived. */
export const verifyArchive = Effect.fnUntraced(function* ({ result, say }: Output) {
  const folder = yield* openFolder
  const broken: Array<string> = []
  let verified = 0
  for (const table of HISTORY_TABLES) {
    const days = yield* Effect.result(folder.days(table.name))
    if (Result.isFailure(days)) {
      broken.push(days.failure.message)
      yield* say(days.failure.message)
      continue
    }
    for (const day of days.success.archived) {
      const found = yield* Effect.result(folder.verify(table, day))
      if (found._tag === "Success") {
        verified += 1
        yield* say(`${table.name} ${utcDay(day)}: ${found.success.rows} rows as they were archived`)
      } else {
        broken.push(found.failure.message)
        yield* say(found.failure.message)
      }
    }
  }
  yield* result({ verified, broken })
  if (verified + broken.length === 0) {
    return yield* new StartFailure({
      message:
        `Nothing is archived in ${folder.path}, so nothing was verified. If days have been` +
        " archived, check PAYPORT_ARCHIVE_DIR, and that its volume is mounted.",
    })
  }
  const [first] = broken
  if (first === undefined) return yield* say(`All ${verified} files are as they were archived.`)
  const of = `${broken.length} of ${verified + broken.length} files`
  return yield* new StartFailure({
    message: `${of} of the archive are not as they were archived. The first: ${first}`,
  })
})
