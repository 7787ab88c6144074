import type { IncomingMessage } from "node:http"

/** As large a body as the rest of the interface takes. */
export const MOST_BYTES = 64 * 1024

/** The body; "too_large" at the first byte over the limit, undefined where the caller hung up. */
export const readBody = async (
  req: IncomingMessage,
  limit: number = MOST_BYTES,
): Promise<Buffer | "too_large" | undefined> => {
  if (Number(req.headers["content-length"] ?? 0) > limit) return "too_large"
  return new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const stop = (outcome: Buffer | "too_large" | undefined) => {
      req.off("data", onData).off("end", onEnd).off("close", onClose)
      resolve(outcome)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      req.pause()
      stop("too_large")
    }
    const onEnd = () => stop(Buffer.concat(chunks, size))
    const onClose = () => stop(undefined)
    req.on("data", onData).on("end", onEnd).on("close", onClose)
  })
}
