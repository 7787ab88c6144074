import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LogEntryView } from "../../../core/accountLog/LogEntry.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { page } from "./Wire.ts"

/** What changed for the calling account: its keys, secrets, endpoints and limits. */
export const accountLog = HttpApiGroup.make("accountLog")
  .add(
    HttpApiEndpoint.get("list", "/v1/audit-log", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(LogEntryView),
      error: refusals(ANY, KEYED),
    })
      .annotate(OpenApi.Summary, "List what changed for the account")
      .annotate(
        OpenApi.Description,
        "Every key, secret, endpoint and limit of the account that changed, and each time its " +
          "webhook secret was shown, newest first.",
      ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Audit log of the account")
