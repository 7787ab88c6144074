import type { Allowance } from "../../../core/kyc/codes/Allowance.ts"
import { asItIs, id, integer, json, makeTable, nullable, timestamp } from "./Table.ts"

export const allowances = makeTable<"otp_allowance", Allowance>({
  kind: "otp_allowance",
  name: "otp_allowances",
  prefix: "otpa",
  due: true,
  columns: {
    id: id("otpa"),
    version: integer,
    sent: json(),
    locked_until: nullable(timestamp),
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
