import { useState } from "preact/hooks"
import type { Offer } from "../../../../adapters/pages/console/world/LiveWorlds.ts"
import { Icon } from "./icons.tsx"
import type { Wish } from "./worldApi.ts"

interface WishFormProps {
  readonly offer: Offer
  readonly wish: Wish
  readonly play: (wish: Wish) => void
}

/** The default number of payments. */
const FEW = 60

/** The scenario, the seed and the number of payments, which decide a world. */
export const WishForm = ({ offer, play, wish }: WishFormProps) => {
  const [wanted, want] = useState(wish)
  const scenario = offer.scenarios.find(({ name }) => name === wanted.scenario)
  const change = (changed: Partial<Wish>) => want({ ...wanted, ...changed })
  return (
    <form
      class="wish panel"
      onSubmit={(event) => {
        event.preventDefault()
        play(wanted)
      }}
    >
      <label class="grow">
        <span>Scenario</span>
        <select
          value={wanted.scenario}
          onChange={({ currentTarget: { value } }) => {
            const chosen = offer.scenarios.find(({ name }) => name === value)
            change({ scenario: value, payments: Math.min(chosen?.payments ?? FEW, FEW) })
          }}
        >
          {offer.scenarios.map(({ name }) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </label>
      <div class="joined">
        <label>
          <span>Seed</span>
          <input
            type="number"
            required
            min={0}
            max={Number.MAX_SAFE_INTEGER}
            value={wanted.seed}
            onInput={({ currentTarget }) => change({ seed: currentTarget.valueAsNumber })}
          />
        </label>
        <button
          type="button"
          class="act"
          aria-label="Another seed"
          onClick={() => change({ seed: Math.floor(Math.random() * 10_000) })}
        >
          <Icon name="dice" />
        </button>
      </div>
      <label>
        <span>Payments</span>
        <input
          type="number"
          required
          min={1}
          max={offer.most_payments}
          value={wanted.payments}
          onInput={({ currentTarget }) => change({ payments: currentTarget.valueAsNumber })}
        />
      </label>
      <button type="submit" class="act primary">
        <Icon name="play" /> Play this world
      </button>
      <p class="soft small about">{scenario?.about}</p>
    </form>
  )
}
