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
  checkGuards,
  checkRows,
  forTouched,
  insertRows,
  NAME,
  PHASES,
  removeRows,
  replaceRows,
  rowType,
} from "./rowSteps.ts"

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
  IF careful THEN PERFORM set_config('lock_timeout', '250ms', true); END IF;${forTouched(
    "checked",
    checkRows,
  )}${lockCounters}${checkKeys}${checkReplies}${forTouched("guarded", checkGuards)}
${decideReservations}${writeCounters}${writeKeys}${writeReplies}${forTouched("removed", removeRows)}
${forTouched("replaced", replaceRows)}${forTouched("inserted", insertRows)}${openFeeDays}
${insertPostings}${insertAuditEntries}
  IF notice <> '' THEN PERFORM pg_notify('${CHANNEL}', notice); END IF;
  RETURN CASE WHEN any_refused THEN array_to_json(refused)::text END;
END `

/** The parameters in order. Masks and arrays of numbers are sent as text. */
const parameters = [
  "commits int",
  "careful boolean",
  ...PHASES.map((phase) => `${phase} bigint`),
  "part_places int[]",
  "parts text[]",
  "row_places int[]",
  "row_starts int[]",
  "row_ends int[]",
  "rows text[]",
  "texts_before int[]",
  "texts text[]",
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
]

const createTypes = [...TABLES, replies, postings, auditEntries].map(
  (table) =>
    `CREATE TYPE ${rowType(table)} AS (${table.columns
      .map(({ codec, name, type }) => `${name} ${codec.isBeside === true ? "int" : type}`)
      .join(", ")}, commit_no int)`,
)

const createFunction = `CREATE FUNCTION payport.${NAME}(${parameters.join(", ")})
  RETURNS text LANGUAGE plpgsql AS $payport$${body}$payport$`

/**
 * The name of the function that decides and stores a group of commits in one statement. The name is
 * a hash of the function's text, so that processes of two versions can work on one database.
 *
 * It always locks in the same order: rows by table and id, new counters, counters, keys, replies,
 * new rows, days of the ledger, the head of the audit log. It decides each commit on the locked
 * values and writes the accepted ones, with one statement per table. It answers null, or a JSON
 * array with the reason of each refused commit.
 */
export const COMMIT_FUNCTION = `payport_commit_${createHash("sha256")
  .update([...createTypes, createFunction].join())
  .digest("hex")
  .slice(0, 16)}`

/** The statements that make the function and the types of its rows. */
export const CREATE_COMMIT_FUNCTION: ReadonlyArray<string> = [...createTypes, createFunction].map(
  (statement) => statement.replaceAll(NAME, COMMIT_FUNCTION),
)

const isNumbers = (parameter: string): boolean => /bigint$|int\[\]$/.test(parameter)

export const CALL_COMMIT_FUNCTION = `SELECT payport.${COMMIT_FUNCTION}(${parameters
  .map((parameter, index) => {
    const type = parameter.slice(parameter.indexOf(" ") + 1)
    return isNumbers(parameter) ? `$${index + 1}::text::${type}` : `$${index + 1}::${type}`
  })
  .join(", ")}) AS refused`
