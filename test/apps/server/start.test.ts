import { execFile } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { projectRoot } from "../../support/sourceFiles.ts"
import {
  callerOf,
  manifest,
  preparedFolder,
  start,
  startOn,
  stop,
  temporaryFolder,
  until,
} from "./service.ts"

/** A PostgreSQL URL at which nothing listens. */
const nowhere = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `postgresql://someone:hush-hush@127.0.0.1:${port}/payport`
}

/** Returns the exit code and the output of a start that fails. */
const failing = async (environment: { readonly [name: string]: string }) => {
  const service = start({ PAYPORT_PORT: "0", ...environment })
  return [await service.ended, service.stderr(), service.stdout()] as const
}

describe("a start that fails ends with exit code 1 and one line", { timeout: 120_000 }, () => {
  test("for a bad setting", async () => {
    expect(await failing({ PAYPORT_PORT: "many" })).toEqual([
      1,
      'payport cannot run: PAYPORT_PORT has to be a port from 0 to 65535, not "many".\n',
      "",
    ])
  })

  test("for a database out of reach, without its login", async () => {
    const [code, line, out] = await failing({
      PAYPORT_DATABASE_URL: await nowhere(),
      PAYPORT_DATA_DIR: await temporaryFolder(),
    })
    expect([code, out]).toEqual([1, ""])
    expect(line).toMatch(/^payport cannot run: [^\n]*127\.0\.0\.1[^\n]*\n$/)
    expect(line).not.toContain("hush")
  })

  test("after a line for each setting that is misspelt", async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, "file"), "")
    const [, said] = await failing({
      PAYPORT_DATA_DIR: join(folder, "file"),
      PAYPORT_DATABSE_URL: "postgresql://someone:hush-hush@db/payport",
    })
    expect(said).toContain("PAYPORT_DATABSE_URL is not a setting and has no effect.")
    expect(said).not.toContain("hush")
  })

  test("for a data folder that cannot be one", async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, "file"), "")
    const [code, line] = await failing({ PAYPORT_DATA_DIR: join(folder, "file", "data") })
    expect(code).toBe(1)
    expect(line).toMatch(/^payport cannot run: PAYPORT_DATA_DIR has to be [^\n]*ENOTDIR[^\n]*\n$/)
  })

  test("for a full disk, with no part of a secret left behind", async () => {
    const folder = await temporaryFolder()
    const main = join(projectRoot, "apps/server/main.ts")
    const limited = ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, main]
    const failed = promisify(execFile)("sh", limited, {
      env: { PAYPORT_PORT: "0", PAYPORT_DATA_DIR: folder },
    })
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^payport cannot run: PAYPORT_DATA_DIR [^\n]*EFBIG/),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test("for a secret that is damaged", async () => {
    const folder = await temporaryFolder()
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, "master.key"), "damaged\n")
    const [code, line] = await failing({ PAYPORT_DATA_DIR: folder })
    expect(code).toBe(1)
    expect(line).toMatch(/^payport cannot run: The secret in [^\n]*master\.key is damaged[^\n]*\n$/)
  })

  test("for an address of another machine", async () => {
    const [code, line] = await failing({ PAYPORT_HOST: "203.0.113.1" })
    expect(code).toBe(1)
    expect(line).toMatch(/^payport cannot run: PAYPORT_HOST has to be an address of this [^\n]*\n$/)
  })

  test("for another master key than the database's", async () => {
    const folder = await preparedFolder()
    expect(await stop(await startOn(folder))).toBe(0)
    const other = Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString("base64")
    const [code, line] = await failing({ PAYPORT_DATA_DIR: folder, PAYPORT_MASTER_KEY: other })
    expect(code).toBe(1)
    expect(line).toMatch(/^payport cannot run: PAYPORT_MASTER_KEY has to be the key [^\n]*\n$/)
  })
})

describe("a stop", { timeout: 120_000 }, () => {
  test("is told to load balancers before connections are refused", async () => {
    const service = await startOn(await preparedFolder(), { PAYPORT_STOP_PAUSE: "5" })
    const ask = callerOf(service.url, service.buyerKey)
    expect(await ask("GET", "/readyz")).toMatchObject({ status: 200 })
    const ending = stop(service)
    const refusal = await until(
      () => ask("GET", "/readyz"),
      ({ status }) => status === 503,
    )
    expect(JSON.stringify(refusal.body)).toContain("The service is stopping.")
    expect(await ask("GET", "/v1/services")).toMatchObject({ status: 200 })
    expect(await ending).toBe(0)
  })

  test("lets a delivery in flight end first, which a second signal does not", async () => {
    const folder = await preparedFolder()
    let answer = (): void => undefined
    const server = createServer((_, response) => {
      answer = () => response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const pay = async (service: Awaited<ReturnType<typeof startOn>>) => {
      const seller = callerOf(service.url, service.sellerKey)
      const { body } = await seller("POST", "/v1/services", manifest(`http://127.0.0.1:${port}/`))
      await seller("PATCH", `/v1/services/${String(body["id"])}/activate`)
      const created = await seller("POST", "/v1/payment-intents", {
        service_id: body["id"],
        type: "one_time",
        amount: { currency: "USD", value: 699 },
        description: "One answer",
      })
      const asked = once(server, "request")
      await seller("POST", `/v1/payment-intents/${String(created.body["id"])}/cancel`)
      await asked
    }
    const first = await startOn(folder)
    await pay(first)
    const ending = stop(first)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(first.child.exitCode).toBeNull()
    answer()
    expect(await ending).toBe(0)

    const second = await startOn(folder)
    await pay(second)
    // A terminal sends the signal to npm and to the service, and npm passes it on: both count as
    // one.
    second.child.kill("SIGINT")
    second.child.kill("SIGTERM")
    const ready = () => fetch(`${second.url}/readyz`).catch(() => undefined)
    while ((await ready())?.status === 200) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(second.child.exitCode).toBeNull()
    second.child.kill("SIGINT")
    expect(await second.ended).toBe(1)
  })
})
