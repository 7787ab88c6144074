// Written independently of the views and lists of the core on purpose: see Model.ts. The fields of
// each view are those of the interface.

import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { balanced } from "./balances.ts"
import {
  ELSEWHERE,
  type Fields,
  FIELDS,
  MORE,
  newestFirst,
  present,
  recordsOf,
  type ShownKind,
  shownValue,
} from "./shownFields.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** All pages of a list at rest. The query has the fields that records must have. */
    readonly records_listed: {
      readonly kind: ShownKind
      /** The account that asked; null for an operator. */
      readonly account: string | null
      readonly query: Fields
      readonly limit: number
      readonly pages: ReadonlyArray<{
        readonly data: ReadonlyArray<Fields>
        readonly more: boolean
        /** The number of all records, if the page has it. */
        readonly total: number | undefined
      }>
    }
    /** A record at rest, as it is shown by its id; undefined if it is not found. */
    readonly record_shown: {
      readonly kind: ShownKind
      readonly account: string | null
      readonly id: string
      readonly shown: Fields | undefined
    }
  }
}

/** The fields that name the accounts that see a record, by its kind; `account_id` for most. */
const SEEN_BY: { readonly [K in ShownKind]?: ReadonlyArray<string> } = {
  invoice: ["account_id", "payee_account_id"],
  refund_request: ["account_id", "payee_account_id"],
  refund: ["payee_account_id"],
  subscription: ["account_id", "payee_account_id"],
}

const isSeen = (
  kind: ShownKind,
  record: Fields,
  account: string | null,
  query: Fields,
): boolean => {
  if (account === null) return true
  // Those of a payment are shown to all who take part in it.
  if (kind === "refund" && query["payment_intent"] !== undefined) return true
  return (SEEN_BY[kind] ?? ["account_id"]).some((field) => record[field] === account)
}

const matches = (record: Fields, query: Fields): boolean =>
  Object.entries(query).every(([field, value]) => record[field] === value)

/** Checks that a view has what is stored of its record. */
const asStored = (
  kind: ShownKind,
  record: Fields,
  shown: Fields,
  account: string | null,
  model: Model,
): Finding => {
  const own = FIELDS[kind]
    .filter((field) => account === null || field !== "account_id")
    .map((field) => [field, shownValue(field, record[field])] as const)
  const expected = present({
    ...Object.fromEntries(own),
    ...MORE[kind]?.(record, account, model),
  })
  const differs = difference(expected, present(shown), ELSEWHERE[kind] ?? [])
  return differs === undefined ? undefined : `shows ${kind} ${String(record["id"])} with ${differs}`
}

const idOf = (kind: ShownKind, shown: Fields): unknown =>
  kind === "appeal"
    ? shown["appeal_id"]
    : kind === "verification"
      ? shown["verification_id"]
      : shown["id"]

const listed: Rule<"records_listed"> = ({ account, kind, limit, pages, query }, model) => {
  const expected = recordsOf(kind, model)
    .filter((record) => isSeen(kind, record, account, query) && matches(record, query))
    .toSorted(newestFirst)
  const shown = pages.flatMap(({ data }) => data)
  const ids = expected.map(({ id }) => id)
  const asked = `${kind} ${JSON.stringify(query)}`
  const differs = difference(
    ids,
    shown.map((one) => idOf(kind, one)),
  )
  if (differs !== undefined) return `lists ${asked} with ${differs}`
  const last = pages.length - 1
  const uneven = pages.findIndex(
    ({ data, more }, n) => more !== n < last || (more && data.length !== limit),
  )
  if (uneven !== -1) return `has a page ${uneven} of ${asked} that is not full or not the last`
  const wrong = pages.find(({ total }) => total !== undefined && total !== ids.length)
  if (wrong !== undefined) return `counts ${wrong.total} of ${asked}, not ${ids.length}`
  for (const [n, record] of expected.entries()) {
    const flaw = asStored(kind, record, shown[n] ?? {}, account, model)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const shown: Rule<"record_shown"> = ({ account, id, kind, shown: view }, model) => {
  const record = recordsOf(kind, model).find((one) => one["id"] === id)
  if (record === undefined) return view === undefined ? undefined : `shows ${kind} ${id}, not there`
  if (view === undefined) return `does not show ${kind} ${id}`
  return asStored(kind, record, view, account, model)
}

/** The rules that lists and reads show what is stored, and all of it. */
export const shownRecordRules: Rulebook = {
  147: { records_listed: listed, record_shown: shown, balance_shown: balanced },
}
