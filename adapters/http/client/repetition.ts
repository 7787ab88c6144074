import { isSafe } from "./MppPlaces.ts"

const isStream = (body: unknown): boolean =>
  body instanceof ReadableStream ||
  (typeof body === "object" && body !== null && Symbol.asyncIterator in body)

/**
 * Says why a client of the Machine Payments Protocol cannot repeat a request with its credential;
 * undefined if it can. `mppx` sends what it was given once more, and a redirected request to the
 * address of its response, without the method and body of a `Request`.
 */
export const obstacleTo = (
  input: string | URL | Request,
  init: RequestInit | undefined,
  { redirected }: Response,
): string | undefined => {
  if (isStream(init?.body)) {
    return "Its body is a stream, which can be sent only once. Send a Request or bytes."
  }
  return input instanceof Request && redirected && !isSafe(input)
    ? "It was redirected. Request the new address, or pass an address and options, not a Request."
    : undefined
}

/**
 * Hides the address of a response to a `Request`. With an address, `mppx` repeats the request as a
 * `GET` without a body, and without one as it was given.
 */
export const toRepeat = (input: string | URL | Request, response: Response): Response => {
  if (!(input instanceof Request) || response.status !== 402 || response.redirected) return response
  const { body, headers, status, statusText } = response
  return new Response(body, { headers, status, statusText })
}
