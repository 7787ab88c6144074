import type { Effect } from "effect"
import type { Reply } from "../../core/idempotency/Reply.ts"
import {
  ALL_KINDS,
  type Kind,
  KINDS,
  type Records,
  type StoreUnavailable,
} from "../../core/ports/Store.ts"
import { AuditLog } from "./AuditLog.ts"
import type { Keeping, Kept } from "./Keeping.ts"
import { Ledger } from "./Ledger.ts"
import { type Declared, Table } from "./Table.ts"

type Tables = { readonly [K in Kind]: Table<Records[K]> }

/** Runs all of a body or nothing of it, with no other change in between. */
export type Atomically = <A>(body: () => A) => Effect.Effect<A, StoreUnavailable>

/** Everything that a store keeps. */
export interface State {
  readonly tables: Tables
  /** The owner of each claimed key. */
  readonly keys: Kept<string>
  readonly counters: Kept<number>
  readonly replies: Kept<Reply>
  readonly ledger: Ledger
  readonly audit: AuditLog
}

export const replyId = (accountId: string, key: string): string => `${accountId} ${key}`

const makeTables = (keeping: Keeping): Tables =>
  Object.fromEntries(
    ALL_KINDS.map((kind) => [
      kind,
      new Table(KINDS[kind] as Declared<Records[Kind]>, keeping, kind),
    ]),
  ) as {
    readonly [kind: string]: unknown
  } as Tables

export const makeState = (keeping: Keeping): State => ({
  tables: makeTables(keeping),
  keys: keeping.map("keys"),
  counters: keeping.map("counters"),
  replies: keeping.map("replies"),
  ledger: new Ledger(keeping),
  audit: new AuditLog(keeping),
})
