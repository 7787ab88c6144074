import { DuckDBInstance } from "@duckdb/node-api"
import { Context, Effect, Exit, Layer, Logger, Scope } from "effect"
import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import { archivedUntil } from "../../../apps/server/archive/archivedUntil.ts"
import type { IdPrefix } from "../../../core/shared/Id.ts"
import { Store, type Write } from "../../../core/ports/Store.ts"
import { CurrentRetention } from "../../../core/retention/Retention.ts"
import { sweep } from "../../../core/retention/sweep.ts"
import { DAY, HOUR } from "../../../core/shared/Timestamp.ts"
import { urlOf } from "../../support/askDatabase.ts"
import { testDatabase } from "../../support/postgres.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import {
  aCallback,
  aDelivery,
  aJournal,
  aLogEntry,
  anAuditAct,
  anEvent,
  aUsage,
  channelRequestIn,
  id,
} from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"
import { start, temporaryFolder } from "./service.ts"

/** The start of the first day that need not be over yet. */
const TODAY = Math.floor((Date.now() - HOUR) / DAY) * DAY

const dayOf = (days: number) => new Date(TODAY - days * DAY).toISOString().slice(0, 10)

/** An id that was drawn at a time. */
const drawn = (prefix: IdPrefix, at: number, n = 1): string => {
  const hex = at.toString(16).padStart(12, "0")
  const rest = n.toString(16).padStart(12, "0")
  return `${prefix}_${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${rest}`
}

const at = (days: number) => TODAY - days * DAY + HOUR

const anEventAt = (days: number, due: number | null = null) =>
  insert("event", anEvent({ id: drawn("evt", at(days)), created_at: at(days), due_at: due }))

const aDeliveryAt = (days: number, isOpen = false) => {
  const said = { id: drawn("wd", at(days)), event_id: drawn("evt", at(days)) }
  const ended = isOpen ? {} : ({ status: "delivered", due_at: null } as const)
  return insert("delivery", aDelivery({ ...said, created_at: at(days), ...ended }))
}

/** What happened ten days ago, three days ago and later. */
const records: ReadonlyArray<Write> = [
  ...[10, 3, 0].map((days) => anEventAt(days)),
  ...[10, 3].map((days) => aDeliveryAt(days)),
  aDeliveryAt(2, true),
  insert("log_entry", aLogEntry({ id: drawn("log", at(3)), at: at(3) })),
  // The ids of reports of use are hashes, and say nothing about the time.
  insert("usage_record", aUsage({ n: 9, quantity: "2.125", created_at: at(1) })),
  insert("callback", aCallback({ id: drawn("cb", at(3)), created_at: at(3) })),
  insert(
    "channel_request",
    channelRequestIn("done", {
      id: drawn("creq", at(3)),
      payment_intent: id("pi", 900),
      amount: { currency: "SGD", value: 1_250 },
      created_at: at(3),
    }),
  ),
]

const opened = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const layer = Layer.build(PostgresStore.layer(database))
  const context = await Effect.runPromise(Scope.provide(layer, scope))
  return { url: urlOf(database), store: Context.get(context, Store) }
}

const filled = async () => {
  const { store, url } = await opened()
  const journal = aJournal({ n: 1, amount: 699 }).map((posting, n) =>
    Object.assign(posting, { id: drawn("post", at(3), n), created_at: at(3) }),
  )
  const audit = anAuditAct({ id: drawn("aud", at(3)), at: at(3) })
  await Effect.runPromise(store.commit({ writes: records, postings: journal, audit }))
  return { store, journal, url }
}

const folderAndRun = async (url: string) => {
  const folder = await temporaryFolder()
  const settings = { PAYPORT_DATABASE_URL: url, PAYPORT_ARCHIVE_DIR: folder }
  const run = async (...options: ReadonlyArray<string>) => {
    const service = start(settings, "archive", ...options)
    const code = await service.ended
    return { code, stdout: service.stdout(), stderr: service.stderr() }
  }
  return { folder, run }
}

const keeping = {
  event: 2 * DAY,
  delivery: 2 * DAY,
  channel_request: 2 * DAY,
  callback: 2 * DAY,
  reply: DAY,
  unpaid: DAY,
}

/** Removes what is two days old and archived; returns the days of what is left. */
const swept = (store: Store["Service"], archive: string) =>
  Effect.gen(function* () {
    yield* sweep(0)
    const daysOf = Effect.fnUntraced(function* (
      kind: "event" | "delivery" | "callback" | "channel_request",
    ) {
      const left = yield* store.scan(kind, { after: undefined, limit: 100 })
      return left.map(({ created_at }) => Math.ceil((TODAY - created_at) / DAY) + 0)
    })
    return yield* Effect.all({
      event: daysOf("event"),
      delivery: daysOf("delivery"),
      callback: daysOf("callback"),
      channel_request: daysOf("channel_request"),
    })
  }).pipe(
    Effect.provide(archivedUntil(archive)),
    Effect.provideService(Store, store),
    Effect.provideService(CurrentRetention, keeping),
    Effect.provide(world(makeScript())),
    Effect.provide(Logger.layer([])),
    Effect.runPromise,
  )

const ALL = { event: [10, 3, 0], delivery: [10, 3, 2], callback: [3], channel_request: [3] }

const ask = async (sql: string) => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  onTestFinished(() => connection.closeSync())
  return (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

interface Told {
  readonly archived: ReadonlyArray<{ readonly table: string; readonly rows: number }>
  readonly waiting: ReadonlyArray<object>
  readonly failures: ReadonlyArray<string>
}

test("what is old leaves the database only once it is archived", async () => {
  const { journal, store, url } = await filled()
  const { folder, run } = await folderAndRun(url)
  expect(await swept(store, folder)).toEqual(ALL)
  expect(await run("--before", dayOf(5))).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(
      new RegExp(`^events ${dayOf(10)}: 1 rows, .*10 files were written to ${folder}\\.\n$`, "s"),
    ),
  })
  expect(await swept(store, folder)).toEqual({ ...ALL, event: [3, 0], delivery: [3, 2] })

  const all = await run("--before", dayOf(0), "--json")
  const told = JSON.parse(all.stdout) as Told
  const tables = Map.groupBy(told.archived, ({ table }) => table)
  const rowsOf = [...tables].map(([table, files]) => [table, files.map(({ rows }) => rows)])
  expect(Object.fromEntries(rowsOf)).toEqual({
    events: [0, 0, 1, 0, 0],
    deliveries: [0, 0, 1, 0],
    log_entries: [1, 0, 0],
    callbacks: [1, 0, 0],
    channel_requests: [1, 0, 0],
    usage_records: [1],
    postings: [2, 0, 0],
    audit_entries: [1, 0, 0],
  })
  // One of its rows is still to be delivered.
  expect(told.waiting).toEqual([{ table: "deliveries", day: dayOf(2), rows: 1 }])
  expect(await swept(store, folder)).toEqual({
    event: [0],
    delivery: [2],
    callback: [],
    channel_request: [],
  })
  const left = await Effect.runPromise(store.readAudit({ after: 0, limit: 9 }))
  expect(left).toHaveLength(1)

  const table = (name: string) => `read_parquet('${folder}/${name}/*.parquet')`
  expect(await ask(`SELECT id, type, data->>'status' AS status FROM ${table("events")}`)).toEqual(
    [10, 3].map((days) => ({
      id: drawn("evt", at(days)),
      type: "payment_intent.succeeded",
      status: "succeeded",
    })),
  )
  expect(await ask(`SELECT ledger_account, amount FROM ${table("postings")} ORDER BY id`)).toEqual(
    journal.map(({ amount, ledger_account }) => ({ ledger_account, amount: String(amount) })),
  )
  expect(
    await ask(`SELECT quantity::DECIMAL(38, 6) AS units FROM ${table("usage_records")}`),
  ).toEqual([{ units: "2.125000" }])
  const [entry] = left
  expect(
    await ask(`SELECT hash, content->>'actor' AS actor, epoch_ms("at") AS ms
    FROM ${table("audit_entries")}`),
  ).toEqual([{ hash: entry?.hash, actor: "operator", ms: String(at(3)) }])
  const requests = "channel_requests"
  const manifest = join(folder, "manifests", requests, `${dayOf(3)}.json`)
  expect(JSON.parse(await readFile(manifest, "utf8"))).toMatchObject({
    rows: 1,
    sums: { SGD: { positive: "1250", negative: "0" } },
  })

  const again = await run("--before", dayOf(0), "--json")
  expect(JSON.parse(again.stdout)).toEqual({ archived: [], waiting: told.waiting, failures: [] })
}, 180_000)

test("a day that fails keeps no other from being archived, and fails the run", async () => {
  const { store, url } = await filled()
  const { folder, run } = await folderAndRun(url)
  const strange = join(folder, "events", `${dayOf(10)}.parquet`)
  await mkdir(dirname(strange), { recursive: true })
  await writeFile(strange, "of somebody else")
  const failed = await run("--before", dayOf(0), "--json")
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(strange)])
  const told = JSON.parse(failed.stdout) as Told
  const days = Map.groupBy(told.archived, ({ table }) => table)
  expect([days.get("events")?.length, days.get("audit_entries")?.length]).toEqual([9, 3])
  expect(told.failures).toEqual([expect.stringContaining(strange)])
  expect((await swept(store, folder)).event).toEqual(ALL.event)
  await rm(strange)
  const marks = join(folder, "manifests", "events")
  // A run that crashed after the manifest has left the mark.
  await writeFile(join(marks, `${dayOf(9)}.waits`), "")
  const again = JSON.parse((await run("--before", dayOf(0), "--json")).stdout) as Told
  expect(again.archived).toMatchObject([{ table: "events", day: dayOf(10), rows: 1 }])
  expect((await readdir(marks)).filter((name) => name.endsWith(".waits"))).toEqual([])
  expect((await swept(store, folder)).event).toEqual([0])
}, 180_000)

test("nothing leaves while the archive cannot be read", async () => {
  const { store } = await filled()
  const file = join(await temporaryFolder(), "file")
  await writeFile(file, "no folder")
  expect(await swept(store, file)).toEqual(ALL)
}, 60_000)

test("--verify reads every file again, without the database", async () => {
  const { url } = await filled()
  const { folder, run } = await folderAndRun(url)
  expect(await run("--before", dayOf(2))).toMatchObject({ code: 0 })
  const verify = async (...options: ReadonlyArray<string>) => {
    const settings = { PAYPORT_DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nowhere" }
    const service = start({ ...settings, PAYPORT_ARCHIVE_DIR: folder }, "archive", ...options)
    return [await service.ended, service.stdout(), service.stderr()] as const
  }
  const settings = { PAYPORT_ARCHIVE_DIR: join(folder, "not mounted") }
  const nowhere = start(settings, "archive", "--verify")
  expect([await nowhere.ended, nowhere.stderr()]).toEqual([
    1,
    expect.stringContaining("so nothing was verified."),
  ])
  const [code, lines] = await verify("--verify")
  expect([code, lines.split("\n").at(-2)]).toEqual([0, "All 21 files are as they were archived."])
  const changed = join(folder, "postings", `${dayOf(3)}.parquet`)
  const bytes = await readFile(changed)
  await writeFile(changed, bytes.with(9, (bytes[9] ?? 0) ^ 1))
  const [failed, told, why] = await verify("--verify", "--json")
  expect([failed, JSON.parse(told)]).toEqual([
    1,
    { verified: 20, broken: [expect.stringContaining(`${changed} is not the file`)] },
  ])
  expect(why).toMatch(/^payport cannot run: 1 of 21 files of the archive are not as they were/)
  // A table that lacks a day keeps no other from being checked.
  const manifests = join(folder, "manifests", "events")
  const days = await readdir(manifests)
  const [middle] = days.toSorted().slice(1, -1)
  await rm(join(manifests, middle ?? ""))
  const [gone, all] = await verify("--verify", "--json")
  expect([gone, JSON.parse(all)]).toEqual([
    1,
    {
      verified: 20 - days.length,
      broken: expect.toSatisfy((broken: ReadonlyArray<string>) =>
        ["archive of events in", changed].every((part) => broken.some((one) => one.includes(part))),
      ),
    },
  ])
}, 120_000)

test.each<[string, ReadonlyArray<string>, number, RegExp]>([
  ["no folder", [], 1, /^payport cannot run: PAYPORT_ARCHIVE_DIR has to be set/],
  ["a day that there is not", ["--before", "2026-02-30"], 2, /--before has to be a day such as/],
  ["a day to verify", ["--verify", "--before", "2026-02-03"], 2, /does not go with --verify/],
])(
  "with %s it says what is wrong",
  async (_, options, code, expected) => {
    const service = start({}, "archive", ...options)
    expect([await service.ended, service.stderr()]).toEqual([code, expect.stringMatching(expected)])
  },
  60_000,
)

test("the guide archives, verifies and finds what was archived", async () => {
  const guide = await sourceText("apps/server/operations/archive.md")
  const block = (kind: string) =>
    new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1] ?? ""
  const { journal, url } = await filled()
  const [posting] = journal
  const folder = await temporaryFolder()
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` }
  const run = async (kind: string) => {
    const command = block(kind)
      .replace("/var/lib/payport-archive", folder)
      .replace(/postgresql:\/\/\S+/, `'${url}'`)
    return promisify(execFile)("bash", ["-ec", command], { cwd: projectRoot, env })
  }
  expect((await run("bash archive")).stdout).toMatch(/files were written to /)
  expect((await run("bash verify")).stdout).toMatch(/^All \d+ files are as they were archived\.$/m)
  const queries = block("sql duckdb")
    .replaceAll("'events/2026-01-*", "'events/*")
    .replace("merchant_wallet", posting!.ledger_account)
  const answers = await Promise.all(
    queries
      .replaceAll(/'(?=postings|events)/g, `'${folder}/`)
      .split(/;\s*$/m)
      .filter((query) => query.trim() !== "")
      .map(ask),
  )
  expect(answers).toEqual([
    [expect.objectContaining({ currency: "USD" })],
    [
      {
        type: "payment_intent.succeeded",
        [`("data" ->> 'status')`]: "succeeded",
        "count_star()": "2",
      },
    ],
  ])
}, 120_000)
