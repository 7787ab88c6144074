import type { OwnQuery } from "../shared/Page.ts"

/** An account's installs, or those of one service, by their ids from behind `starting_after`. */
export interface InstallQuery extends OwnQuery {
  readonly service_id?: string
}
