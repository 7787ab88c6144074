import { Layer } from "effect"
import { randomFillSync } from "node:crypto"
import { type UUID, V7Generator } from "uuidv7"
import { Ids } from "../../core/ports/Ids.ts"

/** The random words that are generated at once: every payment needs several identifiers. */
const BATCH = 1_024

const makeRandom = () => {
  const words = new Uint32Array(BATCH)
  let next = BATCH
  return {
    nextUint32: (): number => {
      if (next === BATCH) {
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

/** Formats byte by byte, in half the time of the package, which formats digit by digit. */
const textOf = ({ bytes }: UUID): string =>
  `${hex(bytes, 0, 4)}-${hex(bytes, 4, 6)}-${hex(bytes, 6, 8)}-` +
  `${hex(bytes, 8, 10)}-${hex(bytes, 10, 16)}`

const generator = new V7Generator(makeRandom())

/** UUIDv7 that increase within this process and are unique across processes. */
export const layer: Layer.Layer<Ids> = Layer.succeed(Ids, {
  uuid: () => textOf(generator.generate()),
})
