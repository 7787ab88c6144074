import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { listStatements } from "../../core/billing/showStatements.ts"
import { showUsage } from "../../core/billing/showUsage.ts"
import { showReconciliation } from "../../core/reports/showReconciliation.ts"
import { DAY, fromIso, utcDay } from "../../core/shared/Timestamp.ts"
import { billRules } from "../auditor/invariants/bills.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { reportRules } from "../auditor/invariants/reports.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

/** The lengths of the periods that are asked for, in days; some are no periods. */
const LENGTHS = [1, 1, 2, 31, 92, 92, 93, 0] as const

/** Reads a report of some days, from one on which the account's ledger has rows. */
const readReport = Effect.fnUntraced(function* (
  { auditor }: Scene,
  { caller, chance, days }: Reader,
) {
  const from = chance.pick(days)
  const last = (fromIso(`${from}T00:00:00Z`) ?? 0) + (chance.pick(LENGTHS) - 1) * DAY
  const query = { from, to: utcDay(last) }
  const report = yield* showReconciliation(caller, query).pipe(
    Effect.catchTag("Failure", ({ code }) =>
      code === "INVALID_QUERY" ? Effect.undefined : Effect.die(`A report fails with ${code}.`),
    ),
  )
  auditor.see("report_shown", caller.account.id, { account: caller.account.id, ...query, report })
})

/** An account that reads what it has taken in, and the days of its ledger. */
interface Reader {
  readonly caller: Caller
  readonly chance: Chance
  readonly days: readonly [string, ...ReadonlyArray<string>]
}

/** The statements of a page: few, so that the list has several pages. */
const PAGE = 3

/** Reads an account's bills: that of a month, and all statements page by page. */
const readBills = Effect.fnUntraced(function* ({ auditor }: Scene, reader: Reader) {
  const { caller, chance, days } = reader
  const { account } = caller
  const month = chance.pick(days).slice(0, 7)
  const bill = yield* showUsage(caller, { month })
  auditor.see("bill_shown", account.id, { account, month, bill })
  const listed: Array<Observations["statements_listed"]["listed"][number]> = []
  for (;;) {
    const last = listed.at(-1)
    const page = yield* listStatements(caller, {
      ...(last !== undefined && { starting_after: last.id }),
      limit: PAGE,
    })
    listed.push(...page.data)
    if (!page.has_more || page.data.length === 0) break
  }
  auditor.see("statements_listed", account.id, { account, listed })
})

const read = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, people, stage } = scene
  const chance = stage.chance("report readers")
  const [one, ...rest] = people.sellers
  if (one === undefined) return
  const caller = chance.pick([one, ...rest])
  const posted = [...auditor.model.posted.values()].filter(
    ({ account_id }) => account_id === caller.account.id,
  )
  const [first = utcDay(stage.now()), ...others] = new Set(
    posted.map(({ created_at }) => utcDay(created_at)),
  )
  const reader: Reader = { caller, chance, days: [first, ...others] }
  yield* readReport(scene, reader)
  yield* readReport(scene, reader)
  yield* readBills(scene, reader)
}, Effect.orDie)

/** A seller who reads its reports and its bills when everything is at rest. */
export const reportReaders: Part = {
  name: "report readers",
  rules: { ...reportRules, ...billRules },
  knowledge: [kept],
  inspect: read,
}
