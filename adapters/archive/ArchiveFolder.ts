import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { makeFolder } from "../shared/makeFolder.ts"
import { DAY, fromIso, type Timestamp, utcDay } from "../../core/shared/Timestamp.ts"
import {
  type ArchivedTable,
  ArchiveFailure,
  type Content,
  isSameContent,
  type NextRows,
} from "./Cells.ts"
import { digestOf, flush, hasCode, place, removeUnfinished, sizeOf, UNFINISHED } from "./files.ts"
import { Manifest } from "./Manifest.ts"
import { readParquet, writeParquet } from "./parquet.ts"
import { WaitingDays } from "./WaitingDays.ts"

/** A day of a table: its start in UTC. */
type Day = Timestamp

/** The ending of the mark of a day that waits. */
const WAITS = ".waits"

/** The text of a mark. Copies and backups may leave out empty files. */
const MARK =
  "This day waits to be archived. Without this file, its rows may be removed before they are.\n"

/** The days of a table, oldest first. */
interface DaysOfTable {
  readonly archived: ReadonlyArray<Day>
  /** Days among or after them that cannot be archived yet. */
  readonly waiting: ReadonlyArray<Day>
}

const failure = (message: string) => new ArchiveFailure({ message })

const attempt = <A>(path: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      failure(`${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`),
  })

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

/** Returns the days by which files with that ending are named, oldest first. */
const daysNamed = Effect.fnUntraced(function* (folder: string, ending: string) {
  const names = yield* attempt(folder, () =>
    readdir(folder).catch((error: unknown) =>
      hasCode(error, "ENOENT") ? [] : Promise.reject(error),
    ),
  )
  const days = names.flatMap((name) =>
    name.endsWith(ending) ? (fromIso(`${name.slice(0, -ending.length)}T00:00:00Z`) ?? []) : [],
  )
  return days.toSorted((one, other) => one - other)
})

/**
 * A folder with a Parquet file for each table and UTC day, such as `events/2026-01-31.parquet`, and
 * a manifest for each file, such as `manifests/events/2026-01-31.json`. A day is archived once it
 * has a manifest, which is written last. No file of a day is ever replaced. A day that has to wait
 * has a mark instead, such as `manifests/events/2026-01-31.waits`, and is in a list, such as
 * `waiting/events.json`. One of the two is enough.
 */
export class ArchiveFolder {
  readonly path: string

  constructor(path: string) {
    this.path = resolve(path)
  }

  #placeOf(table: string, day: Day) {
    const name = utcDay(day)
    const files = join(this.path, table)
    const manifests = join(this.path, "manifests", table)
    const mark = join(manifests, `${name}${WAITS}`)
    return { name, files, manifests, mark, file: join(files, `${name}.parquet`) }
  }

  #daysOf(table: string) {
    return Effect.gen({ self: this }, function* () {
      const manifests = join(this.path, "manifests", table)
      const archived = yield* daysNamed(manifests, ".json")
      const marked = new Set(yield* daysNamed(manifests, WAITS))
      for (const day of yield* this.#list(table, (list) => list.read())) marked.add(day)
      return { archived, marked: [...marked].toSorted((one, other) => one - other) }
    })
  }

  #list<A>(table: string, use: (list: WaitingDays) => Promise<A>) {
    const path = join(this.path, "waiting", `${table}.json`)
    return attempt(path, () => use(new WaitingDays(path)))
  }

  /**
   * Returns the days of the table that have a manifest, and those that wait for one, oldest first.
   * Fails if another day is missing in between.
   */
  days(table: string): Effect.Effect<DaysOfTable, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const { archived, marked } = yield* this.#daysOf(table)
      const waiting = marked.filter((day) => !archived.includes(day))
      const days = [...archived, ...waiting].toSorted((one, other) => one - other)
      const before = days.find((day, n) => n + 1 < days.length && days[n + 1] !== day + DAY)
      if (before === undefined) return { archived, waiting }
      return yield* failure(
        `The archive of ${table} in ${this.path} lacks ${utcDay(before + DAY)}, though it has` +
          " later days: put back its file and its manifest.",
      )
    })
  }

  /** Notes that a day cannot be archived yet, so that it does not count as a loss among others. */
  wait(table: string, day: Day): Effect.Effect<void, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const { manifests, mark } = this.#placeOf(table, day)
      yield* this.#prepare(manifests)
      yield* attempt(mark, () => writeFile(mark, MARK))
      yield* attempt(mark, () => flush(mark))
      yield* attempt(manifests, () => flush(manifests))
      yield* this.#list(table, (list) => list.change(day, true))
    })
  }

  /** Removes what earlier runs have not finished. No other run may be writing to the folder. */
  clear(table: string): Effect.Effect<void, ArchiveFailure> {
    const { files, manifests } = this.#placeOf(table, 0)
    const folders = [files, manifests, join(this.path, "waiting")]
    return Effect.forEach(folders, (folder) => attempt(folder, () => removeUnfinished(folder)), {
      discard: true,
    })
  }

  /**
   * Removes the marks of days that have a manifest. A run that crashed has left them: once such a
   * day is moved elsewhere, it would count as one that waits.
   */
  removeMarks(table: string): Effect.Effect<void, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const { archived, marked } = yield* this.#daysOf(table)
      for (const day of marked) {
        if (!archived.includes(day)) continue
        yield* this.#stopWaiting(table, day)
      }
    })
  }

  #stopWaiting(table: string, day: Day) {
    const { mark } = this.#placeOf(table, day)
    return Effect.andThen(
      attempt(mark, () => rm(mark, { force: true })),
      this.#list(table, (list) => list.change(day, false)),
    )
  }

  /**
   * Returns the end of the days of which the table's files and manifests are there, from the first
   * one to the first that waits or is missing; -Infinity if there are none.
   */
  until(table: string): Effect.Effect<Timestamp, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const files = new Set(yield* daysNamed(join(this.path, table), ".parquet"))
      const { archived: named, marked } = yield* this.#daysOf(table)
      const archived = new Set(named)
      const days = [...new Set([...named, ...marked])].toSorted((one, other) => one - other)
      let end = -Infinity
      for (const day of days) {
        if (!archived.has(day) || !files.has(day) || (end > -Infinity && day !== end)) return end
        end = day + DAY
      }
      return end
    })
  }

  /** Reads a day's manifest. Fails if it is none, or if its file is gone or has another size. */
  manifest(table: string, day: Day): Effect.Effect<Manifest, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const { file, manifests, name } = this.#placeOf(table, day)
      const path = join(manifests, `${name}.json`)
      const text = yield* attempt(path, () => readFile(path, "utf8"))
      const found = yield* Effect.mapError(decode(text), () => failure(`${path} is no manifest.`))
      if (found.table !== table || found.day !== name) {
        return yield* failure(`${path} is the manifest of ${found.table} on ${found.day}.`)
      }
      const size = yield* attempt(file, () => sizeOf(file))
      if (size === found.bytes) return found
      return yield* failure(
        size === undefined
          ? `${file} is gone, though its manifest is there.`
          : `${file} has ${size} bytes, and its manifest says ${found.bytes}.`,
      )
    })
  }

  /** Reads a day's whole file. Fails unless it is the one of the manifest, row by row. */
  verify(table: ArchivedTable, day: Day): Effect.Effect<Manifest, ArchiveFailure> {
    return Effect.gen({ self: this }, function* () {
      const { file } = this.#placeOf(table.name, day)
      const found = yield* this.manifest(table.name, day)
      if ((yield* attempt(file, () => digestOf(file))) !== found.sha256) {
        return yield* failure(`${file} is not the file of its manifest: its SHA-256 differs.`)
      }
      if (!isSameContent(yield* readParquet(file, { money: table.money }), found)) {
        return yield* failure(`${file} does not hold the rows of its manifest.`)
      }
      return found
    })
  }

  /**
   * Archives a day. The file is written under another name, flushed, read back and compared with
   * the rows, and then gets its name. A file of a run that crashed before the manifest stays if it
   * holds the same rows. `progress` is told how many rows there are so far.
   */
  add<E>(
    table: ArchivedTable,
    day: Day,
    next: NextRows<E>,
    progress: (rows: number) => Effect.Effect<void>,
  ): Effect.Effect<Manifest, ArchiveFailure | E> {
    return Effect.gen({ self: this }, function* () {
      const { file, files, manifests, name } = this.#placeOf(table.name, day)
      yield* this.#prepare(files)
      yield* this.#prepare(manifests)
      const content = yield* this.#addFile(table, day, next, progress)
      const bytes = (yield* attempt(file, () => sizeOf(file))) ?? 0
      const sha256 = yield* attempt(file, () => digestOf(file))
      const manifest: Manifest = { table: table.name, day: name, bytes, sha256, ...content }
      yield* this.#unfinished(manifests, (part) =>
        Effect.gen(function* () {
          yield* attempt(part, () => writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`))
          yield* attempt(part, () => flush(part))
          yield* attempt(part, () => place(part, manifests, `${name}.json`))
        }),
      )
      yield* this.#stopWaiting(table.name, day)
      return yield* this.manifest(table.name, day)
    })
  }

  #addFile<E>(
    table: ArchivedTable,
    day: Day,
    next: NextRows<E>,
    progress: (rows: number) => Effect.Effect<void>,
  ): Effect.Effect<Content, ArchiveFailure | E> {
    const { file, files, name } = this.#placeOf(table.name, day)
    return this.#unfinished(files, (part) =>
      Effect.gen(function* () {
        const content = yield* writeParquet(part, table, next, progress)
        yield* attempt(part, () => flush(part))
        if (!isSameContent(yield* readParquet(part, table), content)) {
          return yield* failure(`${part} does not read as it was written: nothing was archived.`)
        }
        if (yield* attempt(part, () => place(part, files, `${name}.parquet`))) return content
        if (isSameContent(yield* readParquet(file, table), content)) return content
        return yield* failure(`${file} is there with other rows, and stays: move it elsewhere.`)
      }),
    )
  }

  #prepare(folder: string): Effect.Effect<void, ArchiveFailure> {
    return attempt(folder, () => makeFolder(folder))
  }

  /** Makes a name for a file that is not finished, and removes the file if it is still there. */
  #unfinished<A, E>(
    folder: string,
    use: (part: string) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | ArchiveFailure> {
    const part = join(folder, `.${randomUUID()}${UNFINISHED}`)
    return Effect.ensuring(use(part), Effect.ignore(attempt(part, () => rm(part, { force: true }))))
  }
}
