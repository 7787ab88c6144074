import { describe, expect, test, vi } from "vitest"
import {
  PaymentDeclined,
  PaymentUnresolved,
  SessionsLeftOpen,
} from "../../../../adapters/http/client/entry.ts"
import { encodeFields } from "../../../../adapters/http/client/Fields.ts"
import {
  formatChallenge,
  type MppChallenge,
  requestText,
} from "../../../../adapters/http/client/MppChallenge.ts"
import { mppSessions } from "../../../../adapters/http/client/mppSession.ts"
import type { PaymentDemand } from "../../../../adapters/http/client/PaymentDemand.ts"
import { receiptOf } from "../../../../adapters/http/mpp/MppReceipt.ts"

const id = "pi_01997d3e-8a00-7000-8000-000000000020"
const url = "https://seller.example/x"
const details = { payment_intent: id, deposit: "100" }
const request = requestText({ amount: "1", currency: "usd", methodDetails: details })
const challenge: MppChallenge = {
  id: "c",
  realm: "r",
  method: "payport",
  intent: "session",
  request,
}
const due: PaymentDemand = {
  id,
  amount: { currency: "USD", value: 100 },
  channel: "wallet_a",
  qr_uri: `svc://pay/${id}?channel=wallet_a`,
  expires_at: "2036-01-31T08:15:00.000Z",
  token: "t",
}
const hosts = ["a.example", "evil.example", "b.example"]

type Sessions = ReturnType<typeof mppSessions>
/** Opens a session by a paid deposit. */
const opened = (sessions: Sessions, asked: MppChallenge, paid: PaymentDemand, at = url) => {
  const place = { due: paid, methods: ["GET"], origin: new URL(at).origin, url: at }
  return sessions.credential(asked, place, async () => {})
}

const payloadOf = ({ headers }: Request) => {
  const credential = (headers.get("Authorization") ?? "").split(" ")[1] ?? ""
  const { payload } = JSON.parse(Buffer.from(credential, "base64url").toString()) as {
    readonly payload: {
      readonly action: string
      readonly payment_intent: string
      readonly spent?: number
    }
  }
  return payload
}

const passed = (reference: string, drawn: unknown, said: object = {}) => {
  const receipt = { ...receiptOf(reference, "2036-01-01T00:00:00.000Z", challenge.id) }
  const told = encodeFields({ ...receipt, drawn: String(drawn), ...said })
  return new Response("x", { headers: { "Payment-Receipt": told } })
}

test.each<[string, () => Promise<Response>]>([
  ["refuses", () => Promise.resolve(new Response(null, { status: 500 }))],
  ["says nothing", () => new Promise(() => {})],
])("one that %s does not keep the others open", async (_, evil) => {
  let isEvil = true
  const asked: Array<string> = []
  const sessions = mppSessions(({ url: at }) => {
    const { hostname } = new URL(at)
    asked.push(hostname)
    return isEvil && hostname === "evil.example" ? evil() : Promise.resolve(new Response())
  }, 50)
  for (const host of hosts) await opened(sessions, challenge, due, `https://${host}/x`)
  const error = await sessions.close().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(SessionsLeftOpen)
  expect(error).toMatchObject({ origins: ["https://evil.example"] })
  expect(asked.splice(0)).toEqual(hosts)
  isEvil = false
  await sessions.close()
  expect(asked).toEqual(["evil.example"])
})

test("one that was replaced since too little was left gives its rest back, too", async () => {
  const closed: Array<unknown> = []
  const sessions = mppSessions(async (sent) => {
    const { action, payment_intent, spent } = payloadOf(sent)
    if (action === "close") closed.push(payment_intent)
    return passed(payment_intent, spent)
  }, 1_000)
  const draw = async (amount: string, paid: string) => {
    const asked = { ...challenge, request: requestText({ amount, currency: "usd" }) }
    const headers = { Authorization: await opened(sessions, asked, { ...due, id: paid }) }
    return sessions.draw(new Request(url, { headers }))
  }
  await draw("60", "with 40 left")
  await draw("100", "with nothing left")
  await draw("60", "open")
  await sessions.close()
  expect(closed).toEqual(["with 40 left", "open"])
  await sessions.close()
  expect(closed).toHaveLength(2)
})

describe("a deposit whose wallet gives no clear answer", () => {
  const unclear = new PaymentUnresolved(due, "It is unknown whether the wallet has paid.", null)
  const declined = new PaymentDeclined("Not now.")

  /** A payer whose wallet answers in turn, and whose seller has been paid one of the deposits. */
  const puzzled = (paid: string, ...answers: ReadonlyArray<Error | undefined>) =>
    deciding({ paid, isAnew: false, expires_at: due.expires_at }, answers)

  interface Deciding {
    readonly paid: string
    readonly isAnew: boolean
    readonly expires_at: string
    /** 20 ms by default. */
    readonly patience?: number
    /** The seller's answer to a close. */
    readonly onClose?: number
  }

  /** A seller's 402 names the unpaid deposit, or asks for another one. */
  const deciding = (
    { expires_at, isAnew, onClose, paid, patience = 20 }: Deciding,
    answers: ReadonlyArray<Error | undefined>,
  ) => {
    const left = [...answers]
    const asked: Array<string> = []
    const sessions = mppSessions(async (sent) => {
      const { action, payment_intent, spent } = payloadOf(sent)
      if (action === "close" && onClose !== undefined)
        return new Response(null, { status: onClose })
      const headers = {
        "X-Payment-Intent": isAnew ? "another" : payment_intent,
        "WWW-Authenticate": formatChallenge(challenge),
      }
      return payment_intent === paid
        ? passed(payment_intent, spent)
        : Response.json({}, { status: 402, headers })
    }, patience)
    return {
      asked,
      close: sessions.close,
      get: async (demanded: string, signal?: AbortSignal) => {
        const place = { due: { ...due, id: demanded, expires_at }, methods: ["GET"], url }
        const Authorization = await sessions.credential(
          challenge,
          { ...place, origin: new URL(url).origin },
          async () => {
            asked.push(demanded)
            const answer = left.shift()
            if (answer !== undefined) throw answer
          },
        )
        const asking = { headers: { Authorization }, signal: signal ?? null }
        return sessions.draw(new Request(url, asking))
      },
    }
  }

  test("is not replaced because a caller has stopped waiting for its seller", async () => {
    const asked = { paid: "none", isAnew: false, expires_at: due.expires_at, patience: 20_000 }
    const { asked: orders, get } = deciding(asked, [unclear, declined, declined])
    await expect(get("first")).rejects.toBe(unclear)
    for (const next of ["second", "third"]) {
      const stopping = AbortSignal.timeout(50)
      await expect(get(next, stopping)).rejects.toBeInstanceOf(PaymentUnresolved)
    }
    expect(orders).toEqual(["first", "first", "first"])
  })

  test("is paid by asking the wallet for the same again", async () => {
    const { asked, get } = puzzled("first", unclear, undefined)
    await expect(get("first")).rejects.toBe(unclear)
    expect((await get("second"))?.status).toBe(200)
    expect((await get("third"))?.status).toBe(200)
    expect(asked).toEqual(["first", "first"])
  })

  test.each([
    ["nothing clear", unclear],
    ["a refusal of the repetition", declined],
  ])("is drawn from if its seller has it, whatever else the wallet says: %s", async (_, then) => {
    const { asked, get } = puzzled("first", unclear, then)
    await expect(get("first")).rejects.toBe(unclear)
    expect((await get("second"))?.status).toBe(200)
    expect((await get("third"))?.status).toBe(200)
    expect(asked).toEqual(["first", "first"])
  })

  test("stays the only one while nobody denies it", async () => {
    const { asked, get } = puzzled("none", unclear, unclear, unclear)
    await expect(get("first")).rejects.toBe(unclear)
    await expect(get("second")).rejects.toBeInstanceOf(PaymentUnresolved)
    await expect(get("third")).rejects.toBeInstanceOf(PaymentUnresolved)
    expect(asked).toEqual(["first", "first", "first"])
  })

  test("stays while a wallet may pay it, though its seller asks for another", async () => {
    const asked = { paid: "none", isAnew: true, expires_at: due.expires_at }
    const { asked: orders, get } = deciding(asked, [unclear, unclear, unclear])
    await expect(get("first")).rejects.toBe(unclear)
    await expect(get("second")).rejects.toBeInstanceOf(PaymentUnresolved)
    await expect(get("third")).rejects.toBeInstanceOf(PaymentUnresolved)
    expect(orders).toEqual(["first", "first", "first"])
  })

  test.each([
    ["has expired", unclear, "2026-01-01T00:00:00.000Z"],
    ["was declined", declined, due.expires_at],
  ])("is followed by another one if it %s and its seller refuses it", async (_, then, until) => {
    const asked = { paid: "third", isAnew: true, expires_at: until }
    const { asked: orders, get } = deciding(asked, [unclear, then, undefined])
    await expect(get("first")).rejects.toBe(unclear)
    await expect(get("second")).rejects.toBeInstanceOf(PaymentUnresolved)
    expect((await get("third"))?.status).toBe(200)
    expect(orders).toEqual(["first", "first", "third"])
  })

  const past = "2026-01-01T00:00:00.000Z"
  test.each<[string, Error, string, number, boolean]>([
    ["was declined and its seller knows of no payment", declined, due.expires_at, 402, false],
    ["has expired and its seller knows of no payment", unclear, past, 402, false],
    ["may still be paid", unclear, due.expires_at, 402, true],
    ["was declined and its seller fails", declined, due.expires_at, 500, true],
    ["was declined and its seller refuses to tell", declined, due.expires_at, 403, true],
  ])("that %s: whether it is left open", async (_, then, expires_at, onClose, isLeft) => {
    const asked = { paid: "none", isAnew: false, expires_at, onClose }
    const { close, get } = deciding(asked, [unclear, then])
    await expect(get("first")).rejects.toBe(unclear)
    await expect(get("second")).rejects.toBeInstanceOf(PaymentUnresolved)
    const closing = close().catch((error: unknown) => error)
    expect((await closing) instanceof SessionsLeftOpen).toBe(isLeft)
  })

  test("is followed by another one after wallet and seller have denied it", async () => {
    const { asked, get } = puzzled("third", unclear, declined, undefined)
    await expect(get("first")).rejects.toBe(unclear)
    await expect(get("second")).rejects.toBeInstanceOf(PaymentUnresolved)
    expect((await get("third"))?.status).toBe(200)
    expect(asked).toEqual(["first", "first", "third"])
  })
})

describe("a draw", () => {
  /** A session of a deposit of 100 from which 1 is drawn at a time, and what its seller is sent. */
  const drawing = async (answer: (spent: number, request: Request) => Response) => {
    const sent: Array<number> = []
    const shown: Array<Request> = []
    const sessions = mppSessions(async (request) => {
      const { spent = 0 } = payloadOf(request)
      sent.push(spent)
      shown.push(request)
      return answer(spent, request)
    }, 1_000)
    const headers = { Authorization: await opened(sessions, challenge, due) }
    const draw = (at = url) => sessions.draw(new Request(at, { headers }))
    return { draw, sent, sessions, shown }
  }

  const refused = (body: object, asked = challenge) =>
    Response.json(body, { status: 402, headers: { "WWW-Authenticate": formatChallenge(asked) } })

  test.each<[string, (spent: number) => Response]>([
    ["a refusal of its own", () => new Response(null, { status: 500 })],
    ["the receipt of another payment", (spent) => passed("pi_other", spent)],
    ["the receipt of another challenge", (spent) => passed(id, spent, { challengeId: "d" })],
    ["the receipt of another sum", () => passed(id, 50)],
    ["the receipt of a failure", (spent) => passed(id, spent, { status: "failed" })],
    ["the receipt of another method", (spent) => passed(id, spent, { method: "tempo" })],
    ["a receipt that is none", () => new Response("", { headers: { "Payment-Receipt": "?" } })],
  ])("that is answered with %s is not counted", async (_, answer) => {
    const { draw, sent } = await drawing(answer)
    await draw()
    await draw()
    expect(sent).toEqual([1, 1])
  })

  test("is counted where what it was required for passes without a receipt", async () => {
    const { draw, sent } = await drawing(() => new Response("x"))
    await draw()
    await draw()
    expect(sent).toEqual([1, 2])
  })

  test("that is answered with its receipt is counted once", async () => {
    const { draw, sent } = await drawing((spent) => passed(id, spent))
    await Promise.all([draw(), draw(), draw()])
    expect(sent).toEqual([1, 2, 3])
  })

  test.each([
    ["more", 40],
    ["less", 5],
  ])("is sent again where the seller has counted %s", async (_, counted) => {
    let isOut = false
    const { draw, sent } = await drawing((spent) => {
      if (!isOut || spent === counted + 1) return passed(id, spent)
      return refused({ drawn: counted })
    })
    for (let n = 0; n < 10; n += 1) await draw()
    isOut = true
    expect((await draw())?.status).toBe(200)
    expect(sent.slice(10)).toEqual([11, counted + 1])
  })

  test("is sent twice at most to a seller that counts on and on", async () => {
    const { draw, sent, sessions } = await drawing((spent) => refused({ drawn: spent }))
    await expect(draw()).rejects.toBeInstanceOf(PaymentUnresolved)
    expect(sent).toEqual([1, 2])
    // Its seller is not shown the deposit for another request, and is still asked to close it.
    expect(await sessions.draw(new Request(url))).toBeUndefined()
    await expect(sessions.close()).rejects.toBeInstanceOf(SessionsLeftOpen)
  })

  test("that a refusal claims is no reason not to close", async () => {
    const { draw, sent, sessions, shown } = await drawing(() => refused({ drawn: 100 }))
    await draw()
    expect(sent).toEqual([1])
    await expect(sessions.close()).rejects.toBeInstanceOf(SessionsLeftOpen)
    expect(shown.map((request) => payloadOf(request).action)).toEqual(["draw", "close"])
  })

  test.each([
    ["more than the deposit", 1_000],
    ["less than nothing", -1],
    ["a fraction", 0.5],
    ["a text", "1"],
  ])("is not sent again where the seller has counted %s", async (_, drawn) => {
    const { draw, sent } = await drawing(() => refused({ drawn }))
    await draw().catch(() => {})
    expect(sent).toEqual([1])
  })

  test("is not sent again at another price, which the client has not been asked for", async () => {
    const dear = { ...challenge, request: requestText({ amount: "99", currency: "usd" }) }
    const { draw, sent } = await drawing(() => refused({ drawn: 0 }, dear))
    expect((await draw())?.status).toBe(402)
    expect(sent).toEqual([1])
  })

  test.each([
    ["realm", { realm: "other" }],
    ["seller", { request: requestText({ amount: "1", currency: "usd", recipient: "other" }) }],
    ["currency", { request: requestText({ amount: "1", currency: "eur" }) }],
  ])("does not believe the count of another %s", async (_, said) => {
    const { draw, sent } = await drawing(() => refused({ drawn: 40 }, { ...challenge, ...said }))
    expect((await draw())?.status).toBe(402)
    expect(sent).toEqual([1])
    await draw()
    expect(sent).toEqual([1, 1])
  })

  test("goes to no other origin", async () => {
    const { draw, sent, sessions, shown } = await drawing((spent) => passed(id, spent))
    await expect(draw("https://evil.example/x")).rejects.toMatchObject({
      name: "PaymentRefused",
      reason: "host",
    })
    expect(sent).toEqual([])
    await draw()
    for (const at of ["https://evil.example/x", "http://seller.example/x"]) {
      expect(await sessions.draw(new Request(at))).toBeUndefined()
    }
    const pay = vi.fn(async () => {})
    const at = "https://evil.example/x"
    const place = { due: { ...due, id: "another" }, methods: ["GET"], origin: new URL(at).origin }
    const credential = await sessions.credential(challenge, { ...place, url: at }, pay)
    expect(pay).toHaveBeenCalledTimes(1)
    expect(payloadOf(new Request(at, { headers: { Authorization: credential } }))).toMatchObject({
      payment_intent: "another",
    })
    expect(shown.map(({ redirect }) => redirect)).toEqual(["manual"])
  })
})

test("where the first answer is too late, the next one may be as slow", async () => {
  const sessions = mppSessions(async (sent) => {
    const { spent = 0 } = payloadOf(sent)
    if (isDrawn && spent === 1) {
      const headers = { "WWW-Authenticate": formatChallenge(challenge) }
      return Response.json({ drawn: 1 }, { status: 402, headers })
    }
    isDrawn = true
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
    return passed(id, spent)
  }, 50)
  let isDrawn = false
  const headers = { Authorization: await opened(sessions, challenge, due) }
  const draw = () => sessions.draw(new Request(url, { headers }))
  await expect(draw()).rejects.toBeInstanceOf(PaymentUnresolved)
  expect((await draw())?.status).toBe(200)
})

test("a long refusal of a draw is not read as a whole", async () => {
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      read += 1
      controller.enqueue(new Uint8Array(16 * 1024).fill(32))
      if (read === 1_000) controller.close()
    },
  })
  const headers = { "WWW-Authenticate": formatChallenge(challenge) }
  const sessions = mppSessions(async () => new Response(body, { status: 402, headers }), 20_000)
  const credential = await opened(sessions, challenge, due)
  const sent = sessions.draw(new Request(url, { headers: { Authorization: credential } }))
  await expect(sent).rejects.toBeInstanceOf(PaymentUnresolved)
  expect(read).toBeLessThan(100)
})

test("no two draws share a credential, though a promise has lapsed in between", async () => {
  const sessions = mppSessions(() => Promise.resolve(new Response()), 20)
  const paid = { ...due, amount: { currency: "USD", value: 1_000 } }
  const costing = (amount: string) => ({
    ...challenge,
    request: requestText({
      amount,
      currency: "usd",
      methodDetails: { ...details, deposit: "1000" },
    }),
  })
  await opened(sessions, costing("300"), paid)
  const second = await opened(sessions, costing("200"), paid)
  await new Promise((resolve) => setTimeout(resolve, 40))
  await opened(sessions, costing("200"), paid)
  const fourth = await opened(sessions, costing("300"), paid)
  expect(fourth).not.toBe(second)
})
