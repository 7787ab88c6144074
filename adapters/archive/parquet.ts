import { Effect } from "effect"
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from "hyparquet"
import { fileWriter, ParquetWriter } from "hyparquet-writer"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import {
  type ArchivedColumn,
  type ArchivedTable,
  ArchiveFailure,
  type Cell,
  type Cells,
  type Content,
  type MoneyColumns,
  type NextRows,
  Tally,
} from "./Cells.ts"

/** A group of rows is written at this many characters of text, or at this many rows. */
const MOST_TEXT = 8 * 1024 * 1024
const MOST_ROWS = 20_000

const elementOf = ({ isNullable, name, type }: ArchivedColumn): SchemaElement => {
  const repetition_type = isNullable ? "OPTIONAL" : "REQUIRED"
  switch (type) {
    case "text":
      return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type }
    case "integer":
      return { name, type: "INT64", repetition_type }
    case "time":
      return {
        name,
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
        repetition_type,
      }
  }
}

const namesOf = (columns: ReadonlyArray<{ readonly name: string }>) =>
  columns.map(({ name }) => name)

const schemaOf = ({ columns, name }: ArchivedTable): Array<SchemaElement> => [
  { name, num_children: columns.length },
  ...columns.map(elementOf),
]

/** Collects rows and writes them in groups, so that memory holds one group. */
class Groups {
  readonly #writer: ParquetWriter
  readonly #columns: ReadonlyArray<ArchivedColumn>
  #rows: Array<Cells> = []
  #text = 0

  constructor(path: string, table: ArchivedTable) {
    this.#columns = table.columns
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: schemaOf(table),
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: "payport",
    })
  }

  async add(rows: ReadonlyArray<Cells>): Promise<void> {
    for (const row of rows) {
      this.#rows.push(row)
      for (const cell of row) if (typeof cell === "string") this.#text += cell.length
      if (this.#rows.length === MOST_ROWS || this.#text >= MOST_TEXT) await this.#write()
    }
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#text = 0
    await this.#writer.write({
      columnData: this.#columns.map(({ name }, n) => ({
        name,
        data: rows.map((row) => row[n] ?? null),
        offsetIndex: false,
      })),
      rowGroupSize: MOST_ROWS,
    })
  }

  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#write()
    await this.#writer.finish()
  }
}

const failing = (path: string, what: string) => (cause: unknown) =>
  new ArchiveFailure({
    message: `${path} cannot be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
  })

/**
 * Writes a Parquet file with all rows that `next` returns, page by page. `progress` is told how
 * many rows there are so far. Returns the content of the rows, not that of the file.
 */
export const writeParquet = Effect.fnUntraced(function* <E>(
  path: string,
  table: ArchivedTable,
  next: NextRows<E>,
  progress: (rows: number) => Effect.Effect<void>,
) {
  const failed = failing(path, "written")
  const groups = yield* Effect.try({ try: () => new Groups(path, table), catch: failed })
  const tally = new Tally(namesOf(table.columns), table.money)
  while (true) {
    const rows = yield* next
    if (rows.length === 0) break
    tally.add(rows)
    yield* Effect.tryPromise({ try: () => groups.add(rows), catch: failed })
    yield* progress(tally.rows)
  }
  yield* Effect.tryPromise({ try: () => groups.end(), catch: failed })
  return tally.content()
})

const decoder = new TextDecoder("utf-8", { fatal: true })

const cellOf = (value: unknown): Cell => {
  if (typeof value === "string" || typeof value === "bigint") return value
  if (value === null || value === undefined) return null
  throw new TypeError(`a value is a ${typeof value}`)
}

/** The columns in a comparable form. */
const formOf = (elements: ReadonlyArray<SchemaElement>): string =>
  elements.map(({ name, repetition_type, type }) => `${name} ${type} ${repetition_type}`).join()

const readContent = async (path: string, wanted: Wanted): Promise<Content> => {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const elements = metadata.schema.slice(1)
  const { columns, money } = wanted
  if (columns !== undefined && formOf(elements) !== formOf(columns.map(elementOf))) {
    throw new TypeError("it has other columns")
  }
  const tally = new Tally(namesOf(elements), money)
  for (const group of metadata.row_groups) {
    const rowStart = tally.rows
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd: rowStart + Number(group.num_rows),
      rowFormat: "array",
      compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
      parsers: {
        timestampFromMilliseconds: (millis) => millis,
        stringFromBytes: (bytes) => decoder.decode(bytes),
      },
      onComplete: (rows) => tally.add(rows.map((row) => row.map(cellOf))),
    })
  }
  return tally.content()
}

/** What a file has to be like: files of earlier versions may have fewer columns. */
interface Wanted {
  readonly columns?: ReadonlyArray<ArchivedColumn>
  readonly money?: MoneyColumns | undefined
}

/** Reads a Parquet file, group by group, and returns the content of its rows. */
export const readParquet = (path: string, wanted: Wanted) =>
  Effect.tryPromise({ try: () => readContent(path, wanted), catch: failing(path, "read") })
