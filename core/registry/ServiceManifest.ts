import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { Interval } from "../shared/Period.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"

/** The ways in which a service is paid; at least one is true. */
export interface PaymentMethods {
  readonly one_time?: boolean
  readonly cumulative?: boolean
  readonly subscription?: boolean
}

/** A price in minor units of its currency. */
export interface OneTimePrice {
  readonly amount: number
  readonly currency: string
  readonly label: string
}

/** A price for use that is summed up and paid once a cycle. */
export interface CumulativePrice {
  readonly unit: string
  /** Minor units for one unit of use, as an exact decimal. */
  readonly rate: number | string
  readonly billing_cycle: Interval
  readonly currency?: string
}

/** A price in minor units for every interval. */
export interface SubscriptionPlan {
  readonly plan_id: string
  readonly name: string
  readonly amount: number
  readonly currency: string
  readonly interval: Interval
  readonly features: ReadonlyArray<string>
}

/** The prices of a service, one entry for each payment method that is enabled. */
export interface Pricing {
  readonly one_time?: ReadonlyArray<OneTimePrice>
  readonly cumulative?: CumulativePrice
  readonly subscription?: ReadonlyArray<SubscriptionPlan>
}

/** What a refund revokes unless the refund says otherwise. */
export interface RevocationPolicy {
  readonly auto_revoke_on_refund?: boolean
  readonly default_targets?: ReadonlyArray<{ readonly type: string; readonly scope?: string }>
  readonly webhook_on_revoke?: boolean
  /** Targets that nobody registered are not found. */
  readonly strict?: boolean
  /** Where the seller's own system revokes, by signed requests. */
  readonly revoke_url?: string
}

/** What a seller says of a service when it posts its manifest (ServiceManifest). */
export interface ManifestFields {
  readonly name: string
  readonly description: string
  readonly payment_methods: PaymentMethods
  readonly pricing: Pricing
  readonly accepted_channels: ReadonlyArray<string>
  readonly qr_mode: "dynamic" | "static"
  readonly settlement_currency: string
  readonly endpoint: string
  readonly tags: ReadonlyArray<string>
  readonly default_channel: string | null
  readonly fallback_channel: string | null
  readonly revocation_policy: RevocationPolicy | null
}

/** The states of a manifest (States and transitions). */
export type ManifestStatus = "draft" | "active" | "paused" | "deprecated" | "deleted"

/** A registered service. */
export interface ServiceManifest extends ManifestFields {
  /** A UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** How the name is compared. */
  readonly name_key: string
  readonly status: ManifestStatus
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly deprecated_at: Timestamp | null
  readonly deleted_at: Timestamp | null
  /** When a worker has to look at it: a deleted manifest is purged then. */
  readonly due_at: Timestamp | null
}

/** The name that one account has once: its registration under that name. */
export const ownName = (accountId: string, nameKey: string): string =>
  `service_name:${accountId}:${nameKey}`

/** The name that one active manifest has, among all accounts. */
export const activeName = (nameKey: string): string => `active_service_name:${nameKey}`

/** Whether an account that does not own the manifest may know of it. */
export const isPublic = (manifest: ServiceManifest): boolean =>
  manifest.status === "active" || manifest.status === "deprecated"

const stale = (manifest: ServiceManifest) =>
  manifest.status === "deprecated" ? { stale: true as const } : {}

/** The policy without the address of the owner's own system. */
const publicPolicy = (policy: RevocationPolicy | null): RevocationPolicy | null => {
  if (policy === null) return null
  const { revoke_url: _own, ...shown } = policy
  return shown
}

/** A manifest as it is shown: whole to its owner, without its addresses to others. */
export const manifestView = (manifest: ServiceManifest, viewer: string) => ({
  id: manifest.id,
  name: manifest.name,
  description: manifest.description,
  status: manifest.status,
  ...stale(manifest),
  payment_methods: manifest.payment_methods,
  pricing: manifest.pricing,
  accepted_channels: manifest.accepted_channels,
  qr_mode: manifest.qr_mode,
  settlement_currency: manifest.settlement_currency,
  ...(manifest.account_id === viewer ? { endpoint: manifest.endpoint } : {}),
  tags: manifest.tags,
  default_channel: manifest.default_channel,
  fallback_channel: manifest.fallback_channel,
  revocation_policy:
    manifest.account_id === viewer
      ? manifest.revocation_policy
      : publicPolicy(manifest.revocation_policy),
  created_at: toIso(manifest.created_at),
  updated_at: toIso(manifest.updated_at),
})

/** A manifest as search results show it. */
export const manifestSummary = (manifest: ServiceManifest) => ({
  id: manifest.id,
  name: manifest.name,
  description: manifest.description,
  status: manifest.status,
  ...stale(manifest),
  payment_methods: manifest.payment_methods,
  pricing: manifest.pricing,
  accepted_channels: manifest.accepted_channels,
  tags: manifest.tags,
})

/** What a scan of the service's static code asks for; undefined without a one-time price. */
export const firstPrice = (manifest: Pick<ServiceManifest, "pricing">): OneTimePrice | undefined =>
  manifest.pricing.one_time?.[0]

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly service: ServiceManifest
  }
}

/** How services are kept. */
export const serviceKind = defineKind("service", {
  prefix: null,
  erased: true,
  cached: "found",
  dueAt: ownDueAt,
  names: ({ account_id, name_key, status }) => [
    ...(status === "deleted" ? [] : [ownName(account_id, name_key)]),
    ...(status === "active" ? [activeName(name_key)] : []),
  ],
})
