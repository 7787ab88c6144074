import type { Running } from "./Bench.ts"
import type { Server } from "./database.ts"
import { services } from "../../adapters/postgres/tables/services.ts"
import { copyRow } from "./seed.ts"

/** Words by frequency: the nth occurs in about one of n texts. */
const WORDS = 20_000

/** Makes a unique word out of a number. */
const WORD = `CREATE FUNCTION bench_word(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT translate(lpad((n * 7919 % 99991)::text, 5, '0'), '0123456789', 'aeiostrnlm')
    || translate(n::text, '0123456789', 'bcdfghkpvz') $$`

/** Words of a text by Zipf's law, the same for the same number. */
const TEXT = `CREATE FUNCTION bench_text(n bigint, words int) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT string_agg(bench_word(exp(drawn.part * ln(${WORDS}))::int), ' ')
    FROM (SELECT (hashtextextended(n || ' ' || k, 0) & 1048575) / 1048576.0 AS part
      FROM generate_series(1, words) AS k) AS drawn $$`

const SEARCHED = services.indexes?.["services_search"] ?? ""

/** The word in every description. */
export const EVERYWHERE = "service"

const texts = (count: number): string => `CREATE UNLOGGED TABLE bench_texts AS
  SELECT n, name, description, tags,
    setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', tags), 'B')
      || setweight(to_tsvector('simple', description), 'C') AS search
  FROM (SELECT n, bench_text(n, 3) AS name, bench_text(n + 10000000, 3) AS tags,
      '${EVERYWHERE} ' || bench_text(n + 20000000, 28) AS description
    FROM generate_series(1, ${count}) AS n OFFSET 0) AS written`

const textOf = (column: string): string =>
  `(SELECT ${column} FROM bench_texts AS t WHERE t.n = n.n)`

const numbered = (group: string, number: string): string =>
  `('01997d3e-8a00-7000-${group}-' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`

const created = "now() - interval '400 days' + n * interval '30 seconds'"

/** The words of the language by their numbers. */
export const wordsAt = async (
  server: Server,
  database: string,
  numbers: ReadonlyArray<number>,
): Promise<ReadonlyArray<string>> => {
  const rows = await server.query(
    database,
    "SELECT bench_word(n) AS word FROM unnest($1::int[]) WITH ORDINALITY AS w (n, k) ORDER BY k",
    [`{${numbers.join()}}`],
  )
  return rows.map(({ word }) => String(word))
}

/**
 * Stores active manifests beside the shop's own: copies with different names, tags, texts, sellers,
 * prices and ages.
 */
export const seedServices = async (
  server: Server,
  { database, shop }: Running,
  count: number,
): Promise<void> => {
  for (const sql of [WORD, TEXT, texts(count), "ALTER TABLE bench_texts ADD PRIMARY KEY (n)"]) {
    await server.query(database, sql)
  }
  // Maintaining this index row by row would take longer than everything else.
  await server.query(database, "DROP INDEX services_search")
  await copyRow(server, database, {
    table: "services",
    where: `id = '${shop.serviceId}'`,
    count,
    values: {
      id: numbered("a000", "n"),
      account_id: numbered("b000", "n % 50000"),
      name: textOf("name"),
      name_key: "'bench ' || n",
      description: textOf("description"),
      tags: textOf("string_to_array(tags, ' ')"),
      accepted_channels: `CASE WHEN n % 3 = 0 THEN ARRAY['wallet_a', 'wallet_b']
        ELSE ARRAY['wallet_b'] END`,
      pricing: `json_build_object('one_time', json_build_array(json_build_object('amount',
        100 * (1 + n % 500), 'currency', CASE WHEN n % 4 = 0 THEN 'EUR' ELSE 'USD' END,
        'label', 'One')))`,
      created_at: created,
      updated_at: created,
      search: textOf("search"),
    },
  })
  await server.query(database, "DROP TABLE bench_texts")
  await server.query(database, `CREATE INDEX services_search ON services ${SEARCHED}`)
  await server.query(database, "ANALYZE")
  await server.checkpoint()
}
