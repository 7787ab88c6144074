import { Effect, Layer } from "effect"
import { dueAt, type PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { subscriptionReads } from "./subscriptionReads.ts"
import { Conflict, DUE_KINDS, type DueKind, Store } from "../../core/ports/Store.ts"
import type { IntentQuery } from "../../core/payments/IntentQuery.ts"
import { RecordListeners, ServiceListeners } from "../shared/StoreListeners.ts"
import { apply, conflictOf, writesOf } from "./decide.ts"
import { identityReads } from "./identityReads.ts"
import { installReads } from "./installReads.ts"
import { first, own } from "./lists.ts"
import { operatorReads } from "./operatorReads.ts"
import { reportReads } from "./reportReads.ts"
import { revocationReads } from "./revocationReads.ts"
import { serviceReads } from "./serviceReads.ts"
import { erase, makeState, replyId, type State } from "./State.ts"
import { usageReads } from "./usageReads.ts"
import { webhookReads } from "./webhookReads.ts"

const answers = (intent: PaymentIntent, query: IntentQuery): boolean => {
  const due = dueAt(intent)
  const status = due !== null && due <= query.now ? "expired" : intent.status
  return (
    (query.service_id === undefined || intent.service_id === query.service_id) &&
    (query.statuses === undefined || query.statuses.includes(status)) &&
    (query.created_after === undefined || intent.created_at >= query.created_after) &&
    (query.created_before === undefined || intent.created_at < query.created_before)
  )
}

const purgeReplies = ({ replies }: State, now: number): number => {
  let purged = 0
  for (const [id, reply] of replies) {
    if (reply.expires_at <= now && replies.delete(id)) purged += 1
  }
  return purged
}

const purgeDayCounters = ({ counters }: State, prefix: string, day: string): number => {
  let purged = 0
  for (const counter of counters.keys()) {
    const of = /:(\d{4}-\d{2}-\d{2})$/.exec(counter)?.[1]
    const isOver = of !== undefined && of < day && counter.startsWith(prefix)
    if (isOver && counters.delete(counter)) purged += 1
  }
  return purged
}

const dueKinds = ({ tables }: State, now: number): ReadonlySet<DueKind> =>
  new Set(DUE_KINDS.filter((kind) => (tables[kind].nextDueAt() ?? Infinity) <= now))

const firstDueAt = ({ tables }: State): number | undefined => {
  const times = DUE_KINDS.flatMap((kind) => tables[kind].nextDueAt() ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

const make = (): Store["Service"] => {
  const state = makeState()
  const { tables } = state
  const records = new RecordListeners()
  const services = new ServiceListeners()
  return {
    commit: (commit) =>
      Effect.suspend(() => {
        const reason = conflictOf(state, commit)
        if (reason !== undefined) return Effect.fail(new Conflict({ reason }))
        apply(state, commit)
        const changed = writesOf(commit).map(({ record }) => record.id)
        const changedServices = commit.writes.flatMap(({ kind, record }) =>
          kind === "service" ? [record.id] : [],
        )
        return Effect.andThen(records.notify(changed), services.notify(changedServices))
      }),
    find: (kind, id) => Effect.sync(() => tables[kind].get(id)),
    findMany: (kind, ids) => Effect.sync(() => ids.flatMap((id) => tables[kind].get(id) ?? [])),
    findCredential: (hash) =>
      Effect.sync(() => {
        const api_key = tables.api_key.named(hash)
        const account = tables.account.get(api_key?.account_id ?? "")
        return api_key && account && { api_key, account }
      }),
    findAccountByAgent: (agentId) => Effect.sync(() => tables.account.named(agentId)),
    ...identityReads(tables),
    ...installReads(state),
    ...operatorReads(state),
    listApiKeys: (query) => Effect.sync(() => own(tables.api_key, query)),
    ...serviceReads(tables),
    listIntents: (query) =>
      Effect.sync(() => {
        const listed = tables.payment_intent.listed(query.viewer, query.starting_after)
        return first(query.limit, listed, (intent) => answers(intent, query))
      }),
    ...usageReads(state),
    findReply: (accountId, key) => Effect.sync(() => state.replies.get(replyId(accountId, key))),

    listRefunds: (query) =>
      Effect.sync(() => {
        const list = "payment_intent" in query ? query.payment_intent : query.payee_account_id
        return first(query.limit, tables.refund.listed(list, query.starting_after))
      }),
    listPostings: (query) => Effect.sync(() => state.ledger.list(query)),
    listDayTotals: (query) => Effect.sync(() => state.ledger.dayTotals(query)),
    sumDays: (query) => Effect.sync(() => state.ledger.sums(query)),
    listBalances: (accountId) => Effect.sync(() => state.ledger.balances(accountId)),
    ...webhookReads(tables),
    ...reportReads(state),
    ...revocationReads(state),
    ...subscriptionReads(state),
    claimDue: (kind, now, options) => Effect.sync(() => tables[kind].claim(now, options)),
    dueKinds: (now) => Effect.sync(() => dueKinds(state, now)),
    nextDueAt: () => Effect.sync(() => firstDueAt(state)),
    purgeReplies: (now) => Effect.sync(() => purgeReplies(state, now)),
    eraseAccountData: (accountId) =>
      Effect.andThen(
        Effect.sync(() => erase(state, accountId)),
        services.notify("everything"),
      ),
    purgeDayCounters: (prefix, day) => Effect.sync(() => purgeDayCounters(state, prefix, day)),
    watch: (id, listener) => records.add(id, listener),
    watchServices: (listener) => services.add(listener),
    ping: () => Effect.void,
  }
}

/** A `Store` in memory, synchronous and gone with the process. Each build is a store of its own. */
export const layer = Layer.sync(Store, make)
