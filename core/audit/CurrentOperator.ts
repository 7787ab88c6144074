import { Context } from "effect"

/** Who calls with an operator's key. */
export interface Operator {
  /** `operator`, or `operator:` and the key's name, or the name that the request gave. */
  readonly actor: string
  readonly request_id: string
  /**
   * Whose key it is, where what raises limits takes two operators, and who may be one of them now:
   * `shared` is nobody's, and its approval does not count. Null where one operator is enough.
   */
  readonly one_of_two:
    | { readonly key: string; readonly reviewers: ReadonlySet<string> }
    | "shared"
    | null
}

/** Set around a verb by the edge; null where no operator calls. */
export const CurrentOperator = Context.Reference<Operator | null>(
  "payport/core/audit/CurrentOperator",
  { defaultValue: () => null },
)
