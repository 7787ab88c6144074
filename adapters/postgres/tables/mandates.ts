import type { Mandate, MandateCommon } from "../../../core/installs/Mandate.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { id, integer, json, makeTable, nullable, text, timestamp, uuid, word } from "./Table.ts"

/** Every fact is a column, empty in the states that do not have it. */
interface Flat extends MandateCommon {
  readonly status: Mandate["status"]
  readonly approved_at: Timestamp | null
  readonly revoked_at: Timestamp | null
}

const flatten = (mandate: Mandate): Flat => ({ approved_at: null, revoked_at: null, ...mandate })

/** The CHECKs of the table say which facts each state has; when it was approved stays known. */
const restore = ({ approved_at, revoked_at, ...common }: Flat): Mandate =>
  ({
    ...common,
    ...(approved_at !== null && { approved_at }),
    ...(revoked_at !== null && { revoked_at }),
  }) as Mandate

export const mandates = makeTable<"mandate", Flat>({
  kind: "mandate",
  name: "mandates",
  prefix: "mnd",
  due: true,
  columns: {
    id: id("mnd"),
    version: integer,
    account_id: id("acct"),
    install_id: id("ins"),
    service_id: uuid,
    agent_id: text,
    channel: text,
    auto_pay_limit: json(),
    spend_cap: nullable(json()),
    approval_url: nullable(text),
    asks: integer,
    status: word(),
    approved_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
