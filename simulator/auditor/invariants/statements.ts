import type { Discrepancy } from "../../../core/gateway/Discrepancy.ts"
import type { StatementLine } from "../../../core/ports/Channels.ts"
import type { Observations, Rule, Rulebook } from "../Observation.ts"

type Seen = Observations["statements"]

const isWhole = ({ forged }: Seen): boolean => forged.dropped.size + forged.changed.size === 0

const described = ({ actual, channel, expected, kind, payment_intent }: Discrepancy): string =>
  `${kind} of ${payment_intent} at ${channel}, ${expected || "nothing"} and ${actual || "nothing"}`

const agree: Rule<"statements"> = (seen) => {
  if (!isWhole(seen)) return undefined
  const [first] = seen.found
  if (first !== undefined) return `finds ${seen.found.length}, as ${described(first)}`
  const stranger = seen.runs.find(({ result }) => result?.unknown !== 0)
  return stranger === undefined
    ? undefined
    : `knows nothing of ${stranger.result?.unknown} lines of ${stranger.channel}`
}

const nameOf = (kind: Discrepancy["kind"], channel: string, payment: string): string =>
  `${kind} ${channel} ${payment}`

const kindOf = ({ status, kind }: StatementLine): Discrepancy["kind"] =>
  kind === "refund" && status === "failed" ? "status_mismatch" : "amount_mismatch"

const channelOf = (name: string): string => name.split(" ")[0] ?? ""

/** Returns the expected findings: an omitted line is missing, a changed line is different. */
const expected = ({ forged: { changed, dropped } }: Seen): ReadonlyArray<string> => [
  ...[...dropped].map(([name, { out_trade_no }]) =>
    nameOf("missing_at_channel", channelOf(name), out_trade_no),
  ),
  ...[...changed].map(([name, line]) => nameOf(kindOf(line), channelOf(name), line.out_trade_no)),
]

/** Returns the items of one list that the other does not have, each as often as it occurs. */
const without = (all: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
  const left = [...others]
  return all.filter((one) => {
    const index = left.indexOf(one)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

const found: Rule<"statements"> = (seen) => {
  if (isWhole(seen)) return undefined
  const ours = seen.found.map(({ channel, kind, payment_intent }) =>
    nameOf(kind, channel, payment_intent),
  )
  const theirs = expected(seen)
  const [missed] = without(theirs, ours)
  if (missed !== undefined) return `does not find ${missed}`
  const [made] = without(ours, theirs)
  return made === undefined ? undefined : `makes ${made} up`
}

/** Checks that every day of a channel has a run, without a gap, up to the last that was due. */
const daily: Rule<"statements"> = ({ daily: runs }) => {
  const late = runs.find(({ due_at }) => due_at !== null)
  if (late !== undefined) return `has not done with ${late.channel} on ${late.day}`
  const never = runs.find(
    ({ day, runs: times, channel }) =>
      times === 0 &&
      runs.some((other) => other.channel === channel && other.runs > 0 && other.day > day),
  )
  if (never !== undefined) return `has left out ${never.channel} on ${never.day}`
  return runs.some(({ runs: times }) => times > 0) ? undefined : "has compared nothing at all"
}

/** The rules about the reconciliation of channels' statements with the ledger. */
export const statementRules: Rulebook = {
  60: { statements: agree },
  61: { statements: found },
  62: { statements: daily },
}
