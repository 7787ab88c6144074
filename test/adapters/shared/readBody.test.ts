import { Effect, Fiber } from "effect"
import { once } from "node:events"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, test } from "vitest"
import { BodyBudget } from "../../../adapters/http/koa/BodyBudget.ts"
import { CallerGone, readBody } from "../../../adapters/shared/readBody.ts"

const announcing = (length: number): IncomingMessage => {
  const req = new IncomingMessage(new Socket())
  req.headers["content-length"] = String(length)
  return req
}

test("a caller who has hung up before the body is asked for is not waited for", async () => {
  const req = announcing(5)
  req.destroy()
  await once(req, "close")
  expect(await Effect.runPromise(Effect.flip(readBody(req, 100)))).toBeInstanceOf(CallerGone)
})

test("a caller who hangs up in the middle of the body is not waited for", async () => {
  const req = announcing(5)
  req.push("ab")
  const read = Effect.runPromise(Effect.flip(readBody(req, 100)))
  setImmediate(() => req.destroy())
  expect(await read).toBeInstanceOf(CallerGone)
})

test("a body that came whole is read, whatever the caller does then", async () => {
  const req = announcing(5)
  req.push("abcde")
  req.push(null)
  expect((await Effect.runPromise(readBody(req, 100))).toString()).toBe("abcde")
})

describe("a request that is here as a whole", () => {
  const arrived = (length: number, ...chunks: ReadonlyArray<string>): IncomingMessage => {
    const req = announcing(length)
    for (const chunk of chunks) req.push(chunk)
    req.push(null)
    req.complete = true
    return req
  }

  test("is read without waiting for anything", () => {
    expect(Effect.runSync(readBody(arrived(5, "ab", "cde"), 100)).toString()).toBe("abcde")
  })

  test("is refused over the limit, and where there is no room", () => {
    const chunked = arrived(0, "abcdef")
    delete chunked.headers["content-length"]
    chunked.headers["transfer-encoding"] = "chunked"
    const tooLarge = Effect.runSync(Effect.flip(readBody(chunked, 5)))
    expect(tooLarge).toMatchObject({ code: "PAYLOAD_TOO_LARGE" })
    const full = new BodyBudget(16).open("acct_a")
    const noRoom = Effect.runSync(Effect.flip(readBody(arrived(5, "abcde"), 100, full)))
    expect(noRoom).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" })
  })

  test("is nobody's when less is left of it than was announced", () => {
    const left = Effect.runSync(Effect.flip(readBody(arrived(5, "abc"), 100)))
    expect(left).toBeInstanceOf(CallerGone)
  })
})

test("a body has to find room for what has come of it, and gives it back", async () => {
  const budget = new BodyBudget(10, 1)
  const [first, second] = [budget.open("acct_a"), budget.open("acct_b")]
  const slow = announcing(8)
  slow.push("abcdef")
  const reading = Effect.runPromise(readBody(slow, 100, first))
  await new Promise(setImmediate)
  expect(budget.held).toBe(6)
  const other = announcing(5)
  other.push("12345")
  other.push(null)
  expect(await Effect.runPromise(Effect.flip(readBody(other, 100, second)))).toMatchObject({
    code: "TEMPORARILY_UNAVAILABLE",
    retry_after: 1,
  })
  slow.push("gh")
  slow.push(null)
  expect((await reading).toString()).toBe("abcdefgh")
  expect(budget.held).toBe(8)
  first.release()
  second.release()
  first.release()
  expect(budget.held).toBe(0)
})

test("a body that is no longer waited for takes no more room", async () => {
  const budget = new BodyBudget(10, 1)
  const held = budget.open("acct_a")
  const slow = announcing(8)
  slow.push("abc")
  const reading = Effect.runFork(
    Effect.ensuring(readBody(slow, 100, held), Effect.sync(held.release)),
  )
  await new Promise(setImmediate)
  expect(budget.held).toBe(3)
  await Effect.runPromise(Fiber.interrupt(reading))
  // The rest is received so that the answer arrives.
  slow.resume().push("defgh")
  slow.push(null)
  await once(slow, "end")
  expect(budget.held).toBe(0)
})
