import type { IdPrefix } from "../../../../core/shared/Id.ts"
import type { Timestamp } from "../../../../core/shared/Timestamp.ts"

/** 2026-01-01T00:00:00Z: when everything here was created, unless a test says otherwise. */
export const T0: Timestamp = 1_767_225_600_000

/** The n-th UUIDv7: higher numbers sort later. */
export const uuid = (n: number): string =>
  `019b7726-${(n >>> 16).toString(16).padStart(4, "0")}-7000-8000-` +
  n.toString(16).padStart(12, "0")

/** The n-th identifier of a kind. */
export const id = (prefix: IdPrefix, n: number): string => `${prefix}_${uuid(n)}`

/** A lower-case hex SHA-256 in form, that of the n-th key. */
export const hash = (n: number): string => n.toString(16).padStart(64, "0")

/** The fields of a record that a test sets: its number, which makes its id, and other fields. */
export type Said<A> = Partial<A> & { readonly n?: number }
