import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ListEntriesQuery } from "../../../core/ledger/listEntries.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { BalanceView, EntryView } from "../../../core/ledger/Statement.ts"
import { account } from "./Endpoint.ts"

/** The caller's own books (Limits: fees are deducted from the wallet balance). */
export const ledger = HttpApiGroup.make("ledger")
  .add(
    account.get("balance", "/v1/balance", {
      summary: "Get the balance",
      success: BalanceView,
    }),
    account.get("entries", "/v1/ledger/entries", {
      summary: "List the rows of the ledger, newest first",
      query: ListEntriesQuery.fields,
      success: page(EntryView),
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Ledger")
