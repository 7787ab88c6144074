import { PgConnection } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import {
  COMMIT_FUNCTION,
  CREATE_COMMIT_FUNCTION,
} from "../../adapters/postgres/commit/commitFunction.ts"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { STEPS } from "../../adapters/postgres/schema.ts"
import { tableOf } from "../../adapters/postgres/tables.ts"
import { Store, type Write } from "../../core/ports/Store.ts"
import { drawScript } from "../../simulator/drawScript.ts"
import { perform } from "../../simulator/perform.ts"
import { writeRunFile } from "../../simulator/RunFile.ts"
import { insert } from "../../apps/payport/testing/store/probe.ts"
import { freePort } from "../support/freePort.ts"
import * as records from "../support/records.ts"

const HELP = `Usage: node test/releases/leave.ts FOLDER

Writes what a release leaves behind for the tests of those after it into FOLDER, such as
test/releases/0.1.0. Run it on the release's own source, with Node 24, bash and curl.

  schema.base64 what makes its database, statement by statement, as compressed JSON
  data.jsonl    the rows of a sandbox that the tour has been through, a table
                a line, and one record of each kind that it has none of
  answers.json  its keys, and what it answered to GET requests before it stopped
  run-*.json    runs of the simulated world, to be replayed
  client.base64 its client and receiver with what programs do with them
                (clientStory.ts), as one compressed file
  api-*.md      what its packages showed
`

const root = resolve(import.meta.dirname, "../..")

/** Keys of a sandbox that is written down: they open nothing else. */
const KEYS = {
  PAYPORT_MASTER_KEY: Buffer.from(
    Array.from({ length: 32 }, (_, n) => (n * 37 + 11) % 256),
  ).toString("base64"),
  PAYPORT_ADMIN_KEY: "release-admin-key-0123456789abcdef",
  PAYPORT_DEMO_SELLER_KEY: `sk_test_${"R".repeat(43)}`,
  PAYPORT_DEMO_BUYER_KEY: `ag_sk_test_${"R".repeat(43)}`,
}

/** The requests before the end, by the key that sends them. */
const ASKED: { readonly [K in keyof typeof KEYS]?: ReadonlyArray<string> } = {
  PAYPORT_DEMO_BUYER_KEY: [
    "/v1/payment-intents?limit=100",
    "/v1/installs",
    "/v1/subscriptions",
    "/v1/invoices",
    "/v1/kyc/agents/demo-buyer",
    "/v1/events?limit=100",
  ],
  PAYPORT_DEMO_SELLER_KEY: [
    "/v1/payment-intents?limit=100",
    "/v1/services?limit=100",
    "/v1/refunds?limit=100",
    "/v1/events?limit=100",
    "/v1/webhook-deliveries?limit=100",
    "/v1/balance",
    "/v1/ledger/entries?limit=100",
  ],
  PAYPORT_ADMIN_KEY: ["/v1/audit?verify=true", "/v1/accounts"],
}

const ended = (child: ReturnType<typeof spawn>): Promise<number | null> =>
  new Promise((done) => child.once("close", done))

/** Starts the service, does the work with its URL, and stops it. */
const withService = async <A>(folder: string, work: (url: string) => Promise<A>): Promise<A> => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, "apps/server/main.ts")], {
    cwd: folder,
    env: { ...process.env, ...KEYS, PAYPORT_PORT: String(port) },
    stdio: "ignore",
  })
  const stopped = ended(child)
  const url = `http://127.0.0.1:${port}`
  try {
    for (let left = 600; left > 0; left--) {
      if (
        await fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break
      await new Promise((wait) => setTimeout(wait, 100))
    }
    return await work(url)
  } finally {
    child.kill("SIGTERM")
    await stopped
  }
}

/** Runs the commands of the tour. */
const walk = async (folder: string, url: string): Promise<void> => {
  const tour = await readFile(join(root, "apps/server/guides/tour.md"), "utf8")
  const blocks = [...tour.matchAll(/^```bash walkthrough\n(.*?)^```$/gms)]
  const script = blocks.map(([, lines = ""]) => lines).join("")
  const pasted = script
    .replaceAll("http://127.0.0.1:4020", url)
    .replaceAll(/\$\(cat \.payport\/demo-seller\.key\)/g, KEYS.PAYPORT_DEMO_SELLER_KEY)
    .replaceAll(/\$\(cat \.payport\/demo-buyer\.key\)/g, KEYS.PAYPORT_DEMO_BUYER_KEY)
    .replaceAll(/\b3999\b/g, String(await freePort()))
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`
  const shell = spawn("bash", ["-c", pasted], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const code = await ended(shell)
  if (code !== 0) throw new Error(`The walkthrough ended with ${code}.`)
}

const ask = async (url: string) => {
  const answers: Array<{ readonly key: string; readonly path: string; readonly body: unknown }> = []
  for (const [name, paths] of Object.entries(ASKED)) {
    const key = KEYS[name as keyof typeof KEYS]
    for (const path of paths) {
      const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
      answers.push({ key: name, path, body: await response.json() })
    }
  }
  return answers
}

/** Records of the kinds that a walkthrough leaves none of. */
const OTHERS: ReadonlyArray<Write> = [
  insert("account", records.anAccount()),
  insert("agent", records.anAgent()),
  insert("api_key", records.anApiKey()),
  insert("log_entry", records.aLogEntry()),
  insert("service", records.aService()),
  insert("channel_request", records.aChannelRequest()),
  insert("refund", records.refundIn("pending")),
  insert("discrepancy", records.aDiscrepancy()),
  insert("event", records.anEvent()),
  insert("delivery", records.aDelivery()),
  insert("quote", records.aQuote()),
  insert("fee_day", records.aFeeDay()),
  insert("endpoint", records.anEndpoint()),
  insert("webhook_key", records.aWebhookKey()),
  insert("access_item", records.anAccessItem()),
  insert("revocation", records.revocationIn("pending")),
  insert("verification", records.verificationIn("pending")),
  insert("appeal", records.anAppeal()),
  insert("otp_allowance", records.anAllowance()),
  insert("reconciliation_run", records.aRun()),
  insert("billing_cycle", records.aCycle()),
  insert("statement", records.aStatement()),
  insert("install", records.anInstall()),
  insert("mandate", records.mandateIn("active")),
  insert("subscription", records.subscriptionIn("active")),
  insert("invoice", records.invoiceIn("open")),
  insert("tab", records.aTab()),
  insert("usage_record", records.aUsage()),
  insert("challenge", records.aChallenge()),
  insert("feed", records.aFeed()),
  insert("consumer_list", records.CONSUMER_LIST),
]

const TABLES = `SELECT relname::text AS name, array(
    SELECT attname::text FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0
      AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'payport'::regnamespace ORDER BY relname`

/** The table of steps, which the first step does not make. */
const SCHEMA_TABLE = `SELECT 'CREATE TABLE payport.payport_schema (' || string_agg(attname || ' ' ||
    format_type(atttypid, atttypmod), ', ' ORDER BY attnum) || ', PRIMARY KEY (id))' AS sql
  FROM pg_attribute WHERE attrelid = 'payport.payport_schema'::regclass AND attnum > 0`

const dump = Effect.fnUntraced(function* (folder: string) {
  const { connection } = yield* startEmbeddedPostgres({ dataDirectory: join(folder, ".payport") })
  const session = yield* PgConnection.make(connection)
  const count = (table: string) =>
    Effect.map(
      session.query(`SELECT count(*)::int AS n FROM payport.${table}`),
      ({ rows }) => rows[0]?.["n"],
    )
  const store = yield* Layer.build(PostgresStore.layer(connection))
  yield* Effect.gen(function* () {
    const { commit } = yield* Store
    for (const write of OTHERS) {
      if ((yield* count(tableOf(write.kind).name)) !== 0) continue
      yield* commit({ writes: [write] })
      process.stderr.write(`A ${write.kind} was added, since the walkthrough makes none.\n`)
    }
  }).pipe(Effect.provide(store))
  const lines: Array<string> = []
  for (const { columns, name } of (yield* session.query(TABLES)).rows) {
    const list = (columns as ReadonlyArray<string>).join(", ")
    const { rows } = yield* session.query(
      `SELECT coalesce(array_to_json(array_agg(row_to_json(row))), '[]')::text AS rows
      FROM (SELECT ${list} FROM payport.${String(name)}) AS row`,
    )
    const head = `"table":"${String(name)}","columns":${JSON.stringify(columns)}`
    lines.push(`{${head},"rows":${String(rows[0]?.["rows"])}}`)
  }
  const [made] = (yield* session.query(SCHEMA_TABLE)).rows
  return { lines, table: String(made?.["sql"]) }
}, Effect.scoped)

/** Runs of the simulated world, as a failing one would be written down. */
const RUNS = [
  { seed: 1, intents: 6 },
  { seed: 2, intents: 6 },
]

const packed = (text: string): string => {
  const short = gzipSync(text, { level: 9 }).toString("base64")
  return `${short.replaceAll(/.{100}/g, "$&\n").trimEnd()}\n`
}

/** The client's story with all that it needs but Node's own modules. */
const bundledStory = async (): Promise<string> => {
  const input = join(import.meta.dirname, "clientStory.ts")
  const built = await rolldown({ input, platform: "node", logLevel: "silent" })
  const { output } = await built.generate({ format: "esm", minify: true })
  await built.close()
  const [{ code }] = output
  return code
}

const leave = async (into: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-release-"))
  const write = (name: string, text: string) => writeFile(join(into, name), text)
  try {
    await mkdir(into, { recursive: true })
    const answers = await withService(folder, async (url) => {
      await walk(folder, url)
      return ask(url)
    })
    const { lines, table } = await Effect.runPromise(dump(folder))
    const statements = [
      "CREATE SCHEMA payport",
      table,
      ...STEPS[0].statements,
      ...CREATE_COMMIT_FUNCTION,
    ]
    const schema = JSON.stringify({ commit_function: COMMIT_FUNCTION, statements })
    await write("schema.base64", packed(schema))
    await write("client.base64", packed(await bundledStory()))
    await write("data.jsonl", `${lines.join("\n")}\n`)
    await write("answers.json", `${JSON.stringify({ keys: KEYS, answers })}\n`)
    for (const name of ["payport", "sdk"]) {
      await copyFile(join(root, `apps/${name}/API.md`), join(into, `api-${name}.md`))
    }
    for (const run of RUNS) {
      const script = drawScript(run)
      const { trace_hash, violations } = perform(script)
      await write(`run-${run.seed}.json`, writeRunFile(script, trace_hash, violations))
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

const [into] = process.argv.slice(2)
if (into === undefined || into.startsWith("-")) process.stdout.write(HELP)
else await leave(resolve(into))
