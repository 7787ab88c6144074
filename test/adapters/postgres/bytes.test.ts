import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import {
  aChannelRequest,
  anApiKey,
  anEndpoint,
  anEvent,
  anInstall,
  anIntent,
  aService,
  aWebhookKey,
  hash,
  id,
  intentIn,
  uuid,
  verificationIn,
} from "../../support/records.ts"
import { session, testDatabase } from "../../support/postgres.ts"

/** Text of that many characters that cannot be compressed. */
const noise = (n: number, length: number, first: number, count: number): string => {
  let state = (n * 2_654_435_761) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCodePoint(first + ((state >>> 8) % count))
  }).join("")
}

const han = (n: number, length: number) => noise(n, length, 0x4e00, 20_000)
const letters = (n: number, length: number) => noise(n, length, 0x61, 26)
const short = (n: number, length: number) => letters(n, length).replaceAll(/(..)./g, "$1 ")

const service = (n: number, description: string): Commit["writes"][number] => ({
  op: "insert",
  kind: "service",
  record: aService({
    n,
    name: `Service ${n}`,
    description,
    tags: Array.from({ length: 32 }, (_, tag) => description.slice(tag * 64, tag * 64 + 64)),
  }),
})

/** The most that a record of each kind may take on disk with all its indexes, in bytes. */
const PRICES: {
  readonly [what: string]: {
    readonly table: string
    readonly most: number
    readonly write: (n: number) => Commit["writes"][number]
  }
} = {
  "a service of 4,096 Chinese characters": {
    table: "services",
    most: 64_000,
    write: (n) => service(n, han(n, 4_096)),
  },
  "a service of 4,096 letters in words of two": {
    table: "services",
    most: 24_000,
    write: (n) => service(n, short(n, 4_096)),
  },
  "a service of 4,096 letters of Gothic": {
    table: "services",
    most: 24_000,
    write: (n) => service(n, noise(n, 4_096, 0x10330, 20)),
  },
  "an API key": {
    table: "api_keys",
    most: 1_000,
    write: (n) => ({ op: "insert", kind: "api_key", record: anApiKey({ n, hash: hash(n) }) }),
  },
  "an install": {
    table: "installs",
    most: 1_200,
    write: (n) => ({
      op: "insert",
      kind: "install",
      record: anInstall({ n, service_id: uuid(n), agent_id: letters(n, 128) }),
    }),
  },
  "a verification": {
    table: "verifications",
    most: 12_000,
    write: (n) => ({
      op: "insert",
      kind: "verification",
      record: verificationIn("pending", { n, sealed: letters(n, 8_192) }),
    }),
  },
  "a payment with the most metadata": {
    table: "payment_intents",
    most: 10_000,
    write: (n) => ({
      op: "insert",
      kind: "payment_intent",
      record: anIntent({ n, metadata: { text: letters(n, 4_000) }, description: han(n, 500) }),
    }),
  },
  "a payment without metadata that nobody makes": {
    table: "payment_intents",
    most: 1_200,
    write: (n) => ({ op: "insert", kind: "payment_intent", record: intentIn("expired", { n }) }),
  },
  "an event with the most metadata": {
    table: "events",
    most: 7_500,
    write: (n) => ({
      op: "insert",
      kind: "event",
      record: anEvent({ n, data: { metadata: { text: letters(n, 4_000) } } }),
    }),
  },
  "a request to a channel": {
    table: "channel_requests",
    most: 700,
    write: (n) => ({ op: "insert", kind: "channel_request", record: aChannelRequest({ n }) }),
  },
  "a webhook endpoint": {
    table: "endpoints",
    most: 4_000,
    write: (n) => ({
      op: "insert",
      kind: "endpoint",
      record: anEndpoint({
        n,
        place: 1,
        account_id: id("acct", n),
        url: `https://a.example/${letters(n, 2_000)}`,
      }),
    }),
  },
  "an encryption key": {
    table: "webhook_keys",
    most: 500,
    write: (n) => ({
      op: "insert",
      kind: "webhook_key",
      record: aWebhookKey({ n, place: 1, account_id: id("acct", n) }),
    }),
  },
}

/** Records are measured in large numbers, so that other rows on their pages hardly count. */
const RECORDS = 200

describe("what a record takes on disk, with its indexes and what is kept aside", () => {
  for (const [what, { most, table, write }] of Object.entries(PRICES)) {
    it.live(`is at most ${most} bytes for ${what}`, () =>
      Effect.gen(function* () {
        const database = yield* testDatabase
        const context = yield* Layer.build(PostgresStore.layer(database))
        const store = Context.get(context, Store)
        const open = yield* session(database)
        const size = Effect.map(
          open.query(`SELECT pg_total_relation_size('${table}')::int AS bytes`),
          ({ rows }) => Number(rows[0]?.["bytes"]),
        )
        const before = yield* size
        yield* Effect.forEach(
          Array.from({ length: RECORDS }, (_, n) => write(n + 1)),
          (one) => store.commit({ writes: [one] }),
          { concurrency: 32, discard: true },
        )
        const each = Math.round(((yield* size) - before) / RECORDS)
        expect(each).toBeLessThanOrEqual(most)
      }),
    )
  }
})
