import type { SealedFields } from "../secrets/SealedText.ts"
import type { IdPrefix } from "../shared/Id.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { DueKind, Kind, Records } from "./Records.ts"

type Field<K extends Kind> = keyof Records[K] & string

/** Fields by which one record is found, as long as it has one of the values in `while`. */
export interface UniqueName<K extends Kind> {
  readonly by: ReadonlyArray<Field<K>>
  readonly while?: { readonly [F in Field<K>]?: ReadonlyArray<Records[K][F]> }
}

interface Declared<K extends Kind> {
  /** What its ids begin with; null where they are bare UUIDs. */
  readonly prefix: IdPrefix | null
  /** Whether its records go with the data of their account. */
  readonly erased: Records[K] extends { readonly account_id: string } ? boolean : false
  /**
   * Whether a store may keep its records in memory for a moment, so that their changes have to be
   * announced: where they are `found`, where their `absence` is kept as well, or only `within` the
   * answer to another question.
   */
  readonly cached?: "found" | "absence" | "within"
  /** What no two records of the kind share. A record whose field is null has no such name. */
  readonly unique?: ReadonlyArray<UniqueName<K>>
  /** The fields that its records are listed by, each set of them with an index of its own. */
  readonly lists?: ReadonlyArray<ReadonlyArray<Field<K>>>
  /** Whose turn it is that a due record waits for; all of the kind wait together by default. */
  readonly receiver?: (record: Records[K]) => string
  /** Where its secrets are, which are sealed again when the installation's key changes. */
  readonly sealed?: SealedFields<Records[K]>
  /** The record as it is handed out when it is due. */
  readonly claimed?: (record: Records[K]) => Records[K]
}

/** Says when a worker has to look at a record; null when time changes nothing about it. */
interface WhenDue<K extends Kind> {
  readonly dueAt: (record: Records[K]) => Timestamp | null
}

/** All that stores have to know of a kind of record. */
export type KindDeclaration<K extends Kind> = Declared<K> &
  (K extends DueKind ? WhenDue<K> : Partial<WhenDue<never>>)

/** Declares a kind of record beside its type. `ports/everyKind.ts` lists the declarations. */
export const defineKind = <K extends Kind, const D extends KindDeclaration<K>>(
  _kind: K,
  declaration: D,
): D => declaration

/** For records that carry the time at which they are due. */
export const ownDueAt = ({ due_at }: { readonly due_at: Timestamp | null }): Timestamp | null =>
  due_at
