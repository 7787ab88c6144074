import { busyAccounts } from "./parts/busyAccounts.ts"
import { changingKeys } from "./parts/changingKeys.ts"
import { climbers } from "./parts/climbers.ts"
import { commonKeys } from "./parts/commonKeys.ts"
import { exchange } from "./parts/exchange.ts"
import { gates } from "./parts/gates.ts"
import { paidEndpoints } from "./parts/paidEndpoints.ts"
import { payersWithMandates } from "./parts/payersWithMandates.ts"
import { prying } from "./parts/prying.ts"
import { registry } from "./parts/registry.ts"
import { restlessSellers } from "./parts/restlessSellers.ts"
import { statements } from "./parts/statements.ts"
import { subscribers } from "./parts/subscribers.ts"
import { toolBuyers } from "./parts/toolBuyers.ts"
import type { Part } from "./world/Part.ts"

/** What a world plays beside the payments. */
export const parts: ReadonlyArray<Part> = [
  restlessSellers,
  changingKeys,
  gates,
  statements,
  climbers,
  commonKeys,
  payersWithMandates,
  exchange,
  subscribers,
  registry,
  paidEndpoints,
  busyAccounts,
  prying,
  toolBuyers,
]
