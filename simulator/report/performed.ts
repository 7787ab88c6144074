import type { Alterations } from "../Alterations.ts"
import type { Report } from "../Report.ts"
import type { Script } from "../world/plans/Plan.ts"

/** What a report is of, so that the same can be performed again. */
export interface Performed {
  readonly script: Script
  readonly alterations: Alterations
  /** Whether the world began on a store of the caller's, which is not empty any more. */
  readonly isUsed: boolean
}

const known = new WeakMap<Report, Performed>()

/** Keeps what a report is of, for as long as the report is there. */
export const remember = (report: Report, performed: Performed): Report => {
  known.set(report, performed)
  return report
}

/** What a report of this process is of; undefined for one that was read from elsewhere. */
export const performedOf = (report: Report): Performed | undefined => known.get(report)
