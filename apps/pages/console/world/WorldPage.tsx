import { useCallback, useEffect, useState } from "preact/hooks"
import type { Offer } from "../../../../adapters/pages/console/world/LiveWorlds.ts"
import type { Command } from "../../../../simulator/live/Control.ts"
import { Head } from "../parts/basics.tsx"
import { wordsOf } from "../data/api.ts"
import { Board } from "./Board.tsx"
import { Faults, Invariants } from "./Faults.tsx"
import { Feed } from "./Feed.tsx"
import { Icon } from "./icons.tsx"
import { PulseStrip } from "./PulseStrip.tsx"
import { StopBanner } from "./StopBanner.tsx"
import { StoryPanel } from "./StoryPanel.tsx"
import { Transport } from "./Transport.tsx"
import { useWorld } from "./useWorld.ts"
import { WishForm } from "./WishForm.tsx"
import { begin, command, fileOf, offered, type Wish } from "./worldApi.ts"
import type { WorldState } from "../../../../simulator/live/WorldState.ts"

/** Downloads a file in the browser. */
const keep = (blob: Blob, name: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}

/** Returns the element that gets the focus when a story is closed. */
const chosenTile = () => document.querySelector<HTMLElement>('.tile[aria-pressed="true"]')

interface ViewProps {
  readonly world: string
  readonly state: WorldState
  /** Whether the world takes no more commands. */
  readonly gone: boolean
  readonly refuse: (error: unknown) => void
}

/** A playing world: its clock and controls, its payments, and its faults. */
const View = ({ gone, refuse, state, world }: ViewProps) => {
  const [chosen, choose] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const { cards, frame, lines, pulse } = state
  const fileName = `simulation-${frame.scenario}-${frame.seed}.json`
  const over = gone || frame.phase === "ended"
  const order = (wanted: Command) => void command(world, wanted).catch(refuse)
  const open = useCallback((id: string) => choose(id), [])
  const save = async () => {
    setSaving(true)
    await fileOf(world).then((blob) => keep(blob, fileName), refuse)
    setSaving(false)
  }
  const card = chosen === null ? undefined : cards.get(chosen)
  return (
    <>
      <div class="bar">
        <Transport frame={frame} over={over} order={order} />
        <StopBanner frame={frame} over={over} order={order} open={open} />
      </div>
      <PulseStrip pulse={pulse} />
      <div class="stage">
        <div class="seen">
          <Board cards={cards} chosen={chosen} open={open} />
          {card !== undefined && (
            <StoryPanel
              world={world}
              card={card}
              now={frame.at_ms}
              open={open}
              close={() => {
                choose(null)
                chosenTile()?.focus()
              }}
            />
          )}
          <Feed lines={lines} leftOut={frame.left_out} open={open} />
        </div>
        <div class="judged">
          <Invariants state={state} />
          <Faults frame={frame} over={over} order={order} />
          <section class="panel file" aria-labelledby="file-title">
            <h2 id="file-title">The run's file</h2>
            <p class="soft small">
              It plays the same world anywhere: <code>npm run simulate -- replay {fileName}</code>
            </p>
            <button type="button" class="act" disabled={gone || saving} onClick={() => void save()}>
              <Icon name="file" /> {saving ? "Playing it to its end …" : "Keep the file"}
            </button>
          </section>
        </div>
      </div>
    </>
  )
}

const ABOUT =
  "Buyers, sellers, channels and everything that can go wrong, in virtual time. The real core " +
  "runs in it, and every step is held against its invariants. The same seed is the same world."

/** The live simulated world. */
export const WorldPage = () => {
  const [offer, setOffer] = useState<Offer | null>(null)
  const [world, setWorld] = useState<string | null>(null)
  const [wish, setWish] = useState<Wish>({ scenario: "mixed", seed: 7, payments: 60 })
  const [trouble, setTrouble] = useState<string | null>(null)
  const [state, ending] = useWorld(world)
  const refuse = useCallback((error: unknown) => setTrouble(wordsOf(error)), [])

  useEffect(() => {
    offered().then((known) => {
      setOffer(known)
      setWorld(known.world)
    }, refuse)
  }, [refuse])

  const play = async (wanted: Wish) => {
    setWish(wanted)
    setTrouble(null)
    // The previous world ends with this one and takes no more commands.
    setWorld(null)
    await begin(wanted).then(({ id }) => setWorld(id), refuse)
  }
  return (
    <div class="world">
      <Head title="The simulated world" text={ABOUT} />
      {offer !== null && (
        <WishForm offer={offer} wish={wish} play={(wanted) => void play(wanted)} />
      )}
      {trouble !== null && (
        <p class="told" role="alert">
          {trouble}
        </p>
      )}
      {ending !== null && <output class="told">{ending}</output>}
      {world !== null && state !== undefined && (
        <View key={world} world={world} state={state} gone={ending !== null} refuse={refuse} />
      )}
    </div>
  )
}
