import type { Commit } from "../../../core/ports/Store.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { holds, isTaken } from "../Access.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { takenValue } from "./taken.ts"

/** The waits before each further try of a target. */
const WAITS = [SECOND, 4 * SECOND, 16 * SECOND]
const MOST_TRIES = 1 + WAITS.length

const isOver = ({ status }: Revocation): boolean => status !== "pending"

const eventsOf = (commit: Commit, type: string, refund: string) =>
  (commit.events ?? []).filter((event) => event.type === type && event.subject_id === refund)

/** Checks that a revoked access stays revoked, and that its payment says so. */
const neverUndone: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind === "access_item") {
    const before = model.items.get(write.record.id)
    const lost = before?.revoked.find(
      ({ revoked_at, scope }, n) =>
        write.op === "remove" ||
        write.record.revoked[n]?.scope !== scope ||
        write.record.revoked[n]?.revoked_at !== revoked_at,
    )
    return lost === undefined ? undefined : `gives ${lost.scope} back, which was revoked`
  }
  if (write.kind !== "revocation") return undefined
  const after = write.record
  const before = model.revocations.get(after.id)
  if (before !== undefined && isOver(before)) {
    const kept = before.status === "revoked" && after.status === "expired" && write.op === "replace"
    const same = kept && before.revoked_at === after.revoked_at
    return same ? undefined : `was ${before.status} and became ${after.status}`
  }
  if (after.status !== "revoked") return undefined
  const denied = commit.writes.some(
    ({ kind, record }) =>
      kind === "access_item" &&
      record.account_id === after.account_id &&
      record.type === after.target_type &&
      record.item_id === after.target_id &&
      record.revoked.some(({ scope }) => scope === after.scope),
  )
  return denied ? undefined : `was revoked, and ${after.scope} of its target is allowed still`
}

/** Checks a gate's answer about an unregistered access, or about a scope that was revoked. */
const denied: Rule<"gate"> = (seen, { access }) => {
  if (!seen.active) return undefined
  const item = access.item(seen)
  if (item === undefined || item.payment_intent === null) return "lets in what nobody registered"
  if (access.isNewer(item, seen.since)) return undefined
  const asked = seen.scope === null ? item.scopes : [seen.scope]
  return asked.every((scope) => isTaken(item, scope)) ? "lets in what was revoked" : undefined
}

/** How long a process keeps what it has claimed. */
const LEASE = 30 * SECOND

/**
 * Checks that a revocation is ordered only for a confirmed refund, at most four times, and not too
 * early. A process that paused before its order does not know about later orders of others. Where
 * clocks differ by more than a lease, a process takes over an order that another one waits for and
 * then cannot record.
 */
const ordered: Rule<"order"> = ({ at, held_up, order }, model) => {
  const { id, refund } = order.revocation
  const decided = at - held_up
  const asked = model.triesOf(id).filter((time) => time <= decided)
  const recorded = model.revocations.get(id)?.attempts ?? 0
  const outlasts = 2 * model.clocksOff < LEASE
  const tries = outlasts ? asked.length : Math.min(asked.length, recorded)
  if (tries >= MOST_TRIES) return `had ${id} carried out ${asked.length + 1} times`
  if (model.refunds.get(refund)?.status !== "succeeded") return `had ${id} carried out too soon`
  const last = asked.at(-1)
  // One process has set the time by its clock, and another uses its own clock.
  const soonest = (WAITS[asked.length - 1] ?? 0) - 2 * model.clocksOff
  return last !== undefined && decided < last + soonest
    ? `had ${id} carried out again after ${decided - last} ms`
    : undefined
}

/** Checks that a target is tried four times, and its failure reported once to each who may know. */
const tried: Rule<"write"> = ({ at, commit, write }, model) => {
  if (write.kind !== "revocation" || write.op === "remove") return undefined
  const { record } = write
  const before = model.revocations.get(record.id)
  if (record.attempts > MOST_TRIES) return `was tried ${record.attempts} times`
  const made = record.attempts - (before?.attempts ?? 0)
  if (made > 0 && (before?.due_at ?? Infinity) > at + model.clocksOff)
    return "was tried before its time"
  if (record.status !== "failed" || before?.status === "failed") return undefined
  if (record.attempts !== MOST_TRIES) return `was given up after ${record.attempts} tries`
  const intent = model.intents.get(record.payment_intent)?.record
  const accounts = new Set([record.account_id, intent?.account_id])
  const told = eventsOf(commit, "revocation.failed", record.refund).length
  const due = record.notify ? accounts.size : 0
  return told === due ? undefined : `failed, and told so ${told} times`
}

/** Checks that a refund does not wait for its revocations, and revokes nothing if it fails. */
const unblocked: Rule<"rest"> = ({ refunds }, model) => {
  for (const refund of refunds) {
    const revocations = model.revocationsOf(refund.id)
    if (refund.status === "failed" && revocations.length > 0) return `revokes for ${refund.id}`
    const open = revocations.find((revocation) => !isOver(revocation))
    if (open !== undefined) return `rests with ${open.id} ${open.status}`
  }
  return undefined
}

/** Returns what a refund of a part of the payment revokes, as an exact ratio. */
const scopeOf = (part: number, whole: number): string =>
  part * 4 <= whole
    ? "read:summary"
    : part * 2 <= whole
      ? "read:detail"
      : part * 4 <= whole * 3
        ? "read:full"
        : "all"

/** Returns the scope of each of a refund's targets, in order; undefined if a policy decides. */
export const wantedScopes = (
  { amount, revoke }: Pick<Refund, "amount" | "revoke">,
  whole: number,
): ReadonlyArray<string> | undefined => {
  if (revoke === null) return undefined
  if (revoke.auto_revoke === false || revoke.unused === true) return []
  return (revoke.targets ?? []).map(({ scope }) => scope ?? scopeOf(amount.value, whole))
}

const scoped: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "refund" || write.op !== "insert") return undefined
  const refund = write.record
  const intent = model.intents.get(refund.payment_intent)?.record
  const whole = intent === undefined ? 0 : takenValue(intent)
  const planned = commit.writes.flatMap((other) =>
    other.kind === "revocation" && other.record.refund === refund.id ? [other.record] : [],
  )
  const wanted = wantedScopes(refund, whole)
  if (wanted !== undefined) {
    const scopes = planned.map(({ scope }) => scope)
    return scopes.join() === wanted.join()
      ? undefined
      : `revokes ${scopes.join()}, not ${wanted.join()}`
  }
  return strayOf(planned, byPolicy(refund, commit, model), [])
}

interface Target {
  readonly type: string
  readonly scope: string
}

/** Returns what the policy takes for a refund, by what is confirmed: pending refunds can fail. */
const byPolicy = (refund: Refund, commit: Commit, model: Model): ReadonlyArray<Target> => {
  const intent = model.intents.get(refund.payment_intent)?.record
  const whole = intent === undefined ? 0 : takenValue(intent)
  const policy = model.services.get(refund.service_id)?.revocation_policy
  const targets = policy?.auto_revoke_on_refund === true ? (policy.default_targets ?? []) : []
  const back = model
    .refundsOf(refund.payment_intent, commit)
    .filter(({ id, status }) => status === "succeeded" || id === refund.id)
    .reduce((sum, { amount }) => sum + amount.value, 0)
  const mapped = back === whole ? "all" : scopeOf(refund.amount.value, whole)
  // What was not used bought nothing: it ends access only with all the rest.
  if (refund.revoke?.unused === true && back < whole) return []
  return targets.map(({ scope = mapped, type }) => ({ type, scope }))
}

/** Returns what is wrong about revocations that are neither by policy nor were planned before. */
const strayOf = (
  revocations: ReadonlyArray<Revocation>,
  targets: ReadonlyArray<Target>,
  before: ReadonlyArray<Revocation>,
): string | undefined => {
  const stray = revocations.find(
    ({ id, scope, target_type }) =>
      !targets.some((target) => target.type === target_type && scope === target.scope) &&
      !before.some((known) => known.id === id && known.scope === scope),
  )
  return stray === undefined ? undefined : `revokes ${stray.scope} of a ${stray.target_type}`
}

/** Returns the revocations of a refund after a commit. */
const afterwards = (refund: string, { writes }: Commit, model: Model) => {
  const all = new Map(model.revocationsOf(refund).map((one) => [one.id, one]))
  for (const { kind, op, record } of writes) {
    if (kind !== "revocation" || record.refund !== refund) continue
    if (op === "remove") all.delete(record.id)
    else all.set(record.id, record)
  }
  return [...all.values()]
}

/** Checks that a confirmed refund revokes what the policy takes of all that is registered then. */
const confirmed: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "refund" || write.record.status !== "succeeded") return undefined
  const { id, payment_intent, revoke } = write.record
  const byRule = revoke === null || revoke.unused === true
  if (!byRule || model.refunds.get(id)?.status !== "pending") return undefined
  const targets = byPolicy(write.record, commit, model)
  const revocations = afterwards(id, commit, model)
  for (const item of model.access.items) {
    if (item.payment_intent !== payment_intent) continue
    const spared = targets.find(
      ({ scope, type }) =>
        item.type === type &&
        !isTaken(item, scope) &&
        !revocations.some(
          (one) =>
            one.target_type === type && one.target_id === item.item_id && holds(one.scope, scope),
        ),
    )
    if (spared !== undefined) return `leaves ${spared.scope} of ${item.item_id}`
  }
  return strayOf(revocations, targets, model.revocationsOf(id))
}

/** Checks that no access is registered for a payment of which nothing is kept. */
const paidFor: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "access_item" || write.op === "remove") return undefined
  const { id, payment_intent, revoked } = write.record
  // A revocation writes the item with one more scope revoked.
  if (payment_intent === null || revoked.length > (model.items.get(id)?.revoked.length ?? 0))
    return undefined
  const intent = model.intents.get(payment_intent)?.record
  const back = model
    .refundsOf(payment_intent, commit)
    .reduce((sum, { amount, status }) => sum + (status === "failed" ? 0 : amount.value), 0)
  return intent !== undefined && back === takenValue(intent)
    ? `registers access for ${payment_intent}, of which nothing is kept`
    : undefined
}

/** Checks that the last of a refund's targets completes the batch, once. */
const completed: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "event" || write.record.type !== "revocation.batch.completed") return undefined
  const { account_id, data, subject_id } = write.record
  if (write.op !== "insert") return undefined
  if (model.batchesTold.has(`${subject_id} ${account_id}`)) return "was completed twice"
  const batch = new Map(model.revocationsOf(subject_id).map((one) => [one.id, one]))
  for (const { kind, record } of commit.writes)
    if (kind === "revocation") batch.set(record.id, record)
  const all = [...batch.values()]
  const failed = all.filter(({ status }) => status === "failed").length
  const right =
    all.every(isOver) &&
    data["total_targets"] === all.length &&
    data["failed"] === failed &&
    data["revoked"] === all.length - failed
  return right ? undefined : "was completed with other numbers than those of its targets"
}

const completedAtRest: Rule<"rest"> = ({ intent, refunds }, model) => {
  const accounts = [intent.payee_account_id, intent.account_id]
  const silent = refunds.find(
    ({ id }) =>
      model.revocationsOf(id).length > 0 &&
      accounts.some((account) => !model.batchesTold.has(`${id} ${account}`)),
  )
  return silent === undefined
    ? undefined
    : `was never told that ${silent.id} has revoked all it could`
}

/** The rules about the access that refunds revoke. */
export const revocationRules: Rulebook = {
  36: { write: neverUndone, gate: denied },
  37: { write: tried, order: ordered, rest: unblocked },
  38: {
    write: (seen, model) => scoped(seen, model) ?? confirmed(seen, model) ?? paidFor(seen, model),
  },
  39: { write: completed, rest: completedAtRest },
}
