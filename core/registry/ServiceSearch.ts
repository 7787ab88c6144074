import type { ManifestStatus } from "./ServiceManifest.ts"

/** What `GET /v1/services` asks (Service registry). `viewer` is the asking account. */
export interface ServiceSearch {
  readonly q?: string
  readonly channel?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  readonly status: ManifestStatus
  readonly viewer: string
  readonly limit: number
  readonly offset: number
}
