import type { Alterations } from "../Alterations.ts"
import type { Report } from "../Report.ts"
import type { Script } from "../world/plans/Plan.ts"

/** The run that a report is about, so that it can be performed again. */
export interface Performed {
  readonly script: Script
  readonly alterations: Alterations
  /** Whether the world began on a store of the caller, which is no longer empty. */
  readonly isUsed: boolean
}

const known = new WeakMap<Report, Performed>()

/** Remembers the run of a report, for as long as the report exists. */
export const remember = (report: Report, performed: Performed): Report => {
  known.set(report, performed)
  return report
}

/** Returns the run of a report of this process; undefined for a report from elsewhere. */
export const performedOf = (report: Report): Performed | undefined => known.get(report)
