import type { Totals, World } from "../batch/Totals.ts"
import { grouped, stretch } from "./markup.ts"

/** How many worlds are listed; the failed ones come first. */
const LISTED = 500

const order = (a: World, b: World): number => b.violations - a.violations || a.seed - b.seed

/** Shows each world by its seed, with its end and duration. */
export const worldsSection = ({ broken, hashes, worlds }: Totals): string => {
  if (worlds.length < 2) return ""
  const ends = new Map(broken.map(({ how, seed }) => [seed, how]))
  const says = { broke_down: "broke down", too_long: "given up" } as const
  const isBad = ({ seed, violations }: World) => ends.has(seed) || violations > 0
  const outcome = ({ seed, violations }: World): string => {
    const how = ends.get(seed)
    if (how !== undefined) return says[how]
    return violations === 0 ? "held" : `${grouped(violations)} violations`
  }
  const sorted = [...worlds].toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)) || order(a, b))
  const rows = sorted.slice(0, LISTED).map((world) => {
    const { seed, wall_ms } = world
    const hash = hashes.get(seed)?.slice(0, 12) ?? ""
    return (
      `<tr${isBad(world) ? ' class="broken"' : ""}><td class="n">${seed}</td>` +
      `<td>${outcome(world)}</td><td class="soft">${hash}</td>` +
      `<td class="n">${stretch(wall_ms)}</td></tr>`
    )
  })
  const left = sorted.length - rows.length
  return (
    `<h2>Worlds</h2>${left > 0 ? `<p class="lead">${grouped(left)} more held.</p>` : ""}` +
    `<div class="scroll" tabindex="0"><table><tr><th class="n">seed</th><th>outcome</th>` +
    `<th class="soft">trace</th><th class="n">real time</th></tr>${rows.join("")}</table></div>`
  )
}
