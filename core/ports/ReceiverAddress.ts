import { Context } from "effect"

/**
 * Tells, without asking the network, whether a URL can be a receiver of webhooks: its form and
 * literal addresses. What a name leads to is checked each time that something is sent there.
 */
export class ReceiverAddress extends Context.Service<
  ReceiverAddress,
  {
    /** Why the URL cannot be a receiver, as what it must be or hold; undefined when it can. */
    readonly check: (url: string) => string | undefined
  }
>()("payport/core/ports/ReceiverAddress") {}
