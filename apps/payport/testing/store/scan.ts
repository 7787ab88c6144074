import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { aService, anAccount, id } from "../records/index.ts"
import { type StoreCheck, insert, store } from "./probe.ts"

const numbered = [3, 1, 5, 2, 4]

/** Checks scans over all records of a kind. */
export const scans = (check: StoreCheck): unknown =>
  check.group("a walk over a kind", () => {
    check("comes to each record once, in the order of the ids, a page at a time", () =>
      Effect.gen(function* () {
        const { scan } = yield* Store
        expect(yield* scan("account", { after: undefined, limit: 9 })).toStrictEqual([])
        const accounts = numbered.map((n) => anAccount({ n, agent_id: `agent_${n}` }))
        yield* store(...accounts.map((record) => insert("account", record)))
        const found = []
        let after: string | undefined
        for (let page = 0; page < 3; page += 1) {
          const records = yield* scan("account", { after, limit: 2 })
          found.push(...records)
          after = records.at(-1)?.id
        }
        expect(found.map((record) => record.id)).toStrictEqual(
          [1, 2, 3, 4, 5].map((n) => id("acct", n)),
        )
        expect(found).toContainEqual(accounts[0])
        expect(yield* scan("account", { after, limit: 2 })).toStrictEqual([])
      }),
    )

    check("comes to kinds whose ids have no prefix, and to no other kind", () =>
      Effect.gen(function* () {
        const { scan } = yield* Store
        const service = aService()
        yield* store(insert("account", anAccount()), insert("service", service))
        expect(yield* scan("service", { after: undefined, limit: 9 })).toStrictEqual([service])
        expect(yield* scan("service", { after: service.id, limit: 9 })).toStrictEqual([])
      }),
    )
  })
