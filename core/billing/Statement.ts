import { defineKind } from "../commits/KindDeclaration.ts"
import { Schema } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Bill } from "./Bill.ts"
import type { Month } from "../shared/Month.ts"
import { Time } from "../shared/Wire.ts"
import { BillView, billView, exampleBill } from "./BillView.ts"
import { shownAs } from "../shared/View.ts"

/** The final bill of an account's month. It never changes. */
export interface Statement {
  /** `stmt_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly month: Month
  readonly bill: Bill
  readonly created_at: Timestamp
}

/** A statement as it is shown. */
export const StatementView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "`stmt_` and a UUIDv7." }),
  ...BillView.fields,
  created_at: Time.annotateKey({ description: "When the month was closed." }),
}).annotate({
  identifier: "Statement",
  description: "The final bill of an account's month.",
  examples: [
    {
      id: "stmt_01997d3e-8a00-7000-8000-000000000050",
      ...exampleBill,
      created_at: "2026-02-01T00:01:00.000Z",
    },
  ],
})

/** See {@link StatementView}. */
export const statementView = (statement: Statement) =>
  shownAs(StatementView, statement, billView(statement.bill))

declare module "../commits/Records.ts" {
  interface Records {
    readonly statement: Statement
  }
}

/** How statements are kept. */
export const statementKind = defineKind("statement", {
  prefix: "stmt",
  erased: false,
  unique: [{ by: ["account_id", "month"] }],
  lists: [["account_id"]],
})
