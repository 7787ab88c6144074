import { AUDIT_FUNCTIONS } from "./audit.ts"
import { createTable } from "./createTable.ts"
import { LEDGER_FUNCTIONS } from "./ledger.ts"
import type { Step } from "./Step.ts"
import { tableOf } from "../tables.ts"

/** The second to the ninth step. Nothing is added here. */
export const EARLY_STEPS: ReadonlyArray<Step> = [
  {
    id: 2,
    name: "rate windows say what was granted",
    beside: 1,
    statements: [
      "ALTER TABLE payport.payport_schema ADD COLUMN beside integer",
      `ALTER TABLE payport.rate_windows
        ADD COLUMN granted integer NOT NULL DEFAULT 0 CHECK (granted >= 0)`,
    ],
  },
  {
    id: 3,
    name: "events have a trace",
    beside: 1,
    statements: ["ALTER TABLE payport.events ADD COLUMN traceparent text"],
  },
  {
    id: 4,
    name: "functions name their schema",
    beside: 1,
    statements: [...LEDGER_FUNCTIONS, ...AUDIT_FUNCTIONS],
  },
  {
    id: 5,
    name: "consumers have feeds",
    beside: 1,
    statements: (["consumer_list", "feed"] as const).map(tableOf).flatMap(createTable),
  },
  {
    id: 6,
    name: "buyers ask for refunds",
    beside: 1,
    statements: createTable(tableOf("refund_request")),
  },
  {
    id: 7,
    name: "payments have a trace",
    beside: 1,
    statements: ["ALTER TABLE payport.payment_intents ADD COLUMN traceparent text"],
  },
  {
    id: 8,
    name: "callbacks are kept",
    beside: 1,
    statements: createTable(tableOf("callback")),
  },
  {
    id: 9,
    name: "keys are given to programs over OAuth",
    beside: 1,
    statements: [
      "ALTER TABLE payport.api_keys ADD COLUMN oauth json CHECK (json_typeof(oauth) = 'object')",
    ],
  },
]
