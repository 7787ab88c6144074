import { Clock, Effect } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import type { LogDetails } from "../accountLog/LogEntry.ts"
import { byKey, logged } from "../accountLog/logged.ts"
import { hold } from "../accounts/Holding.ts"
import { withinPlan } from "../accounts/withinPlan.ts"
import { tooManyChannels } from "../billing/Plan.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { ReceiverAddress } from "../ports/ReceiverAddress.ts"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { type Commit, type KeyChange, Store } from "../ports/Store.ts"
import { canonicalJson, nameKey } from "../shared/Text.ts"
import { Failure } from "../shared/Failure.ts"
import { lookOf } from "../shared/Look.ts"
import { checkManifest } from "./ManifestCheck.ts"
import type { ManifestInput } from "./ManifestInput.ts"
import {
  activeLook,
  type ManifestFields,
  ownName,
  type ServiceManifest,
} from "./ServiceManifest.ts"
import { manifestView } from "./ServiceView.ts"

/** Makes the failure of a name that an active service of another account has. */
export const duplicateName = (name: string) =>
  new Failure({
    code: "DUPLICATE_NAME",
    field: "name",
    message:
      `An active service already has the name ${JSON.stringify(name)} or one that looks like it. ` +
      "Choose another name.",
  })

/** Makes the failure of an account that is not a seller. */
const sellersOnly = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "Only the key of a seller's account can register services.",
  })

const fieldsOf = (manifest: ManifestFields): ManifestFields => ({
  name: manifest.name,
  description: manifest.description,
  payment_methods: manifest.payment_methods,
  pricing: manifest.pricing,
  accepted_channels: manifest.accepted_channels,
  qr_mode: manifest.qr_mode,
  settlement_currency: manifest.settlement_currency,
  endpoint: manifest.endpoint,
  tags: manifest.tags,
  default_channel: manifest.default_channel,
  fallback_channel: manifest.fallback_channel,
  revocation_policy: manifest.revocation_policy,
})

const sameFields = (a: ManifestFields, b: ManifestFields): boolean =>
  canonicalJson(fieldsOf(a)) === canonicalJson(fieldsOf(b))

const checked = Effect.fnUntraced(function* (input: ManifestInput) {
  const { catalog, currencies } = yield* Installation
  const receivers = yield* ReceiverAddress
  const facts = { catalog, currencies, refuseReceiver: receivers.check }
  return yield* Effect.fromResult(checkManifest(input, facts))
})

/** Makes the manifest of a new name. */
const draft = (
  id: string,
  account: Account,
  fields: ManifestFields,
  now: number,
): ServiceManifest => ({
  ...fields,
  id,
  version: 1,
  account_id: account.id,
  name_key: nameKey(fields.name),
  status: "draft",
  created_at: now,
  updated_at: now,
  pauses: [],
  deprecated_at: null,
  deleted_at: null,
  due_at: null,
})

/**
 * Returns the looks that an active service claims and releases when its name changes letters. Names
 * are compared without case, but a capital I looks like a small l.
 */
const lookChanges = (stored: ServiceManifest, next: ServiceManifest): ReadonlyArray<KeyChange> => {
  const [before, after] = [lookOf(stored.name), lookOf(next.name)]
  if (stored.status !== "active" || before === after) return []
  return [
    { op: "release", key: activeLook(before), owner: stored.id },
    { op: "claim", key: activeLook(after), owner: stored.id },
  ]
}

const revokerOf = ({ revocation_policy }: ServiceManifest): string | null =>
  revocation_policy?.revoke_url ?? null

/**
 * Returns the entries of the account's log if events about payments, or the revoked access, will be
 * sent elsewhere.
 */
const redirected = Effect.fnUntraced(function* (
  caller: Caller,
  before: ServiceManifest,
  after: ServiceManifest,
) {
  const { endpoint } = after
  const [from, revoke_url] = [revokerOf(before), revokerOf(after)]
  const changes: ReadonlyArray<LogDetails> = [
    ...(before.endpoint === endpoint ? [] : [{ from: before.endpoint, endpoint }]),
    ...(from === revoke_url ? [] : [{ from, revoke_url }]),
  ]
  return yield* Effect.forEach(changes, (details) =>
    logged(byKey(caller), "service.endpoint_changed", before.id, details),
  )
})

/**
 * Registers a service, or updates the account's service of that name (Service registry). The same
 * fields again change nothing; other fields change the stored manifest, which keeps its id and
 * status.
 *
 * Fails with `FORBIDDEN` for buyers, with the failures of `checkManifest`, with
 * `PLAN_LIMIT_EXCEEDED` for more channels or services than the account's plan allows, and with
 * `DUPLICATE_NAME` when an active manifest of another account has the name.
 */
export const registerService = Effect.fn("registerService")(function* (
  caller: Caller,
  input: ManifestInput,
) {
  const { account } = caller
  if (account.kind !== "seller") return yield* sellersOnly()
  const fields = yield* checked(input)
  const { terms } = yield* Installation
  const tooMany = tooManyChannels(terms.plans, account.plan, fields.accepted_channels)
  if (tooMany !== undefined) return yield* tooMany
  const store = yield* Store
  const ids = yield* Ids
  const id = ids.uuid()

  return yield* retryConflict(
    Effect.gen(function* () {
      const name_key = nameKey(fields.name)
      const holder = yield* store.findBy("service", { name_key })
      if (holder !== undefined && holder.account_id !== account.id) {
        return yield* duplicateName(fields.name)
      }
      const stored = yield* store.findBy("service", { account_id: account.id, name_key })
      if (stored !== undefined && sameFields(stored, fields))
        return manifestView(stored, account.id)

      const now = yield* Clock.currentTimeMillis
      const next: ServiceManifest =
        stored === undefined
          ? draft(id, account, fields, now)
          : { ...stored, ...fields, updated_at: now }
      const view = manifestView(next, account.id)
      const outcome: Commit =
        stored === undefined
          ? {
              writes: [{ op: "insert", kind: "service", record: next }],
              keys: [{ op: "claim", key: ownName(account.id, name_key), owner: id }],
              reservations: [hold(account, "services")],
            }
          : {
              writes: [
                { op: "replace", kind: "service", record: next },
                ...(yield* redirected(caller, stored, next)),
              ],
              keys: lookChanges(stored, next),
            }
      yield* store.commit({ ...outcome, ...(yield* replyWith(view)) }).pipe(
        withinPlan(account, "services"),
        catchConflict(isKeyTaken(activeLook("")), () => duplicateName(fields.name)),
      )
      return view
    }),
  )
})
