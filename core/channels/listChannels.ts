import { Effect } from "effect"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import type { Channel, Health } from "./Channel.ts"

/** Returns the view of a channel: what it can do, what it costs and its health. */
const channelView = ({ id, ...channel }: Channel, health: Health) => ({
  channel: id,
  ...channel,
  partial_capture: channel.partial_capture ?? false,
  health,
})

/** Returns the catalog in its order, with the health of each channel. */
export const listChannels = Effect.fn("listChannels")(function* () {
  const { catalog } = yield* Installation
  const channels = yield* Channels
  const data = yield* Effect.forEach(catalog, (channel) =>
    Effect.map(channels.health(channel.id), (health) => channelView(channel, health)),
  )
  return { data }
})
