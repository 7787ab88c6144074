import { deleteInstall, uninstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { getInstall, listInstalls } from "../../../core/installs/showInstalls.ts"
import type { installs } from "../contract/installs.ts"
import type { CoreHandlers } from "./Core.ts"

export const installHandlers = {
  put: ({ caller, params, payload }) => putInstall(caller, params.id, payload),
  listOfService: ({ caller, params, query }) =>
    listInstalls(caller, { ...query, service_id: params.id }),
  uninstall: ({ caller, params, query }) => uninstall(caller, params.id, query.agent_id),
  list: ({ caller, query }) => listInstalls(caller, query),
  get: ({ caller, params }) => getInstall(caller, params.id),
  delete: ({ caller, params }) => deleteInstall(caller, params.id),
} satisfies CoreHandlers<typeof installs>
