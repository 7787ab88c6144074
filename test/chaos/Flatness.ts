/** The measurements of a service under a steady load at one time. */
export interface Sample {
  /** Milliseconds since the load began. */
  readonly at: number
  /** Memory of the service's process, in megabytes. */
  readonly resident: number
  /** How long others waited for an answer that takes no work, in milliseconds: 99 of 100. */
  readonly lag: number
  /** Payments that are stored. */
  readonly payments: number
  /** Bytes that each table takes with its indexes. */
  readonly tables: { readonly [table: string]: number }
}

/** The share of a short time that counts as warming up. */
const WARM_UP = 1 / 3

/**
 * The time that a long soak warms up, in milliseconds. Unpaid payments end after a quarter of an
 * hour, so only then do as many payments end as begin.
 */
const STEADY_AFTER = 16 * 60_000
const LONG = 28 * 60_000

/** The start of the first of the two compared halves. */
const steadyFrom = (end: number): number => (end >= LONG ? STEADY_AFTER : end * WARM_UP)

/** The allowed growth in the second half, and the smallest difference that counts. */
const MOST = {
  resident: { times: 1.1, beyond: 10 },
  lag: { times: 1.5, beyond: 10 },
  bytes: { times: 1.1, beyond: 256 * 1024 },
} as const

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The samples after the warm-up, in two halves of the time. */
const halves = (samples: ReadonlyArray<Sample>) => {
  const end = samples.at(-1)?.at ?? 0
  const from = steadyFrom(end)
  const middle = (from + end) / 2
  return {
    earlier: samples.filter(({ at }) => at >= from && at < middle),
    later: samples.filter(({ at }) => at >= middle),
  }
}

const grew = (
  earlier: number,
  later: number,
  { beyond, times }: { readonly times: number; readonly beyond: number },
): boolean => later > earlier * times && later - earlier > beyond

/** The growth of a table in the samples of a half, in bytes and payments. */
const growthOf = (samples: ReadonlyArray<Sample>, table: string) => {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return { bytes: 0, payments: 0 }
  return {
    bytes: (last.tables[table] ?? 0) - (first.tables[table] ?? 0),
    payments: last.payments - first.payments,
  }
}

/**
 * Describes what grew although the load did not: the service's memory, the wait of other requests,
 * or a table's bytes for each added payment.
 */
export const growth = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => {
  const { earlier, later } = halves(samples)
  if (earlier.length < 3 || later.length < 3) return ["there are too few samples to be compared"]
  const found: Array<string> = []
  for (const [what, unit] of [
    ["resident", "MB of memory"],
    ["lag", "ms that others waited"],
  ] as const) {
    const [before, after] = [earlier, later].map((some) => mean(some.map((one) => one[what])))
    if (grew(before ?? 0, after ?? 0, MOST[what])) {
      found.push(`${before?.toFixed(1)} ${unit} became ${after?.toFixed(1)}`)
    }
  }
  for (const table of Object.keys(later.at(-1)?.tables ?? {})) {
    const [before, after] = [growthOf(earlier, table), growthOf(later, table)]
    const expected = (before.bytes / Math.max(1, before.payments)) * after.payments
    if (grew(expected, after.bytes, MOST.bytes)) {
      const each = (after.bytes / Math.max(1, after.payments)).toFixed(0)
      const [was, is] = [expected, after.bytes].map((bytes) => Math.round(bytes / 1024))
      found.push(`${table} grew by ${is} kB where ${was} were expected (${each} bytes a payment)`)
    }
  }
  return found
}
