import { expect, test } from "vitest"
import { addressOf } from "../../../core/listings/Address.ts"
import { type Listing, lowestPlace, mentioned } from "../../../core/listings/Listing.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { aListing, T0 } from "../../support/records.ts"

const shop = "https://shop.example"

test.each<readonly [string, string | null, string | undefined]>([
  [`${shop}/reports/7`, null, `${shop}/reports/7`],
  [`${shop}/reports/7?mail=a@b.example#top`, null, `${shop}/reports/7`],
  ["HTTPS://Shop.Example/Reports", null, `${shop}/Reports`],
  [shop, null, `${shop}/`],
  [`${shop}/reports/7`, "/reports/:id", `${shop}/reports/:id`],
  [`${shop}/reports/7/pdf`, "/reports/:id", `${shop}/reports/7/pdf`],
  [`${shop}/reports/7`, "/users/:id", `${shop}/reports/7`],
  [`${shop}/reports/7`, "/../:id", `${shop}/reports/7`],
  [`${shop}/reports/7`, "//evil.example/:id", `${shop}/reports/7`],
  [`${shop}/reports/%2e%2e`, "/reports/%252e%252e", `${shop}/reports/%2e%2e`],
  [`${shop}/a/7`, "/a/:i d", `${shop}/a/7`],
  [`${shop}/a/`, "/a/:id", `${shop}/a/`],
  ["https://user@shop.example/", null, undefined],
  ["https://shop.example\\@evil.example/", null, undefined],
  ["ftp://shop.example/", null, undefined],
  ["GET /reports/7", null, undefined],
  [`${shop}/${"a".repeat(2_048)}`, null, undefined],
])("the address of %s, as %s", (url, template, resource) => {
  expect(addressOf(url, template)?.resource).toBe(resource)
})

test("what is asked is the address that was sold, without its query", () => {
  const address = addressOf(`${shop}/reports/7?key=secret`, "/reports/:id")
  expect(address?.probe_url).toBe(`${shop}/reports/7`)
})

const usd = (value: number) => ({ currency: "USD", value })
const silent = { standing: "silent", reason: "dns", due_at: T0 + HOUR } as const

test.each<readonly [string, Partial<Listing>, number, number, Partial<Listing> | undefined]>([
  ["at its price is nothing new", {}, 25, 5 * MINUTE, undefined],
  ["an hour later is written down", {}, 25, HOUR, { mentioned_at: T0 + HOUR, due_at: T0 + HOUR }],
  ["at another price is looked at", {}, 40, 5 * MINUTE, { paid: usd(40), due_at: T0 + 5 * MINUTE }],
  ["never sooner than a minute after", {}, 40, SECOND, { paid: usd(40), due_at: T0 + MINUTE }],
  ["and silent is looked at", silent, 25, 5 * MINUTE, { due_at: T0 + 5 * MINUTE }],
  ["and due already is nothing new", { ...silent, due_at: T0 }, 25, 5 * MINUTE, undefined],
])("a listing that is paid for %s", (_name, said, value, after, changed) => {
  const next = mentioned(aListing(said), usd(value), T0 + after)
  if (changed === undefined) expect(next).toBeUndefined()
  else expect(next).toMatchObject({ amount: usd(25), ...changed })
})

test("the lowest place is taken first, and no more than there are", () => {
  expect(lowestPlace([], 3)).toBe(1)
  expect(lowestPlace([{ place: 1 }, { place: 3 }], 3)).toBe(2)
  expect(lowestPlace([{ place: 1 }, { place: 2 }, { place: 3 }], 3)).toBeUndefined()
})
