import { HttpApiGroup, OpenApi } from "effect/http-api"
import { LogEntryView } from "../../../core/accountLog/LogEntry.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

/** The changes of the calling account: its keys, secrets, endpoints and limits. */
export const accountLog = HttpApiGroup.make("accountLog")
  .add(
    account.get("list", "/v1/audit-log", {
      mayBeStale: true,
      summary: "List what changed for the account",
      description:
        "Every change of a key, secret, endpoint or limit of the account, and every time " +
        "its webhook secret was shown, newest first. Operators' actions are in their audit " +
        "log, `/v1/audit`.",
      query: PageQuery.fields,
      success: page(LogEntryView),
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Audit log of the account")
