import { Schema } from "effect"

const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Minor = Schema.String.check(Schema.isPattern(/^(0|-?[1-9]\d*)$/))

/** The record of an archived day of a table, as JSON. It is written after its file. */
export const Manifest = Schema.Struct({
  table: Schema.String,
  /** UTC, such as `2026-01-31`. */
  day: Schema.String,
  /** The size of the Parquet file. */
  bytes: Count,
  /** The SHA-256 of the Parquet file, in lower-case hex. */
  sha256: Digest,
  rows: Count,
  rows_sha256: Digest,
  sums: Schema.Record(Schema.String, Schema.Struct({ positive: Minor, negative: Minor })),
})
/** See {@link Manifest}. */
export type Manifest = typeof Manifest.Type
