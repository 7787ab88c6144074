import { expect, test } from "vitest"
import { BudgetTracker } from "../../../../adapters/http/client/BudgetTracker.ts"
import { METHOD, requestText } from "../../../../adapters/http/client/MppChallenge.ts"
import { mppSubscriber } from "../../../../adapters/http/client/mppSubscriber.ts"
import type { ClientOptions, Fetch } from "../../../../adapters/http/client/RequestOptions.ts"
import { PaymentDeclined } from "../../../../adapters/http/client/Wallet.ts"

const price = { amount: "1999", currency: "usd", periodUnit: "month", periodCount: "1" }
const request = requestText({
  ...price,
  methodDetails: { service_id: "svc", plan_id: "pro" },
})
const challenge = { id: "c1", realm: "r", method: METHOD, intent: "subscription", request }

const plan = { plan_id: "pro", name: "Pro", amount: 1_999, currency: "USD", interval: "monthly" }
const payment = {
  id: "pi_1",
  amount: { currency: "USD", value: 1_999 },
  channel: "wallet_a",
  deeplink: "svc://pay/pi_1",
  expires_at: "2030-01-01T00:00:00.000Z",
  status: "pending",
}
const proof = { subscription: "sub_1", token: "t", expires_at: "2030-01-01T00:00:00.000Z" }

type Said = () => Response | undefined

const refusal = (status: number, code: string, details?: object): Said => {
  const body = { error: "refused", code, message: code, ...(details !== undefined && { details }) }
  return () => Response.json(body, { status })
}
const lost: Said = () => undefined
const made: Said = () => Response.json({ id: "sub_1", payment })
const paid: Said = () => Response.json(payment)
const proven: Said = () => Response.json(proof)
const subscribed = refusal(409, "ALREADY_SUBSCRIBED", { subscription: "sub_1" })
const unpaid = refusal(402, "PAYMENT_REQUIRED", { invoice: "inv_1", status: "unpaid" })

/** What a service says to each kind of request, one after the other. The last goes on. */
interface Script {
  readonly subscribe?: ReadonlyArray<Said>
  readonly invoice?: ReadonlyArray<Said>
  readonly prove?: ReadonlyArray<Said>
  readonly wallet?: ReadonlyArray<Error | undefined>
}

const subscriber = ({ invoice = [paid], prove = [proven], subscribe = [made], wallet }: Script) => {
  const keys: Record<string, Array<string | null>> = { subscribe: [], invoice: [], prove: [] }
  const next = (kind: string, script: ReadonlyArray<Said>, init: RequestInit) => {
    const seen = (keys[kind] ??= [])
    seen.push(new Headers(init.headers).get("Idempotency-Key"))
    const said = script[Math.min(seen.length, script.length) - 1]?.()
    return said === undefined ? Promise.reject(new TypeError("lost")) : Promise.resolve(said)
  }
  const fetch: Fetch = (url, init) => {
    const { pathname } = new URL(url)
    if (pathname.endsWith("/subscribe")) return next("subscribe", subscribe, init)
    if (pathname.endsWith("/proofs")) return next("prove", prove, init)
    if (pathname.endsWith("/pay")) return next("invoice", invoice, init)
    return Promise.resolve(
      pathname.startsWith("/v1/invoices")
        ? Response.json({ id: "inv_1", amount: payment.amount })
        : Response.json({ id: "svc", pricing: { subscription: [plan] } }),
    )
  }
  const orders: Array<string> = []
  const pay = async ({ id }: { readonly id: string }) => {
    orders.push(id)
    const error = wallet?.[orders.length - 1]
    if (error !== undefined) throw error
  }
  const tracker = new BudgetTracker({ currency: "USD", perCall: 2_500, total: 2_500 })
  const account: ClientOptions = { baseUrl: "http://pay.test", apiKey: "k", fetch, retries: 0 }
  const meet = mppSubscriber({ account, tracker, wallet: { pay }, patience: 20_000 })
  const attempt = () =>
    meet(challenge, "https://api.example").then(
      () => "met",
      (error: unknown) => (error as { readonly code?: string }).code ?? String(error),
    )
  return { attempt, keys, orders, tracker }
}

const unknowns = [
  ["no answer", lost, "CONNECTION_FAILED"],
  ["an unknown outcome", refusal(503, "OUTCOME_UNKNOWN"), "OUTCOME_UNKNOWN"],
  ["a failure of the service", refusal(500, "INTERNAL_ERROR"), "INTERNAL_ERROR"],
] as const

test.each(unknowns)("after %s the same subscription is asked for again", async (_, said, code) => {
  const { attempt, keys, orders, tracker } = subscriber({ subscribe: [said, made] })
  expect(await attempt()).toBe(code)
  expect(tracker.spent.value).toBe(1_999)
  expect(await attempt()).toBe("met")
  expect(tracker.spent.value).toBe(1_999)
  expect(new Set(keys["subscribe"]).size).toBe(1)
  expect(keys["subscribe"]).toHaveLength(2)
  expect(orders).toEqual(["pi_1"])
})

test.each(unknowns)("after %s the same invoice is paid again", async (_, said, code) => {
  const script = { subscribe: [subscribed], prove: [unpaid, unpaid, proven], invoice: [said, paid] }
  const { attempt, keys, tracker } = subscriber(script)
  expect(await attempt()).toBe(code)
  expect(tracker.spent.value).toBe(1_999)
  expect(await attempt()).toBe("met")
  expect(tracker.spent.value).toBe(1_999)
  expect(new Set(keys["invoice"]).size).toBe(1)
})

test("what was charged without an answer stays spent, whatever is said of it later", async () => {
  const { attempt, tracker } = subscriber({ subscribe: [lost, subscribed] })
  await attempt()
  expect(await attempt()).toBe("met")
  expect(tracker.spent.value).toBe(1_999)
})

test("a refusal before anything began, or of the wallet, costs nothing", async () => {
  const refused = subscriber({ subscribe: [refusal(403, "INSUFFICIENT_KYC"), made] })
  expect(await refused.attempt()).toBe("INSUFFICIENT_KYC")
  expect(refused.tracker.spent.value).toBe(0)
  expect(await refused.attempt()).toBe("met")
  expect(refused.tracker.spent.value).toBe(1_999)
  expect(new Set(refused.keys["subscribe"]).size).toBe(2)
  const already = subscriber({ subscribe: [subscribed] })
  expect(await already.attempt()).toBe("met")
  expect(already.tracker.spent.value).toBe(0)
  const declined = subscriber({ wallet: [new PaymentDeclined("no")] })
  await declined.attempt()
  expect(declined.tracker.spent.value).toBe(0)
})

test("a wallet that did not say is given the same order, and it is paid for once", async () => {
  const { attempt, orders, tracker } = subscriber({ wallet: [new Error("no answer")] })
  await attempt()
  expect(tracker.spent.value).toBe(1_999)
  expect(await attempt()).toBe("met")
  expect(orders).toEqual(["pi_1", "pi_1"])
  expect(tracker.spent.value).toBe(1_999)
})
