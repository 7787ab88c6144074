import { Layer } from "effect"
import { randomFillSync } from "node:crypto"
import { type UUID, V7Generator } from "uuidv7"
import { Ids } from "../../core/ports/Ids.ts"

/** Random words that are drawn at a time: every payment has several identifiers. */
const DRAWN = 1_024

const makeRandom = () => {
  const words = new Uint32Array(DRAWN)
  let next = DRAWN
  return {
    nextUint32: (): number => {
      if (next === DRAWN) {
        randomFillSync(words)
        next = 0
      }
      const word = words[next] ?? 0
      next += 1
      return word
    },
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hex = (bytes: Uint8Array, from: number, to: number): string => {
  let text = ""
  for (let at = from; at < to; at += 1) text += HEX[bytes[at] ?? 0]
  return text
}

/** Byte by byte: the package's own way, digit by digit, takes twice as long. */
const textOf = ({ bytes }: UUID): string =>
  `${hex(bytes, 0, 4)}-${hex(bytes, 4, 6)}-${hex(bytes, 6, 8)}-` +
  `${hex(bytes, 8, 10)}-${hex(bytes, 10, 16)}`

const generator = new V7Generator(makeRandom())

/** Identifiers that grow within this process and that no other process makes. */
export const layer: Layer.Layer<Ids> = Layer.succeed(Ids, {
  uuid: () => textOf(generator.generate()),
})
