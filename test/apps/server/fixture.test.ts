import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { processesServing } from "../../../adapters/postgres/embedded/processes.ts"
import { FixtureError } from "../../../apps/server/fixture/FixtureError.ts"
import { startWith } from "../../../apps/server/fixture/startPayport.ts"
import type { FixtureOptions } from "../../../apps/server/fixture/options.ts"
import { program } from "../../support/programs.ts"

const programs = {
  service: program("fixtureService"),
  keeper: program("fixtureKeeper"),
  linger: 1_000,
}
const startPayport = startWith(programs)

/** How long an event may take on a busy machine, in milliseconds. */
const PATIENCE = 30_000

// The state that fixtures share is in a folder for this file only.
const shared = mkdtempSync(join(realpathSync(tmpdir()), "payport-fixtures-"))
// The database's user, who is not root, has to get in.
chmodSync(shared, 0o711)
const before = process.env["TMPDIR"]
process.env["TMPDIR"] = shared

/** The folders that keepers have made here. */
const keepers = (): ReadonlyArray<string> => {
  const home = readdirSync(shared).find((name) => name.startsWith("payport-fixture-"))
  if (home === undefined) return []
  return readdirSync(join(shared, home), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(shared, home, name))
}

/** The data folders of database servers that fixtures run on. */
const servers = (): ReadonlyArray<string> =>
  keepers()
    .map((folder) => join(folder, "runs"))
    .filter(existsSync)
    .flatMap((runs) => readdirSync(runs).map((run) => join(runs, run, "postgres/data")))

/** Whether no keeper holds its folder any more. */
const isOver = (): boolean =>
  !keepers().some((folder) => existsSync(join(folder, "postgres.holder.json")))

const until = async (reached: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const isRefused = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )

afterAll(async () => {
  await until(isOver)
  if (before === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = before
  rmSync(shared, { recursive: true, force: true, maxRetries: 10 })
})

const failure = (options: unknown): Promise<unknown> =>
  startPayport(options as FixtureOptions).then(
    () => "started",
    (error: unknown) => error,
  )

test("a fixture is a service with a shop, a payer, a clock, faults and an inbox", async () => {
  await using payport = await startPayport({ faults: { wallet_a: { refund_rejects: true } } })
  const { act, buyer, clock, faults, inbox, order, pay, seller } = payport
  const { id } = await buyer.intents.create({ ...order, payer_channel: "wallet_a" })
  expect((await pay(id)).status).toBe("authorized")
  await seller.intents.capture(id)
  const began = clock.now().getTime()
  expect((await clock.advance("1 minute")).getTime() - began).toBeGreaterThanOrEqual(60_000)
  const told = await inbox.next({ type: "payment_intent.succeeded", within: PATIENCE })
  expect(told.data.id).toBe(id)

  const refund = () => seller.refunds.create({ payment_intent: id })
  await expect(refund()).rejects.toThrow("The channel rejected the refund.")
  const unknown = faults.set("wallet_z", { down: true })
  await expect(unknown).rejects.toMatchObject({ code: "wrong_option", option: "faults.wallet_z" })
  await faults.clear()
  await refund()
  for (const within of [0, -1, Number.NaN]) {
    const asked = inbox.next({ type: "refund.succeeded", within })
    await expect(asked).rejects.toMatchObject({ code: "wrong_option", option: "within" })
  }
  for (const duration of ["0 minutes", JSON.parse(`"1 fortnight"`) as "1 week"] as const) {
    const asked = clock.advance(duration)
    await expect(asked).rejects.toMatchObject({ code: "wrong_option", option: "duration" })
  }
  await clock.advance(1_500)
  await inbox.next({ type: "refund.succeeded", within: PATIENCE })
  const refused = await buyer.intents.create(order)
  const where = () => {
    throw new Error("a mistake of the test")
  }
  const mistaken = inbox.next({ type: "payment_intent.failed", where, within: PATIENCE })
  const blamed = expect(mistaken).rejects.toThrow("a mistake of the test")
  expect((await act(refused.id, "reject")).status).toBe("failed")
  const isRefused = ({ data }: { readonly data: { readonly id: string } }) => data.id === refused.id
  const type = "payment_intent.failed"
  await inbox.next({ type, where: isRefused, within: PATIENCE })
  await blamed
  const ids = inbox.events().map((event) => event.id)
  expect(ids).toHaveLength(new Set(ids).size)
  await expect(inbox.next({ type: "ping", within: 50 })).rejects.toMatchObject({
    code: "nothing_came",
    message: expect.stringMatching(
      /^No ping came within 50 ms\. .*Returned before: payment_intent\.succeeded, refund\./,
    ),
  })
}, 120_000)

test("two at a time have a database each, and one that is stopped is gone", async () => {
  const [one, two] = await Promise.all([startPayport(), startPayport()])
  await one.buyer.intents.create(one.order)
  expect(await two.buyer.intents.list()).toMatchObject({ data: [] })
  expect(servers()).toHaveLength(1)
  const waiting = expect(one.inbox.next({ type: "ping" })).rejects.toMatchObject({
    code: "stopped",
  })
  await Promise.all([one.stop(), one.stop(), two.stop()])
  await waiting
  expect(await isRefused(one.url)).toBe(true)
}, 120_000)

describe("what cannot be done", () => {
  test.each<[string, unknown]>([
    ["sedd", { sedd: 7 }],
    ["faults.wallet_a", { faults: { wallet_a: true } }],
    ["settings.PAYPORT_PORT", { settings: { PAYPORT_PORT: "4020" } }],
    ["settings.PAYPORT_PROCESSES", { settings: { PAYPORT_PROCESSES: "2" } }],
    ["settings.PAYPORT_NOTHING", { settings: { PAYPORT_NOTHING: "on" } }],
    ["within", { within: -1 }],
    ["cache", { cache: "" }],
    ["cache", { cache: join(fileURLToPath(import.meta.url), "below-a-file") }],
  ])("is said of the option %s before anything starts", async (option, options) => {
    expect(await failure(options)).toMatchObject({ code: "wrong_option", option })
  })

  test("is said by the service of what it refuses, and nothing is left running", async () => {
    const [field, setting] = await Promise.all([
      failure({ service: { name: "" } }),
      failure({ settings: { PAYPORT_STOP_PAUSE: "for ever" } }),
    ])
    expect(field).toMatchObject({ code: "wrong_option", option: "service.name" })
    expect(setting).toBeInstanceOf(FixtureError)
    expect(setting).toMatchObject({
      code: "not_started",
      message: expect.stringContaining("PAYPORT_STOP_PAUSE has to be"),
    })
  }, 120_000)
})

test("a test process that is killed leaves neither a service nor a database behind", async () => {
  const holder = fileURLToPath(import.meta.resolve("./fixtureHolder.ts"))
  const child = spawn(process.execPath, [holder, JSON.stringify(programs)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [url] = await new Promise<ReadonlyArray<string>>((resolve) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve([line]))
  })
  const [data = ""] = servers()
  if (process.platform === "linux") expect(await processesServing(data)).not.toEqual([])
  child.kill("SIGKILL")
  await until(() => isRefused(url ?? ""))
  await until(() => servers().length === 0)
  expect(await processesServing(data)).toEqual([])
}, 120_000)
