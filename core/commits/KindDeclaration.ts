import type { SealedFields } from "../secrets/SealedText.ts"
import type { IdPrefix } from "../shared/Id.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { DueKind, Kind, Records } from "./Records.ts"

type Field<K extends Kind> = keyof Records[K] & string

/** Fields that identify one record, as long as it has one of the values in `while`. */
export interface UniqueName<K extends Kind> {
  readonly by: ReadonlyArray<Field<K>>
  readonly while?: { readonly [F in Field<K>]?: ReadonlyArray<Records[K][F]> }
}

interface Declared<K extends Kind> {
  /** The prefix of its ids; null for bare UUIDs. */
  readonly prefix: IdPrefix | null
  /** Whether its records are erased with the data of their account. */
  readonly erased: Records[K] extends { readonly account_id: string } ? boolean : false
  /**
   * Whether a store may cache its records for a moment, so that their changes have to be announced:
   * `found` for existing records, `absence` for missing ones as well, `within` only as part of the
   * answer to another question.
   */
  readonly cached?: "found" | "absence" | "within"
  /** The unique names of its records. A record with null in such a field has no such name. */
  readonly unique?: ReadonlyArray<UniqueName<K>>
  /** The sets of fields that its records are listed by, each with its own index. */
  readonly lists?: ReadonlyArray<ReadonlyArray<Field<K>>>
  /** Returns the receiver whose queue a due record waits in; by default all share one queue. */
  readonly receiver?: (record: Records[K]) => string
  /** Its secrets, which are sealed again when the installation's key changes. */
  readonly sealed?: SealedFields<Records[K]>
  /** Returns the record as a claim hands it out. */
  readonly claimed?: (record: Records[K]) => Records[K]
}

/** Returns when a worker has to look at a record; null if time changes nothing about it. */
interface WhenDue<K extends Kind> {
  readonly dueAt: (record: Records[K]) => Timestamp | null
}

/** Everything that stores need to know of a kind of record. */
export type KindDeclaration<K extends Kind> = Declared<K> &
  (K extends DueKind ? WhenDue<K> : Partial<WhenDue<never>>)

/** Declares a kind of record beside its type. `ports/everyKind.ts` lists the declarations. */
export const defineKind = <K extends Kind, const D extends KindDeclaration<K>>(
  _kind: K,
  declaration: D,
): D => declaration

/** Returns the due time that a record holds itself. */
export const ownDueAt = ({ due_at }: { readonly due_at: Timestamp | null }): Timestamp | null =>
  due_at
