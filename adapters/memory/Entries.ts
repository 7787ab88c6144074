/** A range of entries: those with names between the two, exclusive. */
export interface EntryRange {
  readonly above: string
  readonly below: string
  readonly order: "ascending" | "descending"
  readonly limit: number
}

/**
 * What a host provides for a store of its own: texts under names, ordered by the bytes of the names
 * in UTF-8, in a medium with transactions. Only `atomically` calls the other functions.
 */
export interface Entries {
  readonly get: (name: string) => string | undefined
  readonly set: (name: string, text: string) => void
  readonly delete: (name: string) => void
  readonly list: (range: EntryRange) => ReadonlyArray<readonly [name: string, text: string]>
  /**
   * Runs the body in a transaction. When it returns, all changes are durable. If the body or
   * `atomically` throws, there are none. Nobody else changes anything in between.
   */
  readonly atomically: <A>(body: () => A) => A
  readonly close: () => void
}
