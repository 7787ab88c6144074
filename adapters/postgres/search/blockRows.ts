import { quote } from "../tables/codecs.ts"
import type { EntryKind } from "./BlockBuilder.ts"

/** Returns an array as a parameter. */
export const arrayOf = (values: ReadonlyArray<string>): string => `{${values.map(quote).join(",")}}`

/** The first letter of a key, by the kind of its entry. */
const LETTERS: { readonly [K in EntryKind]: string } = {
  word: "w",
  prefix: "p",
  filter: "f",
  column: "c",
}

export const entryKey = (kind: EntryKind, entry: string): string => LETTERS[kind] + entry

/** Sorts after every entry with the prefix. */
const LAST = "chr(1114111)"

/** Whether the block is complete, so that what is found or missing never changes. */
const IS_WHOLE = `EXISTS (SELECT FROM payport.search_blocks
      WHERE search_blocks.build = block.build AND standing = 'current')`

/**
 * Reads the places of prefixes in the given blocks: one row for a prefix that many words share or
 * none has, else a row for each of its few words.
 */
export const POSTINGS_SQL = `SELECT block.n::int AS block, asked.n::int AS asked, found.postings,
    ${IS_WHOLE} AS whole
  FROM unnest($1::uuid[]) WITH ORDINALITY AS block (build, n)
  CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS asked (prefix, n)
  LEFT JOIN LATERAL (
    WITH shared AS MATERIALIZED (
      SELECT entry, postings FROM payport.search_postings
      WHERE search_postings.build = block.build AND entry >= 'p' || asked.prefix
      ORDER BY entry LIMIT 1)
    SELECT postings FROM shared WHERE starts_with(entry, 'p' || asked.prefix)
    UNION ALL SELECT postings FROM payport.search_postings
    WHERE search_postings.build = block.build
      AND entry >= 'w' || asked.prefix AND entry < 'w' || asked.prefix || ${LAST}
      AND NOT EXISTS (SELECT FROM shared WHERE starts_with(entry, 'p' || asked.prefix))
  ) AS found ON true`

/**
 * Reads one key of several blocks: null if it is missing. That is final if the block is complete.
 */
export const COLUMN_SQL = `SELECT block.build::text AS build, postings,
    ${IS_WHOLE} AS whole
  FROM unnest($1::uuid[]) AS block (build)
  LEFT JOIN payport.search_postings
    ON search_postings.build = block.build AND entry = $2`

/**
 * Reads the current blocks, the manifests of the status that are newer than all blocks, and those
 * that changed since their block was made; of both at most `$2`. The first row counts the changes.
 */
export const STANDING_SQL = `WITH blocks AS MATERIALIZED (
    SELECT build, size, upto_at, upto_id FROM payport.search_blocks WHERE standing = 'current'),
  last AS MATERIALIZED (
    SELECT upto_at, upto_id FROM blocks ORDER BY upto_at DESC, upto_id DESC LIMIT 1),
  changes AS MATERIALIZED (
    SELECT service_id, created_at FROM payport.search_changes
    WHERE (created_at, service_id) <= ((SELECT upto_at FROM last), (SELECT upto_id FROM last))
    LIMIT $2::int)
  SELECT 'changes' AS what, NULL::uuid AS id, (SELECT count(*) FROM changes)::int AS n,
    NULL::timestamptz AS at, NULL::uuid AS upto, NULL::text AS status, NULL::text AS row
  UNION ALL SELECT 'block', build, size, upto_at, upto_id, NULL, NULL FROM blocks
  UNION ALL SELECT 'changed', changed.service_id, NULL, changed.created_at, NULL,
      services.status, services.xmin::text
    FROM (SELECT DISTINCT service_id, created_at FROM changes) AS changed
    LEFT JOIN payport.services ON services.id = changed.service_id
      AND services.created_at = changed.created_at
  UNION ALL (SELECT 'fresh', id, NULL, created_at, NULL, status, xmin::text
    FROM payport.services
    WHERE status = $1 AND (created_at, id) > (
      coalesce((SELECT upto_at FROM last), '-infinity'),
      coalesce((SELECT upto_id FROM last), '00000000-0000-0000-0000-000000000000'))
    ORDER BY created_at, id LIMIT $2::int)`
