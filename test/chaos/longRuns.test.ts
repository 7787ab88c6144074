import { cp, mkdtemp, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { prepareFolder } from "../support/preparedFolder.ts"
import { program } from "../support/programs.ts"
import { type Chaos, starter, Trial } from "./Chaos.ts"
import { type Request, succeedAtLast } from "./client.ts"
import { judge, lost } from "./judge.ts"
import { readOptions } from "./options.ts"
import {
  captureOf,
  creation,
  idOf,
  keep,
  newOrder,
  type Order,
  refundOf,
  toldBy,
} from "./orders.ts"
import { Postgres } from "./Postgres.ts"
import { advance, simulated } from "./shop.ts"

/** Longer than a payment can be paid, in seconds. */
const LONG = 16 * 60

let folder: string
let server: Postgres
let trial: Trial

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "payport-chaos-"))
  server = new Postgres(join(folder, "data"))
  prepareFolder(server.folder)
  await server.start()
  const options = readOptions(["--clients", "2", "--program", program("server")])
  if (options === "help") throw new Error("The options are no options.")
  const chaos: Chaos = { options, folder, tell: () => undefined }
  const start = await starter(chaos, "service", server.url())
  trial = await Trial.open(chaos, await start(), server)
}, 240_000)

afterEach(async () => {
  await trial.abandon()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const ask = (request: Request) => succeedAtLast(trial.service, "seller", request)

/** A payment that its payer has authorized. */
const authorized = async (): Promise<Order> => {
  const one = newOrder("refunded")
  one.created = keep(await ask(creation(one, trial.shop)))
  one.told = toldBy(await ask(simulated(idOf(one), "pay")))
  expect(one.told["status"]).toBe("authorized")
  return one
}

const captured = async (one: Order): Promise<void> => {
  one.captureAsked = true
  one.told = toldBy(await ask(captureOf(one)))
  one.captured = true
  const read: Request = { method: "GET", path: `/v1/payment-intents/${idOf(one)}` }
  await vi.waitUntil(async () => (one.told = toldBy(await ask(read)))["status"] !== "authorized")
}

const refunded = async (one: Order): Promise<void> => {
  one.refundAsked = true
  one.refunded = keep(await ask(refundOf(one)))
}

/** Loses the changes that are acknowledged meanwhile, as if a former primary took its role back. */
const loseWhatIs = async (acknowledged: () => Promise<void>): Promise<void> => {
  const kept = `${server.folder}-kept`
  await server.stop()
  await cp(server.folder, kept, { recursive: true, preserveTimestamps: true })
  await server.start()
  await acknowledged()
  await server.kill("all")
  await rm(server.folder, { recursive: true })
  await rename(kept, server.folder)
  await server.start()
}

test("a payment that was put off at a round's end, and ends afterwards, is no loss", async () => {
  const one = await authorized()
  await trial.round(async (load) => {
    // The capture was answered with "retry later" when the round ended.
    one.captureAsked = true
    load.orders.push(one)
  }, false)
  await trial.settle()
  await advance(trial.service, LONG, trial.asked)
  const { acknowledged, violations } = await trial.end("patroni", 1, 0)
  expect(violations).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
}, 240_000)

test("one that ends before its time was lost", async () => {
  const one = await authorized()
  const ahead = await advance(trial.service, LONG, 1)
  expect(await lost(trial.service, [one], ahead)).toEqual([])
  const told = [expect.stringMatching(/was authorized and is expired/)]
  expect(await lost(trial.service, [one])).toEqual(told)
  expect(await lost(trial.service, [{ ...one, captureAsked: true }], ahead)).toEqual(told)
}, 240_000)

describe("what was acknowledged and lost rounds ago is told", { timeout: 240_000 }, () => {
  test.each([
    ["before its payment ends", 0, "authorized"],
    ["after its payment's end", LONG, "expired"],
  ])("%s", async (_, seconds, status) => {
    const [paid, givenBack] = [await authorized(), await authorized()]
    await captured(givenBack)
    await loseWhatIs(async () => {
      await captured(paid)
      await refunded(givenBack)
    })
    if (seconds > 0) await advance(trial.service, seconds, 2)
    // With a limit of 1, only the first payment is checked over HTTP, and the second in the books.
    const told = await judge(trial, [paid, givenBack], 1)
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          new RegExp(`${idOf(paid)} was (captured|succeeded) and is ${status}`),
        ),
        `${idOf(givenBack)} was given back 0 times, asked for: true`,
      ]),
    )
  })
})
