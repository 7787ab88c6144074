import { createHash } from "node:crypto"
import type { Tally } from "../../../simulator/auditor/Auditor.ts"
import { aboutFault } from "../../../simulator/faults/aboutFault.ts"
import type { Scenario } from "../../../simulator/scenarios/Scenario.ts"
import type { Counts, Totals } from "../batch/Totals.ts"
import type { Reduced } from "../failures.ts"
import { failingSection, type SeenAgain } from "./failing.ts"
import { latenciesSection, pairsSection } from "./pairs.ts"
import { escaped, grouped, stretch } from "./markup.ts"
import { STYLE } from "./style.ts"
import { timelinesSection } from "./timelines.ts"
import { worldsSection } from "./worlds.ts"

const card = (value: string, label: string): string =>
  `<div class="card"><b>${escaped(value)}</b><span>${escaped(label)}</span></div>`

const cardsOf = (totals: Totals, wall_ms: number, outside: boolean): string => {
  const checks = totals.invariants.reduce((sum, tally) => sum + tally.checks, 0)
  const strikes = Object.values(totals.faults).reduce((sum, count) => sum + count, 0)
  const worlds = card(grouped(totals.seeds), totals.seeds === 1 ? "world" : "worlds")
  const clock = outside ? "of the service's clock" : "of virtual time"
  return `<div class="cards">${[
    ...(outside ? [] : [worlds]),
    card(grouped(totals.intents), "payments"),
    card(grouped(totals.operations), outside ? "requests and webhooks" : "requests and callbacks"),
    card(grouped(strikes), "faults struck"),
    card(grouped(checks), "checks of invariants"),
    ...(outside && totals.virtual_ms === 0 ? [] : [card(stretch(totals.virtual_ms), clock)]),
    card(stretch(wall_ms), "of real time"),
  ].join("")}</div>`
}

const invariantRow = ({ checks, name, number, section, violations }: Tally): string =>
  `<tr${violations > 0 ? ` class="broken"` : ""}><td class="n">${number}</td>` +
  `<td>${escaped(name)}</td><td class="soft">${escaped(section)}</td>` +
  `<td class="n">${grouped(checks)}</td><td class="n">${grouped(violations)}</td></tr>`

const idleOf = (tallies: ReadonlyArray<Tally>): string => {
  const idle = tallies.flatMap(({ checks, number }) => (checks === 0 ? [number] : []))
  if (idle.length === 0) return "Each of them had something to judge."
  return `${idle.length} of ${tallies.length} had nothing to judge: ${idle.join(", ")}.`
}

const invariantsSection = (tallies: ReadonlyArray<Tally>): string =>
  `<h2>Invariants</h2><p class="lead">${idleOf(tallies)}</p>${tableOf([
    `<tr><th class="n">no.</th><th>what has to hold</th><th class="soft">section</th>` +
      `<th class="n">checks</th><th class="n">violations</th></tr>`,
    ...tallies.map(invariantRow),
  ])}`

/** Makes a table that scrolls sideways in a narrow window, instead of the page. */
const tableOf = (rows: ReadonlyArray<string>): string =>
  `<div class="scroll" tabindex="0"><table>${rows.join("")}</table></div>`

const barsOf = (rows: ReadonlyArray<readonly [name: string, about: string, count: number]>) => {
  const most = Math.max(1, ...rows.map(([, , count]) => count))
  return rows.map(([name, about, count]) => {
    const width = ((count / most) * 100).toFixed(1)
    return (
      `<tr><td>${escaped(name.replaceAll("_", " "))}</td><td class="soft">${escaped(about)}</td>` +
      `<td class="n">${grouped(count)}</td>` +
      `<td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">` +
      `<rect width="${width}" height="10" fill="var(--bar)"/></svg></td></tr>`
    )
  })
}

const faultsSection = (faults: Counts): string => {
  const rows = Object.entries(faults)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => [name, aboutFault(name), count] as const)
  if (rows.length === 0) return `<h2>Faults</h2><p class="lead">Nothing went wrong.</p>`
  return (
    "<h2>Faults</h2>" +
    tableOf([
      '<tr><th>fault</th><th class="soft">what happens</th><th class="n">how often</th>' +
        '<td class="bar"></td></tr>',
      ...barsOf(rows),
    ])
  )
}

const statusesSection = (statuses: Counts): string => {
  const rows = Object.entries(statuses).map(([name, count]) => [name, "", count] as const)
  return (
    "<h2>How payments ended</h2>" +
    tableOf([
      '<tr><th>status</th><td class="soft"></td><th class="n">payments</th>' +
        '<td class="bar"></td></tr>',
      ...barsOf(rows),
    ])
  )
}

const notesSection = (notes: ReadonlyArray<string>): string => {
  const lines = notes.map((note) => `<p class="lead">${escaped(note)}</p>`)
  return lines.length === 0 ? "" : `<h2>Not played, or not judged</h2>${lines.join("")}`
}

/** Returns which seeds were played. */
const seedsOf = ({ failed, hashes }: Totals): string => {
  const seeds = [...hashes.keys(), ...failed.map(({ seed }) => seed)].toSorted((a, b) => a - b)
  const [first, last] = [seeds.at(0), seeds.at(-1)]
  if (first === undefined || last === undefined) return ""
  return first === last ? `seed ${first}` : `seeds ${first} to ${last}`
}

const verdictOf = ({ failed, isSound }: Totals): string => {
  if (isSound) return "Every invariant held"
  return failed.length > 0 ? "An invariant broke" : "A world came to no end"
}

const CONTENT = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")

/** What is shown besides the counts. */
export interface Shown {
  readonly again: SeenAgain
  /** Failing worlds that were reduced. */
  readonly reduced?: ReadonlyArray<Reduced>
  /** What was left out of a run against a service; runs of simulated worlds have none. */
  readonly notes?: ReadonlyArray<string>
}

/**
 * Makes the report of a run as one HTML file without scripts and external files: first the failures
 * with their stories, then the coverage, then every world.
 */
export const page = (
  totals: Totals,
  scenario: Pick<Scenario, "name" | "about">,
  wall_ms: number,
  { again, notes, reduced = [] }: Shown,
): string => {
  const outside = notes !== undefined
  const verdict = verdictOf(totals)
  const [only] = totals.seeds === 1 ? totals.hashes.values() : []
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>payport simulation: ${escaped(scenario.name)}</title>
<style>${STYLE}</style></head><body><main>
<p class="kicker">payport simulation · ${seedsOf(totals)}</p>
<h1>${escaped(scenario.name.replaceAll("_", " "))}</h1>
<p class="lead">${escaped(scenario.about)}</p>
<div class="verdict${totals.isSound ? "" : " bad"}">${verdict}</div>
${cardsOf(totals, wall_ms, outside)}
${failingSection(totals, reduced, again)}
${invariantsSection(totals.invariants)}
${Object.keys(totals.pairs).length === 0 ? "" : pairsSection(totals.pairs)}
${faultsSection(totals.faults)}
${statusesSection(totals.statuses)}
${timelinesSection(totals.timelines)}
${latenciesSection(totals.latencies, outside)}
${notesSection(notes ?? [])}
${worldsSection(totals)}
<footer>${only === undefined || only === "" ? "" : `Trace ${only}`}</footer>
</main></body></html>
`
}
