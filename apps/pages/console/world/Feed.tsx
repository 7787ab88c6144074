import { useState } from "preact/hooks"
import type { Line, LineKind } from "../../../../simulator/live/Line.ts"
import { SCROLLS } from "../parts/basics.tsx"
import { elapsed, KINDS } from "../../../../simulator/live/WorldState.ts"

const SHOWN = 120

interface LineRowProps {
  readonly line: Line
  readonly open: (id: string) => void
}

/** One event; a line about a payment opens its story. */
export const LineRow = ({ line, open }: LineRowProps) => {
  const { at_ms, kind, payments, text } = line
  const [payment] = payments
  return (
    <li class={`line ${kind}`}>
      <time>{elapsed(at_ms)}</time>
      {payment === undefined ? (
        <span>{text}</span>
      ) : (
        <button type="button" onClick={() => open(payment)}>
          {text}
        </button>
      )}
    </li>
  )
}

/** The events, latest first, filtered by kind. */
export const Feed = ({
  leftOut,
  lines,
  open,
}: {
  readonly lines: ReadonlyArray<Line>
  readonly leftOut: number
  readonly open: (id: string) => void
}) => {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set(["reads"]))
  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    setHidden(next)
  }
  const shown = new Set<LineKind>(KINDS.flatMap(([name, kinds]) => (hidden.has(name) ? [] : kinds)))
  const latest = lines.filter(({ kind }) => shown.has(kind)).slice(-SHOWN)
  return (
    <section class="feed panel" aria-labelledby="feed-title">
      <header>
        <h2 id="feed-title">What happens</h2>
        <ul class="chips">
          {KINDS.map(([name]) => (
            <li key={name}>
              <button
                type="button"
                class="act"
                aria-pressed={!hidden.has(name)}
                onClick={() => toggle(name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </header>
      {leftOut > 0 && <p class="soft small">{leftOut} lines went by too fast to be shown.</p>}
      <ol class="lines" reversed aria-label="The latest first" {...SCROLLS}>
        {latest.toReversed().map((line) => (
          <LineRow key={line.n} line={line} open={open} />
        ))}
      </ol>
    </section>
  )
}
