import { storeIn } from "payport/ports"
import { documentsContract, rateLeasesContract, storeContract, untried } from "payport/testing"
import assert from "node:assert"
import { after, describe, test } from "node:test"
import { openEntries } from "./entries.ts"

const sqlite = { open: () => storeIn(() => openEntries(":memory:")).open(undefined) }
const store = storeContract(sqlite)

for (const { checks } of [store, documentsContract(sqlite), rateLeasesContract(sqlite)]) {
  for (const [group, own] of Map.groupBy(checks, (check) => check.group)) {
    describe(group || "a store", () => {
      for (const { name, run } of own) test(name, run)
    })
  }
}

after(() => {
  const { conflicts, kinds, methods } = store.coverage()
  for (const tried of [methods, kinds, conflicts]) assert.deepEqual(untried(tried), [])
})
