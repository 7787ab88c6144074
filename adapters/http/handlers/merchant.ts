import { showWebhookSecret } from "../../../core/accounts/showWebhookSecret.ts"
import { listChannels } from "../../../core/channels/listChannels.ts"
import { rotateSecret } from "../../../core/webhooks/endpoints/rotateSecret.ts"
import {
  addWebhookKey,
  deleteWebhookKey,
  listWebhookKeys,
} from "../../../core/webhooks/endpoints/webhookKeys.ts"
import type { channels } from "../contract/channels.ts"
import type { merchant } from "../contract/merchant.ts"
import type { CoreHandlers } from "./Core.ts"

export const merchantHandlers = {
  showWebhookSecret: ({ caller }) => showWebhookSecret(caller),
  rotateWebhookSecret: ({ caller, payload }) => rotateSecret(caller, payload),
  addWebhookKey: ({ caller, payload }) => addWebhookKey(caller, payload),
  listWebhookKeys: ({ caller, query }) => listWebhookKeys(caller, query),
  deleteWebhookKey: ({ caller, params }) => deleteWebhookKey(caller, params.id),
} satisfies CoreHandlers<typeof merchant>

export const channelHandlers = {
  list: () => listChannels(),
} satisfies CoreHandlers<typeof channels>
