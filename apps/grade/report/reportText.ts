import {
  countsOf,
  type Judged,
  type Level,
  levelOf,
  levelsOf,
  outcomeOf,
  type Report,
  type Verdict,
} from "./Report.ts"

/** Returns a subject's text on one line, without control characters. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, "?")

const MARKS: { readonly [O in Verdict["outcome"]]: string } = {
  passed: "ok  ",
  failed: "FAIL",
  not_judged: "  – ",
}

/** Returns the line of a check that was just judged. */
export const progressLine = ({ id, title, verdict }: Judged): string =>
  `${MARKS[verdict.outcome]} ${id.padEnd(22)} ${title}`

const flawText = ({ clause, id, title, verdict }: Judged): ReadonlyArray<string> =>
  verdict.outcome === "failed"
    ? [
        `  ${id}: ${title}`,
        `    clause    ${clause}`,
        `    expected  ${plain(verdict.expected)}`,
        `    seen      ${plain(verdict.seen)}`,
        `    to do     ${plain(verdict.advice)}`,
        "",
      ]
    : []

const silentText = ({ id, verdict }: Judged): ReadonlyArray<string> =>
  verdict.outcome === "not_judged" ? [`  ${id.padEnd(22)} ${plain(verdict.why)}`] : []

const section = (heading: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [heading, "", ...lines, ...(lines.at(-1) === "" ? [] : [""])]

const levelText = ({ failed, name, reached }: Level): string => {
  const why = failed.length === 0 ? "" : `: ${failed.join(", ")}`
  return `  ${name.padEnd(22)} ${reached ? "reached" : `not reached${why}`}`
}

const SAID = {
  passed: "Everything that could be judged passed.",
  failed: "It is not right yet.",
  incomplete: "The run did not come to its end, so nothing is said of the whole.",
} as const

/** Returns the summary for people: failed checks first, then those not judged, then the totals. */
export const summaryText = (report: Report): string => {
  const { failed, not_judged, passed } = countsOf(report)
  return [
    "",
    ...section("Failed", report.checks.flatMap(flawText)),
    ...section("Not judged", report.checks.flatMap(silentText)),
    ...section(`Level: ${levelOf(report) ?? "none"}`, levelsOf(report).map(levelText)),
    `${SAID[outcomeOf(report)]} ${passed} passed, ${failed} failed, ${not_judged} not judged ` +
      `in ${(report.duration_ms / 1_000).toFixed(1)} s (--seed ${report.seed}).`,
  ].join("\n")
}
