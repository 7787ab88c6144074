import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { searchVector } from "../reads/searchWords.ts"
import {
  boolean,
  type Codec,
  id,
  integer,
  json,
  makeTable,
  nullable,
  text,
  textArray,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

type Flat = Omit<ServiceManifest, "payment_methods"> & {
  readonly one_time: boolean
  readonly cumulative: boolean
  readonly subscription: boolean
  readonly payment_methods: ServiceManifest["payment_methods"]
  readonly search?: string
}

const vector: Codec<string | undefined> = {
  type: "tsvector",
  encode: (words) => words ?? "",
  decode: () => undefined,
  quoted: "text",
  derived: true,
}

/** What search looks through is kept beside the manifest, in the form that the index wants. */
export const services = makeTable<"service", Flat>({
  kind: "service",
  name: "services",
  prefix: null,
  due: true,
  columns: {
    id: uuid,
    version: integer,
    account_id: id("acct"),
    name: text,
    name_key: text,
    description: text,
    payment_methods: json(),
    one_time: boolean,
    cumulative: boolean,
    subscription: boolean,
    pricing: json(),
    accepted_channels: textArray,
    qr_mode: word(),
    settlement_currency: text,
    endpoint: text,
    tags: textArray,
    default_channel: nullable(text),
    fallback_channel: nullable(text),
    revocation_policy: nullable(json()),
    status: word(),
    created_at: timestamp,
    updated_at: timestamp,
    deprecated_at: nullable(timestamp),
    deleted_at: nullable(timestamp),
    due_at: nullable(timestamp),
    search: vector,
  },
  flatten: (manifest) => ({
    ...manifest,
    one_time: manifest.payment_methods.one_time === true,
    cumulative: manifest.payment_methods.cumulative === true,
    subscription: manifest.payment_methods.subscription === true,
    search: searchVector(manifest),
  }),
  restore: ({ one_time: _1, cumulative: _2, subscription: _3, search: _4, ...manifest }) =>
    manifest,
})
