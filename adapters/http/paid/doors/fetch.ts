import { type Check, JSON_TYPE, type Paid } from "../Verdict.ts"
import { isServed, serving } from "./serving.ts"

/**
 * Answers a request of the fetch API by `handle` once it is paid. `client` identifies the caller
 * for the limit of unpaid requests.
 */
export const onFetch =
  (check: Check) =>
  async (
    request: Request,
    handle: (payment: Paid) => Response | Promise<Response>,
    client?: string,
  ): Promise<Response> => {
    const { headers: sent, method, url } = request
    const verdict = await check({ method, url, headers: sent, ...(client && { client }) })
    if (!verdict.paid) {
      const headers = { "Content-Type": JSON_TYPE, ...verdict.headers }
      return new Response(JSON.stringify(verdict.body), { status: verdict.status, headers })
    }
    const { finish, payment } = serving(verdict)
    let answer: Response
    try {
      answer = await handle(payment)
    } catch (error) {
      await finish(false)
      throw error
    }
    const told = { ...verdict.headers, ...(await finish(isServed(answer.status))) }
    // An answer that the handler fetched elsewhere has immutable headers.
    const headers = new Headers(answer.headers)
    for (const [name, value] of Object.entries(told)) headers.set(name, value)
    const { status, statusText } = answer
    return new Response(answer.body, { status, statusText, headers })
  }
