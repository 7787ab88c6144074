// Written independently of core/accounts and core/audit on purpose: see Model.ts.

import type { Account } from "../../../core/accounts/Account.ts"
import type { AuditEntry } from "../../../core/audit/AuditEntry.ts"
import type { ListAccountsQuery } from "../../../core/accounts/AccountQuery.ts"
import type { ListAuditQuery } from "../../../core/audit/AuditQuery.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** All pages of a list of accounts at rest. */
    readonly accounts_listed: {
      readonly query: Pick<ListAccountsQuery, "agent_id" | "kind" | "plan">
      readonly listed: ReadonlyArray<{ readonly id: string }>
    }
    /** All pages of a list of operators' acts at rest, and what is said of their chain. */
    readonly acts_listed: {
      readonly query: Pick<ListAuditQuery, "action" | "actor" | "target" | "after">
      readonly stored: ReadonlyArray<AuditEntry>
      readonly listed: ReadonlyArray<{ readonly id: string }>
      readonly chain: object | undefined
    }
  }
}

const newestFirst = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? 1 : -1

const accounts = ({ listed, query }: Observations["accounts_listed"], model: Model): Finding => {
  const { agent_id, kind, plan } = query
  const expected = [...(model.know(kept).get("account")?.values() ?? [])]
    .flatMap((record) => (record === null ? [] : [record as Account]))
    .filter((one) => agent_id === undefined || one.agent_id === agent_id)
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((one) => plan === undefined || one.plan === plan)
    .toSorted(newestFirst)
    .map(({ created_at, suspended_at, ...one }) => ({
      id: one.id,
      name: one.name,
      kind: one.kind,
      agent_id: one.agent_id,
      merchant_account: one.merchant_account,
      plan: one.plan,
      created_at: toIso(created_at),
      suspended_at: suspended_at === null ? null : toIso(suspended_at),
    }))
  const differs = difference(expected, listed)
  return differs === undefined ? undefined : `are listed with ${differs}`
}

const acts = ({ chain, listed, query, stored }: Observations["acts_listed"]): Finding => {
  const { action, actor, after, target } = query
  const expected = stored
    .filter((entry) => action === undefined || entry.action === action)
    .filter((entry) => actor === undefined || entry.actor === actor)
    .filter((entry) => target === undefined || entry.target === target)
    .filter(({ sequence }) => sequence > after)
    .toSorted((a, b) => b.sequence - a.sequence)
    .map(({ at, ...entry }) => ({ ...entry, at: toIso(at) }))
  const differs = difference(expected, listed)
  if (differs !== undefined) return `are listed with ${differs}`
  const last = stored.at(-1)
  const whole = {
    sequence: last?.sequence ?? 0,
    hash: last?.hash ?? "0".repeat(64),
    whole: true,
  }
  const said = difference(whole, chain)
  return said === undefined ? undefined : `are said to be a chain with ${said}`
}

/** The rules about what operators read. */
export const operatorListRules: Rulebook = { 132: { accounts_listed: accounts, acts_listed: acts } }
