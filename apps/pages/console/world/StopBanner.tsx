import type { Command } from "../../../../simulator/live/Control.ts"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import { Icon } from "./icons.tsx"
import { elapsed, strikesOf, violationsOf } from "../../../../simulator/live/WorldState.ts"

interface StopBannerProps {
  readonly frame: Frame
  readonly over: boolean
  readonly order: (command: Command) => void
  readonly open: (id: string) => void
}

/** The result of a world at rest. */
const Verdict = ({ frame }: { readonly frame: Frame }) => {
  const broken = violationsOf(frame)
  const faults = strikesOf(frame).toLocaleString("en-US")
  return (
    <output class={`stop ${broken > 0 ? "violation" : "sound"}`}>
      <span class="what">
        <b>{broken > 0 ? "An invariant broke." : "Every invariant held."}</b>{" "}
        <span>
          {frame.payments} payments and {faults} faults have come to rest after{" "}
          {elapsed(frame.at_ms)}.
        </span>
      </span>
    </output>
  )
}

/** Why the world is paused: at which fault, or at which violation. */
export const StopBanner = ({ frame, open, order, over }: StopBannerProps) => {
  const { phase, stop } = frame
  if (phase === "ended") return <Verdict frame={frame} />
  // An empty element keeps the place, so that the content below does not move.
  if (stop === null) return <output class="stop none" />
  const { about, fault, line } = stop
  const [payment] = line.payments
  return (
    <output class={`stop ${line.kind}`}>
      <Icon name={fault === null ? "broken" : "fault"} />
      <span class="what">
        <b>Stands still at: {line.text}</b> <span>{about}.</span>
      </span>
      <span class="stop-steps">
        {payment !== undefined && (
          <button type="button" class="act" onClick={() => open(payment)}>
            Open its story
          </button>
        )}
        {fault !== null && (
          <button
            type="button"
            class="act"
            disabled={over}
            onClick={() => order({ type: "run_to", what: "fault", fault })}
          >
            Next of this kind
          </button>
        )}
      </span>
    </output>
  )
}
