import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { searchVector } from "../reads/searchWords.ts"
import * as column from "./codecs.ts"
import { part } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** The searched text is stored beside the manifest, in the form that the index needs. */
const vector: column.Codec<string> = { ...column.text, type: "tsvector" }

/** Whether a manifest accepts that payment method. */
const takes = (method: keyof ServiceManifest["payment_methods"]) =>
  part(column.boolean, ({ payment_methods }: ServiceManifest) => payment_methods[method] === true)

export const services = makeTable({
  kind: "service",
  name: "services",
  fields: {
    account_id: column.id("acct"),
    name: column.text,
    name_key: column.text,
    description: column.text,
    payment_methods: column.jsonObject(),
    pricing: column.jsonObject(),
    accepted_channels: column.textArray,
    qr_mode: column.word("dynamic", "static"),
    settlement_currency: column.currency,
    endpoint: column.text,
    tags: column.textArray,
    default_channel: column.nullable(column.text),
    fallback_channel: column.nullable(column.text),
    revocation_policy: column.nullable(column.jsonObject()),
    status: column.word("draft", "active", "paused", "deprecated", "deleted"),
    created_at: column.timestamp,
    updated_at: column.timestamp,
    pauses: column.jsonArray(),
    deprecated_at: column.nullable(column.timestamp),
    deleted_at: column.nullable(column.timestamp),
    due_at: column.nullable(column.timestamp),
  },
  derived: {
    one_time: takes("one_time"),
    cumulative: takes("cumulative"),
    subscription: takes("subscription"),
    search: part(vector, searchVector),
  },
  constraints: { services_order: "deprecated_at <= deleted_at" },
  indexes: {
    services_newest: "(status, created_at, id) INCLUDE (one_time, cumulative, subscription)",
    services_account_id: "(account_id, status, created_at, id)",
    services_search: "USING gin (search) WITH (fastupdate = off)",
    services_channels: "USING gin (accepted_channels) WITH (fastupdate = off)",
  },
})
