import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { first } from "./lists.ts"
import type { State } from "./State.ts"

type Reads = Pick<
  Store["Service"],
  "findAgent" | "findVerification" | "listVerifications" | "findAppeal" | "findAllowance"
>

/** Questions about who was verified. */
export const identityReads = (tables: State["tables"]): Reads => ({
  findAgent: (id) => Effect.sync(() => tables.agent.get(id)),
  findVerification: (id) => Effect.sync(() => tables.verification.get(id)),
  listVerifications: (query) =>
    Effect.sync(() => {
      const list = "agent" in query ? query.agent : query.account_id
      return first(query.limit, tables.verification.listed(list))
    }),
  findAppeal: (id) => Effect.sync(() => tables.appeal.get(id)),
  findAllowance: (id) => Effect.sync(() => tables.otp_allowance.get(id)),
})
