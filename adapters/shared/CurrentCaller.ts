import { Context } from "effect"

/** The account of a request: null if it is unknown, or not known yet. */
export interface RequestCaller {
  readonly account_id: string | null
}

const NOBODY: RequestCaller = { account_id: null }

/** Set around traced requests. */
export const CurrentCaller = Context.Reference<RequestCaller>(
  "payport/adapters/shared/CurrentCaller",
  { defaultValue: () => NOBODY },
)
