import type { Kind, Records } from "../commits/Records.ts"
import type * as everyKind from "./everyKind.ts"

type Declared<K extends Kind> = (typeof everyKind)[K]

/** The sets of fields by which records of the kind are listed. */
type ListsOf<K extends Kind> =
  Declared<K> extends {
    readonly lists: infer L extends ReadonlyArray<ReadonlyArray<string>>
  }
    ? L[number]
    : never

/** The sets of fields by which one record of the kind is found. */
type NamesOf<K extends Kind> =
  Declared<K> extends {
    readonly unique: ReadonlyArray<{ readonly by: infer N extends ReadonlyArray<string> }>
  }
    ? N
    : never

/** One value, or any of several. */
type AnyOf<V> = NonNullable<V> | ReadonlyArray<NonNullable<V>>

/** Additional filters of a list: fields of the kind's other lists. */
type Filters<K extends Kind> = {
  readonly [F in ListsOf<K>[number] & keyof Records[K]]?: AnyOf<Records[K][F]> | undefined
}

/** All fields of one of the kind's lists, with filters. */
export type ListedBy<K extends Kind, L = ListsOf<K>> =
  L extends ReadonlyArray<infer F>
    ? { readonly [N in F & keyof Records[K]]: AnyOf<Records[K][N]> } & Filters<K>
    : never

/** All fields of one of the kind's unique names. */
export type NamedBy<K extends Kind, N = NamesOf<K>> =
  N extends ReadonlyArray<infer F>
    ? { readonly [M in F & keyof Records[K]]: NonNullable<Records[K][M]> }
    : never

/** The kinds that have lists. */
export type ListedKind = { [K in Kind]: [ListsOf<K>] extends [never] ? never : K }[Kind]

/** The kinds whose records have unique names. */
export type NamedKind = { [K in Kind]: [NamesOf<K>] extends [never] ? never : K }[Kind]

/** A query for records of one kind, in the order of their ids, which is that of their creation. */
export interface ListQuery<K extends Kind> {
  readonly by: ListedBy<K>
  /** Newest first by default. */
  readonly order?: "newest" | "oldest"
  /** The list begins after this id. */
  readonly after?: string | undefined
  /** The list begins with this id, or with the next one if it is not in the list. */
  readonly from?: string | undefined
  readonly limit?: number
}
