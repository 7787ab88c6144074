import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import { stat } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { startDatabase } from "./database.ts"
import {
  callerOf,
  manifest,
  type Running,
  start,
  startOn,
  stop,
  preparedFolder,
  temporaryFolder,
  until,
} from "./service.ts"

interface Received {
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
}

/** A receiver of webhooks on this machine. */
const receiver = async () => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      received.push({ headers: request.headers, body })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { received, endpoint: `http://127.0.0.1:${port}/hooks` }
}

const as = ({ buyerKey, sellerKey, url }: Running) => ({
  seller: callerOf(url, sellerKey),
  buyer: callerOf(url, buyerKey),
})

const activeService = async (seller: ReturnType<typeof callerOf>, endpoint: string) => {
  const { body } = await seller("POST", "/v1/services", manifest(endpoint))
  await seller("PATCH", `/v1/services/${String(body["id"])}/activate`)
  return String(body["id"])
}

const request = (service_id: string) => ({
  service_id,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "One answer",
})

describe("the service", { timeout: 180_000 }, () => {
  test("takes a payment through its life, and keeps it over a stop and kill -9", async () => {
    const folder = await temporaryFolder()
    const first = await startOn(folder)
    const { buyer, seller } = as(first)
    const { endpoint, received } = await receiver()
    const service = await activeService(seller, endpoint)
    const search = await buyer("GET", "/v1/services?q=answers")
    expect(search.body["data"]).toMatchObject([{ id: service, status: "active" }])

    const created = await seller("POST", "/v1/payment-intents", request(service))
    expect(created).toMatchObject({ status: 201, body: { status: "pending" } })
    const id = String(created.body["id"])
    const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
    expect((await seller("POST", simulate, { action: "pay" })).body["status"]).toBe("authorized")
    const captured = await seller("POST", `/v1/payment-intents/${id}/capture`)
    expect(captured.body["status"]).toBe("captured")
    const get = () => seller("GET", `/v1/payment-intents/${id}`)
    const { body: paid } = await until(get, ({ body }) => body["status"] === "succeeded")

    const secret = String((await seller("GET", "/v1/merchant/webhook-secret")).body["secret"])
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const { body, headers } = received[0]!
    expect(JSON.parse(body)).toMatchObject({ type: "payment_intent.succeeded", data: { id } })
    const signature = createHmac("sha256", secret).update(body).digest("hex")
    expect(headers["x-webhook-signature"]).toContain(signature)

    expect(await stop(first)).toBe(0)
    const second = await startOn(folder)
    expect([second.sellerKey, second.buyerKey]).toEqual([first.sellerKey, first.buyerKey])
    const again = as(second)
    const path = `/v1/payment-intents/${id}`
    // The service's address is part of its links.
    const { qr: _, ...rest } = paid
    expect((await again.seller("GET", path)).body).toMatchObject(rest)
    const link = await again.buyer("POST", "/v1/payments/one-time", {
      service_id: service,
      amount: { currency: "USD", value: 699 },
      description: "One answer",
      payer: { agent_id: "demo-buyer" },
    })
    expect(link.body).toMatchObject({ status: "pending" })
    second.child.kill("SIGKILL")
    await second.ended

    const third = as(await startOn(folder))
    const linked = String(link.body["id"])
    expect((await third.seller("GET", path)).body).toMatchObject(rest)
    const completed = await third.buyer("POST", `/v1/sandbox/payment-intents/${linked}/simulate`, {
      action: "pay",
    })
    expect(completed.body["status"]).toBe("completed")
  })

  test("keeps its secrets to itself, and says in three lines where they are", async () => {
    const folder = await preparedFolder()
    const service = await startOn(folder)
    for (const file of ["master.key", "admin.key", "demo-seller.key", "demo-buyer.key"]) {
      expect([file, (await stat(join(folder, file))).mode & 0o777]).toEqual([file, 0o600])
    }
    const shown = service.stdout()
    expect(shown.trimEnd().split("\n")).toHaveLength(3)
    expect(shown).toContain(folder)
    await as(service).seller("GET", "/v1/channels")
    await expect.poll(() => service.stderr()).toContain("/v1/channels")
    const log = service.stderr()
    for (const secret of [service.sellerKey, service.buyerKey]) {
      expect(log).not.toContain(secret)
      expect(shown).not.toContain(secret)
    }
  })

  test("moves its clock, which a restart does not move back", async () => {
    const folder = await preparedFolder()
    const service = await startOn(folder)
    const { seller } = as(service)
    const id = await activeService(seller, "http://127.0.0.1:9/hooks")
    const { body } = await seller("POST", "/v1/payment-intents", request(id))
    const advance = (seconds: number) => seller("POST", "/v1/sandbox/clock/advance", { seconds })
    const advanced = await advance(900)
    expect(advanced.status).toBe(200)
    const path = `/v1/payment-intents/${String(body["id"])}`
    expect((await seller("GET", path)).body["status"]).toBe("expired")
    const both = await Promise.all([advance(60), advance(60)])
    const times = both.map((answer) => Date.parse(String(answer.body["now"])))
    const before = Date.parse(String(advanced.body["now"]))
    expect(Math.max(...times) - before).toBeGreaterThanOrEqual(120_000)
    for (const seconds of [0, -1, 1.5, 31_536_001, "60"]) {
      const refused = await seller("POST", "/v1/sandbox/clock/advance", { seconds })
      expect([seconds, refused.status]).toEqual([seconds, 422])
    }
    expect(await stop(service)).toBe(0)
    const { seller: later } = as(await startOn(folder))
    const created = await later("POST", "/v1/payment-intents", request(id))
    const createdAt = Date.parse(String(created.body["created_at"]))
    expect(createdAt).toBeGreaterThanOrEqual(Math.max(...times))
  })

  test("ends with one line when its port or its folder is taken", async () => {
    const folder = await preparedFolder()
    const service = await startOn(folder)
    const port = new URL(service.url).port
    const samePort = start({ PAYPORT_PORT: port, PAYPORT_DATA_DIR: await preparedFolder() })
    expect(await samePort.ended).toBe(1)
    expect(samePort.stderr()).toMatch(/^payport cannot run: PAYPORT_PORT .*another program.*\n$/)
    const sameFolder = start({ PAYPORT_PORT: "0", PAYPORT_DATA_DIR: folder })
    expect(await sameFolder.ended).toBe(1)
    expect(sameFolder.stderr()).toMatch(/^payport cannot run: [^\n]+\n$/)
    expect(sameFolder.stderr()).toContain(folder)
  })

  test("is one service as an api process and a worker process on one database", async () => {
    const folder = await temporaryFolder()
    const database = await startDatabase()
    const shared = { PAYPORT_DATABASE_URL: database, PAYPORT_DATA_DIR: folder }
    const api = await startOn(folder, { ...shared, PAYPORT_ROLES: "api" })
    const { seller } = as(api)
    const { endpoint, received } = await receiver()
    const service = await activeService(seller, endpoint)
    const { body } = await seller("POST", "/v1/payment-intents", request(service))
    const intent = `payment-intents/${String(body["id"])}`
    const path = `/v1/${intent}`
    await seller("POST", `/v1/sandbox/${intent}/simulate`, { action: "pay" })
    await seller("POST", `${path}/capture`)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect((await seller("GET", path)).body["status"]).toBe("captured")
    const worker = await startOn(folder, { ...shared, PAYPORT_ROLES: "worker" })
    await until(
      () => seller("GET", path),
      ({ body: { status } }) => status === "succeeded",
    )
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect([await stop(worker), await stop(api)]).toEqual([0, 0])
  })
})
