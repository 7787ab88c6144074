import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { searchVector } from "../reads/searchWords.ts"
import {
  type Codec,
  text,
  boolean,
  uuid,
  word,
  jsonObject,
  textArray,
  timestamp,
  id,
  nullable,
  version,
  currency,
} from "./codecs.ts"
import { part } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** What search looks through is kept beside the manifest, in the form that the index wants. */
const vector: Codec<string> = { ...text, type: "tsvector" }

/** Whether a manifest can be paid in that way. */
const takes = (method: keyof ServiceManifest["payment_methods"]) =>
  part(boolean, ({ payment_methods }: ServiceManifest) => payment_methods[method] === true)

export const services = makeTable({
  kind: "service",
  name: "services",
  fields: {
    id: uuid,
    version,
    account_id: id("acct"),
    name: text,
    name_key: text,
    description: text,
    payment_methods: jsonObject(),
    pricing: jsonObject(),
    accepted_channels: textArray,
    qr_mode: word("dynamic", "static"),
    settlement_currency: currency,
    endpoint: text,
    tags: textArray,
    default_channel: nullable(text),
    fallback_channel: nullable(text),
    revocation_policy: nullable(jsonObject()),
    status: word("draft", "active", "paused", "deprecated", "deleted"),
    created_at: timestamp,
    updated_at: timestamp,
    deprecated_at: nullable(timestamp),
    deleted_at: nullable(timestamp),
    due_at: nullable(timestamp),
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
