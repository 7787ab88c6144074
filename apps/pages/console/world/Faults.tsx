import type { Command } from "../../../../simulator/live/Control.ts"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import { Icon } from "./icons.tsx"
import {
  checksOf,
  strikesOf,
  violationsOf,
  type WorldState,
} from "../../../../simulator/live/WorldState.ts"

const words = (name: string): string => name.replaceAll("_", " ")

const grouped = (count: number): string => count.toLocaleString("en-US")

interface FaultsProps {
  readonly frame: Frame
  readonly over: boolean
  readonly order: (command: Command) => void
}

/** How often each fault has happened; a button continues to its next occurrence. */
export const Faults = ({ frame, order, over }: FaultsProps) => {
  const rows = Object.entries(frame.faults).toSorted(([, a], [, b]) => b - a)
  const [[, most] = ["", 1]] = rows
  return (
    <section class="faults panel" aria-labelledby="faults-title">
      <header>
        <h2 id="faults-title">Faults</h2>
        <b class="count">{grouped(strikesOf(frame))}</b>
      </header>
      {rows.length === 0 && <p class="soft small">Nothing has gone wrong yet.</p>}
      <ul>
        {rows.map(([fault, count]) => (
          <li key={fault} class={frame.stop?.fault === fault ? "now" : ""}>
            <meter min={0} max={most} value={count} aria-label={`${words(fault)}: ${count}`} />
            <span>{words(fault)}</span>
            <b>{grouped(count)}</b>
            <button
              type="button"
              class="act"
              disabled={over}
              aria-label={`On to the next: ${words(fault)}`}
              title="On to the next one"
              onClick={() => order({ type: "run_to", what: "fault", fault })}
            >
              <Icon name="step" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const stateOf = (checks: number, violations: number): string => {
  if (violations > 0) return "broken"
  if (checks === 0) return "unseen"
  return checks < 100 ? "few" : "many"
}

/** Every invariant as a square: not checked yet, held so far, or broken. */
export const Invariants = ({ state }: { readonly state: WorldState }) => {
  const { frame, invariants } = state
  const broken = violationsOf(frame)
  const rows = invariants.map((invariant, n) => ({
    ...invariant,
    checks: frame.checks[n] ?? 0,
    violations: frame.violations[n] ?? 0,
  }))
  const seen = rows.filter(({ checks }) => checks > 0).length
  return (
    <section class="invariants panel" aria-labelledby="invariants-title">
      <header>
        <h2 id="invariants-title">Invariants</h2>
        <b class={`count ${broken > 0 ? "bad" : "good"}`}>
          {broken > 0 ? `${broken} broken` : "all hold"}
        </b>
      </header>
      <p class="soft small">
        {grouped(checksOf(frame))} checks of {seen} out of {rows.length}
      </p>
      <ul class="squares">
        {rows.map(({ checks, name, number, section, violations }) => (
          <li
            key={number}
            class={stateOf(checks, violations)}
            title={`${number} · ${name} (${section}): ${grouped(checks)} checks`}
          >
            <span class="hidden">
              {name}: {violations > 0 ? `${violations} broken` : `${checks} checks`}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>In words</summary>
        <ol>
          {rows.map(({ checks, name, number, violations }) => (
            <li key={number} value={number} class={violations > 0 ? "bad" : ""}>
              {name} <span class="soft">{grouped(checks)}</span>
            </li>
          ))}
        </ol>
      </details>
    </section>
  )
}
