import { createRefund, refundIntent } from "../../../core/refunds/createRefund.ts"
import { getRefund } from "../../../core/refunds/getRefund.ts"
import { listRefunds } from "../../../core/refunds/listRefunds.ts"
import type { refunds } from "../contract/refunds.ts"
import type { CoreHandlers } from "./Core.ts"

export const refundHandlers = {
  create: ({ caller, payload }) => createRefund(caller, payload),
  ofIntent: ({ caller, params, payload }) => refundIntent(caller, params.id, payload),
  list: ({ caller, query }) => listRefunds(caller, query),
  get: ({ caller, params }) => getRefund(caller, params.id),
} satisfies CoreHandlers<typeof refunds>
