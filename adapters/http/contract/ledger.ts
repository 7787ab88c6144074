import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ListEntriesQuery } from "../../../core/ledger/listEntries.ts"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { page } from "./Wire.ts"
import { BalanceView, EntryView } from "../../../core/ledger/Statement.ts"

/** The caller's own books (Limits: fees are deducted from the wallet balance). */
export const ledger = HttpApiGroup.make("ledger")
  .add(
    HttpApiEndpoint.get("balance", "/v1/balance", {
      disableCodecs: true,
      success: BalanceView,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Get the balance"),
    HttpApiEndpoint.get("entries", "/v1/ledger/entries", {
      disableCodecs: true,
      query: ListEntriesQuery.fields,
      success: page(EntryView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the rows of the ledger, newest first"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Ledger")
