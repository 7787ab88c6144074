import type { Revocation, RevocationError } from "../../../core/revocations/Revocation.ts"
import { boolean, id, integer, makeTable, nullable, text, timestamp, uuid, word } from "./Table.ts"

/** Every fact is a column, empty in the states that do not have it. */
interface Flat {
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly refund: string
  readonly payment_intent: string
  readonly service_id: string
  readonly position: number
  readonly batch_size: number
  readonly target_type: Revocation["target_type"]
  readonly target_id: string
  readonly scope: string
  readonly notify: boolean
  readonly strict: boolean
  readonly status: Revocation["status"]
  readonly attempts: number
  readonly error_code: RevocationError["code"] | null
  readonly error_message: string | null
  readonly revoked_at: number | null
  readonly failed_at: number | null
  readonly created_at: number
  readonly due_at: number | null
}

export const revocations = makeTable<"revocation", Flat>({
  kind: "revocation",
  name: "revocations",
  prefix: "rvk",
  due: true,
  columns: {
    id: id("rvk"),
    version: integer,
    account_id: id("acct"),
    refund: id("ref"),
    payment_intent: id("pi"),
    service_id: uuid,
    position: integer,
    batch_size: integer,
    target_type: word(),
    target_id: text,
    scope: text,
    notify: boolean,
    strict: boolean,
    status: word(),
    attempts: integer,
    error_code: nullable(word()),
    error_message: nullable(text),
    revoked_at: nullable(timestamp),
    failed_at: nullable(timestamp),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: ({ error, ...revocation }) => ({
    ...revocation,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    revoked_at: "revoked_at" in revocation ? revocation.revoked_at : null,
    failed_at: "failed_at" in revocation ? revocation.failed_at : null,
  }),
  restore: ({ error_code, error_message, failed_at, revoked_at, ...flat }) =>
    ({
      ...flat,
      error: error_code === null ? null : { code: error_code, message: error_message },
      ...(revoked_at !== null && { revoked_at }),
      ...(failed_at !== null && { failed_at }),
    }) as Revocation,
})
