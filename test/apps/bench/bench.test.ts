import { once } from "node:events"
import { expect, test } from "vitest"
import { measure } from "../../../apps/bench/measure.ts"
import { readOptions } from "../../../apps/bench/options.ts"
import { BadOptions } from "../../../apps/commandLine.ts"
import { preparedFolder, start, stop } from "../server/service.ts"

const ADMIN = "Zk3vQ9xT1bN7mW5sR2yL8cP4hJ6dF0gA"

test("a sandbox that runs is measured, and its payments are there afterwards", async () => {
  const folder = await preparedFolder()
  const service = start(
    {
      PAYPORT_DATA_DIR: folder,
      PAYPORT_PORT: "0",
      PAYPORT_ADMIN_KEY: ADMIN,
      PAYPORT_RATE_LIMITS: "off",
    },
    "--json",
  )
  await once(service.child.stdout!, "data")
  const told = JSON.parse(service.stdout()) as { readonly ready: string }
  expect(told).toEqual({ ready: told.ready, keys: folder, operators: told.ready, probes: null })
  const args = ["--url", told.ready, "--admin-key", ADMIN, "--connections", "4"]
  const options = readOptions([...args, "--rounds", "2", "--seconds", "1", "--warm-up", "0"])!
  const measured = await measure({ url: told.ready, adminKey: ADMIN }, options)
  expect(measured).toMatchObject({ url: told.ready, connections: 4, rounds: 2, seconds: 1 })
  expect(measured.rates).toHaveLength(2)
  expect(measured.rate).toBeCloseTo((measured.rates[0]! + measured.rates[1]!) / 2, 1)
  const { most, p50, p99 } = measured.latency_ms
  expect(p50).toBeGreaterThan(0)
  expect(p99).toBeGreaterThanOrEqual(p50)
  expect(most).toBeGreaterThan(0)
  const metrics = await (await fetch(`${told.ready}/metrics`)).text()
  const made = metrics
    .split("\n")
    .find((line) => ['payment-intents"', "POST", "201"].every((part) => line.includes(part)))
  expect(Number(made?.split(" ").at(-1))).toBeGreaterThanOrEqual(Math.floor(2 * measured.rate))
  await expect(measure({ url: told.ready, adminKey: `${ADMIN}x` }, options)).rejects.toThrow("401")
  expect(await stop(service)).toBe(0)
}, 60_000)

test.each([
  ["--url", "http://127.0.0.1:1"],
  ["--admin-key", ADMIN],
  ["--rounds", "0"],
])("%s %s is refused", (...args) => expect(() => readOptions(args)).toThrow(BadOptions))
