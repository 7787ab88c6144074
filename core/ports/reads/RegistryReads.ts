import type { Install } from "../../installs/Install.ts"
import type { InstallQuery } from "../../installs/InstallQuery.ts"
import type { ServiceManifest } from "../../registry/ServiceManifest.ts"
import type { ServiceSearch } from "../../registry/ServiceSearch.ts"
import type { Read } from "./Read.ts"

/** What is sold, and what agents have installed of it (Service registry). */
export interface RegistryReads {
  /** The account's own manifest of that name that is not deleted. */
  readonly findServiceByName: (
    accountId: string,
    nameKey: string,
  ) => Read<ServiceManifest | undefined>
  /** The active manifest of that name, whoever owns it. */
  readonly findActiveServiceByName: (nameKey: string) => Read<ServiceManifest | undefined>
  readonly searchServices: (search: ServiceSearch) => Read<{
    readonly data: ReadonlyArray<ServiceManifest>
    readonly total: number
  }>
  /** The active manifests in the order of their ids, beginning with `from` where it is given. */
  readonly listActiveServices: (query: {
    readonly from?: string
    readonly limit: number
  }) => Read<ReadonlyArray<ServiceManifest>>
  /** The last id first. */
  readonly listInstalls: (query: InstallQuery) => Read<ReadonlyArray<Install>>
}
