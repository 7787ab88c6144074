import type { Command, Control } from "../../../../simulator/live/Control.ts"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import { Icon } from "./icons.tsx"
import { elapsed } from "../../../../simulator/live/WorldState.ts"

const SPEEDS = [
  [1, "1×"],
  [10, "10×"],
  [60, "60×"],
  [600, "600×"],
  [null, "max"],
] as const satisfies ReadonlyArray<readonly [Control["speed"], string]>

interface TransportProps {
  readonly frame: Frame
  readonly over: boolean
  readonly order: (command: Command) => void
}

const runTo = (what: "fault" | "violation" | "end"): Command => ({
  type: "run_to",
  what,
  fault: null,
})

const Speeds = ({ frame, order, over }: TransportProps) => (
  <fieldset class="speeds" disabled={over}>
    <legend class="hidden">Speed, against the real time</legend>
    {SPEEDS.map(([speed, name]) => (
      <label key={name}>
        <input
          type="radio"
          name="speed"
          checked={frame.control.speed === speed}
          onChange={() => order({ type: "speed", speed })}
        />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
)

/** The world's clock, and the progress of its payments. */
const Time = ({ frame }: { readonly frame: Frame }) => {
  const { at_ms, done, payments, phase, start } = frame
  const date = new Date(start + at_ms).toISOString()
  const words =
    phase === "ended" ? "at rest" : done < payments ? `${done} of ${payments}` : "to rest"
  return (
    <div class="time">
      <time class="clock" dateTime={date}>
        {elapsed(at_ms)}
      </time>
      <span class="soft small">
        {date.slice(0, 10)} {date.slice(11, 19)} · {words}
      </span>
      <progress max={payments} value={done} aria-label="Payments that are over" />
    </div>
  )
}

/** The controls: play, pause, step, and continue to an event. */
export const Transport = ({ frame, order, over }: TransportProps) => {
  const { plays, stops_at_faults } = frame.control
  return (
    <section class="transport panel" aria-label="How the world goes on">
      <button
        type="button"
        class="act primary play"
        disabled={over}
        onClick={() => order({ type: plays ? "pause" : "play" })}
      >
        <Icon name={plays ? "pause" : "play"} />
        {plays ? "Pause" : "Play"}
      </button>
      <Time frame={frame} />
      <div class="goals">
        <button type="button" class="act" disabled={over} onClick={() => order({ type: "step" })}>
          <Icon name="step" /> Step
        </button>
        <button type="button" class="act" disabled={over} onClick={() => order(runTo("fault"))}>
          <Icon name="fault" /> Next fault
        </button>
        <button type="button" class="act" disabled={over} onClick={() => order(runTo("violation"))}>
          <Icon name="broken" /> Next violation
        </button>
        <button type="button" class="act" disabled={over} onClick={() => order(runTo("end"))}>
          <Icon name="end" /> To the end
        </button>
      </div>
      <Speeds frame={frame} order={order} over={over} />
      <label class="check stops">
        <input
          type="checkbox"
          checked={stops_at_faults}
          disabled={over}
          onChange={({ currentTarget }) =>
            order({ type: "stops", at_faults: currentTarget.checked })
          }
        />
        Pause at every fault
      </label>
    </section>
  )
}
