import { getBalance } from "../../../core/ledger/getBalance.ts"
import { listEntries } from "../../../core/ledger/listEntries.ts"
import type { ledger } from "../contract/ledger.ts"
import type { CoreHandlers } from "./Core.ts"

export const ledgerHandlers = {
  balance: ({ caller }) => getBalance(caller),
  entries: ({ caller, query }) => listEntries(caller, query),
} satisfies CoreHandlers<typeof ledger>
