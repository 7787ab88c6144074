import { receive, type ReceiveOptions } from "./receive.ts"
import { readRawBody } from "./readRawBody.ts"
import { WebhookError } from "./WebhookError.ts"

/**
 * Answers a delivery that arrives as a request of the fetch API: `receive` with the answer that the
 * sender expects. What `handle` throws is thrown on, so that the app logs it; answered with a 500,
 * as frameworks do, the event is repeated.
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
