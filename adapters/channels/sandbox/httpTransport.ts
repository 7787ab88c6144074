import { Effect, Layer } from "effect"
import { request } from "undici"
import { type CallbackAnswer, CallbackTransport } from "./CallbackTransport.ts"

/** Longer than any callback takes. A callback without an answer by then is sent again later. */
const LIMIT = 10_000

/**
 * Sends callbacks over HTTP to the service's own route. `address` succeeds with the base URL once
 * the service listens.
 */
export const layer = (address: Effect.Effect<string>): Layer.Layer<CallbackTransport> =>
  Layer.succeed(CallbackTransport, {
    post: (channel, body, signature) =>
      Effect.flatMap(address, (base) =>
        Effect.promise((interrupted) => post(base, channel, body, signature, interrupted)),
      ),
  })

const post = async (
  base: string,
  channel: string,
  body: Uint8Array,
  signature: string,
  interrupted: AbortSignal,
): Promise<CallbackAnswer> => {
  try {
    const { body: rest, statusCode: status } = await request(
      `${base}/v1/webhooks/channel/${channel}`,
      {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Channel-Signature": signature },
        body,
        headersTimeout: LIMIT,
        bodyTimeout: LIMIT,
        signal: interrupted,
      },
    )
    await rest.dump()
    return { status }
  } catch {
    return { status: null }
  }
}
