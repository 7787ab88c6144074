import type { ProcessMetrics } from "./messages.ts"

interface Family {
  readonly head: Array<string>
  readonly samples: Array<string>
}

const HEAD = /^# (?:HELP|TYPE) ([a-z_:][\w:]*)/i
const SAMPLE = /^([a-z_:][\w:]*)(?:\{(.*)\})? (.+)$/i

const labelled = (line: string, process: string): string => {
  const [, name, labels, value] = SAMPLE.exec(line) ?? []
  if (name === undefined) return line
  const own = `process="${process}"`
  return `${name}{${labels === undefined || labels === "" ? own : `${labels},${own}`}} ${value}`
}

/**
 * Joins the metrics of several processes. Each sample gets the label `process`, so that counters
 * stay those of one process and can be summed. A family is described once, with the samples of all
 * processes after it.
 */
export const joinMetrics = (all: ReadonlyArray<ProcessMetrics>): string => {
  const families = new Map<string, Family>()
  for (const { process, text } of all) {
    const described = new Set<string>()
    let family: Family = { head: [], samples: [] }
    for (const line of text.split("\n")) {
      if (line === "") continue
      const [, name] = HEAD.exec(line) ?? []
      if (name === undefined) {
        if (!line.startsWith("#")) family.samples.push(labelled(line, process))
        continue
      }
      const known = families.get(name)
      if (known === undefined) {
        families.set(name, (family = { head: [line], samples: [] }))
        described.add(name)
      } else {
        family = known
        if (described.has(name)) family.head.push(line)
      }
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, ""]).join("\n")
}
