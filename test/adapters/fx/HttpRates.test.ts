import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { HttpRates } from "../../../adapters/fx/HttpRates.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { installation } from "../../support/installation.ts"
import { T0 } from "../../support/records.ts"

type Answer = (response: ServerResponse) => void

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body))

const rates = (EUR: unknown, at = T0) =>
  json({ base: "USD", timestamp: at / SECOND, rates: { USD: 1, EUR } })

/** A feed on this machine that answers as it is told, and counts. */
const makeFeed = Effect.acquireRelease(
  Effect.promise(async () => {
    const feed = { answer: rates(0.87), asked: 0, url: "" }
    const server = createServer((_request, response) => {
      feed.asked += 1
      feed.answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?key=secret`
    return { feed, server }
  }),
  ({ server }) =>
    Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    ),
)

/** Runs with rates of a feed, in one mode, from T0 on. */
const withFeed = <E>(
  mode: "sandbox" | "live",
  body: (feed: { answer: Answer; asked: number }) => Effect.Effect<void, E, Rates>,
  timeout = 20_000,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { feed } = yield* makeFeed
      yield* TestClock.setTime(T0)
      const url = Redacted.make(feed.url)
      const layer = HttpRates({ url, timeout }).pipe(Layer.provide(installation({ mode })))
      yield* body(feed).pipe(Effect.provide(layer))
    }),
  )

const ask = (currency = "EUR") =>
  Effect.gen(function* () {
    const found = yield* Effect.result((yield* Rates).perDollar(currency))
    return Result.match(found, { onSuccess: ({ rate }) => rate, onFailure: ({ code }) => code })
  })

/** Waits in real time for requests that run beside, as long as the test may take. */
const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(
    Effect.tap(holds, () => Effect.promise(() => new Promise((go) => setTimeout(go, 5)))),
    { until: (held) => held },
  )

const asked = (feed: { readonly asked: number }, times: number) =>
  until(Effect.sync(() => feed.asked === times))

const becomes = (rate: string) => until(Effect.map(ask(), (now) => now === rate))

const SILENT: Answer = () => {}

describe("rates of a feed", () => {
  it.effect("are numbers or decimal strings, read once and kept", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        feed.answer = json({
          base: "USD",
          timestamp: T0 / SECOND,
          rates: {
            USD: 1,
            EUR: 0.87,
            JPY: "148.50",
            GBP: 0,
            CHF: -1,
            SEK: "x",
            usd: 1,
            KWD: "1e9",
            XAF: 0.8212345678901,
            BTN: 0.0000001,
            VND: 1e-30,
          },
        })
        assert.strictEqual(yield* ask("EUR"), "0.87")
        assert.strictEqual(yield* ask("JPY"), "148.50")
        assert.strictEqual(yield* ask("XAF"), "0.82123456789")
        assert.strictEqual(yield* ask("BTN"), "0.0000001")
        for (const code of ["GBP", "CHF", "SEK", "usd", "KWD", "VND", "THB", "__proto__"]) {
          assert.strictEqual(yield* ask(code), "INVALID_AMOUNT")
        }
        assert.strictEqual(feed.asked, 1)
      }),
    ),
  )

  it.effect("hold the base, which a feed may leave out", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        feed.answer = json({ base: "USD", timestamp: T0 / SECOND, rates: { EUR: 0.87 } })
        assert.strictEqual(yield* ask("USD"), "1")
        assert.strictEqual(yield* ask("EUR"), "0.87")
      }),
    ),
  )

  it.effect("are fetched once for all who wait", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        const all = Array.from({ length: 50 }, () => ask())
        const found = yield* Effect.all(all, { concurrency: "unbounded" })
        assert.deepStrictEqual(new Set(found), new Set(["0.87"]))
        assert.strictEqual(feed.asked, 1)
      }),
    ),
  )

  it.effect("are fetched anew beside the work, and the last good ones serve meanwhile", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "0.87")
        yield* TestClock.setTime(T0 + 10 * MINUTE - 1)
        assert.strictEqual(yield* ask(), "0.87")
        assert.strictEqual(feed.asked, 1)
        feed.answer = rates(0.9, T0 + 10 * MINUTE)
        yield* TestClock.setTime(T0 + 10 * MINUTE)
        assert.strictEqual(yield* ask(), "0.87")
        yield* becomes("0.9")
        assert.strictEqual(feed.asked, 2)
      }),
    ),
  )

  it.effect("outlive a feed that fails by a day, in live mode", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "0.87")
        feed.answer = json({}, 500)
        yield* TestClock.setTime(T0 + 24 * HOUR)
        assert.strictEqual(yield* ask(), "0.87")
        yield* asked(feed, 2)
        yield* TestClock.setTime(T0 + 24 * HOUR + 1)
        assert.strictEqual(yield* ask(), "TEMPORARILY_UNAVAILABLE")
        // It is left alone for a while, and then asked again.
        assert.strictEqual(feed.asked, 2)
        feed.answer = rates(0.9, T0 + 24 * HOUR)
        yield* TestClock.setTime(T0 + 24 * HOUR + 10 * SECOND)
        yield* becomes("0.9")
        assert.strictEqual(feed.asked, 3)
      }),
    ),
  )

  it.effect("that are older than a day when they come are refused in live mode", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        feed.answer = rates(0.87, T0 - 24 * HOUR - SECOND)
        assert.strictEqual(yield* ask(), "TEMPORARILY_UNAVAILABLE")
      }),
    ),
  )

  it.effect("of the future are of now", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        feed.answer = rates(0.87, T0 + 1_000 * HOUR)
        const { as_of } = yield* (yield* Rates).perDollar("EUR")
        assert.strictEqual(as_of, T0)
      }),
    ),
  )

  it.effect.each<[string, Answer]>([
    ["no JSON", json("rates!")],
    ["no rates", json({ base: "USD", timestamp: 1, rates: {} })],
    ["another base", json({ base: "EUR", timestamp: T0 / SECOND, rates: { EUR: 1 } })],
    ["no time", json({ base: "USD", rates: { EUR: 0.87 } })],
    ["a list", json([])],
    ["a nested rate", json({ base: "USD", timestamp: T0 / SECOND, rates: { EUR: { mid: 1 } } })],
    ["an error", json({ base: "USD", timestamp: T0 / SECOND, rates: { EUR: 0.87 } }, 503)],
    ["a redirect", (response) => void response.writeHead(302, { location: "/elsewhere" }).end()],
    ["too much", json(`{"base":"USD","pad":"${"x".repeat(1_100_000)}"}`)],
    ["no text", (response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x80]))],
    ["a broken connection", (response) => void response.destroy()],
    ["nothing at all", SILENT],
  ])("that answers %s has none in live mode, and a sandbox the dated table", ([, answer]) =>
    Effect.gen(function* () {
      const timeout = answer === SILENT ? 500 : undefined
      const inLive = (feed: { answer: Answer; asked: number }) =>
        Effect.gen(function* () {
          feed.answer = answer
          assert.strictEqual(yield* ask(), "TEMPORARILY_UNAVAILABLE")
          assert.strictEqual(yield* ask(), "TEMPORARILY_UNAVAILABLE")
          assert.strictEqual(feed.asked, 1)
        })
      const inSandbox = (feed: { answer: Answer }) =>
        Effect.gen(function* () {
          feed.answer = answer
          assert.strictEqual(yield* ask(), defaultRates.per_dollar["EUR"] ?? "")
        })
      yield* withFeed("live", inLive, timeout)
      yield* withFeed("sandbox", inSandbox, timeout)
    }),
  )
})

describe("a feed that answers older rates than before", () => {
  it.effect("is asked again soon, and the newer rates are used meanwhile", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "0.87")
        feed.answer = rates(0.5, T0 - 30 * HOUR)
        yield* TestClock.adjust(10 * MINUTE)
        assert.strictEqual(yield* ask(), "0.87")
        yield* asked(feed, 2)
        // The answer is read by the time the feed is asked again.
        yield* TestClock.adjust(10 * SECOND)
        yield* until(Effect.map(ask(), () => feed.asked === 3))
        assert.strictEqual(yield* ask(), "0.87")
        feed.answer = rates(0.9, T0 + 10 * MINUTE)
        yield* TestClock.adjust(10 * SECOND)
        yield* becomes("0.9")
      }),
    ),
  )

  it.effect("gives the corrected rates of the same time", () =>
    withFeed("live", (feed) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "0.87")
        feed.answer = rates(0.88)
        yield* TestClock.adjust(10 * MINUTE)
        yield* becomes("0.88")
      }),
    ),
  )
})
