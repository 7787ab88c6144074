import type { Migration } from "./Migration.ts"

/** Active manifests are read in the order of their ids, a page of tools at a time. */
export const toolList: Migration = {
  id: 19,
  name: "tool_list",
  statements: [`CREATE INDEX services_active ON services (id) WHERE status = 'active'`],
}
