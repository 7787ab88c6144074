/**
 * Reads the bytes of a stream, such as a body. Returns undefined if there are more than `limit`,
 * and then stops reading. Rejects if the stream breaks off.
 */
export const readBytes = async (
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Buffer | undefined> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
