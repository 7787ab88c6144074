import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import type { IntentQuery } from "../../../core/payments/IntentQuery.ts"
import { isId, isUuid } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { IS_LEAVING, paymentIntents } from "../tables/paymentIntents.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import { allOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "listIntents" | "listUnpaid" | "listLeaving">

/** The payments of others, in which the viewer takes part, are made by none of its agents. */
const BY_NOBODY = " AND $9::text[] IS NULL"

/** The access paths of a viewer: a column with an index, and what keeps the paths apart. */
const VIEWS = [
  ["account_id", " AND ($9::text[] IS NULL OR payer_agent_id = ANY ($9))"],
  ["payee_account_id", ` AND payee_account_id <> account_id${BY_NOBODY}`],
  [
    "payer_account_id",
    ` AND payer_account_id <> account_id AND payer_account_id <> payee_account_id${BY_NOBODY}`,
  ],
] as const

/** An intent past its expiry counts as expired, even before a worker has expired it. */
const STATUS = `CASE WHEN expires_at <= $3
    AND status IN ('pending', 'qr_generated', 'scanning', 'authorized')
  THEN 'expired' ELSE status END`

const FILTERS = `($4::uuid IS NULL OR service_id = $4)
  AND ($5::text[] IS NULL OR ${STATUS} = ANY ($5))
  AND ($6::timestamptz IS NULL OR created_at >= $6)
  AND ($7::timestamptz IS NULL OR created_at < $7)`

/**
 * One branch a path. The condition is `viewed = $1 AND id < $2`, written so that only the path's
 * own index has its order. Where one account has most of the payments, a plan for any account would
 * walk the primary key and find the viewer's first row late, or never.
 */
const branches = VIEWS.map(
  ([viewed, apart]) =>
    `(SELECT id FROM payport.payment_intents
      WHERE (${viewed}, id) < ($1::uuid, $2::uuid) AND ${viewed} >= $1::uuid${apart}
        AND ${FILTERS} ORDER BY ${viewed} DESC, id DESC LIMIT $8)`,
)

/** The SQL of these reads. */
export const INTENT_SQL = {
  intents: `SELECT ${paymentIntents.selection} FROM (
      SELECT id FROM (${branches.join(" UNION ALL ")}) AS seen ORDER BY id DESC LIMIT $8
    ) AS page JOIN payport.payment_intents ON payment_intents.id = page.id ORDER BY page.id DESC`,
  unpaid: `SELECT ${paymentIntents.selection} FROM payport.payment_intents
    WHERE account_id = $1::uuid AND ${IS_LEAVING} ORDER BY due_at, id LIMIT $2`,
  leaving: `SELECT ${paymentIntents.selection} FROM payport.payment_intents
    WHERE due_at >= $1 AND ${IS_LEAVING} ORDER BY due_at, id LIMIT $2`,
}

const date = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at))

/** Returns the parameters of {@link INTENT_SQL.intents}; undefined if nothing can be found. */
export const listParameters = (query: IntentQuery): ReadonlyArray<unknown> | undefined => {
  const { agents, created_after, created_before, limit, now, service_id, statuses, viewer } = query
  const after = query.starting_after ?? `pi_${LAST_UUID}`
  const isAsked =
    isId("acct", viewer) &&
    after.startsWith("pi_") &&
    (service_id === undefined || isUuid(service_id))
  if (!isAsked) return undefined
  return [
    bareId("acct", viewer),
    bareId("pi", after),
    new Date(now),
    service_id ?? null,
    statuses ?? null,
    date(created_after),
    date(created_before),
    limit,
    agents ?? null,
  ]
}

/** Reads payments. */
export const intentReads = ({ work }: ReadPools): Reads => ({
  listIntents: (query) => {
    const parameters = listParameters(query)
    if (parameters === undefined) return Effect.succeed([])
    return Effect.map(ask(work, INTENT_SQL.intents, parameters), allOf(paymentIntents))
  },
  listUnpaid: (accountId, limit) =>
    isId("acct", accountId)
      ? Effect.map(
          ask(work, INTENT_SQL.unpaid, [bareId("acct", accountId), limit]),
          allOf(paymentIntents),
        )
      : Effect.succeed([]),
  listLeaving: (from, limit) =>
    Effect.map(ask(work, INTENT_SQL.leaving, [new Date(from), limit]), allOf(paymentIntents)),
})
