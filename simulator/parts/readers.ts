import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { showHosted } from "../../core/hosted/showHosted.ts"
import { getIntent } from "../../core/payments/getIntent.ts"
import { listIntents, type ListIntentsQuery } from "../../core/payments/listIntents.ts"
import { SHOWN_STATUSES } from "../../core/payments/PaymentIntent.ts"
import { SECOND, toIso } from "../../core/shared/Timestamp.ts"
import { showTimeline } from "../../core/timeline/showTimeline.ts"
import { historyShows, listHas, pageShows } from "../auditor/invariants/readings.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { shownPaymentRules } from "../auditor/invariants/shownPayments.ts"
import type { Rulebook } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

const readingRules: Rulebook = {
  126: { page_shown: pageShows, history_shown: historyShows, payments_listed: listHas },
}

/** How often the page of a new payment is opened, and how long apart, ever longer. */
const LOOKS = 12
const APART = { first: 8 * SECOND, growth: 1.4 } as const

/** The newest payments, of which a page is opened. */
const NEWEST = 4

/** Opens the pages of payments that are about to be paid. */
const openPages = Effect.fnUntraced(function* ({ auditor, stage }: Scene) {
  const chance = stage.chance("opened pages")
  const { model } = auditor
  for (let n = 0, apart: number = APART.first; n < LOOKS; n += 1, apart *= APART.growth) {
    yield* Effect.sleep(chance.wait(apart) + SECOND)
    const [first, ...others] = [...model.intents.keys()].slice(-NEWEST)
    if (first === undefined) continue
    const id = chance.pick([first, ...others])
    const version = model.versions.get(`payment_intent ${id}`)
    const asked = stage.now()
    const exit = yield* Effect.exit(stage.serve(showHosted(id)))
    if (Exit.isFailure(exit)) continue
    auditor.see("page_shown", id, { page: exit.value, version, asked, at: stage.now() })
  }
})

/** The payments of a page: few, so that the list has several pages. */
const PAGE = 5

/** Reads a list of payments page by page. */
const readList = Effect.fnUntraced(function* (
  { auditor }: Scene,
  caller: Caller,
  query: Omit<ListIntentsQuery, "limit" | "starting_after">,
) {
  const listed: Array<{ readonly id: string; readonly status: string }> = []
  for (;;) {
    const last = listed.at(-1)
    const page = yield* listIntents(caller, {
      ...query,
      ...(last !== undefined && { starting_after: last.id }),
      limit: PAGE,
    })
    listed.push(...page.data.map(({ id, status }) => ({ id, status })))
    if (!page.has_more || page.data.length === 0) break
  }
  const account = caller.account.id
  auditor.see("payments_listed", account, { account, query, listed })
})

/** How many payments' histories are read. */
const HISTORIES = 3

/** Has a party read each payment. */
const readEach = Effect.fnUntraced(function* ({ auditor, people, stage }: Scene) {
  const { model } = auditor
  for (const [id, { record }] of model.intents) {
    const party = [...people.sellers, ...people.buyers].find(({ account }) =>
      [record.payee_account_id, record.account_id].includes(account.id),
    )
    if (party === undefined || model.left.has(id)) continue
    const since = model.step
    const view = yield* getIntent(party, id)
    const account = party.account.id
    auditor.see("payment_shown", id, { account, id, view, since, at: stage.now() })
  }
})

const readPayments = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, people } = scene
  const { model } = auditor
  yield* readEach(scene)
  const stored = [...model.intents.values()].filter(({ record }) => !model.left.has(record.id))
  const callers = [...people.buyers, ...people.sellers]
  for (let n = 0; n < HISTORIES; n += 1) {
    const [first, ...others] = stored
    if (first === undefined) return
    const { account_id, created_at, id, payee_account_id, service_id } = chance.pick([
      first,
      ...others,
    ]).record
    const parties = callers.filter(({ account }) =>
      [account_id, payee_account_id].includes(account.id),
    )
    for (const caller of parties) {
      const { complete, data } = yield* showTimeline(caller, id)
      auditor.see("history_shown", id, { account: caller.account.id, id, data, complete })
      const since = model.step
      const view = yield* getIntent(caller, id)
      const seen = { account: caller.account.id, id, view, since, at: scene.stage.now() }
      auditor.see("payment_shown", id, seen)
    }
    const [party] = parties
    if (party === undefined) continue
    const at = toIso(created_at)
    yield* readList(scene, party, {
      ...(chance.hits(0.4) && { status: chance.pick(SHOWN_STATUSES) }),
      ...(chance.hits(0.3) && { service_id }),
      ...(chance.hits(0.3) && (chance.hits(0.5) ? { created_after: at } : { created_before: at })),
    })
  }
}, Effect.orDie)

/** People who open the pages of payments, and accounts that read their histories and lists. */
export const readers: Part = {
  name: "readers",
  rules: { ...readingRules, ...shownPaymentRules },
  knowledge: [kept],
  errands: (scene) => [openPages(scene)],
  inspect: (scene) => readPayments(scene, scene.stage.chance("readers")),
}
