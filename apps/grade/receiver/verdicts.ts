import { LIMITED } from "../patience.ts"
import { failed, notJudged, passed, type Verdict } from "../report/Report.ts"
import type { Check } from "../runChecks.ts"
import { type Answer, said } from "../Target.ts"
import type { Receiver } from "./Receiver.ts"

/** A check of a receiver. */
export type ReceiverCheck = Check<Receiver>

/** Whether a delivery was accepted: answered with 2xx. */
export const isTaken = ({ status }: Answer): boolean =>
  status !== null && status >= 200 && status < 300

/** Checks that a genuine delivery is answered with 2xx. */
export const taken = (answer: Answer, advice: string): Verdict =>
  isTaken(answer) ? passed : failed("status 2xx", said(answer), advice)

/**
 * Checks that a wrong delivery is answered with 4xx, since the sender is at fault. A 429 does not
 * say what would become of it.
 */
export const refused = (answer: Answer, advice: string): Verdict => {
  if (answer.status === 429) return LIMITED
  if (answer.status !== null && answer.status >= 400 && answer.status < 500) return passed
  const broken = answer.status !== null && answer.status >= 500
  const mend =
    "Verify before anything else and answer 401 whatever is wrong: strangers must not be able to " +
    "make it fail."
  return failed("status 4xx, such as 401", said(answer), broken ? mend : advice)
}

/** Checks that the events of an earlier check had exactly one effect each. */
export const once = async (receiver: Receiver, by: string, advice: string): Promise<Verdict> => {
  const ids = receiver.sent.get(by) ?? []
  const effects = await receiver.effects(ids)
  if (effects.type === "unknown") return notJudged(effects.why)
  const odd = ids.find((id) => effects.times(id) !== 1)
  if (odd === undefined) return passed
  const times = effects.times(odd)
  const within = `within ${receiver.options.effectsWithin} ms`
  const slow = " If it only takes longer, say how long with --effects-within."
  return times === 0
    ? failed(`${odd} once in the list of effects, ${within}`, "0 times", `${advice}${slow}`)
    : failed(`${odd} once in the list of effects`, `${times} times`, advice)
}
