import { Effect } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import type { ApiKey } from "../../core/accounts/ApiKey.ts"
import { listKeys } from "../../core/keys/listKeys.ts"
import { keyListRules } from "../auditor/invariants/keyLists.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Part, Scene } from "../world/Stage.ts"

const LISTS = 2

/** Lists the keys of accounts, above all of those that have several, page by page. */
const read = Effect.fnUntraced(function* ({ auditor, people, stage }: Scene) {
  const chance = stage.chance("key readers")
  const known = auditor.model.know(kept)
  const keys = [...(known.get("api_key")?.values() ?? [])].flatMap((record) =>
    record === null ? [] : [record as ApiKey],
  )
  const [first, ...others] = keys
  if (first === undefined) return
  for (let n = 0; n < LISTS; n += 1) {
    const { account_id } = chance.pick([first, ...others])
    const account = known.get("account")?.get(account_id) as Account | undefined
    if (account === undefined) continue
    const limit = chance.pick([1, 2, 3, 7, 100])
    const pages: Array<Observations["keys_listed"]["pages"][number]> = []
    for (;;) {
      const last = pages.at(-1)?.at(-1)
      const query = { limit, ...(last !== undefined && { starting_after: last.id }) }
      const page = yield* listKeys({ ...people.stranger, account }, query)
      pages.push(page.data)
      if (!page.has_more || page.data.length === 0) break
    }
    auditor.see("keys_listed", account_id, { account: account_id, limit, pages })
  }
}, Effect.orDie)

/** Accounts that list their keys when everything is at rest. */
export const keyReaders: Part = {
  name: "key readers",
  rules: keyListRules,
  knowledge: [kept],
  inspect: read,
}
