import { holding, unlessAborted } from "./abortable.ts"
import { ConnectionFailed } from "./PayportError.ts"
import type { Fetch } from "./present.ts"
import { LONGEST_DELAY } from "./readBytes.ts"
import { discard } from "./readJson.ts"

/**
 * Waits for a response. Rejects with the reason of the signal once that aborts, and then ends a
 * response that comes later: not every function that sends requests heeds the signal.
 */
export const responseUnlessAborted = async (
  sent: Promise<Response>,
  signal: AbortSignal,
): Promise<Response> => {
  try {
    return await unlessAborted(sent, signal)
  } catch (error) {
    sent.then(discard, () => {})
    throw error
  }
}

/**
 * Sends a request. Rejects with `ConnectionFailed` (`TIMED_OUT`) if no response has begun after
 * that many milliseconds, and with the reason of the request's signal once that aborts. A response
 * that has begun may take longer.
 */
export const sendWithin = async (
  fetch: Fetch,
  request: Request,
  within: number,
): Promise<Response> => {
  const late = new AbortController()
  const signal = AbortSignal.any([request.signal, late.signal])
  const end = (): void => {
    late.abort(new ConnectionFailed("TIMED_OUT", `No response within ${within} ms.`, undefined))
  }
  const sending = new Request(request, { signal })
  const sent = fetch(sending)
  const timer = setTimeout(end, Math.min(Math.max(within, 0), LONGEST_DELAY))
  const response = holding([request, sending], responseUnlessAborted(sent, signal))
  return response.finally(() => clearTimeout(timer))
}
