/** The longest body that is read, in bytes. */
const MOST_BYTES = 64 * 1024

/** The longest delay of a timer. A timer with a longer delay fires at once. */
export const LONGEST_DELAY = 2 ** 31 - 1

/** Ends a response that nobody reads, so that its server can send nothing more. */
export const discard = ({ body }: Response): void => void body?.cancel().catch(() => {})

/** Reads a body as text; undefined if it is too long or has not ended in time. */
const readText = async (
  body: ReadableStream<Uint8Array>,
  within: number,
): Promise<string | undefined> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let isLate = false
  const stop = (): void => void reader.cancel().catch(() => {})
  const end = (): void => {
    isLate = true
    stop()
  }
  const timer = setTimeout(end, Math.min(Math.max(within, 0), LONGEST_DELAY))
  try {
    let text = ""
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) return undefined
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > MOST_BYTES) {
        stop()
        return undefined
      }
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads the JSON of a response, which can be read again afterwards. Returns undefined if it is no
 * JSON, is longer than 64 KiB once it is decompressed, or has not ended after that many
 * milliseconds: no server fills the memory or keeps a call waiting. Rejects if the connection
 * breaks.
 */
export const readJson = async (response: Response, within: number): Promise<unknown> => {
  const { body } = response.clone()
  const text = body === null ? "" : await readText(body, within)
  try {
    return JSON.parse(text ?? "")
  } catch {
    return undefined
  }
}
