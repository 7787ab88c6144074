import { showWebhookSecret } from "../../../core/accounts/showWebhookSecret.ts"
import { listChannels } from "../../../core/channels/listChannels.ts"
import type { channels } from "../contract/channels.ts"
import type { merchant } from "../contract/merchant.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"

export const merchantHandlers: GroupHandlers<typeof merchant, Core> = {
  showWebhookSecret: ({ caller }) => showWebhookSecret(caller),
}

export const channelHandlers: GroupHandlers<typeof channels, Core> = {
  list: () => listChannels(),
}
