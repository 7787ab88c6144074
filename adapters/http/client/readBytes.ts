/** The longest answer that is read, in bytes: more than any route of the service answers with. */
export const MOST_OF_ANSWER = 64 * 1024 * 1024

/** The longest refusal that is read, in bytes. What is longer is a page of something else. */
export const MOST_OF_REFUSAL = 1024 * 1024

/** The longest delay of a timer. A timer with a longer delay fires at once. */
export const LONGEST_DELAY = 2 ** 31 - 1

/**
 * Reads a body of at most `most` bytes, once it is decompressed. Returns undefined, and ends the
 * response, if it is longer or has not ended after `within` milliseconds, so that nothing that
 * answers in a server's place fills the memory. Rejects if the connection breaks.
 */
export const readBytes = async (
  { body }: Response,
  most: number,
  within = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  // Not every browser can iterate a stream.
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader()
  const chunks: Array<Uint8Array> = []
  let size = 0
  let isLate = false
  const stop = (): void => void reader?.cancel().catch(() => {})
  const end = (): void => {
    isLate = true
    stop()
  }
  const timer =
    within === Infinity ? undefined : setTimeout(end, Math.min(Math.max(within, 0), LONGEST_DELAY))
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (isLate) return undefined
      if (done) break
      size += value.byteLength
      if (size > most) {
        stop()
        return undefined
      }
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Reads a text as {@link readBytes} reads bytes. */
export const readText = async (
  response: Response,
  most: number,
  within?: number,
): Promise<string | undefined> => {
  const bytes = await readBytes(response, most, within)
  return bytes && new TextDecoder().decode(bytes)
}
