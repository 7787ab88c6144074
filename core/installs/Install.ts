import { defineKind } from "../commits/KindDeclaration.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Mandate } from "./Mandate.ts"
import type { SpendCap } from "./SpendCap.ts"

/** What an install says of its mandate: enough to decide whether it pays by itself. */
export type InstalledMandate = Pick<Mandate, "id" | "status" | "channel">

/**
 * How an agent uses a service: by which channels it pays, how much without being asked, and how
 * much in a period (Installs).
 */
export interface Install {
  /** Made of the three names that it is for: see `installId`. */
  readonly id: string
  readonly version: number
  /** The buyer's. */
  readonly account_id: string
  readonly service_id: string
  readonly agent_id: string
  /** Payments up to this are charged through the mandate; null where none are. */
  readonly auto_pay_limit: Money | null
  readonly channel_preference: string | null
  /** The channels whose wallets the agent has. */
  readonly channels: ReadonlyArray<string>
  readonly spend_cap: SpendCap | null
  /** The cap that holds: the earlier one while a person has yet to approve a higher one. */
  readonly spend_cap_in_force: SpendCap | null
  /** In percent of the cap, ascending. */
  readonly budget_alerts: ReadonlyArray<number>
  /** Null where nothing is to be paid without being asked. */
  readonly mandate: InstalledMandate | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/**
 * The install that shows what has become of its mandate. With the approval the cap that the person
 * has approved is in force.
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

/** How installs are kept. */
export const installKind = defineKind("install", {
  prefix: "ins",
  erased: true,
  cached: "absence",
  lists: [["account_id"], ["account_id", "service_id"]],
})
