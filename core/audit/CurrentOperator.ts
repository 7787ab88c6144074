import { Context } from "effect"

/** The operator of a request. */
export interface Operator {
  /** `operator`, or `operator:` and the name of the key or in the request. */
  readonly actor: string
  readonly request_id: string
  /**
   * The operator's key and the current reviewers, where raising limits takes two operators. The
   * approval of the `shared` key does not count, since it identifies nobody. Null where one
   * operator is enough.
   */
  readonly one_of_two:
    | { readonly key: string; readonly reviewers: ReadonlySet<string> }
    | "shared"
    | null
}

/** The edge sets it around a verb; null for calls without an operator. */
export const CurrentOperator = Context.Reference<Operator | null>(
  "payport/core/audit/CurrentOperator",
  { defaultValue: () => null },
)
