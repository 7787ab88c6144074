import { Effect } from "effect"
import { offerView } from "../../core/market/Offer.ts"
import { checkMetadata } from "../../core/payments/PaymentIntent.ts"
import { lookOf } from "../../core/shared/Look.ts"
import { FULL_WIDTH, oddTextRules, TWINS } from "../auditor/invariants/oddTexts.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

const NAMES = [
  "Papers",
  "Ox",
  "Pay",
  "Voice y Paso",
  "Papers 24",
  "List 10",
  "\u00d8rsted Stra\u00dfe",
  "Bibliothek",
  "\u6771\u4eac Papers",
  "PAPI",
] as const

const isTwinned = (letter: string): letter is keyof typeof TWINS => letter in TWINS

/** Writes some of a name's letters in another script. */
const inTwins = (name: string, share: number, chance: Chance): string =>
  [...name]
    .map((letter) => {
      const small = letter.toLowerCase()
      if (!isTwinned(small) || !chance.hits(share)) return letter
      const twins = [...TWINS[small]] as [string]
      return chance.pick(twins)
    })
    .join("")

const inFullWidth = (name: string): string =>
  name.replace(/[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH))

/** Writes a name so that it may look the same, or differently. */
const disguise = (name: string, chance: Chance): string =>
  chance.weighted<() => string>([
    [2, () => name],
    [3, () => inTwins(name, 0.4, chance)],
    [3, () => inTwins(name, 1, chance)],
    [1, () => inFullWidth(name)],
    [1, () => name + chance.pick([".", "\u00b7", ","])],
    [1, () => `.${name}`],
    [1, () => name.replaceAll("l", "I").replaceAll("o", "0")],
    [1, () => name.toUpperCase()],
    [1, () => name.slice(0, -1)],
  ])()

const showName = ({ auditor, hears }: Scene, chance: Chance): void => {
  const [service] = auditor.model.services.values()
  if (service === undefined) return
  const other = chance.pick(NAMES)
  const name = disguise(other, chance)
  const isMarked = "warning" in offerView({ ...service, name: hears(name) })
  const looksTheSame = lookOf(hears(name)) === lookOf(other)
  auditor.see("name_shown", name, { name, isMarked, other, looksTheSame })
}

const CHARACTERS = ["a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffe5", "\u{1f600}"] as const

const FULL = 4_096

/** Sends metadata of about the most bytes. */
const sendMetadata = ({ auditor, hears }: Scene, chance: Chance): void => {
  const character = chance.pick(CHARACTERS)
  const bytes = new TextEncoder().encode(character).length
  const free = FULL - JSON.stringify({ one: "" }).length
  const text = character.repeat(Math.floor(free / bytes) - chance.int(0, 2))
  const metadata = { one: text + "a".repeat(chance.int(0, 9)) }
  const refused = checkMetadata({ one: hears(metadata.one) })?.code
  auditor.see("metadata_sent", "metadata", { metadata, refused })
}

const TIMES = 3

const write = (scene: Scene) =>
  Effect.sync(() => {
    const chance = scene.stage.chance("odd texts")
    for (let n = 0; n < TIMES; n += 1) showName(scene, chance)
    sendMetadata(scene, chance)
  })

/** Sellers whose names look like others, and metadata of about the most bytes. */
export const oddTexts: Part = {
  name: "odd texts",
  rules: oddTextRules,
  inspect: write,
}
