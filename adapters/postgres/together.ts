import { Effect, Exit } from "effect"
import { CurrentDeadline, type Deadline } from "../../core/shared/CurrentDeadline.ts"

/** The most calls that wait. Further calls are sent alone, and the pool decides about them. */
const MOST_WAITING = 512

/** How calls are sent, alone or together. */
interface Ways<Asked, Answer, E> {
  readonly alone: (asked: Asked) => Effect.Effect<Answer, E>
  /** Returns the answers in the order of the calls. */
  readonly all: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<Answer>, E>
  /** The most calls that are sent together. */
  readonly most: number
  /** Calls with the same name are never sent together. Without it, all calls may be. */
  readonly nameOf?: (asked: Asked) => string
  /** Whether a failed group is sent again call by call, because one call may have failed all. */
  readonly goApart?: (error: E) => boolean
}

interface Waiting<Asked, Answer, E> {
  readonly asked: Asked
  readonly deadline: Deadline
  readonly resume: (answer: Effect.Effect<Answer, E>) => void
}

class Together<Asked, Answer, E> {
  readonly #ways: Ways<Asked, Answer, E>
  #line: Array<Waiting<Asked, Answer, E>> = []
  #isAsking = false

  constructor(ways: Ways<Asked, Answer, E>) {
    this.#ways = ways
  }

  /** No interruption may happen between taking the turn and giving it back. */
  readonly ask = (asked: Asked): Effect.Effect<Answer, E> =>
    Effect.uninterruptibleMask((restore) => {
      if (!this.#isAsking) {
        this.#isAsking = true
        return Effect.onExit(restore(this.#ways.alone(asked)), () => this.#next)
      }
      return restore(this.#wait(asked))
    })

  #wait(asked: Asked): Effect.Effect<Answer, E> {
    if (this.#line.length >= MOST_WAITING) return this.#ways.alone(asked)
    return Effect.flatMap(CurrentDeadline, (deadline) =>
      Effect.callback<Answer, E>((resume) => {
        // The last call may have ended since, and then nobody would serve this queue.
        if (!this.#isAsking) return resume(this.ask(asked))
        const waiting = { asked, deadline, resume }
        this.#line.push(waiting)
        return Effect.sync(() => {
          const place = this.#line.indexOf(waiting)
          if (place >= 0) this.#line.splice(place, 1)
        })
      }),
    )
  }

  readonly #next = Effect.sync(() => this.#send())

  #take(): ReadonlyArray<Waiting<Asked, Answer, E>> {
    const { most, nameOf } = this.#ways
    if (nameOf === undefined) return this.#line.splice(0, most)
    const names = new Set<string>()
    const group: Array<Waiting<Asked, Answer, E>> = []
    const left: Array<Waiting<Asked, Answer, E>> = []
    for (const waiting of this.#line) {
      const name = nameOf(waiting.asked)
      const goes = group.length < most && !names.has(name)
      names.add(name)
      if (goes) group.push(waiting)
      else left.push(waiting)
    }
    this.#line = left
    return group
  }

  /** Sends all waiting calls. Calls that give up later are still answered. */
  #send(): void {
    const group = this.#take()
    this.#isAsking = group.length > 0
    if (group.length === 0) return
    const deadline: Deadline = {
      left: () => Math.max(...group.map((waiting) => waiting.deadline.left())),
    }
    const asked = group.map((waiting) => waiting.asked)
    const sent = Effect.provideService(this.#ways.all(asked), CurrentDeadline, deadline)
    Effect.runFork(
      Effect.flatMap(Effect.exit(sent), (exit) => {
        this.#answer(group, exit)
        return this.#next
      }),
    )
  }

  #answer(
    group: ReadonlyArray<Waiting<Asked, Answer, E>>,
    exit: Exit.Exit<ReadonlyArray<Answer>, E>,
  ): void {
    const { alone, goApart } = this.#ways
    if (Exit.isSuccess(exit)) {
      for (const [index, { resume }] of group.entries()) {
        resume(Effect.succeed(exit.value[index] as Answer))
      }
      return
    }
    const found = Exit.findErrorOption(exit)
    const apart = found._tag === "Some" && goApart?.(found.value) === true
    for (const { asked, resume } of group) {
      resume(apart && group.length > 1 ? alone(asked) : Effect.failCause(exit.cause))
    }
  }
}

/**
 * Groups calls. Calls that come while an answer is pending are sent in one statement when it has
 * arrived. So no call waits for a timer, and many calls cost little more than one. The group's
 * deadline is the latest of its calls.
 */
export const together = <Asked, Answer, E>(
  ways: Ways<Asked, Answer, E>,
): ((asked: Asked) => Effect.Effect<Answer, E>) => new Together(ways).ask
