import { LOOK_WITHIN, MOST_PIXELS, MOST_SIDE } from "./limits.ts"
import type { Question, Refusal, Word } from "./messages.ts"
import { openImage } from "./openImage.ts"
import { sizeOf } from "./Picture.ts"
import { prepareReader, readCodes } from "./readCodes.ts"

const say = (word: Word): void => void process.send?.(word)

const answer = async ({ base64, number }: Question): Promise<Word> => {
  const refused = (refusal: Refusal): Word => ({ type: "refused", number, refusal })
  const until = performance.now() + LOOK_WITHIN
  const opened = openImage(base64)
  if (opened.type === "refused") return refused(opened.refusal)
  const { bytes, format } = opened
  try {
    const { hasAlpha, height, width } = await sizeOf(bytes)
    if (width * height > MOST_PIXELS) return refused("too_many_pixels")
    if (Math.max(width, height) > MOST_SIDE) return refused("too_long_side")
    const decoded = () => say({ type: "decoded", number, format })
    const codes = await readCodes(bytes, { hasAlpha, until, decoded })
    return { type: "read", number, image: { format, codes } }
  } catch (error) {
    // A crashed reader is not reused: the next image gets a new process.
    if (error instanceof Error && error.name === "RuntimeError") setImmediate(() => process.exit(1))
    if (error instanceof Error && /timeout/i.test(error.message)) return refused("slow_image")
    // The libraries throw various errors for images that do not decode. None is meant for a caller.
    return refused("broken_image")
  }
}

await prepareReader()
process.on("message", (question: Question) => {
  void answer(question).then(say)
})
say({ type: "ready" })
