import { Context, Data, type Effect } from "effect"

/** The ways to reach a person. */
export const MESSAGE_CHANNELS = ["email", "sms"] as const
/** One of {@link MESSAGE_CHANNELS}. */
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** A message to a person. Its text holds secrets, so it is never logged. */
export interface Message {
  /** The same when it is sent again, so that a provider can drop the repetition. */
  readonly id: string
  readonly account_id: string
  readonly verification_id: string
  readonly channel: MessageChannel
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A message that was not accepted. `message` gives the reason without the receiver or the text. */
export class MessageNotSent extends Data.TaggedError("MessageNotSent")<{
  readonly channel: MessageChannel
  readonly message: string
}> {}

/** Sends messages to people. */
export class Messenger extends Context.Service<
  Messenger,
  {
    /** The channels that this installation has. */
    readonly channels: ReadonlySet<MessageChannel>
    /** Hands the message to its carrier, within a few seconds. */
    readonly send: (message: Message) => Effect.Effect<void, MessageNotSent>
  }
>()("payport/core/ports/Messenger") {}
