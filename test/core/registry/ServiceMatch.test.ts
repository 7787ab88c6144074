import { describe, expect, it } from "vitest"
import { aService, T0 } from "../../../apps/payport/testing/records/index.ts"
import { searchPrefixes } from "../../../core/registry/SearchEntries.ts"
import { isAskedFor, rankedOf, rankOf } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"

const service = aService({
  n: 1,
  name: "Storm Watch",
  tags: ["rain"],
  description: "Warns of storm, rain and snow.",
})

describe("how well a service answers", () => {
  it.each([
    ["", { named: 0, labelled: 0 }],
    ["storm", { named: 1, labelled: 1 }],
    ["rain", { named: 0, labelled: 1 }],
    ["snow", { named: 0, labelled: 0 }],
    ["sto rai sno", { named: 1, labelled: 2 }],
    ["watch storm", { named: 2, labelled: 2 }],
    ["storm hail", undefined],
    ["torm", undefined],
  ])("%j is told by the places of its words", (q, rank) => {
    expect(rankOf(service, searchPrefixes(q))).toEqual(rank)
  })
})

const asked: ServiceSearch = { status: "active", viewer: "acct_x", limit: 9, offset: 0 }

describe("what is asked for", () => {
  it.each([
    ["its state", {}, true],
    ["another state", { status: "deprecated" as const }, false],
    ["its channel", { channel: "wallet_a" }, true],
    ["another channel", { channel: "wallet_z" }, false],
    ["its method", { payment_method: "one_time" as const }, true],
    ["another method", { payment_method: "subscription" as const }, false],
    ["a price above its own", { price: { at_most: 1_000_000 } }, true],
    ["a price below its own", { price: { at_most: 0 } }, false],
    ["none of some", { ids: [] }, false],
  ])("is %s, or is not", (_, said, is) => {
    expect(isAskedFor({ ...service, status: "active" }, { ...asked, ...said })).toBe(is)
  })

  it("comes by the words in names, then in tags, then newest", () => {
    const services = [
      { n: 1, name: "Storm rain", tags: [], description: "." },
      { n: 2, name: "Storm", tags: ["rain"], description: "." },
      { n: 3, name: "Storm", tags: [], description: "Rain." },
      { n: 4, name: "News", tags: ["storm", "rain"], description: "." },
      { n: 5, name: "News", tags: [], description: "Storm and rain." },
      { n: 6, name: "News", tags: [], description: "Rain and storm." },
    ].map((said) => aService({ ...said, status: "active", created_at: T0 + said.n }))
    const found = rankedOf(services.toReversed(), asked, searchPrefixes("storm rain"))
    expect(found.map((one) => services.indexOf(one.service) + 1)).toEqual([1, 2, 3, 4, 6, 5])
  })
})
