import { Context, type Effect, type Result } from "effect"
import type { Client } from "../oauth/Client.ts"

/** Reads what programs say of themselves at the addresses that are their `client_id`s. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * The program whose document is at the address, or why there is none, to follow "its document".
     * Never fails. At most five seconds. A good document may be kept for as long as its server
     * says; one that is not good never is.
     */
    readonly read: (client_id: string) => Effect.Effect<Result.Result<Client, string>>
  }
>()("payport/core/ports/ClientDocuments") {}
