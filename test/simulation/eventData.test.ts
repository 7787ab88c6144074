import { Schema } from "effect"
import { expect, test } from "vitest"
import { EVENT_DATA } from "../../adapters/http/contract/webhooks.ts"
import { EVENT_TYPES, type EventType } from "../../core/webhooks/events/Event.ts"
import { WORST } from "../../simulator/faults/Faults.ts"
import { simulate } from "../../simulator/perform.ts"
import { storing } from "./flaw.ts"

test("every event of simulated worlds has exactly the data of its Schema", () => {
  const seen = new Set<EventType>()
  const wrong: Array<string> = []
  const alterations = storing((commit) => {
    for (const { data, type } of commit.events ?? []) {
      seen.add(type)
      const decode = Schema.decodeUnknownResult(EVENT_DATA[type], { onExcessProperty: "error" })
      const decoded = decode(data)
      if (decoded._tag === "Failure") wrong.push(`${type}: ${String(decoded.failure)}`)
    }
    return commit
  })
  for (const seed of [1, 2, 3, 5, 6, 7]) simulate({ seed, intents: 80, alterations })
  simulate({ seed: 4, intents: 80, alterations, faults: { ...WORST, outages_per_hour: 4 } })
  expect(wrong.slice(0, 5)).toEqual([])
  // Nobody asks for a ping, or for another key, in these worlds.
  const unseen = ["api_key.created", "api_key.rolled", "api_key.revoked", "ping"]
  expect(EVENT_TYPES.filter((type) => !seen.has(type)).toSorted()).toEqual(unseen.toSorted())
}, 180_000)
