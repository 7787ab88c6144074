/** Which entries are asked for: those whose names lie between two, which are not among them. */
export interface EntryRange {
  readonly above: string
  readonly below: string
  readonly order: "ascending" | "descending"
  readonly limit: number
}

/**
 * What a host brings for a store of its own: texts under names, in the order of the names' bytes in
 * UTF-8, in something that has transactions. `atomically` calls the others, and nobody else does.
 */
export interface Entries {
  readonly get: (name: string) => string | undefined
  readonly set: (name: string, text: string) => void
  readonly delete: (name: string) => void
  readonly list: (range: EntryRange) => ReadonlyArray<readonly [name: string, text: string]>
  /**
   * Runs the body in a transaction: all that it changes is durable when this returns, and none of
   * it is there when the body throws or this does. Nobody else changes anything in between.
   */
  readonly atomically: <A>(body: () => A) => A
  readonly close: () => void
}
