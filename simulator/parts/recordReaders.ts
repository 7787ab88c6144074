import { Effect, Exit } from "effect"
import type { Account, Caller } from "../../core/accounts/Account.ts"
import { listLog } from "../../core/accountLog/listLog.ts"
import { getStatement, listStatements } from "../../core/billing/showStatements.ts"
import { getInstall, listInstalls } from "../../core/installs/showInstalls.ts"
import { listAppeals, listVerifications } from "../../core/kyc/reviews/reviewLists.ts"
import { getBalance } from "../../core/ledger/getBalance.ts"
import { listEntries } from "../../core/ledger/listEntries.ts"
import { getListing, listListings } from "../../core/listings/ownListings.ts"
import {
  getRefundRequest,
  listRefundRequests,
} from "../../core/refundRequests/showRefundRequests.ts"
import { getRefund } from "../../core/refunds/getRefund.ts"
import { listRefunds } from "../../core/refunds/listRefunds.ts"
import {
  getInvoice,
  getSubscription,
  listInvoices,
  listSubscriptions,
} from "../../core/subscriptions/listInvoices.ts"
import {
  getDelivery,
  getEvent,
  listDeliveries,
  listEvents,
} from "../../core/webhooks/deliveries/showLog.ts"
import { getEndpoint, listEndpoints } from "../../core/webhooks/endpoints/showEndpoints.ts"
import { listWebhookKeys } from "../../core/webhooks/endpoints/webhookKeys.ts"
import { type Fields, recordsOf, type ShownKind } from "../auditor/invariants/shownFields.ts"
import { shownRecordRules } from "../auditor/invariants/shownRecords.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"

/** A page as it is asked for, by the fields that its records must have. */
interface Asked {
  readonly limit: number
  readonly query: Fields
  readonly last: string | undefined
  readonly offset: number
}

type Answer = {
  readonly data: ReadonlyArray<object>
  readonly has_more?: boolean
  readonly pagination?: { readonly total: number }
}

type Look<A> = Effect.Effect<A, unknown, Services>

interface Reading {
  readonly kind: ShownKind
  /** The fields that a query may name. */
  readonly by: ReadonlyArray<string>
  readonly list: (caller: Caller, asked: Asked) => Look<Answer>
  readonly get?: (caller: Caller, id: string) => Look<object>
}

/** Returns a query of a list that goes on after an id, as its verb takes it. */
const after = ({ last, limit, query }: Asked) =>
  ({ ...query, limit, ...(last !== undefined && { starting_after: last }) }) as never

/** Returns a query of a list that goes on after a number of records. */
const counted = ({ limit, offset, query }: Asked) => ({ ...query, limit, offset }) as never

/** The lists that accounts read of their own records. */
const OWN: ReadonlyArray<Reading> = [
  {
    kind: "refund",
    by: ["payment_intent"],
    list: (caller, asked) => listRefunds(caller, after(asked)),
    get: getRefund,
  },
  {
    kind: "refund_request",
    by: ["payment_intent", "status"],
    list: (caller, asked) => listRefundRequests(caller, after(asked)),
    get: getRefundRequest,
  },
  {
    kind: "event",
    by: ["type"],
    list: (caller, asked) => listEvents(caller, after(asked)),
    get: getEvent,
  },
  {
    kind: "delivery",
    by: ["status", "event_id", "endpoint_id"],
    list: (caller, asked) => listDeliveries(caller, after(asked)),
    get: getDelivery,
  },
  {
    kind: "endpoint",
    by: [],
    list: (caller, asked) => listEndpoints(caller, after(asked)),
    get: getEndpoint,
  },
  { kind: "webhook_key", by: [], list: (caller, asked) => listWebhookKeys(caller, after(asked)) },
  {
    kind: "install",
    by: ["service_id"],
    list: (caller, asked) => listInstalls(caller, after(asked)),
    get: getInstall,
  },
  {
    kind: "subscription",
    by: ["service_id", "status"],
    list: (caller, asked) => listSubscriptions(caller, counted(asked)),
    get: getSubscription,
  },
  {
    kind: "invoice",
    by: ["service_id", "status", "subscription"],
    list: (caller, asked) => listInvoices(caller, counted(asked)),
    get: getInvoice,
  },
  {
    kind: "listing",
    by: ["service_id"],
    list: (caller, asked) => listListings(caller, after(asked)),
    get: getListing,
  },
  {
    kind: "statement",
    by: [],
    list: (caller, asked) => listStatements(caller, after(asked)),
    get: getStatement,
  },
  {
    kind: "log_entry",
    by: [],
    list: ({ account }, asked) => listLog(account.id, after(asked)),
  },
  {
    kind: "posting",
    by: ["payment_intent", "currency", "kind"],
    list: (caller, asked) => listEntries(caller, after(asked)),
  },
]

/** The lists that operators read of all accounts' records. */
const OPERATORS: ReadonlyArray<Reading> = [
  {
    kind: "verification",
    by: ["account_id", "level"],
    list: (_caller, asked) => listVerifications(after(asked)),
  },
  {
    kind: "appeal",
    by: ["account_id", "status"],
    list: (_caller, asked) => listAppeals(after(asked)),
  },
]

/** The most pages of a list that are read: those of large worlds have many. */
const MOST_PAGES = 12

const idOf = (view: object): string => {
  const { appeal_id, id, verification_id } = view as Fields
  return String(appeal_id ?? (id === undefined ? verification_id : id))
}

type Page = Observations["records_listed"]["pages"][number]

/** Reads a list page by page; undefined if it is too long to be read whole. */
const readAll = Effect.fnUntraced(function* (
  { list }: Reading,
  caller: Caller,
  query: Fields,
  limit: number,
) {
  const pages: Array<Page> = []
  let last: string | undefined
  for (let offset = 0; pages.length < MOST_PAGES; offset += limit) {
    const answer = yield* list(caller, { limit, query, last, offset })
    const data = answer.data as ReadonlyArray<Fields>
    const total = answer.pagination?.total
    const more = answer.has_more ?? offset + data.length < (total ?? 0)
    pages.push({ data, more, total })
    const [end] = data.slice(-1)
    if (!more || end === undefined) return pages
    last = idOf(end)
  }
  return undefined
})

/** Draws what a list is asked for: fields of one of its records, or nothing. */
const drawQuery = (by: ReadonlyArray<string>, records: ReadonlyArray<Fields>, chance: Chance) => {
  const [first, ...others] = records
  if (first === undefined || !chance.hits(0.5)) return {}
  const one = chance.pick([first, ...others])
  const named = by.filter((field) => typeof one[field] === "string" && chance.hits(0.6))
  return Object.fromEntries(named.map((field) => [field, one[field]]))
}

const PARTIES = ["account_id", "payee_account_id"] as const

/** Reads a list, and one of its records by its id. */
const read = Effect.fnUntraced(function* (
  scene: Scene,
  reading: Reading,
  asker: Caller | undefined,
  chance: Chance,
) {
  const { auditor, people } = scene
  const caller = asker ?? people.stranger
  const account = asker?.account.id ?? null
  const { by, get, kind } = reading
  const own = recordsOf(kind, scene.auditor.model).filter(
    (record) => account === null || PARTIES.some((field) => record[field] === account),
  )
  const query = drawQuery(by, own, chance)
  const limit = chance.weighted([
    [1, own.length > MOST_PAGES ? 100 : 1],
    [3, own.length > MOST_PAGES ? 100 : chance.int(2, 7)],
    [2, 100],
  ])
  const pages = yield* readAll(reading, caller, query, limit)
  if (pages === undefined) return
  auditor.see("records_listed", kind, { kind, account, query, limit, pages })
  const [first, ...others] = own
  if (first === undefined || get === undefined) return
  const id = String(chance.pick([first, ...others])["id"])
  const exit = yield* Effect.exit(get(caller, id))
  const shown = Exit.isSuccess(exit) ? (exit.value as Fields) : undefined
  auditor.see("record_shown", id, { kind, account, id, shown })
})

/** How many accounts read each of their lists. */
const READERS = 2

/** Has accounts that own records of a kind read them. */
const readKind = Effect.fnUntraced(function* (scene: Scene, reading: Reading, chance: Chance) {
  const accounts = scene.auditor.model.know(kept).get("account")
  const owners = new Set(
    recordsOf(reading.kind, scene.auditor.model).flatMap((record) =>
      PARTIES.map((field) => record[field]),
    ),
  )
  const askers = [...owners].flatMap((id) => (accounts?.get(String(id)) as Account | null) ?? [])
  for (let n = 0; n < READERS; n += 1) {
    const [first, ...others] = askers
    if (first === undefined) return
    const account = chance.pick([first, ...others])
    yield* read(scene, reading, { account, api_key_id: "key_of_a_reader" }, chance)
  }
})

/** Has the owners of two books read their balances. */
const readBalances = Effect.fnUntraced(function* ({ auditor }: Scene, chance: Chance) {
  const { model } = auditor
  const accounts = model.know(kept).get("account")
  const owners = new Set([...model.posted.values()].map(({ account_id }) => account_id))
  const [first, ...others] = [...owners].flatMap((id) => (accounts?.get(id) as Account) ?? [])
  if (first === undefined) return
  for (const account of new Set([first, chance.pick([first, ...others])])) {
    const { balances } = yield* getBalance({ account, api_key_id: "key_of_a_reader" })
    auditor.see("balance_shown", account.id, {
      account: account.id,
      balances: balances.map((line) => ({ ...line })),
    })
  }
})

const readAllKinds = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("record readers")
  for (const reading of OWN) yield* readKind(scene, reading, chance)
  yield* readBalances(scene, chance)
  for (const reading of OPERATORS) yield* read(scene, reading, undefined, chance)
}, Effect.orDie)

/** Accounts and operators that read their lists page by page when everything is at rest. */
export const recordReaders: Part = {
  name: "record readers",
  heavy: 0.5,
  rules: shownRecordRules,
  knowledge: [kept],
  inspect: readAllKinds,
}
