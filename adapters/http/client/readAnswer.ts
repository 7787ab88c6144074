/** The longest answer that is read, in bytes: more than any route of the service answers with. */
export const MOST_OF_ANSWER = 64 * 1024 * 1024

/** The longest refusal that is read, in bytes. What is longer is a page of something else. */
export const MOST_OF_REFUSAL = 1024 * 1024

/**
 * Reads a body of at most that many bytes, once it is decompressed. Returns undefined, and ends the
 * response, if it is longer, so that nothing that answers in the service's place fills the memory.
 */
export const readBytes = async (
  { body }: Response,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Reads a text of at most that many bytes; undefined if it is longer. */
export const readText = async (response: Response, most: number): Promise<string | undefined> => {
  const bytes = await readBytes(response, most)
  return bytes && new TextDecoder().decode(bytes)
}
