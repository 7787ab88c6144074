import type { IncomingHttpHeaders } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"

/** The console's header. Pages of other sites need a preflight for it, which is refused. */
const CONSOLE_HEADER = "x-payport-console"

const originOf = (url: string): string | undefined => URL.parse(url)?.origin

/** Whether the requesting page has the address of the request. */
const isOwnOrigin = (origin: string, { host }: IncomingHttpHeaders, base_url: string): boolean =>
  origin === originOf(base_url) || (host !== undefined && URL.parse(origin)?.host === host)

const foreign = () =>
  new Failure({
    code: "FORBIDDEN",
    message:
      "The console only accepts requests of its own pages. Programs call /v1 with an API key.",
  })

/**
 * Refuses requests that no page of the console can have sent: without its header, from another
 * origin or site, or a change whose origin the browser does not state.
 */
export const refuseForeign = (
  method: string,
  headers: IncomingHttpHeaders,
  base_url: string,
): Failure<"FORBIDDEN"> | undefined => {
  const { origin } = headers
  const site = headers["sec-fetch-site"]
  if (headers[CONSOLE_HEADER] === undefined) return foreign()
  if (site !== undefined && site !== "same-origin") return foreign()
  if (origin !== undefined && !isOwnOrigin(origin, headers, base_url)) return foreign()
  const reads = method === "GET" || method === "HEAD"
  return reads || site !== undefined || origin !== undefined ? undefined : foreign()
}
