import { createHash } from "node:crypto"
import { CHANNEL } from "../OurSchema.ts"
import { TABLES } from "../tables.ts"
import { auditEntries } from "../tables/auditEntries.ts"
import { postings } from "../tables/postings.ts"
import { replies } from "../tables/replies.ts"
import { insertAuditEntries, insertPostings, openFeeDays } from "./ledgerSteps.ts"
import {
  checkKeys,
  checkReplies,
  decideReservations,
  lockCounters,
  writeCounters,
  writeKeys,
  writeReplies,
} from "./otherSteps.ts"
import {
  type AnyTable,
  checkGuards,
  checkRows,
  insertRows,
  NAME,
  removeRows,
  replaceRows,
  rowType,
} from "./rowSteps.ts"

const everyTable = (step: (table: AnyTable, position: number) => string): string =>
  TABLES.map(step).join("")

const body = `
#variable_conflict use_column
DECLARE
  refused text[] := array_fill(NULL::text, ARRAY[commits]);
  any_refused boolean := false;
  counter_names text[];
  counter_values bigint[] := '{}';
  counter_no int;
  this int;
  meant bigint;
  written bigint;
  hit record;
BEGIN
  IF careful THEN PERFORM set_config('lock_timeout', '250ms', true); END IF;${everyTable(
    checkRows,
  )}${lockCounters}${checkKeys}${checkReplies}${everyTable(checkGuards)}
${decideReservations}${writeCounters}${writeKeys}${writeReplies}${everyTable(removeRows)}
${everyTable(replaceRows)}${everyTable(insertRows)}${openFeeDays}${insertPostings}
${insertAuditEntries}
  IF notice <> '' THEN PERFORM pg_notify('${CHANNEL}', notice); END IF;
  RETURN CASE WHEN any_refused THEN array_to_json(refused)::text END;
END `

/** The parameters with rows: for each table what is inserted and what is replaced. */
export const ROW_PARAMETERS: ReadonlyArray<string> = TABLES.flatMap(({ name }) => [
  `inserted_${name}`,
  `replaced_${name}`,
])

/** In the order in which they are given; arrays of numbers are given as their literals. */
const parameters = [
  "commits int",
  "careful boolean",
  "parts text[]",
  "counters text",
  "added_to int[]",
  "added bigint[]",
  "limits bigint[]",
  "added_of int[]",
  "keys text",
  "reply_of int[]",
  "notice text",
  "inserted_replies text[]",
  "opened_fee_days text[]",
  "inserted_postings text[]",
  "inserted_audit_entries text[]",
  ...ROW_PARAMETERS.map((name) => `${name} text[]`),
]

const createTypes = [...TABLES, replies, postings, auditEntries].map(
  (table) =>
    `CREATE TYPE ${rowType(table)} AS (${table.columns
      .map(({ name, type }) => `${name} ${type}`)
      .join(", ")}, commit_no int)`,
)

const createFunction = `CREATE FUNCTION payport.${NAME}(${parameters.join(", ")})
  RETURNS text LANGUAGE plpgsql AS $payport$${body}$payport$`

/**
 * The function that decides and stores a group of commits in one statement. Its name tells what it
 * holds, so that processes of two versions can work on one database, each with its own.
 *
 * It locks in one order whatever the group: rows by table and id, new counters, counters, keys,
 * replies, new rows, days of the ledger, the head of the audit log. It decides each commit on the
 * locked values and writes those that stand, a statement a table. It answers null, or a JSON array
 * with the reason of each refused commit.
 */
export const COMMIT_FUNCTION = `payport_commit_${createHash("sha256")
  .update([...createTypes, createFunction].join())
  .digest("hex")
  .slice(0, 16)}`

/** Makes the function and the types of its rows. */
export const CREATE_COMMIT_FUNCTION: ReadonlyArray<string> = [...createTypes, createFunction].map(
  (statement) => statement.replaceAll(NAME, COMMIT_FUNCTION),
)

const isNumbers = (parameter: string): boolean => /(int|bigint)\[\]$/.test(parameter)

export const CALL_COMMIT_FUNCTION = `SELECT payport.${COMMIT_FUNCTION}(${parameters
  .map((parameter, index) => {
    const type = parameter.slice(parameter.indexOf(" ") + 1)
    return isNumbers(parameter) ? `$${index + 1}::text::${type}` : `$${index + 1}::${type}`
  })
  .join(", ")}) AS refused`
