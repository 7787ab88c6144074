import { Effect, Exit } from "effect"
import { type Commit, empty, type Guard, merge } from "../../commits/Commit.ts"
import { type Conflict, Store, StoreUnavailable } from "../../ports/Store.ts"

/** The most commits of one round, so that other work does not wait long for the store. */
const MOST = 128

type Stored = Effect.Effect<void, Conflict | StoreUnavailable, Store>

/** A commit that waits for its round, and the callback that resumes its fiber. */
interface Waiting {
  readonly commit: Commit
  readonly resume: (next: Stored) => void
}

/** Merges half by half. Merging one by one would copy everything once for each commit. */
const merged = (commits: ReadonlyArray<Commit>): Commit => {
  const [first = empty] = commits
  if (commits.length < 2) return first
  const middle = commits.length >> 1
  return merge(merged(commits.slice(0, middle)), merged(commits.slice(middle)))
}

/** Merges commits into one. They share a few guards, each of which is checked once. */
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
 * Stores independent commits as one. Commits that come while one is under way are stored together
 * by the next one. The first fiber stores for all that wait, and hands over to the first of those
 * that came meanwhile. A refused group is stored one by one, so that none fails because of another.
 */
export class CommitsTogether {
  readonly #line: Array<Waiting> = []
  #isBusy = false

  /** Stores a commit, alone or with others. Fails as the commit alone would. */
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
