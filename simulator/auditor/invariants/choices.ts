import type { Rule, Rulebook } from "../Observation.ts"

/** Checks that a payer's choice of a channel closes the charges at all other channels at once. */
const closesOthers: Rule<"intent"> = ({ after, before, commit }) => {
  if (before === undefined || before.channel !== null || after.channel === null) return undefined
  const closed = commit.writes.flatMap(({ kind, op, record }) =>
    kind === "channel_request" && op === "insert" && record.action === "close"
      ? [record.charge_id]
      : [],
  )
  const left = before.offers.find(
    ({ channel, charge_id }) => channel !== after.channel && !closed.includes(charge_id),
  )
  return left === undefined ? undefined : `leaves its charge at ${left.channel} open`
}

/** The rules about a payer's choice among several channels. */
export const choiceRules: Rulebook = {
  114: { intent: closesOthers },
}
