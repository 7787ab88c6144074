import {
  readMetrics,
  type Sample,
  sumsBy,
} from "../../../../adapters/shared/metrics/readMetrics.ts"
import { useAsked } from "../data/hooks.ts"
import { root } from "../data/session.ts"
import { Badge, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { sentence } from "../show/words.ts"
import { Refresh } from "../parts/filters.tsx"

/** Reads the metrics of the answering process. Rejects if they are on another listener. */
const look = async (): Promise<{
  readonly isReady: boolean
  readonly why: string
  readonly samples: ReadonlyArray<Sample>
}> => {
  const [ready, metrics] = await Promise.all([
    fetch(`${root()}/readyz`),
    fetch(`${root()}/metrics`),
  ])
  if (!metrics.ok) {
    throw new Error("This listener has no metrics: they are on the operators' own or the probes'.")
  }
  const said = (await ready.json().catch(() => ({}))) as { readonly message?: string }
  return {
    isReady: ready.ok,
    why: said.message ?? "",
    samples: readMetrics(await metrics.text()),
  }
}

const seconds = (value: number): string => {
  if (value < 1) return value === 0 ? "none" : `${Math.round(value * 1_000)} ms`
  return value < 120 ? `${value.toFixed(1)} s` : `${Math.round(value / 60)} min`
}

/** The due work, by kind. */
const Queues = ({ samples }: { readonly samples: ReadonlyArray<Sample> }) => {
  const due = sumsBy(samples, "payport_due_records", "kind")
  const lag = sumsBy(samples, "payport_due_lag_seconds", "kind")
  const rows = [...due].toSorted(([, a], [, b]) => b - a)
  return (
    <Part title="Queues" text="What is due and not yet done, in the whole installation.">
      {rows.length === 0 ? (
        <p class="soft">Nothing has been counted yet.</p>
      ) : (
        <div class="scroll">
          <table class="plain">
            <thead>
              <tr>
                <th>Kind</th>
                <th class="right">Due</th>
                <th class="right">Waits for</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([kind, count]) => (
                <tr key={kind}>
                  <td>{sentence(kind)}</td>
                  <td class="right figure">{count.toLocaleString("en")}</td>
                  <td class="right figure">{seconds(lag.get(kind) ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  )
}

const BREAKERS = [
  ["answers", "good"],
  ["on trial", "warn"],
  ["cut off", "bad"],
] as const

/** The responses of each channel. */
const Channels = ({ samples }: { readonly samples: ReadonlyArray<Sample> }) => {
  const calls = samples.filter(({ name }) => name === "payport_channel_calls_total")
  const breakers = sumsBy(samples, "payport_channel_breaker", "channel")
  const open = sumsBy(samples, "payport_channel_requests_open", "channel")
  const all = sumsBy(calls, "payport_channel_calls_total", "channel")
  const names = [...new Set([...all.keys(), ...breakers.keys(), ...open.keys()])].toSorted()
  const failed = (channel: string) =>
    calls
      .filter(({ labels }) => labels["channel"] === channel && labels["outcome"] === "unknown")
      .reduce((sum, { value }) => sum + value, 0)
  return (
    <Part title="Channels" text="What this process has called since it began.">
      {names.length === 0 ? (
        <p class="soft">No channel has been called yet.</p>
      ) : (
        <div class="scroll">
          <table class="plain">
            <thead>
              <tr>
                <th>Channel</th>
                <th>State</th>
                <th class="right">Calls</th>
                <th class="right">Unanswered</th>
                <th class="right">Open requests</th>
              </tr>
            </thead>
            <tbody>
              {names.map((channel) => {
                const [state, tone] = BREAKERS[breakers.get(channel) ?? 0] ?? BREAKERS[0]
                return (
                  <tr key={channel}>
                    <td>
                      <code>{channel}</code>
                    </td>
                    <td>
                      <Badge status={state} tone={tone} />
                    </td>
                    <td class="right figure">{all.get(channel) ?? 0}</td>
                    <td class="right figure">{failed(channel)}</td>
                    <td class="right figure">{open.get(channel) ?? 0}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  )
}

const totalOf = (samples: ReadonlyArray<Sample>, name: string): number =>
  samples.reduce((sum, sample) => (sample.name === name ? sum + sample.value : sum), 0)

/** Shows whether due work is done, and how channels and receivers respond. */
export const Health = () => {
  const { again, error, value } = useAsked(look, "")
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { isReady, samples, why } = value
  const tiles = [
    ["Being served", "payport_http_requests_in_flight"],
    ["Event streams", "payport_http_event_streams"],
    ["Deliveries under way", "payport_delivery_backlog"],
    ["Failures of the store", "payport_store_failures_total"],
  ] as const
  return (
    <div class="page">
      <Head
        title={
          <span class="titled">
            Health{" "}
            <Badge status={isReady ? "ready" : "not ready"} tone={isReady ? "good" : "bad"} />
          </span>
        }
        text={isReady ? "Queues, channels and receivers." : why}
      >
        <Refresh again={again} />
      </Head>
      <div class="tiles">
        {tiles.map(([name, metric]) => (
          <section key={metric} class="part">
            <p class="soft small">{name}</p>
            <p class="tile-figure figure">{totalOf(samples, metric).toLocaleString("en")}</p>
          </section>
        ))}
      </div>
      <Channels samples={samples} />
      <Queues samples={samples} />
    </div>
  )
}
