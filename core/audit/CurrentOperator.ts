import { Context } from "effect"

/** Who calls with the admin key. */
export interface Operator {
  /** `operator`, or `operator:` and the name that the request gave. */
  readonly actor: string
  readonly request_id: string
}

/** Set around a verb by the edge; null where no operator calls. */
export const CurrentOperator = Context.Reference<Operator | null>(
  "payport/core/audit/CurrentOperator",
  { defaultValue: () => null },
)
