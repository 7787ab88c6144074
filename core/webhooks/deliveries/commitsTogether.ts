import { Effect, Exit } from "effect"
import { type Commit, empty, type Guard, merge } from "../../commits/Commit.ts"
import { type Conflict, Store, StoreUnavailable } from "../../ports/Store.ts"

/** Commits of one round, at most: others that wait for the store are not to wait for long. */
const MOST = 128

type Stored = Effect.Effect<void, Conflict | StoreUnavailable, Store>

/** A commit that waits for its round, with the way to say how its fiber goes on. */
interface Waiting {
  readonly commit: Commit
  readonly resume: (next: Stored) => void
}

/** Half by half: one after the other, all that is merged would be copied for each. */
const merged = (commits: ReadonlyArray<Commit>): Commit => {
  const [first = empty] = commits
  if (commits.length < 2) return first
  const middle = commits.length >> 1
  return merge(merged(commits.slice(0, middle)), merged(commits.slice(middle)))
}

/** Commits as one. They rest on the same few records, each of which is compared once. */
const asOne = (commits: ReadonlyArray<Commit>): Commit => {
  const all = merged(commits)
  const guards = new Map<string, Guard>()
  for (const guard of all.guards ?? []) {
    guards.set(`${guard.kind} ${guard.id} ${guard.version}`, guard)
  }
  return { ...all, guards: [...guards.values()] }
}

const isUnavailable = (exit: Exit.Exit<void, Conflict | StoreUnavailable>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every(
    (reason) => reason._tag === "Fail" && reason.error instanceof StoreUnavailable,
  )

/**
 * Stores commits that have nothing to do with each other as one: those that come while one is on
 * its way leave together in the next. Whoever comes first stores for all who wait, and hands that
 * on to the first of those who have come meanwhile. What the store refuses of several is stored one
 * by one, so that none fails because of another.
 */
export class CommitsTogether {
  readonly #line: Array<Waiting> = []
  #isBusy = false

  /** Stores a commit, alone or with others; fails as the commit alone would. */
  readonly commit = (commit: Commit): Stored =>
    Effect.suspend(() => {
      if (!this.#isBusy) {
        this.#isBusy = true
        return this.#store(commit)
      }
      return Effect.callback<void, Conflict | StoreUnavailable, Store>((resume) => {
        const waiting: Waiting = { commit, resume }
        this.#line.push(waiting)
        return Effect.sync(() => {
          const place = this.#line.indexOf(waiting)
          if (place >= 0) this.#line.splice(place, 1)
        })
      })
    })

  #store(own: Commit): Stored {
    const round = Effect.flatMap(Store, (store) => {
      const others = this.#line.splice(0, MOST - 1)
      const all = [own, ...others.map(({ commit }) => commit)]
      const stored = store.commit(others.length === 0 ? own : asOne(all))
      return Effect.flatMap(Effect.exit(stored), (exit) => {
        const next = this.#line.shift()
        this.#isBusy = next !== undefined
        next?.resume(this.#store(next.commit))
        const isShared = others.length === 0 || Exit.isSuccess(exit) || isUnavailable(exit)
        const answer = (commit: Commit): Stored => (isShared ? exit : store.commit(commit))
        for (const { commit, resume } of others) resume(answer(commit))
        return answer(own)
      })
    })
    return Effect.uninterruptible(round)
  }
}
