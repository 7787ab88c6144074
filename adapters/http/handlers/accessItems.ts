import { introspectAccess } from "../../../core/revocations/introspectAccess.ts"
import { registerAccessItem } from "../../../core/revocations/registerAccessItem.ts"
import type { accessItems } from "../contract/accessItems.ts"
import type { CoreHandlers } from "./Core.ts"

export const accessItemHandlers = {
  register: ({ caller, payload }) => registerAccessItem(caller, payload),
  introspect: ({ caller, payload }) => introspectAccess(caller, payload),
} satisfies CoreHandlers<typeof accessItems>
