import { Context, Effect, Metric, type Scope } from "effect"

/** The registry of the process. A metric exists once, whichever part of the service updates it. */
const REGISTRY = Context.empty()

type Labels = { readonly [label: string]: string }

type Update = (value: number) => void

/** The prepared series, by the value of one label after another. */
interface Prepared {
  readonly within: Map<string, Prepared>
  update: Update | undefined
}

/** A series with the functions that update and read it. */
interface Kept<State> {
  readonly update: Update
  readonly read: () => State
}

const keptCounter = (first: Metric.CounterState<number>): Kept<Metric.CounterState<number>> => {
  let { count } = first
  return {
    update: (value) => void (count += value),
    read: () => ({ ...first, count }),
  }
}

const keptHistogram = (first: Metric.HistogramState): Kept<Metric.HistogramState> => {
  const { buckets } = first
  // Each bucket counts values up to its boundary and above the previous one.
  const within = buckets.map(() => 0)
  let { count, max, min, sum } = first
  const update = (value: number) => {
    count += 1
    sum += value
    if (value < min) min = value
    if (value > max) max = value
    const place = buckets.findIndex(([boundary]) => value <= boundary)
    if (place >= 0) within[place] = (within[place] ?? 0) + 1
  }
  const read = () => {
    let all = 0
    const cumulated = buckets.map(([boundary, before], place): [number, number] => {
      all += within[place] ?? 0
      return [boundary, before + all]
    })
    return { buckets: cumulated, count, max, min, sum }
  }
  return { update, read }
}

type Metered = Metric.Metric<number, unknown>

const holds = (state: unknown, field: string): boolean =>
  typeof state === "object" && state !== null && field in state

const isHistogram = (state: unknown): state is Metric.HistogramState => holds(state, "buckets")

const isCounter = (state: unknown): state is Metric.CounterState<number> =>
  holds(state, "incremental")

const keptOf = (state: unknown): Kept<unknown> | undefined => {
  if (isHistogram(state)) return keptHistogram(state)
  return isCounter(state) ? keptCounter(state) : undefined
}

/** The update functions of series whose state is kept here, by labels. A series is kept once. */
const updates = new WeakMap<Metered, Map<string, Update>>()

/**
 * Returns the update function of a series whose state is kept here. Effect builds and looks up the
 * series' name at each update. Other metrics than counters and histograms are updated by Effect.
 */
const updateOf = (metric: Metered, labels: Labels): Update => {
  const known = updates.get(metric) ?? new Map<string, Update>()
  updates.set(metric, known)
  const name = JSON.stringify(labels)
  const series = Metric.withAttributes(metric, labels)
  const make = (): Update => {
    const kept = keptOf(series.valueUnsafe(REGISTRY))
    if (kept === undefined) return (value) => series.updateUnsafe(value, REGISTRY)
    const unused = () => undefined
    Metric.registerUnsafe(series, REGISTRY, { get: kept.read, update: unused, modify: unused })
    return kept.update
  }
  const update = known.get(name) ?? make()
  known.set(name, update)
  return update
}

/**
 * Returns the series of a metric by the values of its labels, in the order of `labels`. Each series
 * is prepared once, because measurements are frequent.
 */
export const seriesOf = <L extends ReadonlyArray<string>>(
  metric: Metric.Metric<number, unknown>,
  ...labels: L
): ((...values: { readonly [I in keyof L]: string }) => Update) => {
  const known: Prepared = { within: new Map(), update: undefined }
  return (...values) => {
    let at = known
    for (const value of values) {
      let next = at.within.get(value)
      if (next === undefined)
        at.within.set(value, (next = { within: new Map(), update: undefined }))
      at = next
    }
    if (at.update !== undefined) return at.update
    const pairs = labels.map((label, place): [string, string] => [label, values[place] ?? ""])
    return (at.update = updateOf(metric, Object.fromEntries(pairs)))
  }
}

/** Returns a function that sets a gauge to the given series and removes its other series. */
export const settable = (
  gauge: Metric.Gauge<number>,
): ((series: ReadonlyArray<readonly [labels: Labels, value: number]>) => void) => {
  let shown = new Map<string, Metric.Gauge<number>>()
  return (series) => {
    const next = new Map<string, Metric.Gauge<number>>()
    for (const [labels, value] of series) {
      const key = JSON.stringify(labels)
      const one = shown.get(key) ?? Metric.withAttributes(gauge, labels)
      one.updateUnsafe(value, REGISTRY)
      next.set(key, one)
    }
    for (const [key, one] of shown) if (!next.has(key)) Metric.removeUnsafe(one, REGISTRY)
    shown = next
  }
}

const registered = <State>(
  metric: Metric.Metric<number, State>,
  labels: Labels,
  read: () => State,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const series = Metric.withAttributes(metric, labels)
        const update = () => undefined
        return Metric.registerUnsafe(series, REGISTRY, { get: read, update, modify: update })
      }),
      (registration) => Effect.sync(registration.remove),
    ),
  )

/** Registers a series of a gauge that is read on demand, while the scope is open. */
export const gaugeOf = (metric: Metric.Gauge<number>, labels: Labels, read: () => number) =>
  registered(metric, labels, () => ({ value: read() }))

/** Registers a series of a counter that is read on demand, for frequent events. */
export const counterOf = (metric: Metric.Counter<number>, labels: Labels, read: () => number) =>
  registered(metric, labels, () => ({ count: read(), incremental: true }))

/**
 * Returns a function with the result of `read` that is at most `interval` milliseconds old. So two
 * readers do not disturb each other: neither starts the other's interval again.
 */
export const atMostEvery = <A>(
  interval: number,
  read: () => A,
  now: () => number = () => performance.now(),
): (() => A) => {
  let looked: { readonly at: number; readonly found: A } | undefined
  return () => {
    if (looked === undefined || now() - looked.at >= interval) looked = { at: now(), found: read() }
    return looked.found
  }
}
