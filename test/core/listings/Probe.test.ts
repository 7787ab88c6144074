import { expect, test } from "vitest"
import type { Listing } from "../../../core/listings/Listing.ts"
import {
  afterProbe,
  FALLEN_KEPT,
  type Finding,
  findingOf,
  lastFinding,
  type Offer,
  pauseAfter,
  type ProbeAnswer,
  UNPROVEN_KEPT,
} from "../../../core/listings/Probe.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { aListing, OFFERED, T0, uuid } from "../../support/records.ts"

const usd = (value: number) => ({ currency: "USD", value })
const seller = { network: "payport:sandbox", agent_id: "agent-1" }

const offer = (said: Partial<Offer> = {}): Offer => ({
  scheme: "exact",
  network: "payport:sandbox",
  pay_to: uuid(1),
  amount: usd(25),
  max_timeout_seconds: 300,
  ...said,
})

const said = { description: null, mime_type: null, declared: null }

const asking = (offers: ReadonlyArray<Offer>, template: string | null = "/reports-1/:id") =>
  ({ type: "payment_required", offers, template, said }) as const satisfies ProbeAnswer

const silent = (reason: string) => ({ type: "silent", reason }) as const

const holds = (amount: Offer["amount"], other: object = {}) => ({
  type: "holds",
  amount,
  offered: { ...OFFERED, ...said, ...other },
})

const differs = (seen: Offer["amount"]) => ({ type: "priced_differently", seen })

const CASES: ReadonlyArray<readonly [string, ProbeAnswer, object, Partial<Listing>?]> = [
  ["the listed price", asking([offer()]), holds(usd(25))],
  ["no answer", silent("timeout"), silent("timeout")],
  ["an answer without a price", silent("status_200"), silent("status_200")],
  ["another amount", asking([offer({ amount: usd(40) })]), differs(usd(40))],
  [
    "another currency",
    asking([offer({ amount: { currency: "EUR", value: 25 } })]),
    differs({ currency: "EUR", value: 25 }),
  ],
  [
    "several other prices: the one in its currency",
    asking([offer({ amount: { currency: "EUR", value: 1 } }), offer({ amount: usd(26) })]),
    differs(usd(26)),
  ],
  ["the listed price among others", asking([offer({ amount: usd(9) }), offer()]), holds(usd(25))],
  ["what was paid last", asking([offer({ amount: usd(40) })]), holds(usd(40)), { paid: usd(40) }],
  [
    "the listed price, though another was paid",
    asking([offer()]),
    holds(usd(25)),
    { paid: usd(9) },
  ],
  ["neither of the two", asking([offer({ amount: usd(41) })]), differs(usd(41)), { paid: usd(40) }],
  ["another payee", asking([offer({ pay_to: uuid(2) })]), silent("other_payee")],
  ["another network", asking([offer({ network: "payport:live" })]), silent("other_payee")],
  ["no way to pay", asking([]), silent("other_payee")],
  [
    "the seller's agent, at a door of ours",
    asking([offer({ pay_to: "agent-1", scheme: "payport" })]),
    holds(usd(25), { pay_to: "agent-1", scheme: "payport" }),
  ],
  ["another agent", asking([offer({ pay_to: "agent-2" })]), silent("other_payee")],
  ["another path", asking([offer()], "/reports-1/:name"), silent("other_address")],
  ["no path that varies", asking([offer()], null), silent("other_address")],
  ["a path that it is none of", asking([offer()], "/other/:id"), silent("other_address")],
]

const cases = CASES.map(
  ([name, answer, finding, listing = {}]) => [name, { answer, finding, listing }] as const,
)

test.each(cases)("a resource that answers with %s", (_name, { answer, finding, listing }) => {
  expect(findingOf(aListing({ n: 1, ...listing }), seller, answer)).toEqual(finding)
})

const good: Finding = { type: "holds", amount: usd(25), offered: OFFERED }
const dear: Finding = { type: "priced_differently", seen: usd(40) }
const gone: Finding = silent("timeout")

const unproven = aListing({ standing: "unproven", offered: null, probed_at: null })
const fallen = aListing({ standing: "silent", reason: "dns", misses: 2, since: T0 - DAY })

const at = T0 + HOUR
test.each<readonly [string, Listing, Finding, Partial<Listing>]>([
  ["an unproven one holds", unproven, good, { standing: "live", since: at, due_at: at + HOUR }],
  ["a live one holds", aListing(), good, { standing: "live", since: T0, due_at: at + HOUR }],
  ["a live one is silent", aListing(), gone, { standing: "silent", since: at, reason: "timeout" }],
  [
    "a live one asks another price",
    aListing(),
    dear,
    { standing: "priced_differently", since: at, seen: usd(40), amount: usd(25) },
  ],
  ["an unproven one is silent", unproven, gone, { standing: "unproven", since: T0, misses: 1 }],
  ["an unproven one is dear", unproven, dear, { standing: "unproven", seen: usd(40), misses: 1 }],
  [
    "a silent one asks another price: it does not hold for as long as before",
    fallen,
    dear,
    { standing: "priced_differently", since: T0 - DAY, reason: null, misses: 3 },
  ],
  [
    "a silent one holds again",
    fallen,
    good,
    { standing: "live", since: at, reason: null, misses: 0, due_at: at + HOUR },
  ],
  [
    "one holds at another price, which is listed from now on",
    aListing({ paid: usd(40) }),
    { ...good, amount: usd(40) },
    { standing: "live", amount: usd(40), since: T0, updated_at: at },
  ],
  ["one says the same as before", aListing(), good, { updated_at: T0 }],
])("after a probe: %s", (_name, listing, finding, changed) => {
  expect(afterProbe(listing, finding, at, HOUR)).toMatchObject({ probed_at: at, ...changed })
})

test("what does not hold is asked again soon, and later each time, up to the interval", () => {
  const pauses = [1, 2, 3, 6, 7, 40].map((misses) => pauseAfter(misses, HOUR) / MINUTE)
  expect(pauses).toEqual([1, 2, 4, 32, 60, 60])
  const next = afterProbe({ ...fallen, misses: 2 }, gone, at, HOUR)
  expect(next?.due_at).toBe(at + 4 * MINUTE)
})

test("what has not held for long goes, sooner where it never did", () => {
  const late = (listing: Listing, after: number, finding: Finding = gone) =>
    afterProbe(listing, finding, T0 + after, HOUR)
  expect(late(unproven, UNPROVEN_KEPT - 1)).not.toBeNull()
  expect(late(unproven, UNPROVEN_KEPT)).toBeNull()
  expect(late(unproven, UNPROVEN_KEPT, good)).toMatchObject({ standing: "live" })
  const since = { ...fallen, since: T0 }
  expect(late(since, FALLEN_KEPT - 1)).not.toBeNull()
  expect(late(since, FALLEN_KEPT)).toBeNull()
  expect(late(aListing(), 10 * FALLEN_KEPT)).toMatchObject({ standing: "silent" })
})

test.each([good, dear, gone])(
  "what a probe found can be read of the listing after it",
  (finding) => {
    const after = afterProbe(aListing(), finding, at, HOUR)
    expect(after && lastFinding(after)).toEqual(finding)
    expect(lastFinding(unproven)).toBeUndefined()
  },
)
