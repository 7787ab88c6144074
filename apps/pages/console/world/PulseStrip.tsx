import type { Pulse } from "../../../../simulator/live/WorldState.ts"

const HEIGHT = 48

/** The activity in each range of the world's steps, with faults and violations. */
export const PulseStrip = ({ pulse }: { readonly pulse: Pulse }) => {
  const { bins, width } = pulse
  const most = Math.max(4, ...bins.map(({ faults }) => faults))
  const slots = Math.max(60, bins.length)
  return (
    <figure aria-label="Faults and broken invariants, stretch by stretch">
      <svg
        class="pulse"
        viewBox={`0 0 ${slots} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bins.map(({ faults, steps, violations }, n) => {
          const high = (faults / most) * (HEIGHT - 8)
          return (
            <g key={n}>
              <rect
                class="steps"
                x={n + 0.1}
                y={HEIGHT - 3}
                width={(0.8 * steps) / width}
                height="3"
              />
              <rect class="faults" x={n + 0.1} y={HEIGHT - 4 - high} width="0.8" height={high} />
              {violations > 0 && <rect class="broken" x={n} y="0" width="1" height={HEIGHT} />}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}
