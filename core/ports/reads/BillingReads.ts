import type { QrCodeQuery } from "../../billing/QrCodeQuery.ts"
import type { Statement } from "../../billing/Statement.ts"
import type { OwnQuery } from "../../shared/Page.ts"
import type { Read } from "./Read.ts"

/** What a store is asked about what accounts have used, and what that came to. */
export interface BillingReads {
  /** How many QR codes were made, several for a payment whose channel is left to its payer. */
  readonly countQrCodes: (query: QrCodeQuery) => Read<number>
  /** The values of counters in the order of their names; 0 for one that nobody has added to. */
  readonly readCounters: (counters: ReadonlyArray<string>) => Read<ReadonlyArray<number>>
  /** The account's statement of a month. */
  readonly findStatementOf: (accountId: string, month: string) => Read<Statement | undefined>
  readonly listStatements: (query: OwnQuery) => Read<ReadonlyArray<Statement>>
}
