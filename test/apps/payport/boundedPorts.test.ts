import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Logger, Result } from "effect"
import { TestClock } from "effect/testing"
import { boundedPorts } from "../../../apps/payport/boundedPorts.ts"
import { Failure } from "../../../apps/payport/index.ts"
import * as ports from "../../../apps/payport/ports.ts"

const { IdentityVerifier, Language, MessageNotSent, Messenger, Rates, Revoker } = ports

/** A port of a host whose every function gives this, with its limits. */
const portOf = <I, S>(port: Context.Service<I, S>, answer: () => unknown): S => {
  const functions = new Proxy({}, { get: () => answer })
  const given = Context.makeUnsafe(new Map([[port.key, functions]]))
  return Context.getUnsafe(boundedPorts(given), port)
}

type Answer = () => unknown

/** Each function: how it is asked, a right answer, and the answer where the host gives none. */
const FUNCTIONS: ReadonlyArray<
  readonly [
    name: string,
    ask: (answer: Answer) => Effect.Effect<unknown, unknown>,
    right: unknown,
    none: object | boolean,
  ]
> = [
  [
    "Revoker.revoke",
    (answer) => portOf(Revoker, answer).revoke({} as never),
    { type: "revoked" },
    { type: "failed", error: { code: "revocation_unavailable" } },
  ],
  [
    "Revoker.revoke",
    (answer) => portOf(Revoker, answer).revoke({} as never),
    { type: "failed", error: { code: "revocation_limit_exceeded", message: "Too many." } },
    { type: "failed", error: { code: "revocation_unavailable" } },
  ],
  [
    "IdentityVerifier.confirmsCredential",
    (answer) => portOf(IdentityVerifier, answer).confirmsCredential({} as never),
    true,
    false,
  ],
  [
    "IdentityVerifier.checkFormat",
    (answer) => portOf(IdentityVerifier, answer).checkFormat({} as never),
    { type: "failed", rejection: { code: "forged", message: "No.", details: { line: "2" } } },
    { type: "unavailable" },
  ],
  [
    "IdentityVerifier.askAuthority",
    (answer) => portOf(IdentityVerifier, answer).askAuthority({} as never),
    { type: "unavailable", message: "Closed on Sundays." },
    { type: "unavailable" },
  ],
  [
    "IdentityVerifier.matchIdentity",
    (answer) => portOf(IdentityVerifier, answer).matchIdentity({} as never),
    { type: "passed" },
    { type: "unavailable" },
  ],
  [
    "Rates.perDollar",
    (answer) => portOf(Rates, answer).perDollar("EUR"),
    { rate: "0.9", as_of: 5 },
    { code: "TEMPORARILY_UNAVAILABLE" },
  ],
  [
    "WebhookSender.send",
    (answer) => portOf(ports.WebhookSender, answer).send({} as never),
    { status: 204, duration_ms: 3 },
    { status: null, error: "sender_failed" },
  ],
  [
    "Language.understand",
    (answer) => portOf(Language, answer).understand("pay Ada"),
    { intent: "pay", confidence: 0.9, entities: { service: "Ada" } },
    { intent: "unknown", confidence: 0 },
  ],
]

const hostile: object = new Proxy(
  {},
  {
    get: () => {
      throw new Error("trap")
    },
    getPrototypeOf: () => {
      throw new Error("trap")
    },
  },
)

/** What a host's function may do instead of answering. */
const WRONG: ReadonlyArray<readonly [string, Answer]> = [
  ["throws", (): unknown => Reflect.get(hostile, "any")],
  ["dies", () => Effect.die("a bug with the secret 314159")],
  ["fails", () => Effect.fail(new Error("the secret 314159"))],
  ["fails with what cannot be read", () => Effect.fail(hostile)],
  ["is interrupted", () => Effect.interrupt],
  ["hangs", () => Effect.never],
  ["hangs where it cannot be interrupted", () => Effect.uninterruptible(Effect.never)],
  ["answers nothing", () => Effect.void],
  ["answers the error of another system", () => Effect.succeed({ error: "unauthorized" })],
  ["answers a text", () => Effect.succeed("false")],
  ["answers an object that cannot be read", () => Effect.succeed(hostile)],
  ["returns a promise", () => Promise.resolve({ type: "revoked" })],
]

/** Asks, and lets ten seconds pass. Returns the answer or the failure, and what was logged. */
const asked = Effect.fnUntraced(function* (asking: Effect.Effect<unknown, unknown>) {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  const fiber = yield* Effect.forkChild(Effect.result(asking), { startImmediately: true }).pipe(
    Effect.provide(Logger.layer([logger])),
  )
  yield* TestClock.adjust("10 seconds")
  const result = yield* Fiber.join(fiber)
  return { said: Result.isSuccess(result) ? result.success : result.failure, log: lines.join() }
})

describe.each(FUNCTIONS)("%s of a host", (name, ask, right, none) => {
  it.effect("gives its answer", () =>
    Effect.gen(function* () {
      const { log, said } = yield* asked(ask(() => Effect.succeed(right)))
      expect(said).toEqual(right)
      expect(log).toBe("")
    }),
  )

  it.effect.each(WRONG)("that %s has not answered", ([, answer]) =>
    Effect.gen(function* () {
      const { log, said } = yield* asked(ask(answer))
      if (typeof none === "object") expect(said).toMatchObject(none)
      else expect(said).toBe(none)
      expect(log).toContain(name)
      expect(log).not.toContain("314159")
    }),
  )
})

it.effect.each(WRONG)("a messenger that %s", ([kind, answer]) =>
  Effect.gen(function* () {
    const messenger = portOf(Messenger, answer)
    const { log, said } = yield* asked(messenger.send({ channel: "sms" } as never))
    // Whatever it answers, it has taken the message.
    if (kind.startsWith("answers")) expect(said).toBeUndefined()
    else expect(said).toBeInstanceOf(MessageNotSent)
    expect(log).not.toContain("314159")
  }),
)

it.effect("failures of a port are kept", () =>
  Effect.gen(function* () {
    const notSent = new MessageNotSent({ channel: "sms", message: "The number is gone." })
    const messenger = portOf(Messenger, () => Effect.fail(notSent))
    expect(yield* Effect.flip(messenger.send({ channel: "sms" } as never))).toBe(notSent)
    const none = new Failure({ code: "INVALID_AMOUNT", message: "No rate of XTS." })
    const rates = portOf(Rates, () => Effect.fail(none))
    expect(yield* Effect.flip(rates.perDollar("XTS"))).toBe(none)
  }),
)

it.effect.each([
  ["throws at once", () => Effect.die("a bug"), 0],
  ["fails after a while", () => Effect.andThen(Effect.sleep(300), Effect.fail("no route")), 300],
  ["hangs", () => Effect.never, 8_000],
] as const)("a sender that %s has taken just that long", ([, answer, duration_ms]) =>
  Effect.gen(function* () {
    const sender = portOf(ports.WebhookSender, answer)
    const { said } = yield* asked(sender.send({} as never))
    expect(said).toEqual({ status: null, duration_ms, error: "sender_failed" })
  }),
)

it.effect("fields that are undefined are none", () =>
  Effect.gen(function* () {
    const delivered = { status: 200, duration_ms: 3, error: undefined, response: undefined }
    const sender = portOf(ports.WebhookSender, () => Effect.succeed(delivered))
    expect(yield* sender.send({} as never)).toStrictEqual({ status: 200, duration_ms: 3 })
    const entities = { service: "Ada", currency: undefined }
    const understood = { intent: "pay", confidence: 0.9, entities }
    const language = portOf(Language, () => Effect.succeed(understood))
    expect(yield* language.understand("pay Ada")).toStrictEqual({
      ...understood,
      entities: { service: "Ada" },
    })
  }),
)

it.effect("texts for the store are such as it takes", () =>
  Effect.gen(function* () {
    const message = `no\u0000such \ud800 key\n${"x".repeat(2_000)}`
    const error = { code: "revocation_target_not_found", message }
    const revoker = portOf(Revoker, () => Effect.succeed({ type: "failed", error }))
    const outcome = yield* revoker.revoke({} as never)
    expect(outcome).toMatchObject({ type: "failed", error: { code: error.code } })
    const said = JSON.stringify(outcome)
    expect(said).toContain("no such \ufffd key x")
    expect(said.length).toBeLessThan(700)
  }),
)
