import { Effect } from "effect"
import {
  MESSAGE_CHANNELS,
  type Message,
  type MessageChannel,
  MessageNotSent,
  type Messenger,
} from "../../core/ports/Messenger.ts"

/** Sends messages over one channel. */
export type Carrier = (message: Message) => Effect.Effect<void, MessageNotSent>

/** Returns a `Messenger` with a carrier per channel. A channel without one fails each message. */
export const messengerOf = (carriers: {
  readonly [C in MessageChannel]?: Carrier | undefined
}): Messenger["Service"] => ({
  channels: new Set(MESSAGE_CHANNELS.filter((channel) => carriers[channel] !== undefined)),
  send: (message) => {
    const { channel } = message
    const carry = carriers[channel]
    const none = new MessageNotSent({ channel, message: "No carrier is set up." })
    return carry === undefined ? Effect.fail(none) : carry(message)
  },
})
