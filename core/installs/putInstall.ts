import { byKey, logged } from "../accountLog/logged.ts"
import { Clock, Effect, Result } from "effect"
import { catchFailure } from "../shared/catchFailure.ts"
import type { Caller } from "../accounts/Account.ts"
import { hold } from "../accounts/Holding.ts"
import { withinPlan } from "../accounts/withinPlan.ts"
import { TAKEOVER_AFTER } from "../gateway/ChannelRequest.ts"
import { route } from "../routing/Routing.ts"
import { replyWith, reserveKey, retryConflict } from "../idempotency/requestKey.ts"
import { spenderOf } from "../kyc/limits/payers.ts"
import { findPayable } from "../registry/findPayable.ts"
import { Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { type Commit, Store, type Write } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { isComparable } from "../pricing/quoteSettlement.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { type Money, writtenIn } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { approvalOf, raises } from "./Approval.ts"
import type { Install } from "./Install.ts"
import { installId } from "./consent.ts"
import { flawOf, merged, needsPlan, type Settings, unratedCap } from "./InstallRules.ts"
import type { InstallInput } from "./InstallInput.ts"
import { machine, type Mandate, requestOf } from "./Mandate.ts"
import { settleMandate } from "./settleMandate.ts"
import { showInstall } from "./showInstalls.ts"

/** Finds the service: an active one for a new install, any existing one for a change. */
const serviceOf = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  before: Install | undefined,
) {
  if (before === undefined) return (yield* findPayable(caller, serviceId)).service
  const service = yield* (yield* Store).find("service", serviceId)
  return service ?? (yield* notFound("service", serviceId))
})

/** Refuses caps and alerts where the seller's plan does not include them (Monthly plans). */
const checkPlan = Effect.fnUntraced(function* (service: ServiceManifest, input: InstallInput) {
  if (!needsPlan(input)) return
  const seller = yield* (yield* Store).find("account", service.account_id)
  if (seller === undefined || seller.plan !== "starter") return
  return yield* new Failure({
    code: "PLAN_LIMIT_EXCEEDED",
    message: "Spend caps and budget alerts need the service to be on the plan pro or enterprise.",
    field: input.spend_cap === undefined ? "budget_alerts" : "spend_cap",
    details: { plan: seller.plan, required_plans: ["pro", "enterprise"] },
  })
})

/**
 * Chooses the channel of a new mandate: the one that this agent's payments use when every channel
 * is up.
 */
const mandateChannel = Effect.fnUntraced(function* (
  caller: Caller,
  agentId: string,
  service: ServiceManifest,
  { channel_preference, channels }: Settings,
  limit: Money,
  stays: string | undefined,
) {
  const { catalog, terms } = yield* Installation
  const { detected, level } = yield* spenderOf(caller.account.id, agentId)
  const routed = route({
    requested: undefined,
    preference: channel_preference ?? undefined,
    detected: [...channels, ...detected],
    service,
    catalog,
    fees: terms.fees,
    currency: limit.currency,
    level,
    health: () => "up",
    needsDeepLinks: true,
  })
  if (Result.isFailure(routed) && stays !== undefined) return stays
  const chosen = yield* Effect.fromResult(routed).pipe(
    // No channel counts as down here.
    catchFailure(["CHANNEL_TEMPORARILY_UNAVAILABLE"], Effect.die),
  )
  const channel = chosen.type === "one" ? chosen.channel : chosen.channels[0]
  return channel?.id ?? null
})

/**
 * Returns the mandate's channel if nothing is raised: lowering does not depend on open channels.
 */
const staying = (
  mandate: Mandate | undefined,
  { auto_pay_limit, spend_cap }: Settings,
): string | undefined =>
  mandate === undefined ||
  mandate.status === "revoked" ||
  auto_pay_limit === null ||
  raises(mandate, { auto_pay_limit, spend_cap })
    ? undefined
    : mandate.channel

/** Makes the mandate that a person is asked to approve. */
const newMandate = (
  install: Install,
  auto_pay_limit: Money,
  channel: string,
  { at, id }: { readonly at: Timestamp; readonly id: string },
): Mandate => ({
  id,
  version: 1,
  account_id: install.account_id,
  install_id: install.id,
  service_id: install.service_id,
  agent_id: install.agent_id,
  channel,
  auto_pay_limit,
  spend_cap: install.spend_cap,
  approval_url: null,
  asks: 0,
  created_at: at,
  due_at: at + TAKEOVER_AFTER,
  status: "pending",
})

/** Returns the write that ends a mandate. A worker tells the channel. */
export const withdraw = (mandate: Mandate | undefined, at: Timestamp): ReadonlyArray<Write> => {
  if (mandate === undefined || mandate.status === "revoked") return []
  const moved = machine.step(mandate, { type: "withdrawn", at })
  return Result.isSuccess(moved)
    ? [{ op: "replace", kind: "mandate", record: moved.success.record }]
    : []
}

/** Refuses a cap that payments in other currencies could not be compared with. */
const checkRate = Effect.fnUntraced(function* ({ spend_cap }: InstallInput) {
  if (!spend_cap || (yield* isComparable(spend_cap.amount.currency))) return
  return yield* unratedCap(spend_cap)
})

/** Returns the caller's agent that the install is for. */
const agentOf = Effect.fnUntraced(function* (caller: Caller, agentId: string | undefined) {
  if (caller.account.kind !== "buyer") {
    return yield* new Failure({
      code: "FORBIDDEN",
      message: "Installs are made with a buyer's key.",
    })
  }
  return agentId ?? caller.account.agent_id
})

const put = Effect.fnUntraced(function* (caller: Caller, serviceId: string, input: InstallInput) {
  if (!isUuid(serviceId)) return yield* notFound("service", serviceId)
  const store = yield* Store
  const ids = yield* Ids
  const { catalog, currencies } = yield* Installation
  const agent_id = yield* agentOf(caller, input.agent_id)
  const { id: account_id } = caller.account
  const id = installId(account_id, agent_id, serviceId, (yield* Vault).sha256)
  const before = yield* store.find("install", id)
  const service = yield* serviceOf(caller, serviceId, before)
  const wanted = merged(before, input)
  const flaw = flawOf(input, wanted, service, { catalog, currencies })
  if (flaw !== undefined) return yield* flaw
  yield* checkRate(input)
  yield* checkPlan(service, input)
  const mandate = before?.mandate ? yield* store.find("mandate", before.mandate.id) : undefined
  const limit = wanted.auto_pay_limit
  const channel =
    limit === null
      ? null
      : yield* mandateChannel(caller, agent_id, service, wanted, limit, staying(mandate, wanted))
  const asks = input.auto_pay_limit !== undefined || input.spend_cap !== undefined
  const approval = approvalOf(before, mandate, { ...wanted, channel, asks })
  const now = yield* Clock.currentTimeMillis
  const at = Math.max(now, before?.updated_at ?? 0)
  const fresh = { id, version: 1, account_id, service_id: serviceId, agent_id, created_at: at }
  const kept = approval.mandate === "keep" ? (before?.mandate ?? null) : null
  const settled: Install = {
    ...(before ?? fresh),
    ...wanted,
    spend_cap_in_force: approval.spend_cap_in_force,
    mandate: kept,
    updated_at: at,
  }
  const asked =
    approval.mandate === "new" && channel !== null && limit !== null
      ? newMandate(settled, limit, channel, { at, id: `mnd_${ids.uuid()}` })
      : undefined
  const record: Install =
    asked === undefined
      ? settled
      : { ...settled, mandate: { id: asked.id, status: asked.status, channel: asked.channel } }
  const op = before === undefined ? "insert" : "replace"
  const { spend_cap: cap } = record
  const writes: ReadonlyArray<Write> = [
    { op, kind: "install", record },
    ...(approval.mandate === "keep" ? [] : withdraw(mandate, at)),
    ...(asked === undefined ? [] : [{ op: "insert", kind: "mandate", record: asked } as const]),
    yield* logged(byKey(caller), "install.changed", id, {
      service_id: serviceId,
      agent_id,
      auto_pay_limit: limit === null ? null : writtenIn(limit, currencies),
      spend_cap: cap === null ? null : `${writtenIn(cap.amount, currencies)} ${cap.period}`,
      channel_preference: record.channel_preference,
    }),
  ]
  const reply = asked === undefined ? replyWith(yield* showInstall(record)) : reserveKey()
  const outcome: Commit = {
    writes,
    guards: [{ kind: "service", id: service.id, version: service.version }],
    reservations: before === undefined ? [hold(caller.account, "installs")] : [],
    ...(yield* reply),
  }
  yield* store.commit(outcome).pipe(withinPlan(caller.account, "installs"))
  return { record, asked }
})

/**
 * Installs a service for an agent of the caller's account, or changes its install (Installs). A
 * person approves automatic payments in the wallet. Until then the mandate is pending, nothing is
 * charged through it, and a higher cap is not yet in force.
 */
export const putInstall = Effect.fn("putInstall")(function* (
  caller: Caller,
  serviceId: string,
  input: InstallInput,
) {
  const { asked, record } = yield* retryConflict(put(caller, serviceId, input))
  if (asked === undefined) return yield* showInstall(record)
  const answer = yield* (yield* Channels).requestMandate(requestOf(asked))
  yield* settleMandate(asked.id, answer)
  return yield* showInstall((yield* (yield* Store).find("install", record.id)) ?? record)
})
