import { Effect, Exit, type Scope } from "effect"
import {
  type Commit,
  Conflict,
  type ConflictReason,
  StoreUnavailable,
} from "../../../core/ports/Store.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { callFunction, type CommitSessions } from "./callFunction.ts"
import { inRealTime } from "../database.ts"
import { DatabaseError, GroupFailure } from "../failures.ts"
import { prepareCommit, type PreparedCommit } from "./PreparedCommit.ts"
import { PendingCommits, type Waiting } from "./PendingCommits.ts"
import { measuredGroups } from "../measures.ts"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { gaugeOf } from "../../shared/metrics/series.ts"
import { TABLES } from "../tables.ts"

/** How often a group that met other work is sent before it is split to find the conflict. */
const MOST_SENDS = 4

/** How long a group in trouble is tried, in milliseconds, before the rest is given up. */
const LONGEST_TROUBLE = 5_000

/** How long closing the store waits for the last groups. */
const LONGEST_CLOSE = "1 second"

/** How often a group was sent unchanged, and when it is given up. */
interface Trial {
  readonly sends: number
  readonly careful: boolean
  readonly until: number
}

/** Callbacks of commits. */
export interface CommitHooks {
  /** Called before the answer, also if the outcome is unknown or a record is stale. */
  readonly changed: (ids: ReadonlyArray<string>) => void
  /** Runs after commits were stored and before they are answered. */
  readonly stored: (ids: ReadonlyArray<string>) => Effect.Effect<void>
}

/** How the names of the audit log's unique constraints begin. */
const AUDIT_CONSTRAINTS = "audit_entries_"

const lost = new GroupFailure({
  type: "lost",
  cause: new DatabaseError({ message: "The database did not answer in time.", code: undefined }),
})

const conflict = (reason: ConflictReason) => Effect.fail(new Conflict({ reason }))

/** Returns the answer to the one commit that the database does not take. */
export const answerAlone = ({ audit, rows }: PreparedCommit, failure: GroupFailure) => {
  const { constraint, existing, type, cause } = failure
  // The entry follows the head, which was read in this commit's turn: the log goes on beyond it.
  if (audit !== undefined && constraint?.startsWith(AUDIT_CONSTRAINTS) === true) {
    const trouble = "audit"
    return Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause, trouble }))
  }
  if (type !== "taken" || constraint === undefined) {
    return Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause }))
  }
  const table = TABLES.find(({ name }) => constraint === `${name}_pkey`)
  if (table === undefined) return conflict({ type: "key_taken", key: constraint, owner: "" })
  const position = TABLES.indexOf(table)
  const inserted = rows.find((row) => row.position === position && row.change === "inserted")
  const bare = existing ?? inserted?.id ?? ""
  const id = table.prefix === null ? bare : `${table.prefix}_${bare}`
  return conflict({ type: "stale_version", kind: table.kind, id })
}

class GroupCommit {
  readonly #pending = new PendingCommits()
  readonly #send: ReturnType<typeof callFunction>
  readonly #hooks: CommitHooks
  #wake: (() => void) | undefined
  #closed = false
  #busy = false

  constructor(sessions: CommitSessions, hooks: CommitHooks) {
    this.#send = measuredGroups(callFunction(sessions))
    this.#hooks = hooks
  }

  /** Waits in the queue, is sent with the next group, and returns its answer. */
  readonly commit = (commit: Commit): Effect.Effect<void, Conflict | StoreUnavailable> =>
    Effect.flatMap(CurrentDeadline, (deadline) => {
      const prepared = prepareCommit(commit)
      if ("type" in prepared) return conflict(prepared)
      return Effect.callback<void, Conflict | StoreUnavailable>((resume) => {
        if (this.#closed) {
          const cause = new Error("The store is closed.")
          return resume(Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause })))
        }
        const waiting: Waiting = { prepared, resume, deadline }
        this.#pending.add(waiting)
        this.#wake?.()
        // A commit that was sent stays in its group, whether or not its caller still waits.
        return Effect.sync(() => this.#pending.remove(waiting))
      })
    })

  /** Sends one group at a time. */
  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      const group = this.#pending.take()
      if (group.length === 0) return this.#idle
      this.#busy = true
      return Effect.ensuring(
        this.#deliver(group, {
          sends: 1,
          careful: false,
          until: performance.now() + LONGEST_TROUBLE,
        }),
        Effect.sync(() => {
          this.#busy = false
        }),
      )
    }),
  )

  waiting(): number {
    return this.#pending.size
  }

  readonly close: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    this.#closed = true
    while (this.#busy || this.#pending.size > 0) yield* Effect.sleep("5 millis")
  })

  readonly #idle = Effect.callback<void>((resume) => {
    const wake = () => {
      this.#wake = undefined
      resume(Effect.void)
    }
    this.#wake = wake
    if (this.#pending.size > 0) wake()
  })

  readonly #deliver = (group: ReadonlyArray<Waiting>, trial: Trial): Effect.Effect<void> =>
    Effect.exit(
      this.#send(
        group.map(({ prepared }) => prepared),
        trial.careful,
      ),
    ).pipe(
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return this.#answer(group, exit.value)
        const found = Exit.findErrorOption(exit)
        if (found._tag === "Some") return this.#recover(group, trial, found.value)
        return Effect.andThen(
          Effect.logError("A group of commits ended unexpectedly.", exit.cause),
          this.#recover(group, trial, lost),
        )
      }),
    )

  readonly #recover = (
    group: ReadonlyArray<Waiting>,
    { sends, until }: Trial,
    failure: GroupFailure,
  ): Effect.Effect<void> => {
    const { type, cause } = failure
    if (type === "unsent" || type === "unable") return this.#failAll(group, "not_stored", cause)
    if (type === "lost") return this.#failAll(group, "unknown", cause)
    const again = (part: ReadonlyArray<Waiting>, next: number) =>
      Effect.suspend(() => this.#deliver(part, { sends: next, careful: true, until }))
    const isLate = performance.now() >= until
    if (type === "again" && sends < MOST_SENDS && !isLate) {
      return Effect.andThen(Effect.sleep(`${2 ** sends} millis`), again(group, sends + 1))
    }
    if (group.length > 1) {
      if (isLate) return this.#failAll(group, "not_stored", cause)
      const middle = group.length >> 1
      return Effect.andThen(again(group.slice(0, middle), 1), again(group.slice(middle), 1))
    }
    return Effect.sync(() => {
      for (const { prepared, resume } of group) resume(answerAlone(prepared, failure))
    })
  }

  readonly #failAll = (
    group: ReadonlyArray<Waiting>,
    outcome: "not_stored" | "unknown",
    cause: unknown,
  ): Effect.Effect<void> =>
    Effect.sync(() => {
      if (outcome === "unknown") {
        this.#hooks.changed(group.flatMap(({ prepared }) => prepared.announced))
      }
      const failure = Effect.fail(new StoreUnavailable({ outcome, cause }))
      for (const { resume } of group) resume(failure)
    })

  readonly #answer = (
    group: ReadonlyArray<Waiting>,
    refusals: ReadonlyArray<ConflictReason | undefined>,
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      const stored = group.filter((_, index) => refusals[index] === undefined)
      const stale = refusals.flatMap((reason) =>
        reason?.type === "stale_version" ? reason.id : [],
      )
      this.#hooks.changed([...stored.flatMap(({ prepared }) => prepared.announced), ...stale])
      const overtaken = this.#pending.overtakenBy(stored)
      const answer = () => {
        for (const [index, { resume }] of group.entries()) {
          const reason = refusals[index]
          resume(reason === undefined ? Effect.void : conflict(reason))
        }
        for (const { reason, waiting } of overtaken) waiting.resume(conflict(reason))
      }
      // Callers continue as soon as they are answered, so the next group is sent first.
      return Effect.andThen(
        this.#hooks.stored(stored.flatMap(({ prepared }) => prepared.records)),
        Effect.sync(() => void setImmediate(answer)),
      )
    })
}

/**
 * Commits in groups. Commits that arrive while a group is being stored are sent together in the
 * next one, without a timer. Each caller waits for its own group, so an answered commit is durable.
 */
export const makeGroupCommit: (
  sessions: CommitSessions,
  hooks: CommitHooks,
) => Effect.Effect<GroupCommit["commit"], never, Scope.Scope> = Effect.fnUntraced(
  function* (sessions, hooks) {
    const commits = new GroupCommit(sessions, hooks)
    yield* gaugeOf(METRICS.commitsWaiting, {}, () => commits.waiting())
    yield* Effect.forkScoped(commits.run)
    // After this limit, pending commits get no answer, and their senders look for none.
    const close = Effect.timeoutOption(commits.close, LONGEST_CLOSE)
    yield* Effect.addFinalizer(() =>
      Effect.andThen(inRealTime(close), Effect.sync(sessions.commits.close)),
    )
    return commits.commit
  },
)
