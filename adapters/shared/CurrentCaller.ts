import { Context } from "effect"

/** Whose request it is: null where nobody knows, or does not know yet. */
export interface RequestCaller {
  readonly account_id: string | null
}

const NOBODY: RequestCaller = { account_id: null }

/** Set by the edge around requests that are traced. */
export const CurrentCaller = Context.Reference<RequestCaller>(
  "payport/adapters/shared/CurrentCaller",
  { defaultValue: () => NOBODY },
)
