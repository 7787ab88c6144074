import { execFile, spawn } from "node:child_process"
import { connect } from "node:net"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { STEPS } from "../../adapters/postgres/schema.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { emptyDatabase } from "../support/postgres.ts"
import { call, openShop, order } from "../support/shop.ts"
import { projectRoot } from "../support/sourceFiles.ts"
import { preparedFolder, type Running, startOn, stop, temporaryFolder } from "./server/service.ts"

/** An address where nothing listens, so that deliveries are retried later. */
const NOBODY = "http://127.0.0.1:9/hooks"
const CALLERS = 16

/** A connection for a request in pieces, with the data received so far. */
const openConnection = async (service: Running) => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1")
  let received = ""
  socket.setEncoding("utf8").on("data", (text: string) => (received += text))
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  socket.on("error", () => undefined)
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()))
  return { socket, closed, received: () => received }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The environment of `npm start` on a folder, without the settings of this run. */
const npmEnvironment = (folder: string) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("PAYPORT_")),
  ),
  PAYPORT_PORT: "0",
  PAYPORT_DATA_DIR: folder,
  PATH: `${join(projectRoot, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
  npm_config_update_notifier: "false",
  npm_config_loglevel: "error",
})

/** Whether a new connection is refused, while others may be open. */
const refusesConnections = ({ url }: Pick<Running, "url">) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(false)
    })
    socket.once("error", () => resolve(true))
  })

/** Creates payments, one after another, until it is over or a request fails. */
const createMany = async (
  service: Running,
  shop: string,
  isOver: () => boolean,
  began: () => void,
) => {
  let answered = 0
  while (!isOver()) {
    const failure = await call(service, "buyer", order(shop, "under load")).then(
      ({ status }) => (status === 201 ? undefined : `answered ${status}`),
      (error: unknown) => `cut: ${String(error)} ${String((error as Error).cause)}`,
    )
    if (failure !== undefined) return { answered, failure }
    if (++answered === 1) began()
  }
  return { answered, failure: undefined }
}

describe("processes", { timeout: 180_000 }, () => {
  test("two that start at once on an empty database set it up once", async () => {
    const scope = Scope.makeUnsafe()
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const database = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
    const folder = await temporaryFolder()
    const settings = { PAYPORT_DATABASE_URL: urlOf(database) }
    const [one, two] = await Promise.all([startOn(folder, settings), startOn(folder, settings)])
    expect([two.sellerKey, two.buyerKey]).toEqual([one.sellerKey, one.buyerKey])
    const applied = await askDatabase(database, "SELECT id FROM payport_schema ORDER BY id")
    expect(applied.map(({ id }) => id)).toEqual(STEPS.map(({ id }) => id))
    const accounts = await askDatabase(database, "SELECT agent_id FROM accounts ORDER BY 1")
    expect(accounts.map(({ agent_id }) => agent_id)).toEqual(["demo-buyer", "demo-seller"])
    const shop = await openShop(one, NOBODY)
    const { body, status } = await call(two, "buyer", order(shop, "from the other"))
    expect([status, body["service_id"]]).toEqual([201, shop])
    expect(await Promise.all([stop(one), stop(two)])).toEqual([0, 0])
  })

  test("one that is told to stop under load ends every request first", async ({ annotate }) => {
    const service = await startOn(await preparedFolder())
    const shop = await openShop(service, NOBODY)
    const { port } = new URL(service.url)
    const body = JSON.stringify(order(shop, "sent slowly").body)
    const slow = await openConnection(service)
    slow.socket.write(
      `POST /v1/payment-intents HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
        `Authorization: Bearer ${service.buyerKey}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    )
    const probe = await openConnection(service)
    probe.socket.write("GET /readyz HTTP/1.1\r\n")
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

    let over = false
    // Each has a connection once it was answered, however busy the machine is.
    const answers = Array.from({ length: CALLERS }, () => Promise.withResolvers<void>())
    const load = answers.map(({ resolve }) => createMany(service, shop, () => over, resolve))
    await Promise.race([Promise.all(load), Promise.all(answers.map(({ promise }) => promise))])
    await pause(400)
    // New requests stop, and those already made leave this process: all requests sent before the
    // signal have to be answered.
    over = true
    await new Promise((resolve) => setImmediate(resolve))
    const signalled = performance.now()
    const ended = stop(service)
    const loaded = await Promise.all(load)
    expect(loaded.flatMap(({ failure }) => failure ?? [])).toEqual([])
    expect(loaded.every(({ answered }) => answered > 0)).toBe(true)

    // The answers may all be there before the signal is, on a busy machine.
    while (!(await refusesConnections(service))) await pause(20)
    probe.socket.write(`Host: 127.0.0.1:${port}\r\n\r\n`)
    await probe.closed
    expect(probe.received()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nConnection: close\r\n/i)
    expect(service.child.exitCode).toBeNull()
    slow.socket.write(body.slice(20))
    await slow.closed
    expect(slow.received()).toMatch(/^HTTP\/1\.1 201 [^]*\r\n\r\n\{.*"sent slowly".*\}$/)
    expect(await ended).toBe(0)
    const took = performance.now() - signalled
    expect(took).toBeLessThan(10_000)
    const answered = loaded.reduce((sum, one) => sum + one.answered, 0)
    await annotate(`${answered} payments, stopped in ${Math.round(took)} ms`)
  })

  test("a second start on the same folder prints one line and ends", async () => {
    const folder = await preparedFolder()
    await startOn(folder)
    const env = npmEnvironment(folder)
    const [code, stderr] = await new Promise<readonly [unknown, string]>((resolve) =>
      execFile("npm", ["start"], { cwd: projectRoot, env }, (error, _, said) =>
        resolve([error?.code ?? 0, said]),
      ),
    )
    expect(code).toBe(1)
    const lines = stderr.split("\n").filter((line) => !/^(npm |$)/.test(line))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^payport cannot run: Another payport \(process \d+\) is using /)
    expect(lines[0]).toContain(folder)
    expect(lines[0]).toContain("PAYPORT_DATA_DIR")
  })

  test("npm start passes its arguments on, and a signal to npm stops the service", async () => {
    const env = npmEnvironment(await temporaryFolder())
    const npm = spawn("npm", ["start", "--", "--json"], { cwd: projectRoot, env })
    onTestFinished(() => void npm.kill("SIGKILL"))
    const ended = new Promise<unknown>((resolve) => npm.once("exit", resolve))
    const url = await new Promise<string>((resolve) => {
      let said = ""
      npm.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text
        const ready = /"ready":"([^"]+)"/.exec(said)?.[1]
        if (ready !== undefined) resolve(ready)
      })
    })
    expect(await refusesConnections({ url })).toBe(false)
    npm.kill("SIGTERM")
    await ended
    for (let asked = 0; asked < 100 && !(await refusesConnections({ url })); asked++)
      await pause(100)
    expect(await refusesConnections({ url })).toBe(true)
  })

  test("one starts in no time", async ({ annotate }) => {
    const folder = await temporaryFolder()
    const took: Array<number> = []
    for (const _ of ["first", "later"]) {
      const began = performance.now()
      const service = await startOn(folder)
      took.push(Math.round(performance.now() - began))
      expect(await stop(service)).toBe(0)
    }
    await annotate(`ready ${took.join(" and ")} ms after the process began`)
    expect(Math.max(...took)).toBeLessThan(30_000)
  })
})
