import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { createServer } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { readMetrics, type Sample } from "../../../../adapters/shared/metrics/readMetrics.ts"
import { freePort } from "../../../support/freePort.ts"
import { call, openReceiver, openShop, order, simulated } from "../../../support/shop.ts"
import { preparedFolder, type Running, start, startOn, stop } from "../service.ts"

const TWO = { PAYPORT_PROCESSES: "2" }

/** Starts on a port that the system does not give away between the check and the start. */
const startTwo = async () =>
  startOn(await preparedFolder(), {
    ...TWO,
    PAYPORT_PORT: String(await freePort()),
    PAYPORT_DATABASE_SCHEMA: "two",
  })

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Returns the ids of a process's children that run Node. */
const nodesOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes(process.execPath))

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends a request over a new connection, so that any process may answer it. */
const ask = (url: string): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    get(url, { agent: new Agent({ keepAlive: false }) }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part: string) => (text += part))
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }))
    }).once("error", reject)
  })

const metricsOf = async ({ url }: Running): Promise<ReadonlyArray<Sample>> =>
  readMetrics((await ask(`${url}/metrics`)).text)

const processesIn = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> =>
  [...new Set(samples.map(({ labels }) => labels["process"] ?? ""))].toSorted()

const until = async <A>(look: () => Promise<A>, holds: (found: A) => boolean): Promise<A> => {
  for (;;) {
    const found = await look()
    if (holds(found)) return found
    await pause(100)
  }
}

// The children of a process can only be read on Linux.
describe.skipIf(process.platform !== "linux")("several processes", { timeout: 180_000 }, () => {
  test("answer on one port, work, and stop together", async () => {
    const service = await startTwo()
    const { endpoint, received } = await openReceiver()
    const members = nodesOf(service.child.pid ?? 0)
    expect(members).toHaveLength(3)
    expect(service.stdout().match(/payport ready on/g)).toHaveLength(1)

    const shop = await openShop(service, endpoint)
    const { body, status } = await call(service, "buyer", order(shop, "by any of them"))
    expect(status).toBe(201)
    const id = String(body["id"])
    const paid = await call(service, "buyer", simulated(id, "pay"))
    expect(paid.body["status"]).toBe("authorized")
    const capture = { path: `/v1/payment-intents/${id}/capture` }
    expect((await call(service, "seller", capture)).status).toBe(200)
    // The channel calls back on the shared port, and the process that works tells the seller.
    await until(
      async () => received.map(({ data, type }) => `${type} ${data.id}`),
      (told) => told.includes(`payment_intent.succeeded ${id}`),
    )

    for (let n = 0; n < 8; n++) expect((await ask(`${service.url}/healthz`)).status).toBe(200)

    const samples = await metricsOf(service)
    expect(processesIn(samples)).toEqual(["1", "2", "worker"])
    const answered = samples.filter(
      ({ labels, name }) => name.endsWith("requests_total") && labels["route"] === "/healthz",
    )
    expect(processesIn(answered)).toEqual(["1", "2"])

    expect(await stop(service)).toBe(0)
    expect(members.filter(lives)).toEqual([])
  })

  test("stop once, although their signals come from two and far apart", async () => {
    const settings = { ...TWO, PAYPORT_PORT: String(await freePort()), PAYPORT_STOP_PAUSE: "4" }
    const service = await startOn(await preparedFolder(), settings)
    // A service manager tells all processes; the first one, which may be late, tells them again.
    const members = nodesOf(service.child.pid ?? 0)
    for (const member of members) process.kill(member, "SIGTERM")
    await pause(900)
    const ended = stop(service)
    await pause(900)
    expect((await ask(`${service.url}/healthz`)).status).toBe(200)
    expect(await ended).toBe(0)
    expect(members.filter(lives)).toEqual([])
  })

  test("serve a session of tools, whichever of them its requests come to", async () => {
    const service = await startTwo()
    const asked = async (id: number, method: string, session?: string) =>
      fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          connection: "close",
          "content-type": "application/json",
          ...(session !== undefined && { "mcp-session-id": session }),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id,
          method,
          params:
            method === "initialize"
              ? {
                  protocolVersion: "2025-11-25",
                  capabilities: {},
                  clientInfo: { name: "test", version: "1" },
                }
              : {},
        }),
      })
    const session = (await asked(1, "initialize")).headers.get("mcp-session-id") ?? ""
    const answers = []
    for (let n = 2; n < 8; n++) answers.push((await asked(n, "tools/list", session)).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 200])
    expect((await asked(8, "tools/list", `${session.slice(0, -1)}x`)).status).toBe(404)
  })

  test("go on where one is killed, which is started anew", async () => {
    const service = await startTwo()
    const members = nodesOf(service.child.pid ?? 0)
    const [victim = 0, ...others] = members
    process.kill(victim, "SIGKILL")
    await until(
      async () => lives(victim),
      (alive) => !alive,
    )
    // No request is sent to the process that has gone.
    for (let n = 0; n < 4; n++) expect((await ask(`${service.url}/healthz`)).status).toBe(200)
    await until(
      async () => nodesOf(service.child.pid ?? 0).length,
      (count) => count === 3,
    )
    for (const other of others) process.kill(other, "SIGKILL")
    await until(
      async () => nodesOf(service.child.pid ?? 0),
      (found) => found.length === 3 && !found.some((pid) => members.includes(pid)),
    )
    await until(
      () => ask(`${service.url}/readyz`).catch(() => ({ status: 0, text: "" })),
      ({ status }) => status === 200,
    )
    await until(
      () => metricsOf(service),
      (found) => processesIn(found).length === 3,
    )
    expect(service.stderr()).toContain("Process worker of the service ended of SIGKILL.")
    expect(await stop(service)).toBe(0)
  })

  test("say in one line that the port is taken", async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await new Promise<number>((found) =>
      other.listen(0, "127.0.0.1", () => found((other.address() as { port: number }).port)),
    )
    const folder = await preparedFolder()
    const service = start({ ...TWO, PAYPORT_PORT: String(port), PAYPORT_DATA_DIR: folder })
    expect(await service.ended).toBe(1)
    expect(service.stderr()).toBe(
      "payport cannot run: PAYPORT_PORT has to be a free port: another program listens on " +
        `127.0.0.1:${port}.\n`,
    )
  })

  test("end with the message of the one that cannot start, which is said once", async () => {
    const folder = await preparedFolder()
    const settings = { PAYPORT_DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none" }
    const service = start({ ...TWO, ...settings, PAYPORT_PORT: "0", PAYPORT_DATA_DIR: folder })
    expect(await service.ended).toBe(1)
    expect(service.stderr()).toMatch(/^payport cannot run: [^\n]*127\.0\.0\.1:9[^\n]*\n$/)
  })
})
