import { Effect } from "effect"
import type { KeyLifetime } from "../../core/accounts/KeyRules.ts"
import { read, variable } from "./variables.ts"

const parseDays = (text: string): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_650 ? Number(text) : undefined

const DAYS = "a number of days from 1 to 3650"

/** The variables for the lifetime of accounts' keys, for the help. */
export const keyVariables = {
  key_days: variable(
    "PAYPORT_KEY_DAYS",
    DAYS,
    "unset: keys without expires_at never expire",
    parseDays,
  ),
  key_days_most: variable("PAYPORT_KEY_DAYS_MOST", DAYS, "unset: no key has to expire", parseDays),
}

/** Reads how long accounts' keys are valid. */
export const readKeyLifetime = Effect.gen(function* () {
  const usual = (yield* read(keyVariables.key_days)) ?? null
  const most = (yield* read(keyVariables.key_days_most)) ?? null
  return { usual, most } satisfies KeyLifetime
})
