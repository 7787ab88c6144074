import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./Store.ts"
import type { Message } from "./Messenger.ts"

/** A message as the inbox holds it. */
export interface InboxMessage extends Pick<Message, "id" | "verification_id" | "channel" | "to"> {
  readonly subject: string
  readonly text: string
  /** ISO 8601. */
  readonly sent_at: string
}

/** Keeps the messages that a sandbox would have sent. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** Returns the messages of an account, or of one of its verifications, oldest first. */
    readonly list: (
      accountId: string,
      verificationId?: string,
    ) => Effect.Effect<ReadonlyArray<InboxMessage>, StoreUnavailable>
    /** Removes all messages of an account. */
    readonly erase: (accountId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("payport/core/ports/Inbox") {}
