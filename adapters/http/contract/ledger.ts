import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ListEntriesQuery } from "../../../core/ledger/listEntries.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { BalanceView, EntryView } from "../../../core/ledger/Statement.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

/** The caller's own books (Limits: fees are deducted from the wallet balance). */
export const ledger = HttpApiGroup.make("ledger")
  .add(
    account.get("balance", "/v1/balance", {
      mayBeStale: true,
      summary: "Get the balance",
      description:
        "Use it to see the wallet's current balance. To see what changed it, list the entries.",
      success: BalanceView,
    }),
    account.get("entries", "/v1/ledger/entries", {
      mayBeStale: true,
      summary: "List the rows of the ledger, newest first",
      description:
        "Use it to explain a balance row by row. For sums by day and channel, get the " +
        "reconciliation report.",
      query: ListEntriesQuery.fields,
      success: page(EntryView),
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Ledger")
