import { describe, expect, test } from "vitest"
import {
  disable,
  enable,
  type Endpoint,
  endpointView,
  MOST_ENDPOINTS,
  wants,
} from "../../../../core/webhooks/endpoints/Endpoint.ts"
import { MOST_LISTINGS } from "../../../../core/listings/Listing.ts"
import type { EventType } from "../../../../core/webhooks/events/Event.ts"
import { MOST_KEYS, webhookKeyView } from "../../../../core/webhooks/keys/WebhookKey.ts"
import { STEPS } from "../../../../adapters/postgres/schema.ts"
import { anEndpoint, aWebhookKey, id, T0 } from "../../../support/records.ts"

const own = {
  id: id("whk", 8),
  key_type: "x25519",
  public_key: aWebhookKey().public_key,
  fingerprint: "fp_ffffffffffffffff",
} as const

describe("an endpoint", () => {
  const failing = anEndpoint({ first_failure_at: T0 + 1 })
  const off = disable(failing, "delivery_failures", T0 + 9)

  test("that is switched off says why and since when", () => {
    expect(off).toStrictEqual({
      ...failing,
      status: "disabled",
      disabled_reason: "delivery_failures",
      disabled_at: T0 + 9,
      updated_at: T0 + 9,
    })
  })

  test("that is off already keeps its first reason", () => {
    expect(disable(off, "requested", T0 + 10)).toStrictEqual(off)
  })

  test("that is switched on again forgets the reason and its failures", () => {
    expect(enable(off, T0 + 20)).toStrictEqual({ ...anEndpoint(), updated_at: T0 + 20 })
  })

  test("that is on already keeps what it knows of its failures", () => {
    expect(enable(failing, T0 + 20)).toStrictEqual(failing)
  })

  test.each<[ReadonlyArray<string>, EventType, Endpoint["status"], boolean]>([
    [["ping"], "kyc.verified", "enabled", false],
    [["*"], "webhook.delivery.failed", "enabled", false],
    [["*"], "refund.succeeded", "enabled", false],
    [["escrow.held"], "payment_intent.succeeded", "enabled", false],
    [["*"], "payment_intent.succeeded", "enabled", true],
    [["*"], "subscription.renewed", "enabled", true],
    [["*"], "invoice.overdue", "enabled", true],
    [["*"], "payment_intent.succeeded", "disabled", true],
    [["*", "refund.succeeded"], "refund.succeeded", "enabled", true],
    [["kyc.verified"], "kyc.verified", "enabled", true],
  ])("with %j, of %s, %s: %s", (enabled_events, type, status, wanted) => {
    expect(wants(anEndpoint({ enabled_events, status }), type)).toBe(wanted)
  })

  test("shows neither its secrets nor what only workers need", () => {
    const shown = JSON.stringify(endpointView({ ...failing, encryption: own }, undefined))
    for (const hidden of ["sealed", "secret", "place", "version", "first_failure_at", "hSDw"]) {
      expect(shown).not.toContain(hidden)
    }
  })

  test.each([
    [null, undefined, { public_key_fingerprint: null, key_type: null, enabled: false }],
    [null, aWebhookKey(), { public_key_fingerprint: "fp_0123456789abcdef" }],
    [own, aWebhookKey(), { public_key_fingerprint: own.fingerprint, enabled: true }],
    [own, undefined, { public_key_fingerprint: own.fingerprint, key_type: "x25519" }],
  ])("shows the key that its deliveries are encrypted for (%#)", (encryption, key, shown) => {
    expect(endpointView(anEndpoint({ encryption }), key).encryption).toMatchObject(shown)
  })

  test("the database has room for exactly as many", () => {
    const places = /CREATE TABLE payport\.(\w+) [^;]*?place BETWEEN 1 AND (\d+)\)/
    const made = STEPS[0].statements.flatMap((sql) => places.exec(sql)?.slice(1) ?? [])
    const most = { endpoints: MOST_ENDPOINTS, listings: MOST_LISTINGS, webhook_keys: MOST_KEYS }
    expect(made.toSorted()).toStrictEqual(Object.entries(most).flat().map(String).toSorted())
  })
})

test("a key is shown without the account and the key itself", () => {
  expect(webhookKeyView(aWebhookKey({ label: "laptop" }))).toStrictEqual({
    id: id("whk", 1),
    key_type: "x25519",
    fingerprint: "fp_0123456789abcdef",
    label: "laptop",
    created_at: "2026-01-01T00:00:00.000Z",
  })
})
