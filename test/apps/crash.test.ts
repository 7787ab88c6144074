import { randomUUID } from "node:crypto"
import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { servesFolder } from "../../adapters/postgres/embedded/processes.ts"
import { embeddedServer } from "../support/askDatabase.ts"
import { atRest, disagreements } from "../support/atRest.ts"
import { type Answered, call, openReceiver, openShop, order, simulated } from "../support/shop.ts"
import { type Running, preparedFolder, startOn, stop } from "./server/service.ts"

/** How often the service is killed; the full test takes 20. */
const KILLS = Number(process.env["PAYPORT_TEST_KILLS"] ?? 3)
const CALLERS = 8

/** A requested payment, with its last answer. */
interface Order {
  readonly key: string
  /** The last step of the payment. */
  readonly wanted: "pending" | "authorized" | "captured"
  created: Answered | undefined
  told: Answered["body"] | undefined
  captureAsked: boolean
}

const createIt = ({ key }: Order, shop: string) => ({ ...order(shop, key), once: key })

const captureIt = ({ created, key }: Order) => ({
  path: `/v1/payment-intents/${String(created?.body["id"])}/capture`,
  once: `${key}-capture`,
})

/** Takes one payment to its goal. Requests that are refused meanwhile are not repeated. */
const takeOne = async (service: Running, shop: string, one: Order): Promise<void> => {
  const created = await call(service, "buyer", createIt(one, shop))
  if (created.status !== 201) return
  one.created = created
  one.told = created.body
  if (one.wanted === "pending") return
  const paid = await call(service, "buyer", simulated(String(created.body["id"]), "pay"))
  if (paid.status !== 200) return
  one.told = paid.body
  if (one.wanted === "authorized" || paid.body["status"] !== "authorized") return
  one.captureAsked = true
  const captured = await call(service, "seller", captureIt(one))
  if (captured.status === 200) one.told = captured.body
}

/** Takes payments, one after another, until the service is gone. */
const takeMany = async (service: Running, shop: string, orders: Array<Order>): Promise<void> => {
  for (let n = 0; ; n++) {
    const wanted = (["captured", "pending", "captured", "authorized"] as const)[n % 4] ?? "captured"
    const one: Order = {
      key: randomUUID(),
      wanted,
      created: undefined,
      told: undefined,
      captureAsked: false,
    }
    orders.push(one)
    try {
      await takeOne(service, shop, one)
    } catch {
      return
    }
  }
}

const PROGRESS = ["pending", "qr_generated", "scanning", "authorized", "captured", "succeeded"]

/** Fields that change later, and those that only the capturing seller sees. */
const MOVING = new Set(["status", "fees", "payer", "payer_prompt", "channel_outcome", "qr"])

/** Returns acknowledged facts that are no longer true. */
const lost = async (service: Running, orders: ReadonlyArray<Order>) => {
  const found: Array<string> = []
  for (const { told } of orders) {
    if (told === undefined) continue
    const path = `/v1/payment-intents/${String(told["id"])}`
    // The seller sees everything that either was told: only it is shown the fees.
    const { body } = await call(service, "seller", { method: "GET", path })
    const [before, now] = [told, body].map(({ status }) => PROGRESS.indexOf(String(status)))
    if ((now ?? -1) < (before ?? 0)) {
      found.push(`${path} was ${String(told["status"])} and is ${String(body["status"])}`)
    }
    for (const [field, value] of Object.entries(told)) {
      if (!MOVING.has(field) && JSON.stringify(body[field]) !== JSON.stringify(value)) {
        found.push(`${path} had another ${field}: ${JSON.stringify([value, body[field]])}`)
      }
    }
  }
  return found
}

/** Repeats creations with an unknown outcome. */
const createAgain = async (service: Running, shop: string, orders: ReadonlyArray<Order>) => {
  for (const one of orders) {
    const again = await call(service, "buyer", createIt(one, shop))
    expect([one.key, again.status]).toEqual([one.key, 201])
    if (one.created !== undefined) expect(again.text).toBe(one.created.text)
    one.created = again
    one.told ??= again.body
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const databaseOf = async (folder: string) => {
  const server = await embeddedServer(folder)
  if (server === undefined) throw new Error(`no PostgreSQL runs on ${folder}`)
  return server
}

/** Kills the service alone, together with its database, or shortly after its database. */
const kill = async (service: Running, folder: string, round: number): Promise<boolean> => {
  const { pid } = await databaseOf(folder)
  const alone = round % 3 === 0
  if (!alone) process.kill(pid, "SIGKILL")
  if (round % 3 === 2) {
    const ready = async () => (await fetch(`${service.url}/readyz`)).status
    while ((await ready()) !== 503) await pause(20)
  }
  service.child.kill("SIGKILL")
  expect(await service.ended).toBe("SIGKILL")
  return alone
}

const advance = async (service: Running, seconds: number) => {
  const request = { path: "/v1/sandbox/clock/advance", body: { seconds } }
  expect((await call(service, "seller", request)).status).toBe(200)
}

const emptyDataFolder = async (): Promise<string> => {
  const folder = await preparedFolder()
  onTestFinished(async () => {
    const left = await embeddedServer(folder)
    if (left === undefined) return
    const data = await realpath(join(folder, "postgres/data"))
    if (await servesFolder(left.pid, data)) process.kill(left.pid, "SIGKILL")
  })
  return folder
}

test(
  "kill -9 under load loses nothing that was acknowledged, and leaves nothing undone",
  { timeout: 120_000 + 40_000 * KILLS },
  async ({ annotate }) => {
    const folder = await emptyDataFolder()
    const { endpoint, received } = await openReceiver()
    let service = await startOn(folder)
    const shop = await openShop(service, endpoint)
    const orders: Array<Order> = []
    let open = 0

    for (let round = 0; round < KILLS; round++) {
      const begun = orders.length
      const before = await databaseOf(folder)
      const callers = Array.from({ length: CALLERS }, () => takeMany(service, shop, orders))
      await pause(300 + ((round * 97) % 400))
      const alone = await kill(service, folder, round)
      await Promise.all(callers)
      service = await startOn(folder)
      // A database that outlived its service is taken over, a dead one is started anew.
      const after = await databaseOf(folder)
      expect([round, after.pid === before.pid]).toEqual([round, alone])
      const ofRound = orders.slice(begun)
      open += ofRound.filter(({ created }) => created === undefined).length
      expect(await lost(service, ofRound)).toEqual([])
      await createAgain(service, shop, ofRound)
    }

    // After this time, every holder of a key counts as dead, and every channel has been asked
    // again.
    await advance(service, 120)
    for (const one of orders) {
      if (!one.captureAsked) continue
      const { body, status } = await call(service, "seller", captureIt(one))
      expect([status, body["status"]]).toEqual([200, expect.stringMatching(/^(capt|succe)/)])
      one.told = body
    }
    expect(await lost(service, orders)).toEqual([])

    await advance(service, 1_000)
    const { connection } = await databaseOf(folder)
    const all = await atRest(connection)
    expect(all).toHaveLength(orders.length)
    expect(all.flatMap(disagreements)).toEqual([])
    const endings = new Map(all.map(({ id, status }) => [id, status]))
    const wanted = orders.map(({ captureAsked }) => (captureAsked ? "succeeded" : "expired"))
    expect(orders.map(({ created }) => endings.get(String(created?.body["id"])))).toEqual(wanted)
    const told = new Set(received.map(({ data, type }) => `${data.id} ${type}`))
    expect(told).toEqual(new Set(all.map(({ id, status }) => `${id} payment_intent.${status}`)))
    expect(await stop(service)).toBe(0)
    const captures = orders.filter(({ captureAsked }) => captureAsked).length
    await annotate(
      `${KILLS} kills, ${orders.length} payments, ${open} of them not acknowledged at first,` +
        ` ${captures} captures`,
    )
  },
)
