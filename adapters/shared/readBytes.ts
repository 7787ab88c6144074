/**
 * The bytes of a stream, such as a request's or an answer's body; undefined where there are more
 * than `limit`, after which nothing more is read. Rejects when the stream breaks off.
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
