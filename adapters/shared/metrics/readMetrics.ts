/** One value of a metric, with its labels. */
export interface Sample {
  readonly name: string
  readonly labels: { readonly [label: string]: string }
  readonly value: number
}

const LINE = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/i
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi

const ESCAPED: { readonly [code: string]: string } = { n: "\n" }

const unescape = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, code: string) => ESCAPED[code] ?? code)

/** Returns the samples in the text of `/metrics`, without lines that are no samples. */
export const readMetrics = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", said = ""] = LINE.exec(line) ?? []
    const value = said === "+Inf" ? Infinity : Number(said)
    if (name === undefined || Number.isNaN(value)) return []
    const pairs = [...labels.matchAll(LABEL)].map(
      ([, label = "", content = ""]) => [label, unescape(content)] as const,
    )
    return [{ name, labels: Object.fromEntries(pairs), value }]
  })

/** Returns the sums of a metric by one of its labels. */
export const sumsBy = (
  samples: ReadonlyArray<Sample>,
  name: string,
  label: string,
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const sample of samples) {
    const key = sample.labels[label]
    if (sample.name === name && key !== undefined)
      sums.set(key, (sums.get(key) ?? 0) + sample.value)
  }
  return sums
}
