import { Context } from "effect"

/** Who calls with an operator's key. */
export interface Operator {
  /** `operator`, or `operator:` and the key's name, or the name that the request gave. */
  readonly actor: string
  readonly request_id: string
  /** Whose key it is, where what raises limits takes two operators; null where one is enough. */
  readonly one_of_two: string | null
}

/** Set around a verb by the edge; null where no operator calls. */
export const CurrentOperator = Context.Reference<Operator | null>(
  "payport/core/audit/CurrentOperator",
  { defaultValue: () => null },
)
