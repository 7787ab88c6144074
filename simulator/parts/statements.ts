import { Effect } from "effect"
import { openRun, openRuns } from "../../core/reports/openRuns.ts"
import { statementRules } from "../auditor/invariants/statements.ts"
import type { Part, Scene } from "../world/Stage.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import { Store } from "../../core/ports/Store.ts"
import { reconcileDay } from "../../core/reports/reconcileDay.ts"
import { type ReconciliationRun, runOf } from "../../core/reports/ReconciliationRun.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { utcDay } from "../../core/shared/Timestamp.ts"

/** The faults of the statements with which all of them are reconciled at the end. */
const CROOKED = { statement_dropped: 0.15, statement_changed: 0.15 }

const WHOLE = { statement_dropped: 0, statement_changed: 0 }

/** More than a simulated day ever has. */
const EVERY = 100_000

/** Returns the days on which a channel's books or ours have entries, by channel. */
const daysOf = ({ auditor, network }: Scene): ReadonlyArray<readonly [string, string]> => {
  const days = new Map<string, readonly [string, string]>()
  const add = (channel: string, day: string) => days.set(`${channel} ${day}`, [channel, day])
  for (const [channel, ledger] of network.ledgers) {
    for (const day of ledger.days()) add(channel, day)
  }
  auditor.model.clearing.forEach(({ channel, created_at }: Posting) => {
    if (channel !== null) add(channel, utcDay(created_at))
  })
  return [...days.values()]
}

/** Reconciles a day of a channel once more, however often that was done before. */
const compareAgain = Effect.fnUntraced(function* (scene: Scene, channel: string, day: string) {
  yield* openRun(channel, day)
  const { id } = runOf(channel, day, (yield* Vault).sha256)
  const store = yield* Store
  const run = yield* store.find("reconciliation_run", id)
  if (run === undefined) return yield* Effect.die(`There is no run of ${channel} for ${day}.`)
  yield* reconcileDay({ ...run, due_at: scene.stage.now() })
  const found = yield* store.listDiscrepancies({ run: id, limit: EVERY })
  return { run: yield* store.find("reconciliation_run", id), found }
})

const compareAll = Effect.fnUntraced(function* (
  scene: Scene,
  daily: ReadonlyArray<ReconciliationRun>,
) {
  const compared = yield* Effect.forEach(daysOf(scene), ([channel, day]) =>
    compareAgain(scene, channel, day),
  )
  scene.auditor.see("statements", "every statement", {
    daily,
    runs: compared.flatMap(({ run }) => run ?? []),
    found: compared.flatMap(({ found }) => found),
    forged: scene.network.statements.forged(),
  })
})

/**
 * Reconciles all statements with the ledger once everything is at rest: first with missing or
 * changed lines, then with the channels' real ones, which resolve the differences.
 */
const compareStatements = Effect.fnUntraced(function* (scene: Scene) {
  const daily = yield* scene.store.listRuns("0000-01-01", "9999-12-31")
  for (const crooked of [CROOKED, WHOLE]) {
    scene.network.statements.bend(crooked)
    yield* compareAll(scene, daily)
  }
})

/**
 * Reconciliation: workers reconcile the channels' statements with the ledger day by day, until the
 * world is calm. At the end all of them are reconciled.
 */
export const statements: Part = {
  name: "statements",
  heavy: 0.3,
  rules: statementRules,
  prepare: () => Effect.orDie(openRuns()),
  inspect: (scene) => Effect.orDie(compareStatements(scene)),
}
