import { Effect } from "effect"
import { payForResource } from "../../../core/challenges/openChallenge.ts"
import type { facilitator } from "../contract/facilitator.ts"
import * as Answers from "../../shared/x402/Answers.ts"
import { ourNetwork } from "../../shared/x402/network.ts"
import { discoverResources } from "../x402/discover.ts"
import { settlePayment, verifyPayment } from "../x402/settle.ts"
import type { CoreHandlers } from "./Core.ts"

/** The handlers of the x402 facilitator for sellers' servers. */
export const facilitatorHandlers = {
  discover: ({ query }) => discoverResources(query),
  supported: () => Effect.map(ourNetwork, Answers.supported),
  pay: ({ caller, payload }) => payForResource(caller, payload),
  verify: ({ caller, payload }) => verifyPayment(caller, payload),
  settle: ({ caller, payload }) => settlePayment(caller, payload),
} satisfies CoreHandlers<typeof facilitator>
