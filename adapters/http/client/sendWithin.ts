import { ConnectionFailed } from "./PayportError.ts"
import type { Fetch } from "./present.ts"
import { discard, LONGEST_DELAY } from "./readJson.ts"

/**
 * Sends a request. Rejects with `ConnectionFailed` (`TIMED_OUT`) if no response has begun after
 * that many milliseconds. A response that has begun may take longer.
 */
export const sendWithin = async (
  fetch: Fetch,
  request: Request,
  within: number,
): Promise<Response> => {
  const late = new AbortController()
  const signal = AbortSignal.any([request.signal, late.signal])
  const sent = fetch(new Request(request, { signal }))
  // Not every function that sends requests heeds the signal.
  return new Promise((resolve, reject) => {
    const end = (): void => {
      const cause = new ConnectionFailed("TIMED_OUT", `No response within ${within} ms.`, undefined)
      reject(cause)
      late.abort(cause)
      sent.then(discard, () => {})
    }
    const timer = setTimeout(end, Math.min(Math.max(within, 0), LONGEST_DELAY))
    sent.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
