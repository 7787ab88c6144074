import { Clock, Effect } from "effect"
import { merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, type Conflict, Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { type Event, eventsFor, type Happening } from "../webhooks/events/Event.ts"
import { alertCounter, type Budget, takeFrom } from "./Budget.ts"
import type { Install } from "./Install.ts"

/** The most rounds of a commit. Concurrent payments through one install add to the same sums. */
const ROUNDS = 64

const exceeded = (
  { cap, install_id, spending }: Budget,
  spent: number,
  install: Install,
  asker: string,
) =>
  new Failure({
    code: "SPEND_CAP_EXCEEDED",
    message:
      `The payment would exceed the ${cap.period} spend cap of this agent's install. ` +
      "Wait for the next period, or raise the cap, which the agent's person must approve.",
    details: {
      install_id,
      // The remaining budget is shown to its own account only.
      ...(install.account_id === asker && {
        spend_cap: cap,
        spent: { currency: cap.amount.currency, value: spent },
        requested: { currency: cap.amount.currency, value: spending.value },
      }),
    },
  })

/**
 * Refuses what the cap has no room for now. A payment does not need this check, since its commit
 * reserves.
 */
export const checkCap = Effect.fnUntraced(function* (
  asker: string,
  install: Install,
  budget: Budget,
) {
  const [spent = 0] = yield* (yield* Store).readCounters([budget.counter])
  if (takeFrom(budget, spent, new Set()) !== undefined) return
  return yield* exceeded(budget, spent, install, asker)
})

const alertEvent = (
  install: Install,
  { cap }: Budget,
  percent: number,
  spent: Money,
): Happening => {
  const { account_id, agent_id, id: install_id, service_id } = install
  return {
    type: "budget.alert",
    accounts: [account_id],
    service_id,
    subject_id: install_id,
    data: { install_id, service_id, agent_id, percent, spent, spend_cap: cap },
  }
}

/** Reads what a conflict says about the budget; undefined where it is about something else. */
const lesson = (budget: Budget, { reason }: Conflict): "again" | number | undefined => {
  if (reason.type !== "limit_reached") return undefined
  if (reason.counter === budget.counter) return "again"
  return budget.alerts.find((percent) => reason.counter === alertCounter(budget, percent))
}

/**
 * Commits a payment together with its part of the install's budget and the alerts that it triggers,
 * each once in a period. Concurrent payments never exceed the cap. `asker` is the account that
 * creates the payment.
 */
export const spendWithin = Effect.fnUntraced(function* (
  asker: string,
  install: Install,
  budget: Budget,
  commit: Commit,
) {
  const store = yield* Store
  const ids = yield* Ids
  const alerted = new Set<number>()
  for (let round = 1; ; round += 1) {
    const [spent = 0] = yield* store.readCounters([budget.counter])
    const taken = takeFrom(budget, spent, alerted)
    if (taken === undefined) return yield* exceeded(budget, spent, install, asker)
    const now = yield* Clock.currentTimeMillis
    const alerts = taken.alerts.flatMap((percent): ReadonlyArray<Event> =>
      eventsFor(alertEvent(install, budget, percent, taken.spent), ids, now),
    )
    const refused = yield* store
      .commit(merge(commit, { reservations: taken.reservations, events: alerts }))
      .pipe(
        Effect.as(undefined),
        Effect.catchTag("Conflict", (conflict) => Effect.succeed(conflict)),
      )
    if (refused === undefined) return
    const learnt = lesson(budget, refused)
    if (learnt === undefined || round === ROUNDS) return yield* refused
    if (learnt !== "again") alerted.add(learnt)
  }
})
