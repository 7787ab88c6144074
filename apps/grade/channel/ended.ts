import { setTimeout as sleep } from "node:timers/promises"
import { notJudged, type Verdict } from "../report/Report.ts"
import { type Charge, type Gateway, type Heard, patienceOf } from "./Gateway.ts"
import { believed } from "./verdicts.ts"

/** The milliseconds between two questions. */
const BETWEEN = 100

/** Whether the outcome of a number is still open: wallets and banks may answer later. */
export const isPending = ({ fields }: Heard): boolean => fields["status"] === "pending"

/** Asks for the outcome of a number until it is no longer pending, or the time is up. */
export const outcomeOf = async (
  gateway: Gateway,
  charge: Charge,
  number: string,
): Promise<Heard> => {
  const end = performance.now() + patienceOf(gateway.options)
  for (;;) {
    const found = await gateway.outcome(charge, number)
    if (!isPending(found) || performance.now() >= end) return found
    await sleep(BETWEEN)
  }
}

/** Requests a movement of money. Returns the answer, or its outcome if the answer was pending. */
export const ended = async (
  gateway: Gateway,
  charge: Charge,
  action: string,
  value: number,
  number = gateway.number(),
): Promise<Heard> => {
  const answered = await gateway.request(charge, action, value, number)
  return isPending(answered) ? outcomeOf(gateway, charge, number) : answered
}

/** The verdict on money whose movement has not ended. */
export const STILL_PENDING: Verdict = notJudged(
  "a number is still pending: let it end sooner in the test mode, or say --shows-within how many " +
    "seconds it takes",
)

/** Checks the outcome of a number, which is not judged while it is pending. */
export const believedEnd = (
  outcome: Heard,
  fields: { readonly [name: string]: unknown },
  advice: string,
): Verdict => (isPending(outcome) ? STILL_PENDING : believed(outcome, 200, fields, advice))
