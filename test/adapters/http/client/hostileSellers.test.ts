import { setTimeout as pause } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  ConnectionFailed,
  mppPayer,
  payingFetch,
  PaymentDeclined,
  PaymentRefused,
  PaymentUnresolved,
  type WalletOrder,
  x402Payer,
  x402Trust,
} from "../../../../adapters/http/client/entry.ts"
import { readStates } from "../../../../adapters/http/client/readStates.ts"

const id = "pi_01997d3e-8a00-7000-8000-000000000020"
const url = "https://seller.example/x"
const budget = { currency: "USD", perCall: 100, total: 100 }
const BLOCK = 16 * 1024
/** Far more than any client should read, and few enough for one that reads all. */
const BLOCKS = 1_000

/** A body of spaces that goes on and on; `read` says how many blocks were asked for. */
const longBody = () => {
  const seen = { read: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      seen.read += 1
      controller.enqueue(new Uint8Array(BLOCK).fill(32))
      if (seen.read === BLOCKS) controller.close()
    },
    cancel: () => void (seen.isCancelled = true),
  })
  return { body, seen }
}

const stalledBody = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  })

const asking = (
  body: ReadableStream | string,
  headers: Record<string, string> = { "X-Payment-Intent": id },
) => new Response(body, { status: 402, headers })

const noWallet = { pay: () => Promise.reject(new Error("Nothing is to be paid.")) }

const refusal = (reason: string) => ({ name: "PaymentRefused", reason })

describe("of a 402 that never ends", () => {
  const few = BLOCKS / 10

  test("payingFetch reads a part alone, and cancels the rest", async () => {
    const { body, seen } = longBody()
    const options = { budget, hosts: ["seller.example"] }
    const paying = payingFetch(() => Promise.resolve(asking(body)), noWallet, options)
    await expect(paying(url)).rejects.toMatchObject(refusal("malformed"))
    await expect.poll(() => seen.isCancelled, { timeout: 20_000 }).toBe(true)
    expect(seen.read).toBeLessThan(few)
  })

  test("payingFetch reads nothing where the host may not be paid", async () => {
    const { body, seen } = longBody()
    const options = { budget, hosts: ["other.example"] }
    const paying = payingFetch(() => Promise.resolve(asking(body)), noWallet, options)
    await expect(paying(url)).rejects.toMatchObject(refusal("host"))
    await expect.poll(() => seen.isCancelled, { timeout: 20_000 }).toBe(true)
    expect(seen.read).toBeLessThan(3)
  })

  test("x402Payer and x402Trust read a part alone, and cancel the rest", async () => {
    const payer = x402Payer(async () => asking(first.body), noWallet, budget)
    const first = longBody()
    await expect(payer.fetch(url)).rejects.toMatchObject(refusal("malformed"))
    const second = longBody()
    const trusting = x402Trust(async () => asking(second.body), { keys: () => undefined })
    await expect(trusting(url)).rejects.toBeInstanceOf(PaymentRefused)
    for (const { seen } of [first, second]) {
      await expect.poll(() => seen.isCancelled, { timeout: 20_000 }).toBe(true)
      expect(seen.read).toBeLessThan(few)
    }
  })

  test("mppPayer reads a part alone, and returns it unpaid", async () => {
    const { body, seen } = longBody()
    const payer = mppPayer(async () => asking(body), noWallet, budget)
    expect((await payer.fetch(url)).status).toBe(402)
    expect(seen.read).toBeLessThan(few)
  })
})

describe("a 402 that stalls", () => {
  test("is given up by payingFetch", async () => {
    const options = { budget, hosts: ["seller.example"], patience: 50 }
    const paying = payingFetch(async () => asking(stalledBody()), noWallet, options)
    await expect(paying(url)).rejects.toMatchObject(refusal("malformed"))
  })

  test("is returned by mppPayer", async () => {
    const payer = mppPayer(async () => asking(stalledBody()), noWallet, budget, { patience: 50 })
    expect((await payer.fetch(url)).status).toBe(402)
  })
})

const demanded = {
  id,
  amount: { currency: "USD", value: 25 },
  channel: "wallet_a",
  qr_uri: `svc://pay/${id}?channel=wallet_a`,
  expires_at: "2036-01-31T08:15:00.000Z",
  token: "t",
}

const tooEarly = () => new Response(null, { status: 429, headers: { "Retry-After": "3" } })

const silence = () => new Promise<Response>(() => {})
const nothing = async () => {}

/** Collects unused memory, as happens at any time. */
const collect = (): void => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc()")
}

const stalledRefusal = () =>
  new Response(stalledBody(), { status: 409, headers: { "Retry-After": "1" } })

/** A signal that aborts once its request has begun. */
const abortedSoon = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error("Stopped.")), 50)
  return controller
}

describe("an abort", () => {
  const asks = async () => asking(JSON.stringify({ payment_intent: demanded }))
  const hosts = ["seller.example"]

  test.each([
    ["a seller's silence", silence],
    ["a 402 that stalls", async () => asking(stalledBody())],
  ])("ends %s at once", async (_, answer) => {
    const paying = payingFetch(answer, noWallet, { budget, hosts })
    const { signal } = abortedSoon()
    const begun = performance.now()
    await expect(paying(url, { signal })).rejects.toThrow("Stopped.")
    expect(performance.now() - begun).toBeLessThan(2_500)
  })

  test.each<[string, () => Promise<Response>, () => Promise<void>, () => Promise<Response>]>([
    ["for a first answer", silence, nothing, silence],
    ["for the wallet", asks, () => silence().then(nothing), silence],
    ["for the answer to a proof", asks, nothing, silence],
    ["as a 429 says", asks, nothing, async () => tooEarly()],
  ])("ends a wait %s also after memory was collected", async (_, first, pay, then) => {
    const answer = (asked: Request) => (asked.headers.has("X-Payment-Token") ? then() : first())
    const paying = payingFetch(answer, { pay }, { budget, hosts })
    const controller = new AbortController()
    const outcome = paying(new Request(url, { signal: controller.signal })).catch(
      (error: unknown) => error,
    )
    for (let n = 0; n < 5; n += 1) {
      collect()
      await pause(20)
    }
    controller.abort(new Error("Stopped."))
    expect(await Promise.race([outcome, pause(1_000)])).toBeInstanceOf(Error)
  })

  test("before the wallet is asked pays nothing", async () => {
    const controller = new AbortController()
    const asksAfterAbort = () => {
      controller.abort(new Error("Stopped."))
      return asks()
    }
    const paying = payingFetch(asksAfterAbort, noWallet, { budget, hosts })
    await expect(paying(url, { signal: controller.signal })).rejects.toThrow("Stopped.")
    expect(paying.spent().value).toBe(0)
  })

  test("does not wait for the wallet, and what that declines later is not spent", async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const paying = payingFetch(asks, { pay: () => promise }, { budget, hosts })
    const { signal } = abortedSoon()
    await expect(paying(url, { signal })).rejects.toMatchObject({
      name: "PaymentUnresolved",
      proof: { payment_intent: id, token: "t" },
    })
    expect(paying.spent().value).toBe(25)
    reject(new PaymentDeclined("No."))
    await expect.poll(() => paying.spent().value).toBe(0)
  })
})

describe("of a seller that was paid", () => {
  /** A client of a seller that asks for 25 cents, and answers the proof in its own way. */
  const payingAt = (answer: (request: Request) => Promise<Response>, patience: number) => {
    const paid: Array<string> = []
    const wallet = { pay: async (order: WalletOrder) => void paid.push(order.id) }
    const fetching = (request: Request) =>
      request.headers.has("X-Payment-Token")
        ? answer(request)
        : Promise.resolve(asking(JSON.stringify({ payment_intent: demanded })))
    const paying = payingFetch(fetching, wallet, { budget, hosts: ["seller.example"], patience })
    return { paid, paying }
  }

  test("silence ends with the proof, and ends the request", async () => {
    let asked: Request | undefined
    const silent = (request: Request) => {
      asked = request
      return new Promise<Response>(() => {})
    }
    const { paid, paying } = payingAt(silent, 50)
    const error = await paying(url, { method: "POST", body: "a question" }).catch(
      (reason: unknown) => reason,
    )
    if (!(error instanceof PaymentUnresolved)) throw new Error("It should be unresolved.")
    const { cause, proof, status } = error
    expect({ proof, status, paid }).toEqual({
      proof: { payment_intent: id, token: "t" },
      status: null,
      paid: [id],
    })
    expect(cause).toBeInstanceOf(ConnectionFailed)
    expect(cause).toMatchObject({ code: "TIMED_OUT" })
    expect(asked?.signal.aborted).toBe(true)
    expect(await asked?.text()).toBe("a question")
  })

  test("a `fetch` that throws leaves no timer", async () => {
    const { paying } = payingAt(() => {
      throw new Error("No network.")
    }, 20_000)
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    await expect(paying(url)).rejects.toBeInstanceOf(PaymentUnresolved)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("an answer that comes too late is not kept", async () => {
    const { body, seen } = longBody()
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { paying } = payingAt(() => promise, 50)
    await expect(paying(url)).rejects.toBeInstanceOf(PaymentUnresolved)
    resolve(new Response(body))
    await expect.poll(() => seen.isCancelled, { timeout: 20_000 }).toBe(true)
  })

  test("an answer that has begun may last longer than the patience", async () => {
    const slow = new ReadableStream<Uint8Array>({
      start: (controller) => {
        setTimeout(() => {
          controller.enqueue(new TextEncoder().encode("a report"))
          controller.close()
        }, 200)
      },
    })
    const { paying } = payingAt(async () => new Response(slow), 50)
    expect(await (await paying(url)).text()).toBe("a report")
  })

  test.each([500, 502, 503, 504, 408, 429])("a %i ends with the proof", async (status) => {
    const { paid, paying } = payingAt(async () => new Response("<html>", { status }), 20_000)
    await expect(paying(url)).rejects.toMatchObject({
      name: "PaymentUnresolved",
      proof: { payment_intent: id, token: "t" },
      status,
    })
    expect(paid).toEqual([id])
  })

  test.each([
    ["is shown again when it says", "1", 20_000, true],
    ["is not shown again later than there is patience", "3", 2_000, false],
  ])("a proof that comes too early %s", async (_, after, patience, isAccepted) => {
    const headers = { "Retry-After": after }
    const answers = [new Response(null, { status: 429, headers }), new Response("a report")]
    const { paid, paying } = payingAt(async () => answers.shift() ?? Response.error(), patience)
    const outcome = await paying(url).then(
      (response) => response.text(),
      (error: unknown) => error,
    )
    expect(outcome).toEqual(isAccepted ? "a report" : expect.any(PaymentUnresolved))
    expect(paid).toEqual([id])
  })

  test.each([
    ["a wait that it asks for", async () => tooEarly()],
    ["a refusal that stalls", async () => stalledRefusal()],
    ["its silence", () => new Promise<Response>(() => {})],
  ])("an abort ends %s at once, with the proof", async (_, answer) => {
    const { paid, paying } = payingAt(answer, 20_000)
    const { signal } = abortedSoon()
    const begun = performance.now()
    await expect(paying(url, { signal })).rejects.toMatchObject({
      name: "PaymentUnresolved",
      proof: { payment_intent: id, token: "t" },
      cause: { message: "Stopped." },
    })
    expect(performance.now() - begun).toBeLessThan(2_500)
    expect(paid).toEqual([id])
  })

  test("a long refusal is not read as a whole", async () => {
    const { body, seen } = longBody()
    const headers = { "Retry-After": "1" }
    const { paying } = payingAt(async () => new Response(body, { status: 409, headers }), 20_000)
    expect((await paying(url)).status).toBe(409)
    expect(seen.read).toBeLessThan(BLOCKS / 10)
  })
})

describe("x402Payer shows a payment", () => {
  /** Buys as a client of x402 does, from a seller that answers proofs in its own way. */
  const buyingAt = (...answers: ReadonlyArray<Response | Error>) => {
    const left = [...answers]
    const paid: Array<string> = []
    let count = 0
    const shop = async (request: Request) => {
      if (!request.headers.has("PAYMENT-SIGNATURE")) {
        const next = id.replace(/.$/, String(count++))
        const qr_uri = `svc://pay/${next}?channel=wallet_a`
        const due = { ...demanded, id: next, qr_uri }
        return asking(JSON.stringify({ payment_intent: due }), { "X-Payment-Intent": next })
      }
      const answer = left.shift() ?? new Response("a report")
      if (answer instanceof Error) throw answer
      return answer
    }
    const wallet = { pay: async (order: WalletOrder) => void paid.push(order.id) }
    const payer = x402Payer(shop, wallet, { ...budget, total: 1_000 })
    const buy = async (at = url) => {
      const { headers } = await payer.fetch(at)
      const extra = { payment_intent: headers.get("X-Payment-Intent") }
      const required = { amount: "25", asset: "USD", payTo: "s", extra }
      const made = await payer.scheme.createPaymentPayload(2, required)
      return payer.fetch(at, { headers: { "PAYMENT-SIGNATURE": btoa(JSON.stringify(made)) } })
    }
    return { buy, paid }
  }

  test.each([
    ["a lost answer", new Error("The answer was lost.")],
    ["a failure", new Response(null, { status: 502 })],
    ["too many requests", new Response(null, { status: 429 })],
    ["an unknown outcome", new Response(null, { status: 409 })],
    ["the same 402", asking("", { "X-Payment-Intent": id.replace(/.$/, "0") })],
  ])("again for the same request after %s, and for no other", async (_, answer) => {
    const { buy, paid } = buyingAt(answer)
    await buy().catch((error: unknown) => error)
    expect((await buy(`${url}?page=2`)).status).toBe(200)
    expect(new Set(paid).size).toBe(2)
    expect((await buy()).status).toBe(200)
    expect(paid).toHaveLength(2)
    // That one was answered: what comes after it is another purchase.
    expect((await buy()).status).toBe(200)
    expect(paid).toHaveLength(3)
  })

  test.each([
    ["an answer", new Response("a report")],
    ["a refusal", new Response(null, { status: 403 })],
    ["another 402", asking("", { "X-Payment-Intent": id.replace(/.$/, "9") })],
  ])("once if it gets %s", async (_, answer) => {
    const { buy, paid } = buyingAt(answer)
    await buy().catch((error: unknown) => error)
    expect((await buy()).status).toBe(200)
    expect(new Set(paid).size).toBe(2)
  })
})

test("an event without an end is not read as a whole", async () => {
  const { body, seen } = longBody()
  await expect(readStates(body).next()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" })
  expect(seen.read).toBeLessThan(BLOCKS / 10)
})
