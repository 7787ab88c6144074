import { memo } from "preact/compat"
import type { Card } from "../../../../simulator/live/Card.ts"
import { LEGEND, tonesOf, toneOf } from "../../../../simulator/live/WorldState.ts"

const words = (status: string): string => status.replaceAll("_", " ")

const countOf = (count: number, what: string): string =>
  count === 0 ? "" : `, ${count} ${what}${count === 1 ? "" : "s"}`

const labelOf = ({ faults, name, status, violations }: Card): string =>
  `${name}: ${words(status)}${countOf(faults, "fault")}${countOf(violations, "violation")}`

interface TileProps {
  readonly card: Card
  readonly chosen: boolean
  readonly open: (id: string) => void
}

/** One payment: its colour is its state, and a notch shows that faults affected it. */
const Tile = memo(({ card, chosen, open }: TileProps) => {
  const struck = card.violations > 0 ? " broken" : card.faults > 0 ? " struck" : ""
  return (
    <li>
      <button
        type="button"
        class={`tile tone-${toneOf(card.status)}${struck}`}
        aria-label={labelOf(card)}
        aria-pressed={chosen}
        title={`${labelOf(card)}${card.facts === null ? "" : ` · ${card.facts.amount}`}`}
        onClick={() => open(card.id)}
      >
        {/* A new key plays the flash of a change once. */}
        <i key={card.status} class="flash" />
      </button>
    </li>
  )
})

interface BoardProps {
  readonly cards: ReadonlyMap<string, Card>
  readonly chosen: string | null
  readonly open: (id: string) => void
}

/** Every payment of the world, in the order of creation. */
export const Board = ({ cards, chosen, open }: BoardProps) => {
  const tones = tonesOf(cards.values())
  return (
    <section class="board panel" aria-labelledby="board-title">
      <header>
        <h2 id="board-title">Payments</h2>
        <ul class="legend">
          {LEGEND.map(([tone, meaning]) => (
            <li key={tone}>
              <i class={`swatch tone-${tone}`} /> {meaning} <b>{tones.get(tone) ?? 0}</b>
            </li>
          ))}
        </ul>
      </header>
      {cards.size === 0 ? (
        <p class="soft small">The world is being prepared: accounts, services, installs.</p>
      ) : (
        <ul class="payments">
          {[...cards.values()].map((card) => (
            <Tile key={card.id} card={card} chosen={card.id === chosen} open={open} />
          ))}
        </ul>
      )}
    </section>
  )
}
