import { Effect } from "effect"
import { showServiceQr } from "../../../core/qr/showQr.ts"
import { getServiceHeld, searchServicesHeld } from "../../../core/listings/notHeld.ts"
import { deleteService, moveService } from "../../../core/registry/moveService.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import type { services } from "../contract/services.ts"
import type { CoreHandlers } from "./Core.ts"
import { drawn } from "./qr.ts"

export const serviceHandlers = {
  register: ({ caller, payload }) => registerService(caller, payload),
  search: ({ caller, query }) => searchServicesHeld(caller, query),
  get: ({ caller, params }) => getServiceHeld(caller, params.id),
  qr: ({ caller, headers, params, query }) =>
    Effect.flatMap(showServiceQr(caller, params.id, query.channel), (code) =>
      drawn(code, headers.accept),
    ),
  activate: ({ caller, params }) => moveService(caller, params.id, "activate"),
  pause: ({ caller, params }) => moveService(caller, params.id, "pause"),
  resume: ({ caller, params }) => moveService(caller, params.id, "resume"),
  deprecate: ({ caller, params }) => moveService(caller, params.id, "deprecate"),
  delete: ({ caller, params }) => deleteService(caller, params.id),
} satisfies CoreHandlers<typeof services>
