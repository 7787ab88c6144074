import { type Held, holdingCounter } from "../../core/accounts/Holding.ts"
import { usageCounter } from "../../core/billing/Meter.ts"
import { periodCounters } from "../../core/invoices/Tab.ts"
import { contactChanges } from "../../core/kyc/verifications/Person.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { FOLLOWERS, isShared, takesPart, without } from "../../core/payments/Sides.ts"
import { heldPlaces, ONE_TIME } from "../../core/payments/writeMove.ts"
import { ALL_KINDS, type Kind, KINDS, type Records } from "../../core/ports/Store.ts"
import { monthOf } from "../../core/shared/Month.ts"
import { frozen } from "./frozen.ts"
import type { State } from "./State.ts"

/** The records whose keys are released: all of them, or the names of One-Time payments. */
interface Released {
  readonly gone: Set<string>
  readonly left: Set<string>
}

const addTo = ({ counters }: State, counter: string, add: number): void => {
  const value = counters.get(counter)
  if (value !== undefined) counters.set(counter, value + add)
}

/**
 * Keeps the month's number of QR codes of a payment as a counter of its creator, and gives back
 * what the payment holds of limits.
 */
const settlePayment = (state: State, intent: PaymentIntent): void => {
  for (const { add, counter } of heldPlaces(intent)) addTo(state, counter, add)
  const { account_id, created_at, offers } = intent
  if (offers.length === 0) return
  const counter = usageCounter(account_id, monthOf(created_at), "qr-generation")
  state.counters.set(counter, (state.counters.get(counter) ?? 0) + offers.length)
}

/** Removes the records about a payment, or takes the account out of them if the payment stays. */
const partFollowers = (
  { tables }: State,
  intent: PaymentIntent,
  accountId: string,
  { gone }: Released,
): void => {
  for (const kind of FOLLOWERS) {
    const table = tables[kind] as State["tables"]["refund"]
    for (const record of table.list({ by: { payment_intent: intent.id } })) {
      if (isShared(intent, accountId)) {
        if (!takesPart(record, accountId)) continue
        table.set(frozen({ ...without(record, accountId), version: record.version + 1 }))
      } else {
        table.delete(record.id)
        gone.add(record.id)
      }
    }
  }
}

/** Removes the account's payments, and takes it out of those in which others take part. */
const partPayments = (state: State, accountId: string, released: Released): void => {
  const { payment_intent } = state.tables
  const intents = [...payment_intent.values()].filter((intent) => takesPart(intent, accountId))
  for (const intent of intents) {
    const isOwn = intent.account_id === accountId
    if (isOwn) settlePayment(state, intent)
    partFollowers(state, intent, accountId, released)
    if (isShared(intent, accountId)) {
      if (isOwn) released.left.add(intent.id)
      const spending = isOwn ? null : intent.spending
      const version = intent.version + 1
      payment_intent.set(frozen({ ...without(intent, accountId), spending, version }))
    } else {
      payment_intent.delete(intent.id)
      released.gone.add(intent.id)
    }
  }
}

/** Removes the use of the account's tabs, and the counters of their periods. */
const eraseUse = ({ counters, tables }: State, accountId: string): void => {
  const tabs = new Set<string>()
  for (const tab of tables.tab.values()) if (tab.account_id === accountId) tabs.add(tab.id)
  if (tabs.size === 0) return
  for (const used of tables.usage_record.values()) {
    if (tabs.has(used.tab)) tables.usage_record.delete(used.id)
  }
  const beginnings = [...tabs].map(periodCounters)
  for (const [counter] of counters) {
    if (beginnings.some((beginning) => counter.startsWith(beginning))) counters.delete(counter)
  }
}

/** Gives back the places that the account's agents take of their contacts. */
const giveContactsBack = (state: State, accountId: string): void => {
  for (const agent of state.tables.agent.values()) {
    if (agent.account_id !== accountId) continue
    for (const { add, counter } of contactChanges(agent, { verified: [] })) {
      addTo(state, counter, add)
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

/**
 * Removes an account's data, takes it out of payments that others keep, releases the keys that the
 * removed records own, and removes its replies.
 */
export const erase = (state: State, accountId: string): void => {
  const released: Released = { gone: new Set(), left: new Set() }
  partPayments(state, accountId, released)
  eraseUse(state, accountId)
  giveContactsBack(state, accountId)
  for (const kind of ALL_KINDS.filter((each) => KINDS[each].erased)) {
    const table = state.tables[kind]
    for (const record of table.values()) {
      if ("account_id" in record && record.account_id === accountId) {
        table.delete(record.id)
        const held = heldBy(kind, record)
        if (held !== undefined) addTo(state, holdingCounter(accountId, held), -1)
        released.gone.add(record.id)
      }
    }
  }
  for (const [key, owner] of state.keys) {
    const isLeft = released.left.has(owner) && key.startsWith(ONE_TIME)
    if (isLeft || released.gone.has(owner)) state.keys.delete(key)
  }
  state.ledger.close(accountId)
  for (const [id, reply] of state.replies) {
    if (reply.account_id === accountId) state.replies.delete(id)
  }
}
