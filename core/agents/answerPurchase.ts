import { Effect, Schedule } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerOnce } from "../idempotency/answerOnce.ts"
import type { ReplyTaken } from "../idempotency/Reply.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
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

const isRunning = (error: unknown): boolean =>
  error instanceof Failure && error.code === "IDEMPOTENCY_KEY_IN_PROGRESS"

/** Calls that come together wait for the first one's answer, for up to five seconds. */
const patiently = Effect.retry({
  while: isRunning,
  schedule: Schedule.spaced("50 millis"),
  times: 100,
})

/**
 * Carries out a purchase once. With an `idempotency_key` it is that key's, over HTTP too. Without
 * one the purchase itself is the key, for a minute: whoever asks again meanwhile, in whatever words
 * and from however many processes at once, is given the same answer. A refused call leaves its key
 * free.
 */
export const answerPurchase = Effect.fnUntraced(function* <R>(
  caller: Caller,
  { idempotency_key, purchase, request }: Purchase,
  verb: Effect.Effect<object, Failure | StoreUnavailable | ReplyTaken, R>,
) {
  const keyless = idempotency_key === undefined
  const answered = answerOnce(
    {
      account_id: caller.account.id,
      // No header can hold the blank: such a key is nobody else's.
      key: idempotency_key ?? `purchase ${(yield* Vault).sha256(purchase)}`,
      request: keyless ? purchase : request,
      render: (view) => JSON.stringify(view),
      renderFailure: () => undefined,
      // A payment that is charged at once outlives a crash, and has to be found by the retry.
      optimistic: false,
      ...(keyless && { kept_for: PURCHASE_WINDOW }),
    },
    verb,
  )
  const { replayed, text } = yield* keyless ? patiently(answered) : answered
  return { view: JSON.parse(text) as object, replayed } satisfies ToolAnswer
})

/** The person whom a purchase was made for; null where nobody was named. */
const personOf = (view: object): string | null => {
  const payer: unknown = Reflect.get(view, "payer")
  const person: unknown =
    typeof payer === "object" && payer !== null ? Reflect.get(payer, "human_id") : null
  return typeof person === "string" ? person : null
}

/**
 * The same, where persons may buy the same each for themselves: a call that names another person
 * than the purchase was made for is another purchase. One that names nobody, or somebody where
 * nobody was named before, is not: models leave that out, and put it in.
 */
export const answerPurchaseFor = Effect.fnUntraced(function* <R>(
  caller: Caller,
  asked: Purchase & { readonly person: string | undefined },
  verb: Effect.Effect<object, Failure | StoreUnavailable | ReplyTaken, R>,
) {
  const { person } = asked
  const answer = yield* answerPurchase(caller, asked, verb)
  const before = personOf(answer.view)
  const isSame = person === undefined || before === null || before === person
  if (!answer.replayed || asked.idempotency_key !== undefined || isSame) {
    return { answer, purchase: asked.purchase }
  }
  const purchase = `${asked.purchase} for ${JSON.stringify(person)}`
  return { answer: yield* answerPurchase(caller, { ...asked, purchase }, verb), purchase }
})
