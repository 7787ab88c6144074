import { Schema } from "effect"
import { describe, expect, test } from "vitest"
import { EVENT_DATA } from "../../../../adapters/http/contract/webhooks.ts"
import { makeChance } from "../../../../apps/grade/Chance.ts"
import { type Family, makeSender, type Sender } from "../../../../apps/grade/receiver/Sender.ts"
import { type IdPrefix, isId } from "../../../../core/shared/Id.ts"
import { EVENT_TYPES } from "../../../../core/webhooks/events/Event.ts"

const KINDS = ["access_token", "signed_url", "session", "license_key"]
const PREFIXES: { readonly [field: string]: IdPrefix } = {
  id: "pi",
  refund_id: "ref",
  verification_id: "kyc",
}

/** Events that the service could make. */
const EVENTS: ReadonlyArray<(sender: Sender) => ReturnType<Sender["payment"]>> = [
  (sender) => sender.payment(),
  (sender) => sender.payment(60_000, { note: "Grüße ☕" }),
  (sender) => sender.payment(0, { note: "€".repeat(26_000) }),
  (sender) => sender.payment(sender.longAgo),
  (sender) => sender.revocation(),
  (sender) => sender.identity(),
]

describe.each<Family>(["endpoint", "service"])("a delivery to the receiver of a %s", (as) => {
  const sender = makeSender("whsec_x", as, makeChance("of-the-tests"))

  test.each(EVENTS.map((make) => [make(sender)] as const))("has data that is known", (event) => {
    const type = EVENT_TYPES.find((known) => known === event.type)
    if (type === undefined) throw new Error(`No version has ${event.type}.`)
    const { data } = JSON.parse(sender.deliver(event).body) as { readonly data: object }
    const decode = Schema.decodeUnknownSync(EVENT_DATA[type], { onExcessProperty: "error" })
    expect(decode(data)).toEqual(data)
    for (const [field, value] of Object.entries(data)) {
      const prefix = PREFIXES[field]
      if (prefix !== undefined) expect([field, isId(prefix, String(value))]).toEqual([field, true])
      if (field === "target_type") expect(KINDS).toContain(value)
    }
  })
})
