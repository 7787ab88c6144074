import { Context, Effect, Metric, type Scope } from "effect"

/** The registry of the process: a metric is one, whichever part of the service updates it. */
const REGISTRY = Context.empty()

type Labels = { readonly [label: string]: string }

type Update = (value: number) => void

/** The series that are prepared, by the value of one label after another. */
interface Prepared {
  readonly within: Map<string, Prepared>
  update: Update | undefined
}

/**
 * The series of a metric by the values of its labels, in the order in which they are named here.
 * Each is prepared once, since what is measured happens often.
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
    const series = Metric.withAttributes(metric, Object.fromEntries(pairs))
    return (at.update = (value) => series.updateUnsafe(value, REGISTRY))
  }
}

/** Sets a gauge to the given series: the ones of last time that are not among them are gone. */
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

/** A series of a gauge that is read whenever it is looked at, as long as the scope is open. */
export const gaugeOf = (metric: Metric.Gauge<number>, labels: Labels, read: () => number) =>
  registered(metric, labels, () => ({ value: read() }))

/** The same of a counter, for what is counted where it happens often. */
export const counterOf = (metric: Metric.Counter<number>, labels: Labels, read: () => number) =>
  registered(metric, labels, () => ({ count: read(), incremental: true }))

/**
 * What `read` returned at most `interval` milliseconds ago: two who look at it do not disturb each
 * other, since neither begins a new look of the other's.
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
