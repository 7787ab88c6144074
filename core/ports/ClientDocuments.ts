import { Context, type Effect, type Result } from "effect"
import type { Client } from "../oauth/Client.ts"

/** Reads the metadata that programs publish at the addresses that are their `client_id`s. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * Returns the program whose document is at the address, or why there is none, as the end of a
     * sentence about "its document". Never fails. Takes at most five seconds. A valid document may
     * be cached for as long as its server says. An invalid one is never cached.
     */
    readonly read: (client_id: string) => Effect.Effect<Result.Result<Client, string>>
  }
>()("payport/core/ports/ClientDocuments") {}
