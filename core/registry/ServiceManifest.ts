import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { type Timestamp } from "../shared/Timestamp.ts"
import type { Pause } from "./Pauses.ts"
import type { OneTimePrice, PaymentMethods, Pricing, RevocationPolicy } from "./Pricing.ts"

/** The fields of a manifest that its seller sets (ServiceManifest). */
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
export const MANIFEST_STATUSES = ["draft", "active", "paused", "deprecated", "deleted"] as const
export type ManifestStatus = (typeof MANIFEST_STATUSES)[number]

/** A registered service. */
export interface ServiceManifest extends ManifestFields {
  /** A UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** The form in which the name is compared. */
  readonly name_key: string
  readonly status: ManifestStatus
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** The times in which it was paused, oldest first. */
  readonly pauses: ReadonlyArray<Pause>
  readonly deprecated_at: Timestamp | null
  readonly deleted_at: Timestamp | null
  /** When a worker looks after the deleted manifest; null in other states. */
  readonly due_at: Timestamp | null
}

/** Returns the unique name of a service within its account. */
export const ownName = (accountId: string, nameKey: string): string =>
  `service_name:${accountId}:${nameKey}`

/** Returns the unique name of an active service among all accounts. */
export const activeName = (nameKey: string): string => `active_service_name:${nameKey}`

/** Returns the unique look of an active service's name: see `lookOf`. */
export const activeLook = (look: string): string => `active_service_look:${look}`

/** Tells whether other accounts may see the manifest. */
export const isPublic = (manifest: ServiceManifest): boolean =>
  manifest.status === "active" || manifest.status === "deprecated"

/**
 * Returns the price that the service's static code asks for; undefined without a one-time price.
 */
export const firstPrice = (manifest: Pick<ServiceManifest, "pricing">): OneTimePrice | undefined =>
  manifest.pricing.one_time?.[0]

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly service: ServiceManifest
  }
}

/** How the store keeps services. */
export const serviceKind = defineKind("service", {
  prefix: null,
  erased: true,
  cached: "found",
  dueAt: ownDueAt,
  unique: [
    {
      by: ["account_id", "name_key"],
      while: { status: ["draft", "active", "paused", "deprecated"] },
    },
    { by: ["name_key"], while: { status: ["active"] } },
  ],
  lists: [["status"]],
})
