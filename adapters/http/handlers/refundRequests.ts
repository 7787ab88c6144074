import { createRefundRequest } from "../../../core/refundRequests/createRefundRequest.ts"
import {
  approveRefundRequest,
  declineRefundRequest,
  withdrawRefundRequest,
} from "../../../core/refundRequests/moveRefundRequest.ts"
import {
  getRefundRequest,
  listRefundRequests,
} from "../../../core/refundRequests/showRefundRequests.ts"
import type { refundRequests } from "../contract/refundRequests.ts"
import type { CoreHandlers } from "./Core.ts"

export const refundRequestHandlers = {
  create: ({ caller, payload }) => createRefundRequest(caller, payload),
  list: ({ caller, query }) => listRefundRequests(caller, query),
  get: ({ caller, params }) => getRefundRequest(caller, params.id),
  approve: ({ caller, params, payload }) => approveRefundRequest(caller, params.id, payload),
  decline: ({ caller, params, payload }) => declineRefundRequest(caller, params.id, payload),
  withdraw: ({ caller, params }) => withdrawRefundRequest(caller, params.id),
} satisfies CoreHandlers<typeof refundRequests>
