import { Clock, Effect, Schedule } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerOnce } from "../idempotency/answerOnce.ts"
import type { ReplyTaken } from "../idempotency/Reply.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { type Failure, type FailureCode, isFailure } from "../shared/Failure.ts"
import { SECOND } from "../shared/Timestamp.ts"
import type { ToolAnswer } from "./ToolCall.ts"

/** How long a caller's same purchase counts as one, in milliseconds since its first call. */
export const PURCHASE_WINDOW = 60 * SECOND

/** The texts that identify what a call buys. */
export interface Purchase {
  /** Equal for two calls of the same purchase, whatever words a model uses. */
  readonly purchase: string
  /** The whole request. Under one `idempotency_key`, a different text is a different request. */
  readonly request: string
  readonly idempotency_key: string | undefined
}

/** A purchase with the person that the call names; undefined without one. */
export interface PersonalPurchase extends Purchase {
  readonly person: string | undefined
}

/** Tells whether a payment matches the person: the same, or one of the two names nobody. */
const isFor = (person: string | undefined, view: object): boolean => {
  const before = personOf(view)
  return person === undefined || before === null || before === person
}

const isRunning = (error: unknown): boolean =>
  isFailure(error) && error.code === "IDEMPOTENCY_KEY_IN_PROGRESS"

/** Waits up to five seconds for a concurrent call of the same purchase. */
const patiently = Effect.retry({
  while: isRunning,
  schedule: Schedule.spaced("50 millis"),
  times: 100,
})

/**
 * Returns the key of a purchase without one. Its blank keeps callers from sending it in a header.
 */
const keyOf = Effect.fnUntraced(function* (purchase: string) {
  return `purchase ${(yield* Vault).sha256(purchase)}`
})

/**
 * Carries out a purchase once. An `idempotency_key` is the same key as over HTTP. Without one the
 * purchase itself is the key for a minute: later calls get the same answer, in whatever words, also
 * from concurrent processes. A refused call leaves its key free.
 */
export const answerPurchase = Effect.fnUntraced(function* <Code extends FailureCode, R>(
  caller: Caller,
  { idempotency_key, purchase, request }: Purchase,
  verb: Effect.Effect<object, Failure<Code> | StoreUnavailable | ReplyTaken, R>,
) {
  const keyless = idempotency_key === undefined
  const answered = answerOnce(
    {
      account_id: caller.account.id,
      key: idempotency_key ?? (yield* keyOf(purchase)),
      request: keyless ? purchase : request,
      render: (view) => JSON.stringify(view),
      // A payment that is charged immediately survives a crash, and the retry must find it.
      optimistic: false,
      ...(keyless && { kept_for: PURCHASE_WINDOW }),
    },
    verb,
  )
  const { replayed, text } = yield* keyless ? patiently(answered) : answered
  return { view: JSON.parse(text) as object, replayed } satisfies ToolAnswer
})

/**
 * Returns the current state of a repeated purchase, since a payment that was pending at the first
 * call may be paid now. `now` reads it, given the first answer. If it no longer exists, returns the
 * first answer.
 */
export const asItIsNow = <Code extends FailureCode, R>(
  answer: ToolAnswer,
  now: (first: object) => Effect.Effect<object, Failure<Code> | StoreUnavailable, R>,
): Effect.Effect<ToolAnswer, StoreUnavailable, R> => {
  if (!answer.replayed) return Effect.succeed(answer)
  return now(answer.view).pipe(
    Effect.catchTag("Failure", () => Effect.succeed(answer.view)),
    Effect.map((view) => ({ view, replayed: true })),
  )
}

/** Failures of the caller's own key, which tell nothing about a service. */
const OF_THE_KEY: ReadonlySet<FailureCode> = new Set([
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_USED",
])

/**
 * Lets a call at a service that accepts no payment now answer a purchase of before. Its use case
 * refuses a new one by itself; every other failure but those of the key is the service's refusal,
 * too, so that it tells nothing else about the service.
 */
export const orRefusal =
  <F extends Failure>(refusal: F | undefined) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | F, R> =>
    refusal === undefined
      ? call
      : Effect.mapError(call, (error) =>
          isFailure(error) && !OF_THE_KEY.has(error.code) ? refusal : error,
        )

/** Returns the person for whom a purchase was made; null without one. */
const personOf = (view: object): string | null => {
  const payer: unknown = Reflect.get(view, "payer")
  const person: unknown =
    typeof payer === "object" && payer !== null ? Reflect.get(payer, "human_id") : null
  return typeof person === "string" ? person : null
}

/** Tells whether a purchase without a key is being made, or was made within the last minute. */
export const isKept = Effect.fnUntraced(function* (caller: Caller, purchase: string) {
  const store = yield* Store
  const kept = yield* store.findReply(caller.account.id, yield* keyOf(purchase))
  return kept !== undefined && kept.expires_at > (yield* Clock.currentTimeMillis)
})

/**
 * Returns the answer of the first of several purchases that was made within the last minute, for
 * this person or for nobody in particular. `purchases` begin with the most specific, and each has
 * its own minute.
 */
export const answerKnown = Effect.fnUntraced(function* <Code extends FailureCode, R>(
  caller: Caller,
  asked: PersonalPurchase,
  purchases: ReadonlyArray<string>,
  verb: Effect.Effect<object, Failure<Code> | StoreUnavailable | ReplyTaken, R>,
) {
  if (asked.idempotency_key !== undefined) return undefined
  for (const purchase of purchases) {
    if (!(yield* isKept(caller, purchase))) continue
    const answer = yield* answerPurchase(caller, { ...asked, purchase }, verb)
    if (!answer.replayed || isFor(asked.person, answer.view)) return { answer, purchase }
  }
  return undefined
})

/** Returns the purchase as one of its own for the named person. */
export const purchaseBy = ({ person, purchase }: PersonalPurchase): string =>
  person === undefined ? purchase : `${purchase} for ${JSON.stringify(person)}`

/**
 * Carries out a purchase once for each person. A call that names another person than the purchase
 * was made for is another purchase. A call without a person, or a person on a purchase without one,
 * is the same purchase, since models drop and add that argument.
 */
export const answerPurchaseFor = Effect.fnUntraced(function* <Code extends FailureCode, R>(
  caller: Caller,
  asked: PersonalPurchase,
  verb: Effect.Effect<object, Failure<Code> | StoreUnavailable | ReplyTaken, R>,
) {
  const { idempotency_key, person, purchase } = asked
  const own = purchaseBy(asked)
  const known = own === purchase ? undefined : yield* answerKnown(caller, asked, [own], verb)
  if (known !== undefined) return known
  const answer = yield* answerPurchase(caller, asked, verb)
  if (!answer.replayed || idempotency_key !== undefined || isFor(person, answer.view)) {
    return { answer, purchase }
  }
  return { answer: yield* answerPurchase(caller, { ...asked, purchase: own }, verb), purchase: own }
})
