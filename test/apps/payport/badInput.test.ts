import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Failure, type LogEntry } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { METHODS, SANDBOX_METHODS } from "../../../apps/payport/methods.ts"
import { hostile, inputsOf } from "./inputs.ts"
import { aShop, type Shop } from "./aShop.ts"

const SEED = 20_261_123
const RUNS = 30

const logged: Array<LogEntry> = []
let shop: Shop

beforeAll(async () => {
  shop = await aShop({ store: memory(), work: false, log: (entry) => void logged.push(entry) })
})

afterAll(() => shop.payport.close())

type AnyMethod = (...given: ReadonlyArray<unknown>) => Promise<unknown>

const methods = Object.entries({ ...METHODS, ...SANDBOX_METHODS }).flatMap(([resource, table]) =>
  Object.entries<string | readonly [string, string]>(table).map(([method, called]) => ({
    name: `${resource}.${method}`,
    route: typeof called === "string" ? called : called[0],
    call: (...given: ReadonlyArray<unknown>) =>
      (Reflect.get(Reflect.get(shop.payport, resource) as object, method) as AnyMethod)(...given),
  })),
)

/** The failure that a call is refused with; undefined where it succeeds. */
const refusal = async (calling: Promise<unknown>): Promise<Failure | undefined> => {
  try {
    await calling
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

test.for([
  ["less than nothing", { currency: "USD", value: -500 }, "amount.value"],
  ["nothing", { currency: "USD", value: 0 }, "amount.value"],
  ["half a cent", { currency: "USD", value: 6.99 }, "amount.value"],
  ["text", { currency: "USD", value: "699" }, "amount.value"],
  ["no currency", { currency: "XXQ", value: 699 }, "amount.currency"],
  ["null", null, "amount"],
] as const)("%s is no amount", async ([_name, amount, field]) => {
  const { buyer, order, payport } = shop
  const { type, ...rest } = order
  const input = { ...rest, amount }
  const failure = await refusal(payport.intents.create(buyer, { ...input, type } as never))
  expect(failure).toMatchObject({ code: "INVALID_AMOUNT", field })
  const link = { ...input, payer: { agent_id: "ada" } }
  const other = await refusal(payport.payments.create(buyer, link as never))
  expect(other).toMatchObject({ code: "INVALID_AMOUNT", field })
})

test("a field that is not known is refused with the one that was meant", async () => {
  const { buyer, order, payport } = shop
  const input = { ...order, amount: { currency: "USD", value: 1 }, metdata: {} } as never
  const failure = await refusal(payport.intents.create(buyer, input))
  expect(failure).toMatchObject({ code: "INVALID_REQUEST", field: "metdata" })
  expect(failure?.message).toContain("metadata")
  const query = await refusal(payport.intents.list(buyer, { limits: 3 } as never))
  expect(query).toMatchObject({ code: "INVALID_REQUEST", field: "limits" })
})

test("a caller is what the payport has made, and nothing that looks like one", async () => {
  const { buyer, payport } = shop
  const other = await aShop({ store: memory(), work: false, log: false })
  const madeUp = [
    { ...buyer },
    Object.create(buyer) as unknown,
    other.buyer,
    null,
    "ada",
    undefined,
  ]
  for (const caller of madeUp) {
    const failure = await refusal(payport.intents.list(caller as never))
    expect(failure).toMatchObject({ code: "UNAUTHORIZED", field: "caller" })
  }
  await other.payport.close()
})

test("changing what was handed over, or what was handed out, changes nothing", async () => {
  const { buyer, order, payport } = shop
  const metadata: { order: string } = { order: "1" }
  const input = { ...order, amount: { currency: "USD", value: 1 }, metadata }
  const creating = payport.intents.create(buyer, input)
  metadata.order = "2"
  const { id } = await creating
  const view = await payport.intents.get(buyer, id)
  expect(view.metadata).toEqual({ order: "1" })
  expect(() => Object.assign(view.metadata ?? {}, { order: "3" })).toThrow(TypeError)
  expect((await payport.intents.get(buyer, id)).metadata).toEqual({ order: "1" })
})

describe("whatever a method is called with, it answers or refuses with a code", () => {
  // Moving the clock by a year takes its time, and is tested elsewhere.
  const quick = methods.filter(({ route }) => route !== "sandbox.advanceClock")

  test.for(quick)("$name", async ({ call, route }) => {
    const callers = fc.oneof({ arbitrary: fc.constant("buyer"), weight: 3 }, fc.constant("seller"))
    const paths = fc.oneof(hostile, fc.constant(shop.order.service_id))
    const given = fc.tuple(callers, fc.oneof(inputsOf(route), paths), inputsOf(route), hostile)
    await fc.assert(
      fc.asyncProperty(given, async ([who, first, second, last]) => {
        const caller = who === "buyer" ? shop.buyer : shop.seller
        for (const args of [
          [caller, first, second, last],
          [first, second, last],
          [last, first],
        ]) {
          const failure = await refusal(call(...args))
          expect(failure?.code).not.toBe("INTERNAL_ERROR")
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test("and nothing of it is a defect", () => {
    const defects = logged.filter(({ level }) => level === "Error" || level === "Fatal")
    expect(defects.map(({ message }) => message)).toEqual([])
  })
})
