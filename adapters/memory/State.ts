import type { Effect } from "effect"
import { type Held, holdingCounter } from "../../core/accounts/Holding.ts"
import { usageCounter } from "../../core/billing/Meter.ts"
import { contactChanges } from "../../core/kyc/verifications/Person.ts"
import { monthOf } from "../../core/shared/Month.ts"
import type { Reply } from "../../core/idempotency/Reply.ts"
import { heldPlaces } from "../../core/payments/writeMove.ts"
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

/**
 * Keeps the month's number of QR codes of removed payments as a counter, and gives back what they
 * hold of limits, and the places that agents take of their contacts.
 */
const settleCounters = ({ counters, tables }: State, accountId: string): void => {
  for (const intent of tables.payment_intent.values()) {
    const { account_id, created_at, offers } = intent
    if (account_id !== accountId) continue
    for (const { add, counter } of heldPlaces(intent)) {
      const value = counters.get(counter)
      if (value !== undefined) counters.set(counter, value + add)
    }
    if (offers.length === 0) continue
    const counter = usageCounter(accountId, monthOf(created_at), "qr-generation")
    counters.set(counter, (counters.get(counter) ?? 0) + offers.length)
  }
  for (const agent of tables.agent.values()) {
    if (agent.account_id !== accountId) continue
    for (const { add, counter } of contactChanges(agent, { verified: [] })) {
      const value = counters.get(counter)
      if (value !== undefined) counters.set(counter, value + add)
    }
  }
}

/** Returns the kind of room that a record takes of its account's plan; undefined for none. */
const heldBy = (kind: Kind, record: Records[Kind]): Held | undefined => {
  if (kind === "service") return "services"
  if (kind === "install") return "installs"
  if (kind !== "verification") return undefined
  return (record as Records["verification"]).sealed === null ? undefined : "verifications"
}

const giveRoomBack = ({ counters }: State, accountId: string, held: Held | undefined): void => {
  const counter = held === undefined ? undefined : holdingCounter(accountId, held)
  const value = counter === undefined ? undefined : counters.get(counter)
  if (counter !== undefined && value !== undefined) counters.set(counter, value - 1)
}

/** Removes an account's data, releases the keys that its records own, and removes its replies. */
export const erase = (state: State, accountId: string): void => {
  settleCounters(state, accountId)
  const erased = new Set<string>()
  for (const kind of ALL_KINDS.filter((each) => KINDS[each].erased)) {
    const table = state.tables[kind]
    for (const record of table.values()) {
      if ("account_id" in record && record.account_id === accountId) {
        table.delete(record.id)
        giveRoomBack(state, accountId, heldBy(kind, record))
        erased.add(record.id)
      }
    }
  }
  for (const [key, owner] of state.keys) {
    if (erased.has(owner)) state.keys.delete(key)
  }
  state.ledger.close(accountId)
  for (const [id, reply] of state.replies) {
    if (reply.account_id === accountId) state.replies.delete(id)
  }
}
