import type { Violation } from "../../../simulator/auditor/Auditor.ts"
import { aboutFault } from "../../../simulator/faults/aboutFault.ts"
import type { Failed, Totals } from "../batch/Totals.ts"
import type { Reduced } from "../failures.ts"
import { escaped, grouped } from "./markup.ts"
import { clockOf, sequenceDiagram } from "./sequence.ts"

/** How a failed world can be seen again. */
export interface SeenAgain {
  readonly world: (seed: number) => string
  readonly replay: (file: string) => string
}

/** Longer files, in characters, are not shown but only offered for download. */
const SHOWN = 100_000

/** How many violations of a world are listed. */
const TOLD = 20

const found = ({ at, finding, name, number, subject }: Violation): string =>
  `${at}  invariant ${number} (${name})\n  ${subject} ${finding}`

const listOf = (violations: ReadonlyArray<Violation>): string => {
  const left = violations.length - TOLD
  const lines = [...violations.slice(0, TOLD).map(found), ...(left > 0 ? [`and ${left} more`] : [])]
  return `<pre>${escaped(lines.join("\n"))}</pre>`
}

const command = (label: string, text: string): string =>
  `<p class="command">${label}<code>${escaped(text)}</code></p>`

const faultsOf = ({ faults, payments }: Reduced): string => {
  const rows = Object.entries(faults).map(
    ([name, size]) =>
      `<tr><td>${escaped(name.replaceAll("_", " "))}</td>` +
      `<td class="soft">${escaped(aboutFault(name))}</td><td class="n">${size}</td></tr>`,
  )
  const what = payments === 1 ? "one payment" : `${grouped(payments)} payments`
  if (rows.length === 0) return `<p class="lead">It takes ${what} and no fault.</p>`
  const table = `<div class="scroll" tabindex="0"><table>${rows.join("")}</table></div>`
  return `<p class="lead">It takes ${what} and these faults.</p>${table}`
}

/** Returns how it was reduced, why no further, and what it needs. */
const toldOf = ({ told: [how = "", why = "", ...needed] }: Reduced): string => {
  const list = needed.length === 0 ? "" : `<pre>${escaped(needed.join("\n"))}</pre>`
  return `<p>${escaped(`${how} ${why}`)}</p>${list}`
}

const storyOf = ({ left_out, lines }: Reduced): string => {
  const text = lines.map((line) => `${clockOf(line.at_ms)}  ${line.text}`).join("\n")
  const before = left_out === 0 ? "" : `${grouped(left_out)} lines before these are not kept.\n`
  return (
    `<div class="card scroll" tabindex="0">${sequenceDiagram(lines) ?? ""}</div>` +
    `<details><summary>The same in words</summary><pre>${before}${escaped(text)}</pre></details>`
  )
}

const fileOf = ({ file, text }: Reduced): string => {
  const name = file.split(/[/\\]/).at(-1) ?? file
  const data = Buffer.from(text).toString("base64")
  const link =
    `<p><a download="${escaped(name)}" href="data:application/json;base64,${data}">` +
    `Keep ${escaped(name)}</a></p>`
  const shown = text.length > SHOWN ? "" : `<pre class="file" tabindex="0">${escaped(text)}</pre>`
  return `<details><summary>The run's file</summary>${link}${shown}</details>`
}

const reducedSection = (reduced: Reduced, again: SeenAgain): string => {
  const { finding, name, number, subject } = reduced.violation
  return (
    `<h3>Reduced: invariant ${number}, ${escaped(name)}</h3>` +
    `<p class="finding">${escaped(`${subject} ${finding}`)}</p>` +
    faultsOf(reduced) +
    toldOf(reduced) +
    (reduced.unwritten === undefined
      ? command("Follow it with", again.replay(reduced.file))
      : `<p>The run's file could not be written: ${escaped(reduced.unwritten)}</p>`) +
    storyOf(reduced) +
    fileOf(reduced)
  )
}

const worldSection = (
  { seed, violations }: Failed,
  reduced: Reduced | undefined,
  isOpen: boolean,
  again: SeenAgain,
): string =>
  `<details class="failing"${isOpen ? " open" : ""}><summary>Seed ${seed}</summary>` +
  (reduced === undefined ? "" : reducedSection(reduced, again)) +
  `<h3>What broke in the whole world</h3>${listOf(violations)}` +
  `${command("Run it again with", again.world(seed))}</details>`

const HOW = { broke_down: "broke down", too_long: "was given up" } as const

/** The failed worlds, each with its story if it was reduced; the first one is open. */
export const failingSection = (
  { broken, failed }: Pick<Totals, "broken" | "failed">,
  reduced: ReadonlyArray<Reduced>,
  again: SeenAgain,
): string => {
  const worlds = failed.map((world, n) =>
    worldSection(
      world,
      reduced.find(({ seed }) => seed === world.seed),
      n === 0,
      again,
    ),
  )
  const others = broken.map(
    ({ how, message, seed }, n) =>
      `<details${failed.length + n === 0 ? " open" : ""}>` +
      `<summary>Seed ${seed} ${HOW[how]}</summary>` +
      `<pre>${escaped(message)}</pre>${command("Run it again with", again.world(seed))}</details>`,
  )
  const all = [...worlds, ...others]
  return all.length === 0 ? "" : `<h2>What broke</h2>${all.join("")}`
}
