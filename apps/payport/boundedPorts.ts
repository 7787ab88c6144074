import { Cause, Clock, Context, Data, Effect, Fiber, Option, Result, Schema } from "effect"
import { Understanding } from "../../core/language/Understanding.ts"
import { IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import { Language } from "../../core/ports/Language.ts"
import { MessageNotSent, Messenger } from "../../core/ports/Messenger.ts"
import { Rates } from "../../core/ports/Rates.ts"
import { Revoker } from "../../core/ports/Revoker.ts"
import { WebhookSender } from "../../core/ports/WebhookSender.ts"
import type { RevocationError } from "../../core/revocations/Revocation.ts"
import { Failure, isFailure } from "../../core/shared/Failure.ts"
import { shortLine } from "../../core/shared/Text.ts"

/** Time limit of an answer, in milliseconds: less than a request or a piece of work may take. */
const PATIENCE = 8_000

/** A port gave no answer, or none of its form. */
class Unanswered extends Data.TaggedError("Unanswered")<{ readonly reason: string }> {}

const late = new Unanswered({ reason: `There was no answer within ${PATIENCE} ms.` })
const invalid = new Unanswered({ reason: "The answer is not valid." })

/**
 * Returns the name of a thrown value and where it was thrown. Its message is left out: it may quote
 * personal data, a one-time code or a token that the port was asked about.
 */
const originOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return "a value that is no Error"
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
  return [thrown.name, ...frames.slice(0, 3).map((frame) => frame.trim())].join(" ")
}

const reasonOf = ({ reasons: [reason] }: Cause.Cause<unknown>): string => {
  if (reason === undefined || reason._tag === "Interrupt") return "It was interrupted."
  const thrown = reason._tag === "Fail" ? reason.error : reason.defect
  const own = [late, invalid].find((known) => known === thrown)
  if (own !== undefined) return own.reason
  const origin = Result.try(() => originOf(thrown))
  return `It threw ${Result.getOrElse(origin, () => "a value that cannot be read")}.`
}

/**
 * Runs an effect that its caller can leave at once. Else the caller would wait for the end of what
 * cannot be interrupted, such as a connection that is being opened or closed.
 */
const leavable = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        Effect.sync(() => fiber.interruptUnsafe()),
      ),
    ),
  )

/**
 * Asks a function of a host's port. Fails with `Unanswered` if it throws, dies, hangs or answers
 * something that `read` does not take, and with the failures of the port that `keep` recognizes.
 */
const asked = <A, E = never>(
  name: string,
  ask: () => Effect.Effect<unknown, unknown>,
  read: (answer: unknown) => Option.Option<A>,
  keep: (error: unknown) => error is E = (_error): _error is E => false,
): Effect.Effect<A, E | Unanswered> =>
  leavable(Effect.suspend(ask)).pipe(
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(late) }),
    Effect.flatMap((answer) => {
      const found = Result.getOrElse(
        Result.try(() => read(answer)),
        Option.none<A>,
      )
      return Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(invalid)
    }),
    Effect.catchCause((cause): Effect.Effect<never, E | Unanswered> => {
      // A host's proxy may throw where it is asked what it is.
      const kept = Result.try(() => Option.filter(Cause.findErrorOption(cause), keep))
      if (Result.isSuccess(kept) && Option.isSome(kept.success)) {
        return Effect.fail(kept.success.value)
      }
      const reason = reasonOf(cause)
      return Effect.logWarning("A port of the host gave no valid answer.").pipe(
        Effect.annotateLogs({ port: name, reason }),
        Effect.andThen(Effect.fail(new Unanswered({ reason }))),
      )
    }),
  )

/** Reads an answer as JSON holds it: fields that are undefined are none. */
const reading = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (answer: unknown): Option.Option<A> => decode(JSON.parse(JSON.stringify(answer) ?? "null"))
}

/** Returns a text that every store takes. */
const stored = (text: string): string =>
  shortLine(text.toWellFormed().replace(/\p{Cc}/gu, " "), 512) || "No reason was given."

/** Every code of a failed revocation; the compiler asks for each. */
const CODES: { readonly [C in RevocationError["code"]]: C } = {
  revocation_target_not_found: "revocation_target_not_found",
  permission_error: "permission_error",
  revocation_unavailable: "revocation_unavailable",
  revocation_limit_exceeded: "revocation_limit_exceeded",
}

const readOutcome = reading(
  Schema.Union([
    Schema.Struct({ type: Schema.Literal("revoked") }),
    Schema.Struct({
      type: Schema.Literal("failed"),
      error: Schema.Struct({
        code: Schema.Literals(Object.values(CODES)),
        message: Schema.String,
      }),
    }),
  ]),
)

const boundRevoker = (host: Revoker["Service"]): Revoker["Service"] => ({
  revoke: (order) =>
    asked("Revoker.revoke", () => host.revoke(order), readOutcome).pipe(
      Effect.map((outcome) =>
        outcome.type === "revoked"
          ? outcome
          : { ...outcome, error: { ...outcome.error, message: stored(outcome.error.message) } },
      ),
      Effect.catch(() =>
        Effect.succeed({
          type: "failed" as const,
          error: {
            code: "revocation_unavailable" as const,
            message: "The system that grants the access gave no valid answer.",
          },
        }),
      ),
    ),
})

const readCheck = reading(
  Schema.Union([
    Schema.Struct({ type: Schema.Literal("passed") }),
    Schema.Struct({
      type: Schema.Literal("failed"),
      rejection: Schema.Struct({
        code: Schema.String,
        message: Schema.String,
        details: Schema.Record(Schema.String, Schema.String),
      }),
    }),
    Schema.Struct({ type: Schema.Literal("unavailable"), message: Schema.String }),
  ]),
)

type Check = IdentityVerifier["Service"]["checkFormat"]

const boundCheck =
  (name: string, check: Check): Check =>
  (question) =>
    asked(name, () => check(question), readCheck).pipe(
      Effect.map((outcome) => {
        if (outcome.type !== "failed") return outcome
        const { code, details, message } = outcome.rejection
        const entries = Object.entries(details).map(([key, text]) => [stored(key), stored(text)])
        const rejection = {
          code: stored(code),
          message: stored(message),
          details: Object.fromEntries(entries) as typeof details,
        }
        return { ...outcome, rejection }
      }),
      Effect.catch(({ reason }) =>
        Effect.succeed({ type: "unavailable" as const, message: reason }),
      ),
    )

const readConfirmed = reading(Schema.Boolean)

const boundVerifier = (host: IdentityVerifier["Service"]): IdentityVerifier["Service"] => ({
  confirmsCredential: (credential) =>
    asked(
      "IdentityVerifier.confirmsCredential",
      () => host.confirmsCredential(credential),
      readConfirmed,
    ).pipe(Effect.catch(() => Effect.succeed(false))),
  checkFormat: boundCheck("IdentityVerifier.checkFormat", (check) => host.checkFormat(check)),
  askAuthority: boundCheck("IdentityVerifier.askAuthority", (check) => host.askAuthority(check)),
  matchIdentity: boundCheck("IdentityVerifier.matchIdentity", (check) => host.matchIdentity(check)),
})

const isNotSent = (error: unknown): error is MessageNotSent => error instanceof MessageNotSent

const boundMessenger = (host: Messenger["Service"]): Messenger["Service"] => ({
  get channels() {
    return host.channels
  },
  send: (message) =>
    asked(
      "Messenger.send",
      () => host.send(message),
      () => Option.some(undefined),
      isNotSent,
    ).pipe(
      Effect.catchTag("Unanswered", ({ reason }) =>
        Effect.fail(new MessageNotSent({ channel: message.channel, message: reason })),
      ),
    ),
})

type RateFailure = Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">

const isRateFailure = (error: unknown): error is RateFailure =>
  isFailure(error) && ["INVALID_AMOUNT", "TEMPORARILY_UNAVAILABLE"].includes(error.code)

const readRate = reading(Schema.Struct({ rate: Schema.String, as_of: Schema.Finite }))

const boundRates = (host: Rates["Service"]): Rates["Service"] => ({
  perDollar: (currency) =>
    asked("Rates.perDollar", () => host.perDollar(currency), readRate, isRateFailure).pipe(
      Effect.catchTag("Unanswered", () =>
        Effect.fail(
          new Failure({
            code: "TEMPORARILY_UNAVAILABLE",
            message: `There is no exchange rate of ${currency} at the moment. Retry in a minute.`,
            retry_after: 60,
          }),
        ),
      ),
    ),
})

const readSent = reading(
  Schema.Struct({
    status: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 999 }))),
    duration_ms: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
    error: Schema.optionalKey(Schema.String),
    response: Schema.optionalKey(Schema.String),
  }),
)

const boundSender = (host: WebhookSender["Service"]): WebhookSender["Service"] => ({
  send: Effect.fnUntraced(function* (request) {
    const clock = yield* Clock.Clock
    const begun = clock.monotonicTimeNanosUnsafe()
    return yield* asked("WebhookSender.send", () => host.send(request), readSent).pipe(
      Effect.catch(() => {
        const duration_ms = Number((clock.monotonicTimeNanosUnsafe() - begun) / 1_000_000n)
        return Effect.succeed({ status: null, duration_ms, error: "sender_failed" })
      }),
    )
  }),
})

const readUnderstanding = reading(Understanding)

const boundLanguage = (host: Language["Service"]): Language["Service"] => ({
  understand: (text) =>
    asked("Language.understand", () => host.understand(text), readUnderstanding).pipe(
      Effect.catch(() =>
        Effect.succeed({ intent: "unknown" as const, confidence: 0, entities: {} }),
      ),
    ),
})

const bound =
  <I, S>(port: Context.Service<I, S>, make: (host: S) => S) =>
  (context: Context.Context<never>): Context.Context<never> =>
    Option.match(Context.getOption(context, port), {
      onNone: () => context,
      onSome: (host) => Context.add(context, port, make(host)) as Context.Context<never>,
    })

const BOUNDS = [
  bound(IdentityVerifier, boundVerifier),
  bound(Language, boundLanguage),
  bound(Messenger, boundMessenger),
  bound(Rates, boundRates),
  bound(Revoker, boundRevoker),
  bound(WebhookSender, boundSender),
]

/**
 * Returns the host's ports with a limit: whatever those that ask other systems do, the core gets an
 * answer of the port's form in time. An unclear one never means that something has happened.
 */
export const boundedPorts = (context: Context.Context<never>): Context.Context<never> =>
  BOUNDS.reduce((bounded, bind) => bind(bounded), context)
