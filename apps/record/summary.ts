import type { Play } from "../../simulator/scenarios/Play.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import type { Recording } from "./Recording.ts"

const countsOf = (scenario: Scenario, { subscriptions }: Recording) => {
  const plays: ReadonlyArray<Play> = scenario.plays ?? []
  const count = (isOne: (play: Play) => boolean): number => plays.filter(isOne).length
  return {
    payments: plays.length,
    by_link: count(({ flow }) => flow === "one_time_pay"),
    captures: count(({ payee }) => payee.act === "captures"),
    captures_of_a_part: count(({ payee }) => payee.captures !== undefined),
    voids: count(({ payee }) => payee.act === "voids"),
    cancels: count(({ payee }) => payee.act === "cancels"),
    refunds: plays.reduce((sum, { refunds }) => sum + refunds.length, 0),
    subscriptions,
  }
}

/** Returns the summary of a recording for programs. */
export const describeRecording = (scenario: Scenario, recording: Recording, file: string) => ({
  file,
  recorded: countsOf(scenario, recording),
  not_expressed: Object.fromEntries(recording.left),
})

const SUBSCRIBED =
  "The world subscribes people for a month of its own making, since subscriptions are no payments."

/** Returns the summary of a recording for people. */
export const recordingText = (scenario: Scenario, recording: Recording, file: string): string => {
  const { subscriptions, ...counts } = countsOf(scenario, recording)
  const told = Object.entries(counts).filter(([, count]) => count > 0)
  return [
    `Recorded in ${file}`,
    ...told.map(([what, count]) => `  ${String(count).padStart(6)}  ${what.replaceAll("_", " ")}`),
    ...(subscriptions === 0 ? [] : [`  ${String(subscriptions).padStart(6)}  subscriptions`]),
    ...(subscriptions === 0 ? [] : [SUBSCRIBED]),
    ...(recording.left.size === 0 ? [] : ["Not expressed"]),
    ...[...recording.left].map(([what, count]) => `  ${String(count).padStart(6)}  ${what}`),
    `Play it with: payport simulate --scenario ${file}`,
  ].join("\n")
}
