import type { Conflict, ConflictReason, Reservation } from "../commits/Commit.ts"
import { Failure } from "../shared/Failure.ts"
import type { Account, Plan } from "./Account.ts"

/** The resources of which a plan limits the number, since each takes space while it is kept. */
export const HELD = [
  "services",
  "api_keys",
  "installs",
  "verifications",
  "webhook_endpoints",
  "webhook_keys",
  "listings",
] as const
/** One of {@link HELD}. */
export type Held = (typeof HELD)[number]

/** How many of each resource an account of a plan can have at a time (Monthly plans). */
export const HOLDINGS: { readonly [P in Plan]: { readonly [H in Held]: number } } = {
  starter: {
    services: 100,
    api_keys: 20,
    installs: 1_000,
    verifications: 1_000,
    webhook_endpoints: 25,
    webhook_keys: 10,
    listings: 50,
  },
  pro: {
    services: 1_000,
    api_keys: 100,
    installs: 10_000,
    verifications: 10_000,
    webhook_endpoints: 50,
    webhook_keys: 20,
    listings: 100,
  },
  enterprise: {
    services: 10_000,
    api_keys: 1_000,
    installs: 1_000_000,
    verifications: 1_000_000,
    webhook_endpoints: 50,
    webhook_keys: 20,
    listings: 200,
  },
}

/** A resource's name in refusals, and how to free one. */
const WORDS: { readonly [H in Held]: readonly [what: string, room: string] } = {
  services: [
    "services",
    "A deleted service leaves after 30 days, if its payments can no longer be refunded.",
  ],
  api_keys: ["API keys that work", "Revoke one that is no longer used."],
  installs: ["installs", "Remove one that is no longer used."],
  verifications: [
    "verifications whose documents are kept",
    "Verify an agent again only where its level has changed.",
  ],
  webhook_endpoints: ["webhook endpoints", "Delete one that is no longer used."],
  webhook_keys: ["webhook keys", "Delete one that is no longer used."],
  listings: ["listed resources", "Remove one that is no longer sold."],
}

/** The account whose resources are counted. */
export type Holder = Pick<Account, "id" | "plan">

/** Returns the prefix of the counters of a resource; their names end in the account. */
export const countersOf = (held: Held): string => `held:${held}:`

/** Returns the name of the counter of an account's resources. */
export const holdingCounter = (accountId: string, held: Held): string =>
  `${countersOf(held)}${accountId}`

/** Reserves one more. The commit is refused where the account's plan has no room. */
export const hold = ({ id, plan }: Holder, held: Held): Reservation => ({
  counter: holdingCounter(id, held),
  add: 1,
  limit: HOLDINGS[plan][held],
})

/** Releases one. */
export const letGo = (accountId: string, held: Held): Reservation => ({
  counter: holdingCounter(accountId, held),
  add: -1,
  limit: 0,
})

/** Tells whether a commit was refused because the account has as many as its plan allows. */
export const isFull =
  (accountId: string, held: Held) =>
  (reason: ConflictReason): reason is Extract<Conflict["reason"], { type: "limit_reached" }> =>
    reason.type === "limit_reached" && reason.counter === holdingCounter(accountId, held)

/** Makes the failure of one more than the account's plan allows. */
export const tooMany = ({ plan }: Pick<Account, "plan">, held: Held) => {
  const limit = HOLDINGS[plan][held]
  const [what, room] = WORDS[held]
  return new Failure({
    code: "PLAN_LIMIT_EXCEEDED",
    message:
      `An account of the ${plan} plan can have ${limit} ${what}. ${room}` +
      (plan === "enterprise" ? "" : " A larger plan has room for more."),
    details: { plan, resource: held, limit },
  })
}
