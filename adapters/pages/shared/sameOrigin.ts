import { hostOf, type Incoming } from "../../shared/Exchange.ts"

/**
 * Whether a request that may change something comes from a page of this site. Browsers say so in
 * `Sec-Fetch-Site`. With plain HTTP to another machine they say so in `Origin`, which must be the
 * public address or the host of the request. A request with neither is refused.
 */
export const isSameOrigin = (req: Pick<Incoming, "headers">, base_url: string): boolean => {
  const { headers } = req
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = URL.parse(headers.origin ?? "")
  if (origin === null || !/^https?:$/.test(origin.protocol)) return false
  return origin.origin === URL.parse(base_url)?.origin || origin.host === hostOf(req)
}
