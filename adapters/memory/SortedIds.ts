/** Identifiers of a list. */
export interface KeptIds {
  readonly add: (id: string) => void
  readonly delete: (id: string) => void
  /** Yields ids, newest first, after `after` if it is given. */
  readonly newestFirst: (after?: string) => Generator<string, void>
}

/** Identifiers in ascending order. New ones mostly come last. */
export class SortedIds implements KeptIds {
  readonly #ids: Array<string> = []

  add(id: string): void {
    const at = this.#firstFrom(id)
    if (this.#ids[at] !== id) this.#ids.splice(at, 0, id)
  }

  delete(id: string): void {
    const at = this.#firstFrom(id)
    if (this.#ids[at] === id) this.#ids.splice(at, 1)
  }

  /** Yields ids, newest first, after `after` if it is given. */
  *newestFirst(after?: string): Generator<string, void> {
    const from = after === undefined ? this.#ids.length : this.#firstFrom(after)
    for (let at = from - 1; at >= 0; at -= 1) {
      const id = this.#ids[at]
      if (id !== undefined) yield id
    }
  }

  /** Returns the position of the first identifier that is not below `id`. */
  #firstFrom(id: string): number {
    const last = this.#ids.at(-1)
    if (last === undefined || last < id) return this.#ids.length
    let low = 0
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ids[middle] ?? "") < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Yields the identifiers of several lists, each once: newest first, after `after`. */
export function* mergeNewest(lists: ReadonlyArray<KeptIds>, after?: string): Generator<string> {
  const walks = lists.map((list) => list.newestFirst(after))
  const next = (walk: Generator<string, void>): string => walk.next().value ?? ""
  const heads = walks.map(next)
  while (true) {
    const newest = heads.reduce((last, head) => (head > last ? head : last), "")
    if (newest === "") return
    yield newest
    for (const [n, walk] of walks.entries()) if (heads[n] === newest) heads[n] = next(walk)
  }
}
