import { tokensOf } from "./Tokens.ts"

interface Branch<A> {
  readonly next: Map<string, Branch<A>>
  value?: A
}

/** Phrases by their tokens, each with its value. */
export interface Phrases<A> {
  /** Returns the phrases that begin at `at`, each with where it ends. */
  readonly at: (
    texts: ReadonlyArray<string>,
    at: number,
  ) => ReadonlyArray<{ readonly end: number; readonly value: A }>
}

/** Makes a tree of the phrases, which compares one position of a text with all of them at once. */
export const phrasesOf = <A>(
  entries: Iterable<readonly [phrase: string, value: A]>,
): Phrases<A> => {
  const root: Branch<A> = { next: new Map() }
  for (const [phrase, value] of entries) {
    let branch = root
    for (const { text } of tokensOf(phrase)) {
      const next: Branch<A> = branch.next.get(text) ?? { next: new Map() }
      branch.next.set(text, next)
      branch = next
    }
    branch.value = value
  }
  return {
    at: (texts, start) => {
      const found: Array<{ readonly end: number; readonly value: A }> = []
      let branch: Branch<A> | undefined = root
      for (let at = start; ; at += 1) {
        branch = branch.next.get(texts[at] ?? "")
        if (branch === undefined) return found
        if (branch.value !== undefined) found.push({ end: at + 1, value: branch.value })
      }
    },
  }
}
