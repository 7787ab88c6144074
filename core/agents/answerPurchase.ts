import { Clock, Effect, Schedule } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerOnce } from "../idempotency/answerOnce.ts"
import type { ReplyTaken } from "../idempotency/Reply.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { type Failure, type FailureCode, isFailure } from "../shared/Failure.ts"
import { SECOND } from "../shared/Timestamp.ts"
import type { ToolAnswer } from "./ToolCall.ts"

/** For how long the same purchase of a caller is one, in milliseconds since its first call. */
export const PURCHASE_WINDOW = 60 * SECOND

/** What a call buys, as texts. */
export interface Purchase {
  /** What makes two calls the same purchase, whatever words a model puts to it. */
  readonly purchase: string
  /** All that was asked for: another call under the same `idempotency_key` is another request. */
  readonly request: string
  readonly idempotency_key: string | undefined
}

/** The purchase with the named person; undefined without one. */
export interface PersonalPurchase extends Purchase {
  readonly person: string | undefined
}

/** Whether a payment was made for that person, or for nobody in particular, or nobody is named. */
const isFor = (person: string | undefined, view: object): boolean => {
  const before = personOf(view)
  return person === undefined || before === null || before === person
}

const isRunning = (error: unknown): boolean =>
  isFailure(error) && error.code === "IDEMPOTENCY_KEY_IN_PROGRESS"

/** Calls that come together wait for the first one's answer, for up to five seconds. */
const patiently = Effect.retry({
  while: isRunning,
  schedule: Schedule.spaced("50 millis"),
  times: 100,
})

/** The key of a purchase without one. No header can hold its blank, so no caller can send it. */
const keyOf = Effect.fnUntraced(function* (purchase: string) {
  return `purchase ${(yield* Vault).sha256(purchase)}`
})

/**
 * Carries out a purchase once. With an `idempotency_key` it is that key's, over HTTP too. Without
 * one the purchase itself is the key, for a minute: whoever asks again meanwhile, in whatever words
 * and from however many processes at once, is given the same answer. A refused call leaves its key
 * free.
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
      // A payment that is charged at once outlives a crash, and has to be found by the retry.
      optimistic: false,
      ...(keyless && { kept_for: PURCHASE_WINDOW }),
    },
    verb,
  )
  const { replayed, text } = yield* keyless ? patiently(answered) : answered
  return { view: JSON.parse(text) as object, replayed } satisfies ToolAnswer
})

/**
 * A repeated purchase as it is now: what was pending at the first call may be paid. `now` reads it
 * by the first answer. What is not there any more is answered as it was.
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

/** The person for whom a purchase was made; null without one. */
const personOf = (view: object): string | null => {
  const payer: unknown = Reflect.get(view, "payer")
  const person: unknown =
    typeof payer === "object" && payer !== null ? Reflect.get(payer, "human_id") : null
  return typeof person === "string" ? person : null
}

/** Whether a purchase without a key is being made, or was made within the last minute. */
export const isKept = Effect.fnUntraced(function* (caller: Caller, purchase: string) {
  const store = yield* Store
  const kept = yield* store.findReply(caller.account.id, yield* keyOf(purchase))
  return kept !== undefined && kept.expires_at > (yield* Clock.currentTimeMillis)
})

/**
 * What was bought within the last minute as one of several purchases, the most special first, for
 * this person or for nobody in particular: each of them outlives what it was made beside.
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

/** The same purchase where one person has made it and another wants it, too. */
export const purchaseBy = ({ person, purchase }: PersonalPurchase): string =>
  person === undefined ? purchase : `${purchase} for ${JSON.stringify(person)}`

/**
 * The same, where persons may buy the same each for themselves: a call that names another person
 * than the purchase was made for is another purchase. One that names nobody, or somebody where
 * nobody was named before, is not: models leave that out, and put it in.
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
