import { Clock, Context, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Conflict, Store, type StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure, type FailureCode, statusOf } from "../shared/Failure.ts"
import { isKeptRefusal } from "./KeptRefusal.ts"
import { CurrentOnce, type Once, replyNever, replyPlace, replyWith } from "./Once.ts"
import { judge, KEPT_FOR, ReplyTaken } from "./Reply.ts"

/** A request with an `Idempotency-Key`, as its edge describes it. */
export interface KeyedRequest {
  readonly account_id: string
  readonly key: string
  /** Method, path and canonical body: what makes two requests the same. */
  readonly request: string
  /** The answer's text for what the verb returned. */
  readonly render: (view: unknown) => string
  /** The answer's text for a refusal; without it none is kept for retries. */
  readonly renderFailure?: (failure: Failure, status: number) => string
  /**
   * Skips the look-up before the verb, for verbs whose single commit stores the answer: a key that
   * was used before is then found by that commit.
   */
  readonly optimistic: boolean
  /** How long the answer is kept, in milliseconds; a day unless said otherwise. */
  readonly kept_for?: number
}

/** The answer's text, and whether it was given before. */
export interface Answer {
  readonly text: string
  readonly replayed: boolean
}

/** What a request is refused with for its key: used for another one, or still being served. */
export type KeyCode = "IDEMPOTENCY_KEY_USED" | "IDEMPOTENCY_KEY_IN_PROGRESS"

/** The keys whose requests this process serves right now. Simulated processes have one each. */
export const Running = Context.Reference<Set<string>>("payport/core/idempotency/Running", {
  defaultValue: () => new Set<string>(),
})

const inProgress = () =>
  new Failure({
    code: "IDEMPOTENCY_KEY_IN_PROGRESS",
    message: "The first request with this Idempotency-Key is still running. Repeat it in a second.",
    retry_after: 1,
  })

const mismatch = () =>
  new Failure({
    code: "IDEMPOTENCY_KEY_USED",
    message:
      "This Idempotency-Key was used for a different request. Use a new key for a new request.",
  })

/**
 * What is stored under the key: an answer to replay, nothing, or a refusal. A request that has
 * crashed is gone on with as its holder, so that what it began is not begun once more.
 */
const lookUp = Effect.fnUntraced(function* (
  request: KeyedRequest,
  once: Once,
): Effect.fn.Return<string | undefined, Failure<KeyCode> | StoreUnavailable, Store | Vault> {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const stored = yield* store.findReply(request.account_id, request.key)
  const verdict = judge(stored, once.fingerprint, now)
  if (verdict.type === "mismatch") return yield* mismatch()
  if (verdict.type === "running") return yield* inProgress()
  if (verdict.type === "fresh") {
    once.resumes = stored !== undefined && stored.expires_at > now ? stored.holder : null
    once.holder = once.resumes ?? once.holder
    return undefined
  }
  const vault = yield* Vault
  return yield* Effect.orDie(
    vault.open(replyPlace(request.account_id, request.key), verdict.answer),
  )
})

/** Stores the answer of a verb that had nothing to commit, or whose refusal is kept. */
const keep = Effect.fnUntraced(function* (view: unknown) {
  const store = yield* Store
  const part = yield* replyWith(view)
  yield* store.commit({ writes: [], ...part })
})

const giveBack = Effect.fnUntraced(function* (once: Once) {
  if (once.state === "none") return
  const store = yield* Store
  yield* store.commit({ writes: [], ...(yield* replyNever()) })
})

/** Sees to it that what a verb returned is kept for retries, or its key given back. */
const settle = (once: Once, view: unknown) => {
  if (!once.kept) return giveBack(once)
  return once.state === "answered" ? Effect.void : keep(view)
}

/** Gives what another request has stored meanwhile, else refuses, for good where that is kept. */
const refuse = Effect.fnUntraced(function* <Code extends FailureCode>(
  request: KeyedRequest,
  once: Once,
  failure: Failure<Code>,
): Effect.fn.Return<Answer, Failure<Code | KeyCode> | StoreUnavailable | Conflict, Store | Vault> {
  const stored = request.optimistic ? yield* lookUp(request, once) : undefined
  if (stored !== undefined) return { text: stored, replayed: true }
  const { code, retry_after, subject } = failure
  const status = statusOf(code, subject)
  const render = request.renderFailure
  if (render !== undefined && isKeptRefusal({ code, retry_after, status })) {
    once.render = () => render(failure, status)
    yield* keep(failure)
  } else yield* giveBack(once)
  return yield* failure
})

/**
 * Runs a verb under an Idempotency-Key (Request Payment, headers). The first request's answer is
 * stored with its effect and given to every repetition; a repetition while the first one runs is
 * refused with `IDEMPOTENCY_KEY_IN_PROGRESS`, another request under the key with
 * `IDEMPOTENCY_KEY_USED`. Refusals that are not kept (`KeptRefusal.ts`) leave the key free.
 */
export const answerOnce = <Code extends FailureCode, R>(
  request: KeyedRequest,
  verb: Effect.Effect<unknown, Failure<Code> | StoreUnavailable | ReplyTaken, R>,
): Effect.Effect<Answer, Failure<Code | KeyCode> | StoreUnavailable, R | Store | Vault | Ids> =>
  alone(request, answer(request, verb))

const answer = Effect.fnUntraced(function* <Code extends FailureCode, R>(
  request: KeyedRequest,
  verb: Effect.Effect<unknown, Failure<Code> | StoreUnavailable | ReplyTaken, R>,
) {
  const vault = yield* Vault
  const ids = yield* Ids
  const fingerprint = vault.fingerprint(request.request)
  let rendered: string | undefined
  const once: Once = {
    account_id: request.account_id,
    key: request.key,
    fingerprint,
    holder: ids.uuid(),
    resumes: null,
    kept_for: request.kept_for ?? KEPT_FOR,
    render: (view) => (rendered = request.render(view)),
    state: "none",
    kept: true,
  }
  const first = Effect.flatMap(verb, (view) =>
    Effect.map(settle(once, view), (): Answer => {
      const stored = once.state === "answered" ? rendered : undefined
      return { text: stored ?? request.render(view), replayed: false }
    }),
  )
  if (!request.optimistic) {
    const stored = yield* lookUp(request, once)
    if (stored !== undefined) return { text: stored, replayed: true }
  }
  return yield* first.pipe(
    Effect.catchTag("Failure", (failure) => refuse(request, once, failure)),
    Effect.provideService(CurrentOnce, once),
    Effect.catchIf(isTaken, () =>
      Effect.flatMap(lookUp(request, once), (text) =>
        text === undefined ? Effect.fail(inProgress()) : Effect.succeed({ text, replayed: true }),
      ),
    ),
  )
})

const isTaken = (error: unknown): error is Conflict | ReplyTaken =>
  error instanceof Conflict || error instanceof ReplyTaken

const alone = <A, E, R>(request: KeyedRequest, self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Running, (running): Effect.Effect<A, E | Failure<KeyCode>, R> => {
    const id = `${request.account_id} ${request.key}`
    if (running.has(id)) return Effect.fail(inProgress())
    return Effect.ensuring(
      Effect.andThen(
        Effect.sync(() => running.add(id)),
        self,
      ),
      Effect.sync(() => running.delete(id)),
    )
  })
