import { WebhookError } from "./WebhookError.ts"

// @payport/sdk ships alone, so this is a deliberate copy of adapters/shared/readBytes.ts, with a
// receiver's answer.

const MAX_BYTES = 1_048_576

/**
 * Reads a request's body, for example of Node's `IncomingMessage` or a fetch `Request`. Throws
 * `webhook_payload_invalid` with status 413 for more than `limit` bytes, by default 1 MiB.
 */
export const readRawBody = async (
  chunks: AsyncIterable<Uint8Array>,
  limit: number = MAX_BYTES,
): Promise<Uint8Array> => {
  const read: Array<Uint8Array> = []
  let length = 0
  // Leaving a for-await loop would destroy the stream, and with it the response's connection.
  const iterator = chunks[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const chunk = next.value
    length += chunk.length
    if (length > limit) {
      const message = `The body is larger than ${limit} bytes. No delivery is that large.`
      throw new WebhookError("webhook_payload_invalid", message, 413)
    }
    read.push(chunk)
  }
  return Buffer.concat(read)
}
