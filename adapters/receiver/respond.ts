import { receive, type ReceiveOptions } from "./receive.ts"
import { readRawBody } from "./readRawBody.ts"
import { WebhookError } from "./WebhookError.ts"

/**
 * Answers a delivery that arrives as a fetch request: runs `receive` and returns the answer that
 * the sender expects. Errors of `handle` are rethrown, so that the app logs them. Frameworks answer
 * them with a 500, and the event is repeated.
 */
export const respond = async (request: Request, options: ReceiveOptions): Promise<Response> => {
  try {
    const body = request.body === null ? "" : await readRawBody(request.body)
    const { status } = await receive({ headers: request.headers, body }, options)
    return new Response(null, { status })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return new Response(null, { status: error.status })
  }
}
