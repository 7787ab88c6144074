import { Context } from "effect"

/**
 * Checks, without using the network, whether a URL can be a receiver of webhooks: its form and
 * literal addresses. The address of a host name is checked each time that something is sent there.
 */
export class ReceiverAddress extends Context.Service<
  ReceiverAddress,
  {
    /**
     * Returns why the URL cannot be a receiver, as what it must be or hold; undefined if it can.
     */
    readonly check: (url: string) => string | undefined
  }
>()("payport/core/ports/ReceiverAddress") {}
