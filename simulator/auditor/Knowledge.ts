import type { Write } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/**
 * The auditor's knowledge about a part of the protocol, made anew for each world. It receives every
 * stored write in order, after its check. An invariant reads it with `model.know`.
 */
export interface Knowledge<A> {
  readonly name: string
  readonly make: () => A
  readonly learn: (known: A, write: Write, at: Timestamp) => void
}

/** Makes knowledge that is kept in a class; without `learn`, only its rules update it. */
export const knowledge = <A>(
  name: string,
  Memory: new () => A,
  learn: Knowledge<A>["learn"] = () => undefined,
): Knowledge<A> => ({ name, make: () => new Memory(), learn })

/** Knowledge of any kind, as lists hold it. */
export interface AnyKnowledge {
  readonly name: string
  readonly make: () => unknown
  readonly learn: (known: never, write: Write, at: Timestamp) => void
}

/** Everything that a world's auditor has learnt, part by part. */
export class Memory {
  readonly #known = new Map<AnyKnowledge, unknown>()

  constructor(kinds: ReadonlyArray<AnyKnowledge>) {
    for (const kind of kinds) this.#known.set(kind, kind.make())
  }

  /** Returns the knowledge of a kind; the kind has to be listed. */
  of<A>(kind: Knowledge<A>): A {
    const known = this.#known.get(kind)
    if (known === undefined) throw new Error(`Nobody keeps in mind what is known of ${kind.name}.`)
    return known as A
  }

  learn(write: Write, at: Timestamp): void {
    for (const [kind, known] of this.#known) kind.learn(known as never, write, at)
  }
}
