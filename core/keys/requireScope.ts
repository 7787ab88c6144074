import { Effect } from "effect"
import type { LogAction } from "../accountLog/LogEntry.ts"
import type { Caller } from "../accounts/Account.ts"
import { type RouteGroup, scopeBroken } from "../accounts/KeyRestrictions.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"

/** The parameters and fields of a request, by name. */
export type Said = { readonly [name: string]: unknown }

/** The kinds of records that concern a service or an agent, by the prefixes of their ids. */
const KINDS = {
  pi: "payment_intent",
  ref: "refund",
  rr: "refund_request",
  sub: "subscription",
  inv: "invoice",
  ins: "install",
  tab: "tab",
  fxq: "quote",
  chl: "challenge",
  kyc: "verification",
  lst: "listing",
} as const
const PREFIXES = Object.keys(KINDS) as ReadonlyArray<keyof typeof KINDS>

/** The fields that name records. `record` stands for the id in a path. */
const NAMES: ReadonlySet<string> = new Set([
  "record",
  "payment_intent",
  "quote_id",
  "subscription",
  "tab",
  "verification_id",
])
const OWNERS = ["account_id", "payer_account_id", "payee_account_id"] as const

const textsOf = (said: Said, names: ReadonlySet<string> | ReadonlyArray<string>) =>
  [...names].flatMap((name) => (typeof said[name] === "string" ? [said[name]] : []))

const insideOf = (value: unknown): Said =>
  typeof value === "object" && value !== null ? (value as Said) : {}

/** The entries of an account's log that say what a removed record was about, by its prefix. */
const REMOVALS: { readonly [prefix: string]: LogAction } = {
  ins: "install.deleted",
  lst: "listing.deleted",
}

/** The most entries of the account's log in which a removed record is looked for. */
const LOOKED_BACK = 100

/**
 * Returns what the account's log says of a removed record: its service, and its agent. So whoever
 * was allowed to remove it, and has lost the answer, learns that it is gone.
 */
const removed = Effect.fnUntraced(function* (account_id: string, id: string, by: LogAction) {
  const page = { by: { account_id }, limit: LOOKED_BACK }
  const log = yield* (yield* Store).list("log_entry", page)
  const entry = log.find(({ action, target }) => action === by && target === id)
  return insideOf(entry?.details)
})

/** Reads the account's record. A record of another account counts as absent. */
const recordOf = Effect.fnUntraced(function* (accountId: string, id: string) {
  const prefix = PREFIXES.find((each) => isId(each, id))
  const found = prefix && (yield* (yield* Store).find(KINDS[prefix], id))
  const removal = found === undefined ? REMOVALS[prefix ?? ""] : undefined
  if (removal !== undefined) return yield* removed(accountId, id, removal)
  const record = insideOf(found)
  return OWNERS.some((owner) => record[owner] === accountId) ? record : {}
})

const outside = (restriction: "services" | "agents") =>
  new Failure({
    code: "FORBIDDEN",
    message: `This API key is restricted to some ${restriction}. The request must name only those.`,
    details: { restriction },
  })

/**
 * Refuses a request outside of the services and agents that the caller's key is restricted to. The
 * request must name at least one, itself or through a record, and all that it names must be
 * allowed. A payment without an agent is by the account's own.
 */
export const requireScope = Effect.fnUntraced(function* (
  { account, restrictions }: Caller,
  group: RouteGroup,
  ...parts: ReadonlyArray<Said>
) {
  if (restrictions == null) return
  const said = parts.flatMap((part) => [part, insideOf(part["payer"])])
  const ids = said.flatMap((part) => textsOf(part, NAMES))
  const records = yield* Effect.forEach(ids, (id) => recordOf(account.id, id))
  const paid = yield* Effect.forEach(
    records.flatMap((record) => textsOf(record, ["payment_intent"])),
    (id) => recordOf(account.id, id),
  )
  const about = [...said, ...[...records, ...paid].flatMap((one) => [one, insideOf(one["payer"])])]
  const acting = about.flatMap((part) => textsOf(part, ["agent_id"]))
  const broken = scopeBroken(restrictions, {
    services: about.flatMap((part) => textsOf(part, ["service_id", "manifest_id"])),
    agents: acting.length === 0 && group === "pay" ? [account.agent_id] : acting,
  })
  if (broken !== undefined) return yield* outside(broken)
})
