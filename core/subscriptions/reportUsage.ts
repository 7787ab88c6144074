import { Clock, Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { isPublic } from "../registry/ServiceManifest.ts"
import { Failure, notFound, invalidField } from "../shared/Failure.ts"
import { isId, isUuid, uuidOfHash } from "../shared/Id.ts"
import * as Text from "../shared/Text.ts"
import { fromIso, IsoTime, MINUTE, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { periodOfUse, type Tab } from "../invoices/Tab.ts"
import { lookAfterTab } from "../invoices/tabs.ts"
import { canonical, usageName, type UsageRecord } from "../invoices/Usage.ts"
import { usageView } from "../invoices/UsageView.ts"
import { checkStillPayable } from "./checkPayable.ts"
import { tabOfSeller } from "./findTab.ts"
import { refusedForRoom } from "./refusedForRoom.ts"
import { roomFor } from "./roomFor.ts"

const quantity = (value: number | string): string | undefined =>
  /^\d{1,12}(\.\d{1,6})?$/.test(String(value)) && /[1-9]/.test(String(value))
    ? undefined
    : "must be more than zero units, with at most 12 digits and 6 decimals"

/** The id of a tab. It distinguishes agents of one name in several accounts. */
export const TabId = Schema.String.check(
  Schema.makeFilter((id: string) => isId("tab", id) || "must be a tab's id (tab_…)"),
)

/** The body of `POST /v1/services/{id}/usage`. */
export const UsageInput = Schema.Struct({
  agent_id: Text.line(128).annotateKey({ description: "The agent that used the service." }),
  tab: Schema.optionalKey(TabId).annotateKey({
    description: "The id of the tab. Needed only if the agent has several.",
  }),
  quantity: Schema.Union([Schema.Finite, Schema.String])
    .check(Schema.makeFilter(quantity))
    .annotateKey({ description: "The number of used units, as a decimal number." }),
  occurred_at: Schema.optionalKey(IsoTime).annotateKey({
    description:
      "When the use happened. Default: now. For a day after the agent's tab was closed, use " +
      "before that can be reported with its time.",
  }),
  idempotency_key: Text.line(255).annotateKey({
    description: "The caller's idempotency key for this use. A repeated key is counted once.",
  }),
})
export type UsageInput = typeof UsageInput.Type

const OPEN = ["open"] as const

/** The most that clocks may differ, in milliseconds. */
const SKEW = 5 * MINUTE

const keyUsed = (key: string) =>
  new Failure({
    code: "IDEMPOTENCY_KEY_USED",
    message: "This idempotency_key was used for another report of this service.",
    field: "idempotency_key",
    details: { idempotency_key: key },
  })

const notStarted = (agentId: string) =>
  new Failure({
    code: "USAGE_NOT_STARTED",
    message:
      `The agent ${JSON.stringify(agentId)} has not started cumulative billing here, ` +
      "or has ended it before the use.",
    field: "agent_id",
  })

/** Finds a service of the calling seller. */
const ownService = Effect.fnUntraced(function* ({ account }: Caller, id: string) {
  const service = isUuid(id) ? yield* (yield* Store).find("service", id) : undefined
  if (service === undefined) return yield* notFound("service", id)
  if (service.account_id === account.id) return service
  if (!isPublic(service)) return yield* notFound("service", id)
  return yield* new Failure({
    code: "FORBIDDEN",
    message: "Only the owner of a service can report its usage.",
  })
})

/** Tells whether a report repeats the one stored under its key. */
const isSame = (stored: UsageRecord, input: UsageInput): boolean =>
  stored.agent_id === input.agent_id &&
  (input.tab === undefined || input.tab === stored.tab) &&
  stored.quantity === canonical(input.quantity) &&
  (input.occurred_at === undefined || fromIso(input.occurred_at) === stored.occurred_at)

/** Returns the time of use, which is not in the future. */
const occurredAt = (
  occurred_at: string | undefined,
  now: Timestamp,
): Effect.Effect<Timestamp, Failure<"INVALID_REQUEST">> => {
  const at = occurred_at === undefined ? now : (fromIso(occurred_at) ?? now)
  return at > now + SKEW
    ? Effect.fail(invalidField("occurred_at", "must not be in the future"))
    : Effect.succeed(at)
}

/** Makes the failure of a use before the tab was opened. */
const beforeOpening = ({ anchor_at }: Tab) =>
  invalidField(
    "occurred_at",
    `must not be before the agent started cumulative billing, at ${toIso(anchor_at)}`,
  )

/** Returns the agent's tab, moved to the current period, and its period that bills the use. */
const billedBy = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  input: UsageInput,
  at: Timestamp,
  now: Timestamp,
) {
  const isAccepted = (tab: Tab) => periodOfUse(tab, at, now) !== undefined
  const accepts = (tab: Tab) => tab.status === "open" || isAccepted(tab)
  // Without a time, the use is later than the end of every closed tab.
  const statuses = input.occurred_at === undefined ? OPEN : (["open", "closed"] as const)
  const choice = { statuses, accepts }
  const found = yield* tabOfSeller(caller, serviceId, input, choice, "INVALID_REQUEST")
  if (found === undefined) return yield* notStarted(input.agent_id)
  const isCurrent = found.status === "closed" || now < found.period_end
  const tab = isCurrent ? found : yield* lookAfterTab(found)
  const period = periodOfUse(tab, at, now)
  if (period !== undefined) return { tab, period }
  return yield* tab.status === "open" ? beforeOpening(tab) : notStarted(input.agent_id)
})

const record = Effect.fnUntraced(function* (caller: Caller, serviceId: string, input: UsageInput) {
  const store = yield* Store
  const service = yield* ownService(caller, serviceId)
  const { agent_id, idempotency_key } = input
  const id = `use_${uuidOfHash((yield* Vault).sha256(usageName(service.id, idempotency_key)))}`
  const stored = yield* store.find("usage_record", id)
  if (stored !== undefined) {
    return isSame(stored, input) ? usageView(stored) : yield* keyUsed(idempotency_key)
  }
  const now = yield* Clock.currentTimeMillis
  const occurred_at = yield* occurredAt(input.occurred_at, now)
  const { period, tab } = yield* billedBy(caller, service.id, input, occurred_at, now)
  yield* checkStillPayable(service, period.price)
  const used: UsageRecord = {
    id,
    version: 1,
    account_id: service.account_id,
    service_id: service.id,
    tab: tab.id,
    period: period.number,
    agent_id,
    quantity: canonical(input.quantity),
    occurred_at,
    idempotency_key,
    created_at: now,
  }
  const room = yield* roomFor({ tab, period, quantity: used.quantity })
  const shown = usageView(used)
  yield* store
    .commit({
      writes: [{ op: "insert", kind: "usage_record", record: used }],
      reservations: [room.reservation],
      ...(yield* replyWith(shown)),
    })
    .pipe(Effect.catchTag("Conflict", (conflict) => refusedForRoom(period.price, room, conflict)))
  return shown
})

/**
 * Records what an agent has used of a service, for its owner, once for each `idempotency_key`
 * (pricing.cumulative). It is billed with the period in which it is reported; of a tab that was
 * closed, with the last one, in which it can be reported for a day.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN`, `USAGE_NOT_STARTED`, and `IDEMPOTENCY_KEY_USED` for a key of
 * another report. Fails with `INVALID_REQUEST` for a time before the billing began or in the
 * future, for more than can be paid, and for a name that agents of several accounts have. Fails
 * with `INSUFFICIENT_KYC` where the period's bill would be more than the payer may pay at once, and
 * with `CHANNEL_UNAVAILABLE` where no channel that the service accepts now could pay it.
 */
export const reportUsage = Effect.fn("reportUsage")(
  (caller: Caller, serviceId: string, input: UsageInput) =>
    retryConflict(record(caller, serviceId, input)),
)
