import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { openAccounts, openShop } from "../../apps/bench/shop.ts"
import { runLoad } from "../bench/load.ts"
import { type Service, startService } from "../bench/service.ts"
import { projectRoot } from "../support/sourceFiles.ts"

/** Two versions, and the database that they are to share. */
interface Both {
  readonly older: string
  readonly newest: string
  readonly databaseUrl: string
  readonly folder: string
  /** The settings with keys of the database that was left. */
  readonly keys: { readonly [variable: string]: string }
  /** The duration of each part of the load. */
  readonly seconds: number
  readonly ask: (sql: string) => Promise<ReadonlyArray<{ readonly [column: string]: unknown }>>
  readonly say: (text: string) => void
}

/** A difference between two versions side by side that is not allowed. */
class Mismatch extends Error {
  override readonly name = "Mismatch"
}

/** Payments that go through both versions, beside the load. */
const CROSSING = 20

type Json = { readonly [field: string]: unknown }

const call = async (
  url: string,
  key: string,
  body: string,
  idempotencyKey: string = randomUUID(),
): Promise<Json> => {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
  }
  const response = await fetch(url, { method: "POST", headers, body })
  const text = await response.text()
  if (!response.ok) throw new Mismatch(`${url} was answered ${response.status}: ${text}`)
  return JSON.parse(text) as Json
}

/** Makes a payment with one version; the other authorizes, captures and refunds it. */
const cross = async (
  [one, other]: readonly [Service, Service],
  keys: { readonly buyerKey: string; readonly sellerKey: string },
  body: string,
): Promise<void> => {
  const key = randomUUID()
  const path = "/v1/payment-intents"
  const made = await call(one.url + path, keys.buyerKey, body, key)
  const again = await call(other.url + path, keys.buyerKey, body, key)
  const id = String(made["id"])
  if (id !== again["id"]) throw new Mismatch(`One key made ${id}, ${String(again["id"])}.`)
  const pay = `/v1/sandbox/payment-intents/${id}/simulate`
  await call(other.url + pay, keys.buyerKey, `{"action":"authorize"}`)
  await call(`${one.url}${path}/${id}/capture`, keys.sellerKey, "{}")
  const refund = JSON.stringify({ payment_intent: id })
  await call(`${other.url}/v1/refunds`, keys.sellerKey, refund)
}

const start = ({ databaseUrl, folder, keys }: Both, program: string, name: string) =>
  startService({
    program,
    databaseUrl,
    folder: join(folder, name),
    keys: {
      adminKey: keys["PAYPORT_ADMIN_KEY"] ?? "",
      buyerKey: keys["PAYPORT_DEMO_BUYER_KEY"] ?? "",
      sellerKey: keys["PAYPORT_DEMO_SELLER_KEY"] ?? "",
    },
    variables: { PAYPORT_MASTER_KEY: keys["PAYPORT_MASTER_KEY"] ?? "" },
  })

/** Runs the older version, then both, then the newest alone. Rejects where anything is wrong. */
export const runBoth = async (both: Both): Promise<void> => {
  const { ask, say, seconds } = both
  const [place] = await ask(
    "SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE relname = 'postings'",
  )
  const schema = String(place?.["schema"])
  const count = async () =>
    Number((await ask(`SELECT count(*)::int AS n FROM ${schema}.payment_intents`))[0]?.["n"])
  const services: Array<Service> = []
  const open = async (program: string, name: string) => {
    const service = await start(both, program, name)
    services.push(service)
    return service
  }
  try {
    const before = await open(both.older, "before")
    const { agentId, place: keys } = await openAccounts(before.url, before.adminKey)
    const { body } = await openShop(keys, agentId)
    const stored = await count()
    const step = async () =>
      Number((await ask(`SELECT max(id) AS n FROM ${schema}.payport_schema`))[0]?.["n"])
    const from = await step()
    const load = async (service: Service, lasting: number) => {
      const request = { type: "create", body } as const
      const until = { milliseconds: lasting * 1_000 }
      const { url } = service
      const job = { url, connections: 8, key: keys.buyerKey, request, warmUp: 0, until }
      return (await runLoad(job)).acknowledged
    }
    const [alone, after] = await Promise.all([
      load(before, 2 * seconds),
      open(both.newest, "after"),
    ])
    say(`  the newest has started under load: ${alone} payments by the version before`)
    say(`  its schema has come from step ${from} to ${await step()}`)
    const crossing = Array.from({ length: CROSSING }, (_, n) =>
      cross(n % 2 === 0 ? [before, after] : [after, before], keys, body),
    )
    const [older, newer] = await Promise.all([
      load(before, seconds),
      load(after, seconds),
      ...crossing,
    ])
    say(`  side by side: ${older} and ${newer} payments, and ${CROSSING} through both`)
    await before.stop()
    const last = await load(after, seconds)
    const expected = stored + alone + older + newer + last + CROSSING
    const found = await count()
    if (found !== expected)
      throw new Mismatch(`${expected} were acknowledged, ${found} are stored.`)
    const books = await readFile(
      join(projectRoot, "apps/server/operations/check-ledger.sql"),
      "utf8",
    )
    const wrong = await ask(books.replaceAll("payport.", `${schema}.`))
    if (wrong.length > 0) throw new Mismatch(`The books do not add up: ${JSON.stringify(wrong)}`)
    await after.stop()
    say(`  the newest alone: ${last} payments; all are stored, and the books add up`)
  } finally {
    for (const service of services) await service.kill()
  }
}
