import { authorize, showAuthorization } from "../../../core/oauth/authorize.ts"
import type { oauth } from "../contract/oauth.ts"
import type { CoreHandlers } from "./Core.ts"

export const oauthHandlers = {
  show: ({ query }) => showAuthorization(query),
  authorize: ({ caller, payload }) => authorize(caller, payload),
} satisfies CoreHandlers<typeof oauth>
