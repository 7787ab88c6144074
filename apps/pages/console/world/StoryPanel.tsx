import { useEffect, useRef, useState } from "preact/hooks"
import type { Card } from "../../../../simulator/live/Card.ts"
import type { PaymentStory } from "../../../../simulator/live/LiveWorld.ts"
import { LineRow } from "./Feed.tsx"
import { Icon } from "./icons.tsx"
import { storyOf } from "./worldApi.ts"
import { SCROLLS } from "../parts/basics.tsx"
import { elapsed, toneOf } from "../../../../simulator/live/WorldState.ts"

const WIDTH = 600

/** Returns a time's position on the band, on a logarithmic scale for seconds and days. */
const along = (millis: number, most: number): number =>
  (Math.log10(1 + millis / 100) / Math.log10(1 + most / 100)) * WIDTH

const TICKS = [
  [1_000, "1 s"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [86_400_000, "1 d"],
  [30 * 86_400_000, "30 d"],
] as const

/** A payment's states as one band, from its creation until now. */
const Band = ({ card, now }: { readonly card: Card; readonly now: number }) => {
  const begun = card.moves[0]?.at_ms ?? now
  const most = Math.max(now - begun, 1_000)
  const parts = card.moves.map(({ at_ms, status }, n) => {
    const from = along(at_ms - begun, most)
    const to = along((card.moves[n + 1]?.at_ms ?? now) - begun, most)
    return { status, from, width: Math.max(to - from, 3) }
  })
  const label = card.moves.map(({ at_ms, status }) => `${status} at ${elapsed(at_ms)}`).join(", ")
  return (
    <figure aria-label={label}>
      <svg class="band" viewBox={`0 0 ${WIDTH} 44`} aria-hidden="true">
        {parts.map(({ from, status, width }) => (
          <rect
            key={from}
            class={`tone-${toneOf(status)}`}
            x={from}
            y="4"
            width={width}
            height="16"
            rx="3"
          />
        ))}
        {TICKS.filter(([tick]) => tick < most).map(([tick, name]) => (
          <g key={tick}>
            <line x1={along(tick, most)} x2={along(tick, most)} y1="0" y2="26" />
            <text x={along(tick, most)} y="40" text-anchor="middle">
              {name}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}

/** Reads a payment's story again whenever it has more lines. */
const useStory = (world: string, payment: string, lines: number): PaymentStory | undefined => {
  const [story, setStory] = useState<PaymentStory | undefined>(undefined)
  useEffect(() => {
    let current = true
    storyOf(world, payment).then(
      (told) => current && setStory(told),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [world, payment, lines])
  return story?.card.id === payment ? story : undefined
}

interface StoryPanelProps {
  readonly world: string
  readonly card: Card
  readonly now: number
  readonly open: (id: string) => void
  readonly close: () => void
}

/** One payment: its facts, its states over time, and every line about it. */
export const StoryPanel = ({ card, close, now, open, world }: StoryPanelProps) => {
  const story = useStory(world, card.id, card.lines)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [card.id])
  const { facts, name, status } = card
  return (
    <section class="story panel" aria-labelledby="story-title">
      <header>
        <h2 id="story-title" tabIndex={-1} ref={title}>
          {name}
        </h2>
        <span class={`pill tone-${toneOf(status)}`}>{status.replaceAll("_", " ")}</span>
        <button type="button" class="act" onClick={close} aria-label="Close the story">
          <Icon name="close" />
        </button>
      </header>
      {facts !== null && (
        <p class="about-it">
          <b>{facts.amount}</b> for {facts.service}
          <span class="soft">
            {facts.flow === "one_time_pay" ? " · One-Time payment" : " · QR payment"}
            {facts.channel === null ? "" : ` · ${facts.channel}`}
          </span>
        </p>
      )}
      <Band card={card} now={now} />
      {story !== undefined && (
        <ol class="lines" aria-label={`Everything that tells of ${name}`} {...SCROLLS}>
          {story.left_out > 0 && (
            <li class="soft small">{story.left_out} earlier lines are not kept.</li>
          )}
          {story.lines.map((line) => (
            <LineRow key={line.n} line={line} open={open} />
          ))}
        </ol>
      )}
    </section>
  )
}
