import type { Write } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/**
 * What a part of the protocol has to keep in mind to be judged: made anew for each world, told of
 * every stored write in order, after it was judged. An invariant reads it with `model.know`.
 */
export interface Knowledge<A> {
  readonly name: string
  readonly make: () => A
  readonly learn: (known: A, write: Write, at: Timestamp) => void
}

/** What the auditor keeps in mind in a class; without `learn`, its rules alone tell it. */
export const knowledge = <A>(
  name: string,
  Memory: new () => A,
  learn: Knowledge<A>["learn"] = () => undefined,
): Knowledge<A> => ({ name, make: () => new Memory(), learn })

/** One of any kind, as whoever lists them sees it. */
export interface AnyKnowledge {
  readonly name: string
  readonly make: () => unknown
  readonly learn: (known: never, write: Write, at: Timestamp) => void
}

/** What a world's auditor has learnt, part by part. */
export class Memory {
  readonly #known = new Map<AnyKnowledge, unknown>()

  constructor(kinds: ReadonlyArray<AnyKnowledge>) {
    for (const kind of kinds) this.#known.set(kind, kind.make())
  }

  /** What is known of a kind; the kind has to be listed. */
  of<A>(kind: Knowledge<A>): A {
    const known = this.#known.get(kind)
    if (known === undefined) throw new Error(`Nobody keeps in mind what is known of ${kind.name}.`)
    return known as A
  }

  learn(write: Write, at: Timestamp): void {
    for (const [kind, known] of this.#known) kind.learn(known as never, write, at)
  }
}
