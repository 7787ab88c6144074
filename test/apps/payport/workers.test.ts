import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { makePayport } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { StoreOption } from "../../../apps/payport/PayportOptions.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"

/** A store in memory that fails when the worker reads its first records of runs. */
const failing = (times: number, failure: Effect.Effect<never, StoreUnavailable>) => {
  let reads = 0
  const opened = new StoreOption((hook) =>
    Layer.effect(
      Store,
      Effect.map(Store, (store) => ({
        ...store,
        find: (kind, id) => {
          if (kind !== "reconciliation_run" || reads++ >= times) return store.find(kind, id)
          return failure
        },
      })),
    ).pipe(Layer.provideMerge(memory().open(hook))),
  )
  return { opened, reads: () => reads }
}

const away = new StoreUnavailable({ outcome: "not_stored", cause: "away" })

test.each([
  ["whose store is away at first works once it is back", failing(1, Effect.fail(away))],
  ["that can open no reconciliation works nevertheless", failing(1e6, Effect.die("broken"))],
])("a worker %s", async (_, { opened, reads }) => {
  const told: Array<string> = []
  const payport = await makePayport({
    store: opened,
    secrets: { masterKey: Buffer.alloc(32, 7).toString("base64") },
    channels: sandbox(),
    log: false,
    onEvent: { consumer: "test", handle: ({ type }) => void told.push(type) },
  })
  const open = async (kind: "buyer" | "seller") =>
    payport.caller((await payport.accounts.create({ name: kind, kind, agent_id: kind })).id)
  const [seller, buyer] = [await open("seller"), await open("buyer")]
  const { id: service_id } = await payport.services.create(seller, {
    name: "Tickets",
    description: "A seat.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 900, currency: "USD", label: "One" }] },
    accepted_channels: ["wallet_a"],
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://tickets.example/hook",
  })
  await payport.services.activate(seller, service_id)
  const amount = { currency: "USD", value: 900 }
  const order = { service_id, type: "one_time", amount, description: "A seat" } as const
  const { id } = await payport.intents.create(buyer, order)
  await payport.sandbox.simulate(buyer, id, { action: "reject" })
  await expect.poll(() => told, { timeout: 10_000 }).toContain("payment_intent.failed")
  await expect.poll(reads, { timeout: 10_000 }).toBeGreaterThan(1)
  await payport.close()
})
