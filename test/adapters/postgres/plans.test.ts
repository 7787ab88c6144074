import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { FALLEN } from "../../../core/listings/Listing.ts"
import { REFUND_REQUEST_STATUSES } from "../../../core/refundRequests/RefundRequest.ts"
import { ACCOUNT_SQL } from "../../../adapters/postgres/reads/accountReads.ts"
import { BACKLOG_SQL } from "../../../adapters/postgres/reads/backlogReads.ts"
import { SUBSCRIPTION_SQL } from "../../../adapters/postgres/reads/subscriptionReads.ts"
import { CREATE_COMMIT_FUNCTION } from "../../../adapters/postgres/commit/commitFunction.ts"
import { claimStatement, DUE_KINDS_SQL, NEXT_DUE_SQL } from "../../../adapters/postgres/dueWork.ts"
import {
  byReceiverStatement,
  longestDueStatement,
  QUEUED_KINDS,
} from "../../../adapters/postgres/dueByReceiver.ts"
import { INTENT_SQL, listParameters } from "../../../adapters/postgres/reads/intentReads.ts"
import { entriesStatement, LEDGER_SQL } from "../../../adapters/postgres/reads/ledgerReads.ts"
import { DOCUMENT_SQL } from "../../../adapters/postgres/PostgresDocuments.ts"
import { RATE_SQL } from "../../../adapters/postgres/postgresRateLeases.ts"
import { USAGE_SQL } from "../../../adapters/postgres/reads/usageReads.ts"
import { AUDIT_SQL, auditStatement } from "../../../adapters/postgres/reads/auditReads.ts"
import {
  listStatement,
  nameStatement,
  RECORD_SQL,
} from "../../../adapters/postgres/reads/recordReads.ts"
import { REPORT_SQL } from "../../../adapters/postgres/reads/reportReads.ts"
import { CLOSE_BOOKS } from "../../../adapters/postgres/schema/ledger.ts"
import { TABLES } from "../../../adapters/postgres/tables.ts"
import { OTHERS_ITEM_SQL } from "../../../adapters/postgres/reads/revocationReads.ts"
import { listingStatement } from "../../../adapters/postgres/reads/listingReads.ts"
import { searchStatement } from "../../../adapters/postgres/search/searchStatement.ts"
import { ERASE_REPLIES_SQL, ERASE_SQL } from "../../../adapters/postgres/eraseAccount.ts"
import { PAYMENT_SQL } from "../../../adapters/postgres/erasePayments.ts"
import { TAB_SQL } from "../../../adapters/postgres/eraseTabs.ts"
import {
  OLDEST_REPLY_SQL,
  PURGE_COUNTERS_SQL,
  PURGE_SQL,
} from "../../../adapters/postgres/upkeep.ts"
import type { EntryQuery } from "../../../core/ledger/LedgerQuery.ts"
import {
  DUE_KINDS,
  KINDS,
  type ListedKind,
  type ListQuery,
  type NamedBy,
  type NamedKind,
} from "../../../core/ports/Store.ts"
import type { IntentQuery } from "../../../core/payments/IntentQuery.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { hash, id, T0, uuid } from "../../support/records.ts"
import { session, testDatabase } from "../../support/postgres.ts"
import { explain, explainGeneric } from "./plans.ts"
import { SEED } from "./seed.ts"

class Session extends Context.Service<Session, Effect.Success<ReturnType<typeof session>>>()(
  "payport/test/Session",
) {}

const seeded = Layer.effect(
  Session,
  Effect.gen(function* () {
    const open = yield* session(yield* testDatabase)
    for (const sql of SEED) yield* open.query(sql, [], false)
    return open
  }),
)

const now = new Date(T0 + 5_000_000)
const account = uuid(1)

const list = (said: Partial<IntentQuery>) =>
  listParameters({ viewer: id("acct", 7), limit: 20, now: T0, ...said }) ?? []

const entries = (said: Partial<EntryQuery>): readonly [string, ReadonlyArray<unknown>] => {
  const { sql = "", parameters = [] } =
    entriesStatement({ account_id: id("acct", 7), limit: 20, ...said }) ?? {}
  return [sql, parameters]
}

type Asked = readonly [name: string, sql: string, parameters: ReadonlyArray<unknown>]

/** A page behind another, and the whole list. */
const listed = <K extends ListedKind>(kind: K, by: ListQuery<K>["by"]): ReadonlyArray<Asked> => {
  const prefix = KINDS[kind].prefix
  const after = prefix === null ? uuid(9_999) : id(prefix, 9_999)
  const queries: ReadonlyArray<ListQuery<K>> = [
    { by, limit: 20, after },
    { by, limit: 20, order: "oldest" },
  ]
  return queries.map((query) => {
    const { parameters = [], sql = "" } = listStatement(kind, query) ?? {}
    return [`list ${kind} ${JSON.stringify(query)}`, sql, parameters]
  })
}

const named = <K extends NamedKind>(kind: K, name: NamedBy<K>): Asked => {
  const { parameters = [], sql = "" } = nameStatement(kind, name) ?? {}
  return [`findBy ${kind} ${Object.keys(name).join()}`, sql, parameters]
}

const mine = { account_id: id("acct", 7) }

/** Every list that a verb reads, with its filters. */
const lists: ReadonlyArray<Asked> = [
  ...listed("account", { kind: ["seller", "buyer"], plan: ["starter"] }),
  ...listed("api_key", mine),
  ...listed("verification", mine),
  ...listed("verification", { agent: id("agt", 1) }),
  ...listed("verification", { status: ["pending", "verified"], level: ["business", "enhanced"] }),
  ...listed("verification", { ...mine, status: ["pending"], level: ["business"] }),
  ...listed("appeal", { status: ["under_review"] }),
  ...listed("appeal", { ...mine, status: ["upheld"] }),
  ...listed("install", mine),
  ...listed("install", { ...mine, service_id: uuid(2) }),
  ...listed("service", { status: "active" }),
  ...listed("refund", { payment_intent: id("pi", 1) }),
  ...listed("refund", { payee_account_id: id("acct", 7) }),
  ...listed("invoice", { subscription: id("sub", 1), status: "open" }),
  ...listed("tab", { service_id: uuid(2), status: "open" }),
  ...listed("endpoint", mine),
  ...listed("webhook_key", mine),
  ...listed("access_item", { payment_intent: id("pi", 1) }),
  ...listed("listing", mine),
  ...listed("listing", { ...mine, service_id: uuid(2) }),
  ...listed("listing", { service_id: [uuid(1), uuid(2)], standing: FALLEN }),
  ...listed("refund_request", { payment_intent: id("pi", 1) }),
  ...listed("refund_request", { account_id: id("acct", 7), status: REFUND_REQUEST_STATUSES }),
  ...listed("refund_request", { payee_account_id: id("acct", 7), status: "open" }),
  ...listed("refund_request", { payment_intent: id("pi", 1), status: REFUND_REQUEST_STATUSES }),
  ...listed("revocation", { refund: id("ref", 1) }),
  ...listed("revocation", { service_id: uuid(2), status: "pending" }),
  ...listed("revocation", { refund: [id("ref", 1), id("ref", 2)] }),
  ...listed("revocation", {
    payment_intent: id("pi", 1),
    scope: "all",
    status: ["pending", "revoked"],
  }),
  ...listed("statement", mine),
  ...listed("event", mine),
  ...listed("event", { ...mine, type: "ping" }),
  ...listed("event", { subject_id: id("pi", 7) }),
  ...listed("event", { subject_id: [id("wd", 7), id("wd", 8)] }),
  ...listed("event", { ...mine, subject_id: [id("pi", 7), id("ref", 8)] }),
  ...listed("channel_request", { payment_intent: id("pi", 7) }),
  ...listed("callback", { payment_intent: id("pi", 7) }),
  ...listed("delivery", mine),
  ...listed("delivery", { event_id: [id("evt", 7), id("evt", 8)] }),
  ...listed("delivery", { ...mine, endpoint_id: id("we", 7) }),
  ...listed("delivery", { ...mine, event_id: id("evt", 7) }),
  ...listed("delivery", { ...mine, event_id: [id("evt", 7), id("evt", 8)] }),
  ...listed("delivery", { ...mine, status: "failed" }),
  ...listed("delivery", { ...mine, status: "delivered", endpoint_id: id("we", 7) }),
]

const discovered: ReadonlyArray<Asked> = [{}, { service_id: uuid(7) }, { offset: 200 }].map(
  (said) => {
    const { parameters, sql } = listingStatement({ limit: 20, offset: 0, ...said })
    return [`searchListings ${JSON.stringify(said)}`, sql, parameters]
  },
)

const names: ReadonlyArray<Asked> = [
  named("account", { agent_id: "agent-1" }),
  named("service", { ...mine, name_key: "service 1" }),
  named("service", { name_key: "service 2" }),
  named("statement", { ...mine, month: "2026-01" }),
  named("listing", { service_id: uuid(2), key: hash(1) }),
  named("access_item", { ...mine, item_key: hash(1) }),
]

const auditLists = [
  {},
  { target: uuid(7) },
  { action: "account.created" as const },
  { actor: "operator", before: 200 },
].map((said) => {
  const { parameters, sql } = auditStatement({ after: 0, limit: 20, ...said })
  return [`listAudit ${JSON.stringify(said)}`, sql, parameters] as const
})

const reads: ReadonlyArray<readonly [string, string, ReadonlyArray<unknown>]> = [
  ...TABLES.map(({ kind }) => [`find ${kind}`, RECORD_SQL.byId[kind], [uuid(1)]] as const),
  ...TABLES.map(
    ({ kind }) =>
      [`findMany ${kind}`, RECORD_SQL.byIds[kind], [`{${uuid(1)},${uuid(2)}}`]] as const,
  ),
  ...TABLES.map(
    ({ kind }) => [`scan ${kind}`, RECORD_SQL.inOrder[kind], [uuid(9_999), 200]] as const,
  ),
  ...lists,
  ...discovered,
  ...names,
  ["findCredential", ACCOUNT_SQL.credential, [hash(1)]],
  ["listRuns", REPORT_SQL.runs, ["2000-01-02", "2000-01-09"]],
  [
    "listClearing",
    REPORT_SQL.clearing,
    ["wallet_1", new Date(T0), new Date(T0 + 60_000), new Date(T0 + 1_000), uuid(1), 100],
  ],
  ["listClearing of payments", REPORT_SQL.clearingOf, ["wallet_1", [uuid(1), uuid(2)]]],
  [
    "listDiscrepancies",
    REPORT_SQL.discrepancies,
    [uuid(1), new Date(T0), new Date(T0 + 60_000), 20],
  ],
  ["listDiscrepancies of a run", REPORT_SQL.discrepanciesOfRun, [uuid(2), 20]],
  ["listIntents", INTENT_SQL.intents, list({})],
  ["listIntents, the next page", INTENT_SQL.intents, list({ starting_after: id("pi", 5_000) })],
  [
    "listIntents, filtered",
    INTENT_SQL.intents,
    list({ statuses: ["expired"], service_id: uuid(7), created_after: T0 }),
  ],
  ["listIntents, of agents", INTENT_SQL.intents, list({ agents: ["one", "two"] })],
  ["listUnpaid", INTENT_SQL.unpaid, [account, 100]],
  ["listLeaving", INTENT_SQL.leaving, [now, 100]],
  ["findReply", ACCOUNT_SQL.reply, [account, "retry-1"]],
  ["listSubscriptions", SUBSCRIPTION_SQL.subscriptions, [uuid(7), null, null, 20, 0]],
  [
    "listSubscriptions, filtered",
    SUBSCRIPTION_SQL.subscriptions,
    [uuid(7), uuid(7), "active", 20, 40],
  ],
  ["listInvoices", SUBSCRIPTION_SQL.invoices, [uuid(7), null, null, 20, 0, null]],
  [
    "listInvoices, filtered",
    SUBSCRIPTION_SQL.invoices,
    [uuid(7), uuid(7), "open", 20, 40, uuid(1)],
  ],
  ["sumUsage", SUBSCRIPTION_SQL.usageSum, [uuid(1), 1]],
  ["listPostings", ...entries({})],
  ["listPostings of a payment", ...entries({ payment_intent: id("pi", 7), currency: "USD" })],
  ["listPostings, oldest first", ...entries({ payment_intent: id("pi", 7), order: "oldest" })],
  ["listDayTotals", LEDGER_SQL.dayTotals, [account, "2026-01-02", "2026-01-31"]],
  ["sumDays", LEDGER_SQL.sums, [account, null, "2026-01-31"]],
  ["listBalances", LEDGER_SQL.balances, [account]],
  ["close books", CLOSE_BOOKS, [account]],
  ["isOthersAccessItem", OTHERS_ITEM_SQL, [account, hash(1)]],
  [
    "countQrCodes",
    USAGE_SQL.qrCodes,
    [account, uuid(0), new Date(T0), new Date(T0 + 60_000), 50_000, "counter 1"],
  ],
  ["readCounters", USAGE_SQL.counters, ["{counter 1,counter 2}"]],
  ["nextDueAt", NEXT_DUE_SQL, []],
  ["dueKinds", DUE_KINDS_SQL, [new Date(T0)]],
  ["count what is due", BACKLOG_SQL.due, [new Date(T0)]],
  ["count what is due, by receiver", BACKLOG_SQL.receivers, []],
  ["count open channel requests", BACKLOG_SQL.requests, []],
  ...DUE_KINDS.filter((kind) => !QUEUED_KINDS.some((queued) => queued === kind)).map(
    (kind) => [`claimDue ${kind}`, claimStatement(kind), [now, now, now, 50, "{}"]] as const,
  ),
  ...QUEUED_KINDS.flatMap((kind) => {
    const shares = [now, now, now, 50, 8, `{${uuid(1)}}`, "{3}"]
    return [
      [`claimDue ${kind}, the longest due`, longestDueStatement(kind), [...shares, 1_000, "{}"]],
      [`claimDue ${kind}, by receiver`, byReceiverStatement(kind), [...shares, uuid(0), "{}"]],
    ] as const
  }),
  ["findAuditEntry", AUDIT_SQL.entry, [uuid(1)]],
  ["readAudit", AUDIT_SQL.log, [100, 500]],
  ...auditLists,
  ["purgeDayCounters", PURGE_COUNTERS_SQL, ["2026-01-09", "kyc_day:"]],
  ["rate windows, purge", RATE_SQL.purge, [new Date(T0)]],
  ["purgeReplies", PURGE_SQL, [new Date(T0), 100]],
  ["oldestReply", OLDEST_REPLY_SQL, []],
  ...[...ERASE_SQL, ERASE_REPLIES_SQL, PAYMENT_SQL.batch, TAB_SQL.batch].map(
    (sql) => ["eraseAccountData", sql, [account]] as const,
  ),
  ...[PAYMENT_SQL, TAB_SQL].flatMap(({ belongings, records }) =>
    [...belongings, records].map(
      (sql) => ["eraseAccountData, parts", sql, [account, `{${uuid(1)},${uuid(2)}}`]] as const,
    ),
  ),
  ["documents get", DOCUMENT_SQL.get, ["scope 1", "id 1"]],
  ["documents getMany", DOCUMENT_SQL.getMany, ["{scope 1}", "{id 1}"]],
  ["documents page", DOCUMENT_SQL.page, ["scope 1", "id 1", "id ", 20]],
  ["documents due", DOCUMENT_SQL.due, ["scope 1", now, 20]],
  ["documents nextDueAt", DOCUMENT_SQL.nextDueAt, ["scope 1"]],
  ["documents update", DOCUMENT_SQL.update, ["scope 1", "id 1", "{}", null, 1]],
  [
    "documents updateMany",
    DOCUMENT_SQL.updateMany,
    [JSON.stringify([{ scope: "scope 1", id: "id 1", version: 1, body: {}, due_at: null }])],
  ],
  ["documents remove", DOCUMENT_SQL.remove, ["scope 1", "{id 1,id 2}"]],
]

const searches: ReadonlyArray<Partial<ServiceSearch>> = [
  {},
  { offset: 1_000 },
  { q: "topic 77" },
  { q: "tag7", channel: "wallet_f" },
  { q: "serv" },
  { channel: "wallet_f" },
  { payment_method: "subscription" },
  { status: "draft" },
  { own: true },
  { own: true, q: "topic 77", status: "paused" },
  { status: "paused", q: "service" },
  { q: "topic 77", most_of_seller: 3, price: { currency: "USD", at_most: 700 } },
]

/** The commit function's variables that its statements read, with their types. */
const VARIABLES: ReadonlyArray<readonly [name: RegExp, type: string]> = [
  [/\bparts\b/g, "text[]"],
  [/\brows\b(?=\[)/g, "text[]"],
  [/\btexts\b(?=\[)/g, "text[]"],
  [/\btexts_before\b/g, "int[]"],
  [/\b(?:part_places|row_(?:places|starts|ends))\b/g, "int[]"],
  [/\brefused\b/g, "text[]"],
  [/\bcounter_names\b/g, "text[]"],
  [/\bcounter_values\b/g, "bigint[]"],
  [/\breply_of\b/g, "int[]"],
  [/\bkeys(?=::json)/g, "text"],
]

/** Each statement of the commit function by itself, with parameters instead of variables. */
const statements = (CREATE_COMMIT_FUNCTION.at(-1) ?? "")
  .replaceAll("PERFORM FROM", "SELECT FROM")
  .split(/;\s|\bLOOP\b|\bTHEN\b/)
  .map((part) => /\b(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b[\s\S]*/.exec(part)?.[0])
  .filter((sql): sql is string => sql !== undefined && / (FROM|INTO|UPDATE) /.test(` ${sql}`))
  .map((sql) => sql.replace("INTO meant", ""))

const withParameters = (sql: string) => {
  const types = VARIABLES.map(([, type]) => type)
  const replaced = VARIABLES.reduce((text, [name], n) => text.replaceAll(name, `$${n + 1}`), sql)
  const all = replaced.replaceAll(
    /\b(?:inserted|replaced|opened)_\w+(?=::)/g,
    `$${types.length + 1}`,
  )
  return { sql: all, types: [...types, "text[]"] }
}

describe("at 20,000 rows, and 100,000 services", () => {
  layer(seeded, { timeout: "120 seconds" })((it) => {
    for (const [name, sql, parameters] of reads) {
      it.effect(`${name} goes by index: ${sql.slice(0, 60).replaceAll(/\s+/g, " ")}`, () =>
        Effect.gen(function* () {
          const plan = yield* explain(yield* Session, sql, parameters)
          expect(plan.sequential).toStrictEqual([])
          expect(plan.scans.length).toBeGreaterThan(0)
          expect(plan.cost).toBeLessThan(4_000)
        }),
      )
    }

    for (const said of searches) {
      it.effect(`searchServices ${JSON.stringify(said)} goes by index`, () =>
        Effect.gen(function* () {
          const viewer = id("acct", 1)
          const search = { status: "active", viewer, limit: 20, offset: 0, ...said } as const
          const { parameters, sql } = searchStatement(search)
          const plan = yield* explain(yield* Session, sql, parameters)
          expect(plan.sequential).toStrictEqual([])
          expect(plan.scans.length).toBeGreaterThan(0)
        }),
      )
    }

    it.effect("each statement of the commit function goes by index, whatever its values", () =>
      Effect.gen(function* () {
        const open = yield* Session
        yield* open.query("SET plan_cache_mode = force_generic_plan")
        let scans = 0
        for (const statement of statements) {
          const { sql, types } = withParameters(statement)
          const plan = yield* explainGeneric(open, sql, types)
          expect(plan.sequential, sql).toStrictEqual([])
          scans += plan.scans.length
        }
        // Locks, guards, removals and replacements of ten tables, at least.
        expect(statements.length).toBeGreaterThan(40)
        expect(scans).toBeGreaterThan(32)
      }),
    )

    /** The plan for any values, as the sessions make it that lists are read on. */
    const anyValues = Effect.fnUntraced(function* (sql: string, types: ReadonlyArray<string>) {
      const open = yield* Session
      yield* open.query("SET LOCAL plan_cache_mode = force_generic_plan")
      yield* open.query("SET LOCAL random_page_cost = 1.1")
      return yield* explainGeneric(open, sql, types)
    })

    it.effect("a list of payments goes by its viewer's indexes, where two accounts have all", () =>
      Effect.gen(function* () {
        const open = yield* Session
        yield* open.query("BEGIN")
        yield* open.query(`UPDATE payport.payment_intents SET account_id = '${uuid(1)}',
          payee_account_id = '${uuid(2)}', payer_account_id = '${uuid(1)}'`)
        yield* open.query("ANALYZE payport.payment_intents")
        const types = ["uuid", "uuid", "timestamptz", "uuid", "text[]"]
        const all = [...types, "timestamptz", "timestamptz", "int", "text[]"]
        const plan = yield* anyValues(INTENT_SQL.intents, all)
        yield* open.query("ROLLBACK")
        expect(plan.sequential).toStrictEqual([])
        // The page itself is read by its ids.
        expect(plan.indexes.filter((index) => index === "payment_intents_pkey")).toHaveLength(1)
      }),
    )

    it.effect("a list goes by the index that its kind declares, where one account has all", () =>
      Effect.gen(function* () {
        const open = yield* Session
        yield* open.query("BEGIN")
        yield* open.query(`UPDATE payport.deliveries SET account_id = '${uuid(1)}'`)
        yield* open.query("ANALYZE payport.deliveries")
        const asked = [
          { by: mine, types: ["uuid"] },
          { by: { ...mine, status: "failed" as const }, types: ["uuid", "text"] },
        ]
        const after = id("wd", 9_999)
        const plans = asked.map(({ by, types }) => {
          const { sql = "" } = listStatement("delivery", { by, limit: 20, after }) ?? {}
          return anyValues(sql, [...types, "uuid", "bigint"])
        })
        const indexes = (yield* Effect.all(plans)).map((plan) => plan.indexes)
        yield* open.query("ROLLBACK")
        expect(indexes).toStrictEqual([["deliveries_account_id"], ["deliveries_account_id_status"]])
      }),
    )
  })
})
