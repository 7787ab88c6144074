import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Result } from "effect"
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { ArchiveFolder } from "../../../adapters/archive/ArchiveFolder.ts"
import type { ArchivedTable, ArchiveFailure, Cells } from "../../../adapters/archive/Cells.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"

const table: ArchivedTable = {
  name: "postings",
  columns: [
    { name: "id", type: "text", isNullable: false },
    { name: "currency", type: "text", isNullable: false },
    { name: "amount", type: "integer", isNullable: false },
    { name: "refund", type: "text", isNullable: true },
    { name: "data", type: "text", isNullable: false },
    { name: "created_at", type: "time", isNullable: false },
  ],
  money: { amount: "amount", currency: "currency" },
}

const NOON = Date.parse("2026-01-31T12:00:00.123Z")
const FIRST = Date.parse("2026-01-31T00:00:00Z")

/** No double holds the largest amount. */
const rows: ReadonlyArray<Cells> = [
  ["post_1", "USD", 9_007_199_254_740_993n, null, '{"text":"“Ünï”\\n"}', BigInt(NOON)],
  ["post_2", "USD", -699n, "ref_1", "[1.50,null]", BigInt(NOON + 1)],
  ["post_3", "JPY", 1n, "", "{}", BigInt(NOON + 2)],
]

const folderOf = async () => {
  const path = await mkdtemp(join(tmpdir(), "payport-archive-"))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return new ArchiveFolder(path)
}

/** Returns the pages one after the other, and then none. */
const pages = (...all: ReadonlyArray<ReadonlyArray<Cells>>) => {
  const left = [...all]
  return Effect.sync(() => left.shift() ?? [])
}

const add = (folder: ArchiveFolder, day: number, next = pages(rows)) =>
  Effect.runPromise(folder.add(table, day, next, () => Effect.void))

/** The message of a failure. */
const flaw = async (failing: Effect.Effect<unknown, ArchiveFailure>) => {
  const result = await Effect.runPromise(Effect.result(failing))
  return Result.isFailure(result) ? result.failure.message : "no failure"
}

const ask = async (sql: string) => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  onTestFinished(() => connection.closeSync())
  return (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

const file = (folder: ArchiveFolder, day = "2026-01-31") =>
  join(folder.path, "postings", `${day}.parquet`)

const manifest = (folder: ArchiveFolder, day = "2026-01-31") =>
  join(folder.path, "manifests", "postings", `${day}.json`)

describe("an archived day", () => {
  test("is read by DuckDB with exact amounts, times and texts", async () => {
    const folder = await folderOf()
    await add(folder, FIRST, pages(rows.slice(0, 2), rows.slice(2)))
    await add(folder, FIRST + DAY, pages())
    const all = `read_parquet('${folder.path}/postings/*.parquet')`
    expect(
      await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${all})`),
    ).toEqual([
      { column_name: "id", column_type: "VARCHAR" },
      { column_name: "currency", column_type: "VARCHAR" },
      { column_name: "amount", column_type: "BIGINT" },
      { column_name: "refund", column_type: "VARCHAR" },
      { column_name: "data", column_type: "VARCHAR" },
      { column_name: "created_at", column_type: "TIMESTAMP WITH TIME ZONE" },
    ])
    const found = await ask(
      `SELECT * EXCLUDE created_at, epoch_ms(created_at) AS at FROM ${all} ORDER BY id`,
    )
    expect(found.map(Object.values)).toEqual(
      rows.map((row) => row.map((cell) => cell && `${cell}`)),
    )
    expect(await ask(`SELECT data->>'text' AS text FROM ${all} WHERE id = 'post_1'`)).toEqual([
      { text: "“Ünï”\n" },
    ])
  })

  test("has a manifest with its rows, their sums and both digests", async () => {
    const folder = await folderOf()
    const made = await add(folder, FIRST)
    expect(JSON.parse(await readFile(manifest(folder), "utf8"))).toEqual(made)
    expect(made).toMatchObject({
      table: "postings",
      day: "2026-01-31",
      rows: 3,
      sums: {
        JPY: { positive: "1", negative: "0" },
        USD: { positive: "9007199254740993", negative: "-699" },
      },
    })
    expect(await Effect.runPromise(folder.verify(table, FIRST))).toEqual(made)
    expect(await readdir(join(folder.path, "postings"))).toEqual(["2026-01-31.parquet"])
  })

  test("of more rows than a group has keeps all of them, in order", async () => {
    const folder = await folderOf()
    const many = Array.from({ length: 45_000 }, (_, n): Cells => {
      const digits = String(n).padStart(6, "0")
      return [digits, "USD", BigInt(n) + 1n, null, `{"n":${n}}`, BigInt(NOON)]
    })
    const made = await add(folder, FIRST, pages(many.slice(0, 44_000), many.slice(44_000)))
    expect(made.rows).toBe(45_000)
    expect(
      await ask(`SELECT count(DISTINCT id) AS ids, sum(amount) AS sum,
      bool_and(id::BIGINT = file_row_number) AS ordered
      FROM read_parquet('${file(folder)}', file_row_number = true)`),
    ).toEqual([{ ids: "45000", sum: String((45_000 * 45_001) / 2), ordered: true }])
  })
})

describe("a run that ended early", () => {
  test("leaves nothing but what it did not finish, which a later one removes", async () => {
    const folder = await folderOf()
    const broken = Effect.fail("the database is gone")
    const page = pages(rows)
    const next = Effect.flatMap(page, (some) => (some.length > 0 ? Effect.succeed(some) : broken))
    const failed = folder.add(table, FIRST, next, () => Effect.void)
    expect(await Effect.runPromise(Effect.flip(failed))).toBe("the database is gone")
    expect(await readdir(join(folder.path, "postings"))).toEqual([])
    const folders = ["postings", "manifests/postings", "waiting"]
    for (const each of folders) {
      await mkdir(join(folder.path, each), { recursive: true })
      await writeFile(join(folder.path, each, ".left.part"), "PAR1")
    }
    await add(folder, FIRST)
    await Effect.runPromise(folder.wait(table.name, FIRST + DAY))
    await Effect.runPromise(folder.clear(table.name))
    expect(await Promise.all(folders.map((each) => readdir(join(folder.path, each))))).toEqual([
      ["2026-01-31.parquet"],
      ["2026-01-31.json", "2026-02-01.waits"],
      ["postings.json"],
    ])
  })

  test("before its folders were made leaves nothing to remove", async () => {
    const folder = await folderOf()
    await Effect.runPromise(folder.clear(table.name))
    expect(await readdir(folder.path)).toEqual([])
  })

  test("because a text was not read back as it was written archives nothing", async () => {
    const folder = await folderOf()
    // UTF-8 has no half of a pair.
    const next = pages([["post_1", "USD", 1n, null, "\ud800", BigInt(NOON)]])
    const added = folder.add(table, FIRST, next, () => Effect.void)
    expect(await flaw(added)).toContain("does not read as it was written")
    expect(await readdir(join(folder.path, "postings"))).toEqual([])
  })

  test("before its manifest is continued, if the file has the same rows", async () => {
    const folder = await folderOf()
    const made = await add(folder, FIRST)
    await rm(manifest(folder))
    expect(await Effect.runPromise(folder.days("postings"))).toEqual({ archived: [], waiting: [] })
    expect(await add(folder, FIRST)).toEqual(made)
  })

  test("before its manifest is refused, if the file has others, and the file stays", async () => {
    const folder = await folderOf()
    await add(folder, FIRST, pages(rows.slice(1)))
    await rm(manifest(folder))
    const before = await readFile(file(folder))
    const again = folder.add(table, FIRST, pages(rows), () => Effect.void)
    expect(await flaw(again)).toContain("is there with other rows, and stays")
    expect(await readFile(file(folder))).toEqual(before)
    expect(await Effect.runPromise(folder.days("postings"))).toEqual({ archived: [], waiting: [] })
  })
})

describe("an archive that was changed", () => {
  test.each<[string, (folder: ArchiveFolder) => Promise<unknown>, RegExp]>([
    ["by a byte in a page", (folder) => flip(file(folder), 40), /its SHA-256 differs/],
    [
      "by a byte more",
      (folder) => appendFile(file(folder), "x"),
      /has \d+ bytes, and its manifest/,
    ],
    ["without the file", (folder) => rm(file(folder)), /is gone, though its manifest is there/],
    ["with an unreadable manifest", (folder) => writeFile(manifest(folder), "{"), /is no manifest/],
    [
      "with another day's manifest",
      async (folder) => {
        await add(folder, FIRST + DAY)
        await rename(manifest(folder, "2026-02-01"), manifest(folder))
      },
      /is the manifest of postings on 2026-02-01/,
    ],
    [
      "with a file and a manifest that fits it, of other rows",
      async (folder) => {
        const said = JSON.parse(await readFile(manifest(folder), "utf8")) as object
        await writeFile(manifest(folder), JSON.stringify({ ...said, rows_sha256: "0".repeat(64) }))
      },
      /does not hold the rows of its manifest/,
    ],
  ])("%s", async (_, change, expected) => {
    const folder = await folderOf()
    await add(folder, FIRST)
    await change(folder)
    expect(await flaw(folder.verify(table, FIRST))).toMatch(expected)
  })

  test("by the loss of a day in between is not whole, and ends before it", async () => {
    const folder = await folderOf()
    for (const n of [0, 1, 2]) await add(folder, FIRST + n * DAY)
    const until = () => Effect.runPromise(folder.until("postings"))
    expect(await until()).toBe(FIRST + 3 * DAY)
    await rm(file(folder, "2026-02-02"))
    expect(await until()).toBe(FIRST + 2 * DAY)
    await rm(manifest(folder, "2026-02-01"))
    expect(await until()).toBe(FIRST + DAY)
    expect(await flaw(folder.days("postings"))).toContain("lacks 2026-02-01")
    expect(await Effect.runPromise(folder.until("events"))).toBe(-Infinity)
  })

  test("goes on after a day that waits, and is no whole archive beyond it", async () => {
    const folder = await folderOf()
    const until = () => Effect.runPromise(folder.until("postings"))
    await Effect.runPromise(folder.wait("postings", FIRST))
    await add(folder, FIRST + DAY)
    await Effect.runPromise(folder.wait("postings", FIRST + 2 * DAY))
    await add(folder, FIRST + 3 * DAY)
    expect(await Effect.runPromise(folder.days("postings"))).toEqual({
      archived: [FIRST + DAY, FIRST + 3 * DAY],
      waiting: [FIRST, FIRST + 2 * DAY],
    })
    // Nothing may leave the database yet, though a later day is archived.
    expect(await until()).toBe(-Infinity)
    await add(folder, FIRST)
    expect(await until()).toBe(FIRST + 2 * DAY)
    await add(folder, FIRST + 2 * DAY)
    expect(await until()).toBe(FIRST + 4 * DAY)
  })

  test.each([
    ["mark", (folder: ArchiveFolder) => manifest(folder).replace(/json$/, "waits")],
    ["entry in the list", (folder: ArchiveFolder) => join(folder.path, "waiting/postings.json")],
  ])("is archived though it was the oldest and has lost its %s", async (_, lostOf) => {
    const folder = await folderOf()
    const until = () => Effect.runPromise(folder.until("postings"))
    const days = () => Effect.runPromise(folder.days("postings"))
    await Effect.runPromise(folder.wait("postings", FIRST))
    await add(folder, FIRST + DAY)
    await rm(lostOf(folder))
    expect(await days()).toEqual({ archived: [FIRST + DAY], waiting: [FIRST] })
    expect(await until()).toBe(-Infinity)
    // The next run waits once more, which restores what is lost, and then archives the day.
    await Effect.runPromise(folder.wait("postings", FIRST))
    expect(await readFile(lostOf(folder), "utf8")).toContain(
      lostOf(folder).endsWith("json") ? "2026-01-31" : "waits",
    )
    await add(folder, FIRST)
    expect(await until()).toBe(FIRST + 2 * DAY)
    // It may be moved elsewhere, and is not taken for one that waits.
    for (const path of [file(folder), manifest(folder)]) await rm(path)
    expect(await days()).toEqual({ archived: [FIRST + DAY], waiting: [] })
  })

  test("keeps all rows, and says so, while its list of days that wait cannot be read", async () => {
    const folder = await folderOf()
    await Effect.runPromise(folder.wait("postings", FIRST))
    await writeFile(join(folder.path, "waiting", "postings.json"), '["yesterday"]')
    expect(await flaw(folder.until("postings"))).toMatch(
      /waiting\/postings\.json cannot be used: it is no list of days/,
    )
  })

  test("says in a mark what it is for, and removes those of days that are archived", async () => {
    const folder = await folderOf()
    const mark = (day: string) => manifest(folder, day).replace(/json$/, "waits")
    for (const n of [0, 1]) await Effect.runPromise(folder.wait("postings", FIRST + n * DAY))
    const text = await readFile(mark("2026-01-31"), "utf8")
    expect(text).toMatch(/^This day waits to be archived\. .*\n$/)
    await add(folder, FIRST)
    // A crash before the mark was removed leaves it beside the manifest.
    await writeFile(mark("2026-01-31"), text)
    await Effect.runPromise(folder.removeMarks("postings"))
    expect((await readdir(join(folder.path, "manifests", "postings"))).toSorted()).toEqual([
      "2026-01-31.json",
      "2026-02-01.waits",
    ])
  })
})

const flip = async (path: string, at: number) => {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}
