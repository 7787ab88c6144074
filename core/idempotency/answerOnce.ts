import { Clock, Context, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Conflict, Store, StoreUnavailable } from "../ports/Store.ts"
import { type Unsealable, Vault } from "../ports/Vault.ts"
import { Failure, type FailureCode, statusOf } from "../shared/Failure.ts"
import {
  CurrentRequest,
  type IdempotentRequest,
  isKeptRefusal,
  judge,
  ReplyRetention,
  ReplyTaken,
} from "./Reply.ts"
import { releaseKey, replyWith } from "./requestKey.ts"

/** A request with an `Idempotency-Key`, as its edge describes it. */
export interface KeyedRequest {
  readonly account_id: string
  readonly key: string
  /** Method, path and canonical body: requests are the same if these are. */
  readonly request: string
  /** Returns the answer's text for the result of a verb. */
  readonly render: (view: unknown) => string
  /** Returns the answer's text for a refusal. Without it no refusal is kept for retries. */
  readonly renderFailure?: (failure: Failure, status: number) => string
  /**
   * Skips the look-up before the verb, for verbs whose single commit stores the answer: that commit
   * finds a used key.
   */
  readonly optimistic: boolean
  /** How long the answer is kept, in milliseconds; a day by default. */
  readonly kept_for?: number
}

/** The answer's text, and whether it is a replay. */
export interface Answer {
  readonly text: string
  readonly replayed: boolean
}

/** Refusals because of the key: it was used for another request, or its request is running. */
export type KeyCode = "IDEMPOTENCY_KEY_USED" | "IDEMPOTENCY_KEY_IN_PROGRESS"

/** What a process knows of its requests' keys. Simulated processes have one each. */
export interface ProcessKeys {
  /** The keys of requests that it serves now. */
  readonly running: Set<string>
  /**
   * The keys of requests that ended here because the store refused their writes, including the
   * release of the key. The values are their holders. Nothing else works on them.
   */
  readonly abandoned: Map<string, string>
}

/** Returns the keys of a new process. */
export const newProcessKeys = (): ProcessKeys => ({ running: new Set(), abandoned: new Map() })

/** The keys of the current process. */
export const CurrentProcessKeys = Context.Reference<ProcessKeys>(
  "payport/core/idempotency/CurrentProcessKeys",
  {
    defaultValue: newProcessKeys,
  },
)

/** The most abandoned keys remembered. A retry of others waits for the lease of their key. */
const MOST_ABANDONED = 10_000

const nameOf = ({ account_id, key }: Pick<KeyedRequest, "account_id" | "key">): string =>
  `${account_id} ${key}`

/** Lets a retry continue a request of which the store has certainly stored nothing more. */
const abandonKey = (request: KeyedRequest, { progress }: IdempotentRequest, error: unknown) =>
  Effect.map(CurrentProcessKeys, ({ abandoned }) => {
    const isKnown = error instanceof StoreUnavailable && error.outcome === "not_stored"
    if (!isKnown || progress.state === "none") return
    const [oldest] = abandoned.keys()
    if (abandoned.size >= MOST_ABANDONED && oldest !== undefined) abandoned.delete(oldest)
    abandoned.set(nameOf(request), progress.holder)
  })

/** Returns whether the request that holds the key has ended in this process. */
const isAbandoned = (request: KeyedRequest, holder: string | undefined) =>
  Effect.map(CurrentProcessKeys, ({ abandoned }) => {
    const name = nameOf(request)
    return abandoned.get(name) === holder && abandoned.delete(name)
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
 * An answer that does not open tells that the request was answered, but not how. So the request is
 * not done again, and its outcome is unknown to the caller until the key of the answer is back.
 */
const unreadable = (cause: Unsealable) => new StoreUnavailable({ outcome: "unknown", cause })

/**
 * Returns the stored answer under the key, or undefined, or fails. A crashed request is continued
 * as its holder, so that nothing that it began is begun twice.
 */
const lookUp = Effect.fnUntraced(function* (
  request: KeyedRequest,
  current: IdempotentRequest,
): Effect.fn.Return<string | undefined, Failure<KeyCode> | StoreUnavailable, Store | Vault> {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const stored = yield* store.findReply(request.account_id, request.key)
  const verdict = judge(stored, current.fingerprint, now)
  if (verdict.type === "mismatch") return yield* mismatch()
  const isRunning = verdict.type === "running"
  if (isRunning && !(yield* isAbandoned(request, stored?.holder))) return yield* inProgress()
  if (verdict.type !== "replay") {
    current.progress.resumes =
      stored !== undefined && stored.expires_at > now ? stored.holder : null
    current.progress.holder = current.progress.resumes ?? current.progress.holder
    return undefined
  }
  const vault = yield* Vault
  return yield* Effect.mapError(vault.open(current.place, verdict.answer), unreadable)
})

/** Stores the answer of a verb without a commit, or a refusal that is kept. */
const keep = Effect.fnUntraced(function* (view: unknown) {
  const store = yield* Store
  const part = yield* replyWith(view)
  yield* store.commit({ writes: [], ...part })
})

const giveBack = Effect.fnUntraced(function* (current: IdempotentRequest) {
  if (current.progress.state === "none") return
  const store = yield* Store
  yield* store.commit({ writes: [], ...(yield* releaseKey()) })
})

/** Stores the result of a verb for retries if needed, or releases its key. */
const settle = (current: IdempotentRequest, view: unknown) => {
  if (!current.progress.kept) return giveBack(current)
  return current.progress.state === "answered" ? Effect.void : keep(view)
}

/**
 * Returns an answer stored meanwhile by another request. Otherwise fails, and stores the refusal if
 * it is kept.
 */
const refuse = Effect.fnUntraced(function* <Code extends FailureCode>(
  request: KeyedRequest,
  current: IdempotentRequest,
  failure: Failure<Code>,
): Effect.fn.Return<Answer, Failure<Code | KeyCode> | StoreUnavailable | Conflict, Store | Vault> {
  const stored = request.optimistic ? yield* lookUp(request, current) : undefined
  if (stored !== undefined) return { text: stored, replayed: true }
  const { code, retry_after, subject } = failure
  const status = statusOf(code, subject)
  const render = request.renderFailure
  if (render !== undefined && isKeptRefusal({ code, retry_after, status })) {
    const refused = { ...current, render: () => render(failure, status) }
    yield* Effect.provideService(keep(failure), CurrentRequest, refused)
  } else yield* giveBack(current)
  return yield* failure
})

/**
 * Runs a verb under an Idempotency-Key (Request Payment, headers). The first request's answer is
 * stored with its effect and given to every repetition. A repetition while the first one runs is
 * refused with `IDEMPOTENCY_KEY_IN_PROGRESS`, another request under the key with
 * `IDEMPOTENCY_KEY_USED`. Refusals that are not kept (`isKeptRefusal`) leave the key free.
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
  const current: IdempotentRequest = {
    account_id: request.account_id,
    key: request.key,
    fingerprint,
    place: `reply:${request.account_id}:${request.key}`,
    kept_for: request.kept_for ?? (yield* ReplyRetention),
    render: (view) => (rendered = request.render(view)),
    progress: { holder: ids.uuid(), resumes: null, state: "none", kept: true },
  }
  const first = Effect.flatMap(verb, (view) =>
    Effect.map(settle(current, view), (): Answer => {
      const stored = current.progress.state === "answered" ? rendered : undefined
      return { text: stored ?? request.render(view), replayed: false }
    }),
  )
  if (!request.optimistic) {
    const stored = yield* lookUp(request, current)
    if (stored !== undefined) return { text: stored, replayed: true }
  }
  return yield* first.pipe(
    Effect.catchTag("Failure", (failure) => refuse(request, current, failure)),
    Effect.provideService(CurrentRequest, current),
    Effect.catch((error) =>
      Effect.andThen(
        abandonKey(request, current, error),
        isTaken(error) ? replay(request, current) : Effect.fail(error),
      ),
    ),
  )
})

/** Returns what another request has stored under the key meanwhile. */
const replay = (request: KeyedRequest, current: IdempotentRequest) =>
  Effect.flatMap(lookUp(request, current), (text) =>
    text === undefined ? Effect.fail(inProgress()) : Effect.succeed({ text, replayed: true }),
  )

const isTaken = (error: unknown): error is Conflict | ReplyTaken =>
  error instanceof Conflict || error instanceof ReplyTaken

const alone = <A, E, R>(request: KeyedRequest, self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentProcessKeys, ({ running }): Effect.Effect<A, E | Failure<KeyCode>, R> => {
    const id = nameOf(request)
    if (running.has(id)) return Effect.fail(inProgress())
    return Effect.ensuring(
      Effect.andThen(
        Effect.sync(() => running.add(id)),
        self,
      ),
      Effect.sync(() => running.delete(id)),
    )
  })
