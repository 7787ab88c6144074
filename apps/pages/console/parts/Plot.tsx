/** A bar of a plot: its name, and its height. */
export interface Bar {
  readonly name: string
  readonly value: number
  /** The value for a reader. */
  readonly text: string
}

interface PlotProps {
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
  /** The value at the top of the plot. */
  readonly top: string
}

const [WIDTH, HEIGHT, FOOT, HEAD] = [440, 150, 20, 18]

/** Bars next to each other; each shows its value when it is pointed at. */
export const Plot = ({ bars, label, top }: PlotProps) => {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const step = WIDTH / Math.max(1, bars.length)
  const every = Math.ceil(bars.length / 7)
  const bottom = HEIGHT - FOOT
  const read = bars.map(({ name, text }) => `${name}: ${text}`).join("; ")
  return (
    <figure>
      <figcaption class="hidden">{`${label}. ${read}`}</figcaption>
      <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <text x="0" y="11">
          {top}
        </text>
        <line class="axis" x1="0" x2={WIDTH} y1={bottom} y2={bottom} />
        {bars.map(({ name, text, value }, at) => {
          const height = ((bottom - HEAD) * value) / most
          return (
            <g key={name}>
              <rect
                class="bar"
                x={at * step + step * 0.15}
                y={bottom - height}
                width={step * 0.7}
                height={height}
                rx="2"
              >
                <title>{`${name}: ${text}`}</title>
              </rect>
              {at % every === 0 && (
                <text
                  class={(at / every) % 2 === 1 ? "often" : ""}
                  x={at === 0 ? 0 : at * step + step / 2}
                  y={HEIGHT - 5}
                  text-anchor={at === 0 ? "start" : "middle"}
                >
                  {name}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

interface MeterProps {
  readonly name: string
  readonly text: string
  /** From 0 to 1; larger values are shown as full. */
  readonly share: number
  readonly isBad?: boolean
}

/** A share of a whole. */
export const Meter = ({ isBad = false, name, share, text }: MeterProps) => (
  <div class="meter">
    <p class="meter-text">
      <span>{name}</span>
      <span class="figure soft">{text}</span>
    </p>
    <div class="meter-track">
      <span class={isBad ? "bad" : ""} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </div>
  </div>
)
