import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./Store.ts"
import type { Message } from "./Messenger.ts"

/** A message as it lies in the inbox. */
export interface InboxMessage extends Pick<Message, "id" | "verification_id" | "channel" | "to"> {
  readonly subject: string
  readonly text: string
  /** ISO 8601. */
  readonly sent_at: string
}

/** Where a sandbox keeps the messages that it would have sent. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** The messages of an account, or those about one of its verifications, oldest first. */
    readonly list: (
      accountId: string,
      verificationId?: string,
    ) => Effect.Effect<ReadonlyArray<InboxMessage>, StoreUnavailable>
    /** Forgets all that was sent for an account. */
    readonly erase: (accountId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("payport/core/ports/Inbox") {}
