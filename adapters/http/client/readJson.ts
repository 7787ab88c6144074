import { readText } from "./readBytes.ts"

/** The longest body that is read, in bytes. */
const MOST_BYTES = 64 * 1024

/** Ends a response that nobody reads, so that its server can send nothing more. */
export const discard = ({ body }: Response): void => void body?.cancel().catch(() => {})

/**
 * Reads the JSON of a response, which can be read again afterwards. Returns undefined if it is no
 * JSON, is longer than 64 KiB once it is decompressed, or has not ended after that many
 * milliseconds: no server fills the memory or keeps a call waiting. Rejects if the connection
 * breaks.
 */
export const readJson = async (response: Response, within: number): Promise<unknown> => {
  const text = await readText(response.clone(), MOST_BYTES, within)
  try {
    return JSON.parse(text ?? "")
  } catch {
    return undefined
  }
}
