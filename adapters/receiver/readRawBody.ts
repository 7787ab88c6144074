import { WebhookError } from "./WebhookError.ts"

// @payport/sdk ships alone, so this is a copy on purpose of what adapters/shared/readBytes.ts
// does, with the answer that a receiver gives.

const MAX_BYTES = 1_048_576

/**
 * Every byte of a request's body, such as node's `IncomingMessage` or a fetch `Request`'s body.
 * Throws `webhook_payload_invalid` with status 413 when there are more than `limit`, 1 MiB.
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
      const message = `The body is larger than ${limit} bytes, which no delivery is.`
      throw new WebhookError("webhook_payload_invalid", message, 413)
    }
    read.push(chunk)
  }
  return Buffer.concat(read)
}
