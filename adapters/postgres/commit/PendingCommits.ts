import { Effect } from "effect"
import type { Deadline } from "../../../core/shared/CurrentDeadline.ts"
import { mayReplace, type Reply } from "../../../core/idempotency/Reply.ts"
import { type Conflict, type ConflictReason, StoreUnavailable } from "../../../core/ports/Store.ts"
import type { PreparedCommit } from "./PreparedCommit.ts"

/** The most commits in one group. */
const LARGEST_GROUP = 64

/** The most characters of rows in one group, unless a single commit has more. */
const LARGEST_SIZE = 4_000_000

/** The most commits that wait. */
export const LONGEST_LINE = 1_024

/** How many waiting commits are considered for a group. */
const LOOK_AHEAD = 512

/** A waiting commit and the callback that answers it. */
export interface Waiting {
  readonly prepared: PreparedCommit
  readonly resume: (answer: Effect.Effect<void, Conflict | StoreUnavailable>) => void
  readonly deadline: Deadline
}

/** Nothing of a commit was sent. */
const unsent = (message: string) =>
  Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: new Error(message) }))

/**
 * The queue of commits that wait for the next group. No two commits of a group change the same row,
 * key or reply, and none changes a record that another rests on, because each is decided against
 * what is stored. Counters are excluded: a group adds up all its reservations on them. A commit
 * with an entry in the audit log is sent alone. It waits for its turn among all processes, and its
 * failure must not concern other commits.
 */
export class PendingCommits {
  #line: Array<Waiting> = []

  get size(): number {
    return this.#line.length
  }

  /** Appends a commit to the queue, or refuses it if the queue is full. */
  add(waiting: Waiting): void {
    if (this.#line.length < LONGEST_LINE) this.#line.push(waiting)
    else waiting.resume(unsent("Too many commits are waiting."))
  }

  /** Removes a commit whose caller has given up, unless it has been sent. */
  remove(waiting: Waiting): void {
    const place = this.#line.indexOf(waiting)
    if (place >= 0) this.#line.splice(place, 1)
  }

  /** Takes the next group from the queue. Commits that collide with it stay at the front. */
  take(): ReadonlyArray<Waiting> {
    const group: Array<Waiting> = []
    const passed: Array<Waiting> = []
    const changed = new Set<string>()
    const guarded = new Set<string>()
    let size = 0
    const last = Math.min(this.#line.length, LOOK_AHEAD)
    let next = 0
    for (; next < last && group.length < LARGEST_GROUP; next += 1) {
      const waiting = this.#line[next]
      if (waiting === undefined) continue
      if (waiting.deadline.left() <= 0) {
        waiting.resume(unsent("The commit waited too long and was not sent."))
        continue
      }
      const { audit, changes, guards } = waiting.prepared
      const collides =
        changes.some((name) => changed.has(name) || guarded.has(name)) ||
        guards.some((name) => changed.has(name))
      const isTooMuch = size + waiting.prepared.size > LARGEST_SIZE || audit !== undefined
      if (collides || (isTooMuch && group.length > 0)) passed.push(waiting)
      else {
        group.push(waiting)
        size += waiting.prepared.size
      }
      // Later commits that collide do not overtake, so that every commit gets its turn.
      for (const name of changes) changed.add(name)
      for (const name of guards) guarded.add(name)
      if (audit !== undefined && group.at(-1) === waiting) {
        next += 1
        break
      }
    }
    this.#line = next === this.#line.length ? passed : [...passed, ...this.#line.slice(next)]
    return group
  }

  /**
   * Removes the waiting commits that fail because of the stored ones: those with an outdated
   * version, and those whose reply differs from the stored one.
   */
  overtakenBy(
    stored: ReadonlyArray<Waiting>,
  ): ReadonlyArray<{ readonly waiting: Waiting; readonly reason: ConflictReason }> {
    if (this.#line.length === 0) return []
    const past = new Map<string, number>()
    const replies = new Map<string, Reply>()
    for (const { prepared } of stored) {
      for (const name of prepared.changes) {
        const basis = prepared.bases.get(name)
        if (basis !== undefined) past.set(name, basis.version)
      }
      if (prepared.reply !== undefined) replies.set(prepared.reply.name, prepared.reply.reply)
    }
    if (past.size === 0 && replies.size === 0) return []
    const overtaken: Array<{ readonly waiting: Waiting; readonly reason: ConflictReason }> = []
    this.#line = this.#line.filter((waiting) => {
      const reason = refusal(waiting.prepared, past, replies)
      if (reason !== undefined) overtaken.push({ waiting, reason })
      return reason === undefined
    })
    return overtaken
  }
}

const refusal = (
  { bases, reply: next }: PreparedCommit,
  past: ReadonlyMap<string, number>,
  replies: ReadonlyMap<string, Reply>,
): ConflictReason | undefined => {
  // Most groups only add records. Then no waiting commit has to be checked.
  if (past.size > 0) {
    for (const [name, { id, kind, version }] of bases) {
      if (version <= (past.get(name) ?? 0)) return { type: "stale_version", kind, id }
    }
  }
  const stored = next === undefined ? undefined : replies.get(next.name)
  if (next === undefined || stored === undefined) return undefined
  return mayReplace(stored, next.reply, next.reply.created_at) ? undefined : { type: "reply_taken" }
}
