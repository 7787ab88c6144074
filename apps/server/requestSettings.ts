import { Effect } from "effect"
import { INTAKE_LIMITS, type IntakeLimits } from "../../adapters/shared/Intake.ts"
import { read, variable } from "./variables.ts"

const numberFrom = (least: number, most: number) => (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined

/** The variables for the limits of requests, for the help. */
export const requestVariables = {
  requests_at_once: variable(
    "PAYPORT_REQUESTS_AT_ONCE",
    "a number of requests from 8 to 10000",
    String(INTAKE_LIMITS.most),
    numberFrom(8, 10_000),
  ),
  request_seconds: variable(
    "PAYPORT_REQUEST_SECONDS",
    "a number of seconds from 1 to 60",
    String(INTAKE_LIMITS.within / 1_000),
    numberFrom(1, 60),
  ),
}

/** Reads how many requests are served at once, and for how long each. */
export const readIntake = Effect.gen(function* () {
  const most = (yield* read(requestVariables.requests_at_once)) ?? INTAKE_LIMITS.most
  const seconds = yield* read(requestVariables.request_seconds)
  const within = seconds === undefined ? INTAKE_LIMITS.within : seconds * 1_000
  return { most, within } satisfies IntakeLimits
})
