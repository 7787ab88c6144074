import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { AGENT_SQL } from "../../../adapters/postgres/reads/agentReads.ts"
import { ACCOUNT_SQL } from "../../../adapters/postgres/reads/accountReads.ts"
import { SUBSCRIPTION_SQL } from "../../../adapters/postgres/reads/subscriptionReads.ts"
import { CREATE_COMMIT_FUNCTION } from "../../../adapters/postgres/commit/commitFunction.ts"
import { claimStatement, DUE_KINDS_SQL, NEXT_DUE_SQL } from "../../../adapters/postgres/dueWork.ts"
import { BY_RECEIVER_SQL, LONGEST_DUE_SQL } from "../../../adapters/postgres/dueDeliveries.ts"
import { deliveryStatement, EVENT_SQL } from "../../../adapters/postgres/reads/eventReads.ts"
import { INSTALL_SQL } from "../../../adapters/postgres/reads/installReads.ts"
import { INTENT_SQL, listParameters } from "../../../adapters/postgres/reads/intentReads.ts"
import { entriesStatement, LEDGER_SQL } from "../../../adapters/postgres/reads/ledgerReads.ts"
import { DOCUMENT_SQL } from "../../../adapters/postgres/PostgresDocuments.ts"
import { RATE_SQL } from "../../../adapters/postgres/postgresRateLeases.ts"
import { USAGE_SQL } from "../../../adapters/postgres/reads/usageReads.ts"
import { WEBHOOK_SQL } from "../../../adapters/postgres/reads/webhookReads.ts"
import { auditStatement, OPERATOR_SQL } from "../../../adapters/postgres/reads/operatorReads.ts"
import { REFUND_SQL } from "../../../adapters/postgres/reads/refundReads.ts"
import { RECORD_SQL } from "../../../adapters/postgres/reads/recordReads.ts"
import { REPORT_SQL } from "../../../adapters/postgres/reads/reportReads.ts"
import { TABLES } from "../../../adapters/postgres/tables.ts"
import { REVOCATION_SQL } from "../../../adapters/postgres/reads/revocationReads.ts"
import { searchStatement, SERVICE_SQL } from "../../../adapters/postgres/reads/serviceReads.ts"
import {
  CLOSE_BOOKS_SQL,
  ERASE_REPLIES_SQL,
  ERASE_SQL,
  PURGE_COUNTERS_SQL,
  PURGE_SQL,
} from "../../../adapters/postgres/upkeep.ts"
import type { EntryQuery } from "../../../core/ledger/LedgerQuery.ts"
import { DUE_KINDS } from "../../../core/ports/Store.ts"
import type { DeliveryQuery } from "../../../core/webhooks/deliveries/EventQuery.ts"
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
const filters: ReadonlyArray<Partial<DeliveryQuery>> = [
  {},
  { endpoint_id: id("we", 7) },
  { event_id: id("evt", 7) },
  { status: "failed" },
  { status: "delivered", endpoint_id: id("we", 7) },
]

const deliveryLists = filters.map((said) => {
  const statement = deliveryStatement({ account_id: id("acct", 7), limit: 20, ...said })
  return [
    `listDeliveries ${JSON.stringify(said)}`,
    statement?.sql ?? "",
    statement?.parameters ?? [],
  ] as const
})

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
  ["findCredential", ACCOUNT_SQL.credential, [hash(1)]],
  ["findAccountByAgent", ACCOUNT_SQL.accountByAgent, ["agent-1"]],
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
  ["listVerifications of an agent", AGENT_SQL.ofAgent, [uuid(1), uuid(99_999), 20]],
  ["listVerifications of an account", AGENT_SQL.ofAccount, [uuid(1), uuid(99_999), 20]],
  ["listInstalls", INSTALL_SQL.ofAccount, [uuid(1), uuid(99_999), 20]],
  ["listInstalls of a service", INSTALL_SQL.ofService, [uuid(1), uuid(99_999), 20, uuid(2)]],
  ["findCounter", INSTALL_SQL.counter, ["counter-1"]],
  ["listApiKeys", ACCOUNT_SQL.apiKeys, [account, uuid(99_999), 20]],
  ["findServiceByName", SERVICE_SQL.serviceByName, [account, "service 1"]],
  ["findActiveServiceByName", SERVICE_SQL.activeServiceByName, ["service 2"]],
  ["listActiveServices", SERVICE_SQL.activeServices, [uuid(0), 101]],
  ["listIntents", INTENT_SQL.intents, list({})],
  ["listIntents, the next page", INTENT_SQL.intents, list({ starting_after: id("pi", 5_000) })],
  [
    "listIntents, filtered",
    INTENT_SQL.intents,
    list({ statuses: ["expired"], service_id: uuid(7), created_after: T0 }),
  ],
  ["findReply", INTENT_SQL.reply, [account, "retry-1"]],
  ["listRefunds of a payment", REFUND_SQL.ofIntent, [uuid(1), uuid(2), 21]],
  ["listRefunds of a payee", REFUND_SQL.ofPayee, [uuid(1), uuid(2), 21]],
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
  ["listOpenInvoices", SUBSCRIPTION_SQL.openInvoices, [uuid(1)]],
  ["sumUsage", SUBSCRIPTION_SQL.usageSum, [uuid(1), 1]],
  ["listPostings", ...entries({})],
  ["listPostings of a payment", ...entries({ payment_intent: id("pi", 7), currency: "USD" })],
  ["listDayTotals", LEDGER_SQL.dayTotals, [account, "2026-01-02", "2026-01-31"]],
  ["sumDays", LEDGER_SQL.sums, [account, null, "2026-01-31"]],
  ["listBalances", LEDGER_SQL.balances, [account]],
  ["close books", CLOSE_BOOKS_SQL, [account]],
  ["listEndpoints", WEBHOOK_SQL.endpoints, [account, uuid(99_999), 20]],
  ["endpointsToTell", WEBHOOK_SQL.everyEndpoint, [account]],
  ["listWebhookKeys", WEBHOOK_SQL.webhookKeys, [account, uuid(99_999), 20]],
  ["findAccessItem", REVOCATION_SQL.accessItem, [account, hash(1)]],
  ["isOthersAccessItem", REVOCATION_SQL.othersItem, [account, hash(1)]],
  ["listAccessItems", REVOCATION_SQL.accessItems, [uuid(1)]],
  ["listRevocations", REVOCATION_SQL.revocations, [uuid(1)]],
  ["listRevocationsOf", REVOCATION_SQL.revocationsOf, [`{${uuid(1)},${uuid(2)}}`]],
  ["isAllRevoked", REVOCATION_SQL.allRevoked, [uuid(1)]],
  ["countQrCodes", USAGE_SQL.qrCodes, [account, uuid(0), new Date(T0), new Date(T0 + 60_000)]],
  ["findStatementOf", USAGE_SQL.statementOf, [account, "2026-01"]],
  ["listStatements", USAGE_SQL.statements, [account, uuid(99_999), 20]],
  ["readCounters", USAGE_SQL.counters, ["{counter 1,counter 2}"]],
  ["nextDueAt", NEXT_DUE_SQL, []],
  ["dueKinds", DUE_KINDS_SQL, [new Date(T0)]],
  ["listEvents", EVENT_SQL.log, [account, uuid(99_999), 20]],
  ["listEvents of a type", EVENT_SQL.logOfType, [account, uuid(99_999), 20, "ping"]],
  ...deliveryLists,
  ...DUE_KINDS.filter((kind) => kind !== "delivery").map(
    (kind) => [`claimDue ${kind}`, claimStatement(kind), [now, now, 50]] as const,
  ),
  [
    "claimDue delivery, the longest due",
    LONGEST_DUE_SQL,
    [now, now, 50, 8, `{${uuid(1)}}`, "{3}", 1_000],
  ],
  [
    "claimDue delivery, by receiver",
    BY_RECEIVER_SQL,
    [now, now, 50, 8, `{${uuid(1)}}`, "{3}", uuid(0)],
  ],
  ["listAccounts", OPERATOR_SQL.accounts, [uuid(50_000), 20, ["seller", "buyer"], ["starter"]]],
  [
    "reviewVerifications",
    OPERATOR_SQL.verifications,
    [uuid(50_000), 20, ["pending", "verified"], ["business", "enhanced"]],
  ],
  [
    "reviewVerifications of an account",
    OPERATOR_SQL.ofAccount,
    [uuid(50_000), 20, account, ["pending"], ["business"]],
  ],
  ["reviewAppeals", OPERATOR_SQL.appeals, [uuid(50_000), 20, ["under_review"]]],
  [
    "reviewAppeals of an account",
    OPERATOR_SQL.appealsOfAccount,
    [uuid(5), 20, account, ["upheld"]],
  ],
  ["findAuditEntry", OPERATOR_SQL.auditEntry, [uuid(1)]],
  ["readAudit", OPERATOR_SQL.auditLog, [100, 500]],
  ...auditLists,
  ["purgeDayCounters", PURGE_COUNTERS_SQL, ["2026-01-09", "kyc_day:"]],
  ["rate windows, purge", RATE_SQL.purge, [new Date(T0)]],
  ["purgeReplies", PURGE_SQL, [new Date(T0)]],
  ...[...ERASE_SQL, ERASE_REPLIES_SQL].map((sql) => ["eraseAccountData", sql, [account]] as const),
  ["documents get", DOCUMENT_SQL.get, ["scope 1", "id 1"]],
  ["documents list", DOCUMENT_SQL.list, ["scope 1"]],
  ["documents page", DOCUMENT_SQL.page, ["scope 1", "id 1", "id ", 20]],
  ["documents due", DOCUMENT_SQL.due, ["scope 1", now, 20]],
  ["documents nextDueAt", DOCUMENT_SQL.nextDueAt, ["scope 1"]],
  ["documents update", DOCUMENT_SQL.update, ["scope 1", "id 1", "{}", null, 1]],
  ["documents remove", DOCUMENT_SQL.remove, ["scope 1", "id 1"]],
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
  { status: "paused", q: "service" },
]

/** The commit function's variables that its statements read, with their types. */
const VARIABLES: ReadonlyArray<readonly [name: RegExp, type: string]> = [
  [/\bparts\b/g, "text[]"],
  [/\brefused\b/g, "text[]"],
  [/\bcounter_names\b/g, "text[]"],
  [/\bcounter_values\b/g, "bigint[]"],
  [/\breply_of\b/g, "int[]"],
  [/\bkeys(?=::json)/g, "text"],
]

/** Each statement of the commit function by itself, with parameters instead of variables. */
const statements = (CREATE_COMMIT_FUNCTION.at(-1) ?? "")
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

describe("at 100,000 rows", () => {
  layer(seeded, { timeout: "120 seconds" })((it) => {
    for (const [name, sql, parameters] of reads) {
      it.effect(`${name} goes by index: ${sql.slice(0, 60).replaceAll(/\s+/g, " ")}`, () =>
        Effect.gen(function* () {
          const plan = yield* explain(yield* Session, sql, parameters)
          expect(plan.sequential).toStrictEqual([])
          expect(plan.scans.length).toBeGreaterThan(0)
          expect(plan.cost).toBeLessThan(20_000)
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
  })
})
