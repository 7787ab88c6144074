import { randomUUID } from "node:crypto"
import { expect, test } from "vitest"
import { callerOf, manifest, preparedFolder, type Running, startOn } from "./service.ts"

const ROUNDS = Number(process.env["PAYPORT_TEST_KILLS"] ?? 3)
const CALLERS = 8

/** The acknowledged facts: the payment of each key, and the cancelled payments. */
interface Told {
  readonly asked: Set<string>
  readonly created: Map<string, string>
  readonly cancelled: Set<string>
}

const sellerOf = ({ sellerKey, url }: Running) => callerOf(url, sellerKey)

const create = async ({ sellerKey, url }: Running, service: string, key: string) => {
  const answer = await fetch(`${url}/v1/payment-intents`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${sellerKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify({
      service_id: service,
      type: "one_time",
      amount: { currency: "USD", value: 1 },
      description: key,
    }),
  })
  const body = (await answer.json()) as { readonly id?: string }
  return answer.status === 201 ? body.id : undefined
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Creates payments and cancels every second one, until the service is gone. */
const load = async (service: Running, id: string, told: Told): Promise<void> => {
  try {
    for (;;) {
      const key = randomUUID()
      told.asked.add(key)
      const intent = await create(service, id, key)
      if (intent === undefined) return
      told.created.set(key, intent)
      if (told.created.size % 2 === 0) continue
      const { status } = await sellerOf(service)("POST", `/v1/payment-intents/${intent}/cancel`)
      if (status === 200) told.cancelled.add(intent)
    }
  } catch {
    return
  }
}

/** Every payment of the seller, with its status. */
const everything = async (service: Running) => {
  const found = new Map<string, { readonly status: string; readonly description: string }>()
  let after = ""
  for (;;) {
    const { body } = await sellerOf(service)("GET", `/v1/payment-intents?limit=100${after}`)
    const data = body["data"] as ReadonlyArray<{
      readonly id: string
      readonly status: string
      readonly description: string
    }>
    for (const { description, id, status } of data) found.set(id, { status, description })
    const last = data.at(-1)
    if (body["has_more"] !== true || last === undefined) return found
    after = `&starting_after=${last.id}`
  }
}

test("kill -9 during load loses nothing that was acknowledged", { timeout: 240_000 }, async () => {
  const folder = await preparedFolder()
  let service = await startOn(folder)
  const { body } = await sellerOf(service)(
    "POST",
    "/v1/services",
    manifest("http://127.0.0.1:9/hooks"),
  )
  const id = String(body["id"])
  await sellerOf(service)("PATCH", `/v1/services/${id}/activate`)
  const told: Told = { asked: new Set(), created: new Map(), cancelled: new Set() }

  for (let round = 0; round < ROUNDS; round++) {
    const callers = Array.from({ length: CALLERS }, () => load(service, id, told))
    const before = told.cancelled.size
    const patience = Date.now() + 30_000
    // The new process is slow at first. It is killed only after it has done some work.
    while (told.cancelled.size < before + 2 && Date.now() < patience) await pause(20)
    await pause(20 * round)
    service.child.kill("SIGKILL")
    await Promise.all([service.ended, ...callers])
    service = await startOn(folder)
  }

  expect(told.cancelled.size).toBeGreaterThan(ROUNDS)
  const found = await everything(service)
  for (const [key, intent] of told.created) {
    expect([intent, found.get(intent)?.description]).toEqual([intent, key])
  }
  for (const intent of told.cancelled) expect(found.get(intent)?.status).toBe("cancelled")

  // A payment that was not acknowledged is stored completely or not at all, and repeating the
  // request makes one payment.
  for (const key of told.asked) {
    const again = await create(service, id, key)
    if (told.created.has(key)) expect(again).toBe(told.created.get(key))
    expect(again).toBeDefined()
  }
  const after = await everything(service)
  expect(after.size).toBe(told.asked.size)
})
