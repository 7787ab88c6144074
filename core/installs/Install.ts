import { defineKind } from "../commits/KindDeclaration.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Mandate } from "./Mandate.ts"
import type { SpendCap } from "./SpendCap.ts"

/** The fields of a mandate that its install repeats, enough to decide about automatic payments. */
export type InstalledMandate = Pick<Mandate, "id" | "status" | "channel">

/**
 * An agent's use of a service: its channels, its limit of automatic payments, and its spend cap per
 * period (Installs).
 */
export interface Install {
  /** Derived from account, service and agent: see `installId`. */
  readonly id: string
  readonly version: number
  /** The buyer's account. */
  readonly account_id: string
  readonly service_id: string
  readonly agent_id: string
  /** Payments up to this amount are charged through the mandate; null disables that. */
  readonly auto_pay_limit: Money | null
  readonly channel_preference: string | null
  /** The channels whose wallets the agent has. */
  readonly channels: ReadonlyArray<string>
  readonly spend_cap: SpendCap | null
  /** The cap that is enforced: the earlier one while a person has not approved a higher one. */
  readonly spend_cap_in_force: SpendCap | null
  /** Percentages of the cap, ascending. */
  readonly budget_alerts: ReadonlyArray<number>
  /** Null without automatic payments. */
  readonly mandate: InstalledMandate | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/**
 * Copies the mandate's state to its install. When the mandate becomes active, the approved cap is
 * in force.
 */
export const withMandate = (install: Install, mandate: Mandate, at: Timestamp): Install => {
  const { channel, id, status } = mandate
  const { spend_cap, spend_cap_in_force } = install
  return {
    ...install,
    mandate: { id, status, channel },
    spend_cap_in_force: status === "active" ? spend_cap : spend_cap_in_force,
    updated_at: Math.max(at, install.updated_at),
  }
}

declare module "../commits/Records.ts" {
  interface Records {
    readonly install: Install
  }
}

/** How the store keeps installs. */
export const installKind = defineKind("install", {
  prefix: "ins",
  erased: true,
  cached: "absence",
  lists: [["account_id"], ["account_id", "service_id"]],
})
