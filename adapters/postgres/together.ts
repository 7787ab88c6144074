import { Effect, Exit } from "effect"
import { CurrentDeadline, type Deadline } from "../../core/shared/CurrentDeadline.ts"

/** So many wait at once, at most: the next one goes alone, and the pool says what it says. */
const MOST_WAITING = 512

/** How what is asked one by one is asked together. */
interface Ways<Asked, Answer, E> {
  readonly alone: (asked: Asked) => Effect.Effect<Answer, E>
  /** The answers in the order of what was asked. */
  readonly all: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<Answer>, E>
  /** How many go together, at most. */
  readonly most: number
  /** What no two that go together may have in common; everything may go together without it. */
  readonly nameOf?: (asked: Asked) => string
  /** Whether those that went together are asked one by one: one of them may have failed all. */
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

  /** Nobody is interrupted between taking the turn and what gives it back. */
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
        // Whoever asked last may have been answered since: nobody would come by this line then.
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

  /** Sends all that have come meanwhile; whoever has gone since is still asked for. */
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
 * What is asked while an answer is on its way is asked together when that has come, in one
 * statement: so nothing waits for more, and many who ask at once cost little more than one. It is
 * sent after the last of them has asked.
 */
export const together = <Asked, Answer, E>(
  ways: Ways<Asked, Answer, E>,
): ((asked: Asked) => Effect.Effect<Answer, E>) => new Together(ways).ask
