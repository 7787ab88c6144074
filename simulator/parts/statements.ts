import { Effect } from "effect"
import { openRuns } from "../../core/reports/openRuns.ts"
import { statementInvariants } from "../auditor/invariants/statements.ts"
import type { Part } from "../world/Part.ts"
import { compareStatements } from "./compareStatements.ts"

/**
 * Reconciliation: workers hold the channels' statements against the ledger day by day, until the
 * world is calm, and all of them are held against it at the end.
 */
export const statements: Part = {
  name: "statements",
  heavy: 0.5,
  invariants: statementInvariants,
  prepare: () => Effect.orDie(openRuns()),
  inspect: (scene) => Effect.orDie(compareStatements(scene)),
}
