import { AUDIT } from "./schema/audit.ts"
import { createTable } from "./schema/createTable.ts"
import { EARLY_STEPS } from "./schema/earlySteps.ts"
import { LOG_ACTIONS } from "../../core/accountLog/LogEntry.ts"
import { METHODS } from "../../core/listings/Listing.ts"
import { INFRASTRUCTURE } from "./schema/infrastructure.ts"
import { LEDGER } from "./schema/ledger.ts"
import { SEARCH } from "./schema/search.ts"
import type { OnlinePart, Steps } from "./schema/Step.ts"
import { tableOf, TABLES } from "./tables.ts"
import { CHALLENGES_SESSION } from "./tables/challenges.ts"
import { TABS_DUE } from "./tables/tabs.ts"

const listOf = (words: ReadonlyArray<string>): string => words.map((word) => `'${word}'`).join(", ")

/**
 * Lets the log have all actions of this version. Each step that adds some runs it, and the rule is
 * validated by a later step.
 */
const ALL_LOG_ACTIONS = [
  `ALTER TABLE payport.log_entries DROP CONSTRAINT log_entries_action_check,
    ADD CONSTRAINT log_entries_action_check CHECK (action IN (${listOf(LOG_ACTIONS)})) NOT VALID`,
]

const LOG_ACTIONS_HOLD: OnlinePart = { rule: "log_entries_action_check", on: "log_entries" }

/**
 * The first step makes a new database with the current tables. The later steps, in order, migrate
 * older databases to the same form. A new database never runs them.
 */
export const STEPS: Steps = [
  {
    id: 1,
    name: "schema",
    beside: 1,
    statements: [...TABLES.flatMap(createTable), ...INFRASTRUCTURE, ...SEARCH, ...LEDGER, ...AUDIT],
  },
  ...EARLY_STEPS,
  {
    id: 10,
    name: "logs tell of restricted keys",
    beside: 1,
    statements: ALL_LOG_ACTIONS,
  },
  {
    id: 11,
    name: "sessions of the console end for good",
    beside: 1,
    statements: createTable(tableOf("console_session")),
  },
  {
    id: 12,
    name: "purchases have identifiers",
    beside: 1,
    statements: [
      `ALTER TABLE payport.challenges ADD COLUMN payment_identifier text COLLATE "C"
        CHECK (length(payment_identifier) BETWEEN 16 AND 128)`,
      `CREATE UNIQUE INDEX challenges_payment_identifier_account_id_taken
        ON payport.challenges (payment_identifier, account_id)
        WHERE payment_identifier IS NOT NULL`,
    ],
  },
  {
    id: 13,
    name: "payments are captured in part",
    // A process that does not know partial captures would enter and refund the whole payment.
    beside: 13,
    statements: [
      `ALTER TABLE payport.payment_intents ADD COLUMN capture_value bigint,
        ADD CONSTRAINT payment_intents_capture CHECK (
          capture_value IS NULL OR capture_value BETWEEN 1 AND amount_value - 1
          AND refunded_value <= capture_value AND (status IN ('capturing', 'captured', 'succeeded')
            OR status = 'failed' AND captured_at IS NOT NULL))`,
    ],
  },
  {
    id: 14,
    name: "resources are listed",
    beside: 1,
    statements: createTable(tableOf("listing")),
  },
  {
    id: 15,
    name: "sessions end by themselves",
    // A process that does not know these columns would count draws elsewhere and postpone the end.
    beside: 15,
    statements: [
      `ALTER TABLE payport.challenges
        ADD COLUMN idle_seconds integer CHECK (idle_seconds BETWEEN 60 AND 2592000),
        ADD COLUMN drawn bigint CHECK (drawn BETWEEN 1 AND 1000000000000),
        ADD COLUMN closed_at timestamptz(3),
        ADD COLUMN rest_refund uuid,
        ADD CONSTRAINT challenges_session CHECK (${CHALLENGES_SESSION})`,
      // Draws were counted by the deposit and its first day.
      `UPDATE payport.challenges SET drawn = value, due_at = redeemed_at + interval '1 day'
        FROM payport.counters WHERE redeemed_at IS NOT NULL
          AND counter = 'payment_session:pi_' || id || ':' || to_char(
            created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
      "DELETE FROM payport.counters WHERE starts_with(counter, 'payment_session:')",
    ],
  },
  {
    id: 16,
    name: "searches have an index in blocks",
    // The index is still empty. Processes fill it, and search without it until then.
    beside: 1,
    statements: SEARCH,
  },
  {
    id: 17,
    name: "closed tabs accept late reports",
    // A process that does not know this column would bill a closed tab without them.
    beside: 17,
    statements: [
      `ALTER TABLE payport.tabs
        ADD COLUMN stopped json NOT NULL DEFAULT '[]' CHECK (json_typeof(stopped) = 'array'),
        DROP CONSTRAINT tabs_due,
        ADD CONSTRAINT tabs_due CHECK (${TABS_DUE})`,
      "ALTER TABLE payport.tabs ALTER COLUMN stopped DROP DEFAULT",
    ],
  },
  {
    id: 18,
    name: "tabs are listed by their service",
    beside: 1,
    online: [{ index: "tabs_service_id_status", on: "tabs", as: "(service_id, status, id)" }],
  },
  {
    id: 19,
    name: "listings are probed by harmless methods",
    // A process that does not know this would list and probe others.
    beside: 19,
    statements: [
      `DELETE FROM payport.listings WHERE NOT method IN (${listOf(METHODS)})`,
      `ALTER TABLE payport.listings DROP CONSTRAINT listings_method_check,
        ADD CHECK (method IN (${listOf(METHODS)}))`,
    ],
  },
  {
    id: 20,
    name: "revocations are listed by their service",
    beside: 19,
    online: [
      { index: "revocations_service_id_status", on: "revocations", as: "(service_id, status, id)" },
    ],
  },
  {
    id: 21,
    name: "tabs carry small bills",
    beside: 19,
    statements: [
      `ALTER TABLE payport.tabs ADD COLUMN carried json, ADD CONSTRAINT tabs_carried_check
        CHECK (json_typeof(carried) = 'object' AND length(carried->>'currency') = 3
          AND (carried->>'value')::bigint BETWEEN 1 AND 1000000000000) NOT VALID`,
    ],
  },
  {
    id: 22,
    name: "logs tell of services' endpoints",
    beside: 19,
    statements: ALL_LOG_ACTIONS,
  },
  {
    id: 23,
    name: "rules hold for all rows of tabs and logs",
    beside: 19,
    online: [{ rule: "tabs_carried_check", on: "tabs" }, LOG_ACTIONS_HOLD],
  },
  {
    id: 24,
    name: "reports of use are archived by their day",
    beside: 19,
    online: [{ index: "usage_records_created_at", on: "usage_records", as: "(created_at, id)" }],
  },
  {
    id: 25,
    name: "invoices that were given up are found by their tab",
    // A process that does not know that these can be paid would take their money in vain.
    beside: 25,
    online: [
      {
        index: "invoices_tab_status",
        on: "invoices",
        as: "(tab, status, id) WHERE tab IS NOT NULL",
      },
    ],
  },
  {
    id: 26,
    name: "services keep their pauses",
    // A process that does not know this would not write down when a service is paused. Since when
    // those are paused is unknown: what no worker has renewed yet is free, as it was before.
    beside: 26,
    statements: [
      `ALTER TABLE payport.services
        ADD COLUMN pauses json NOT NULL DEFAULT '[]' CHECK (json_typeof(pauses) = 'array')`,
      `UPDATE payport.services SET pauses = json_build_array(json_build_object(
          'from', floor(extract(epoch FROM created_at) * 1000)::bigint, 'to', NULL))
        WHERE status = 'paused'`,
      "ALTER TABLE payport.services ALTER COLUMN pauses DROP DEFAULT",
    ],
  },
  {
    id: 27,
    name: "tabs carry exact amounts of several currencies",
    // A process that does not know this would read and write another form.
    beside: 27,
    statements: [
      "ALTER TABLE payport.tabs DROP CONSTRAINT tabs_carried_check",
      `UPDATE payport.tabs SET carried = json_build_array(json_build_object(
          'currency', carried->>'currency', 'value', carried->>'value'))
        WHERE carried IS NOT NULL`,
      `ALTER TABLE payport.tabs ADD CONSTRAINT tabs_carried_check
        CHECK (json_typeof(carried) = 'array') NOT VALID`,
    ],
  },
  {
    id: 28,
    name: "the rule of what tabs carry holds for all rows",
    beside: 27,
    online: [{ rule: "tabs_carried_check", on: "tabs" }],
  },
  {
    id: 29,
    name: "each seller has a queue of revocations",
    beside: 27,
    online: [
      {
        index: "revocations_queue",
        on: "revocations",
        as: "(account_id, due_at, id) WHERE due_at IS NOT NULL AND status = 'pending'",
      },
    ],
  },
  {
    id: 30,
    name: "first keys that were rolled count as issued by their replacements",
    // A process that does not know this would leave a rolled key a first one, which renews itself.
    beside: 30,
    statements: [
      `UPDATE payport.api_keys AS key
        SET minted_by = (SELECT substr(details->>'replaced_by', length('key_') + 1)::uuid
          FROM payport.log_entries WHERE account_id = key.account_id AND action = 'api_key.rolled'
            AND target = 'key_' || key.id::text ORDER BY at LIMIT 1)
        WHERE minted_by IS NULL AND expires_at > now()`,
    ],
  },
  {
    id: 31,
    name: "logs tell of removed listings",
    beside: 30,
    statements: ALL_LOG_ACTIONS,
  },
  {
    id: 32,
    name: "rules of logs hold for all rows",
    beside: 30,
    online: [LOG_ACTIONS_HOLD],
  },
]
