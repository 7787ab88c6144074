import type { Incoming } from "../../shared/Exchange.ts"

/**
 * Whether a request that may change something comes from a page of this site. Browsers say so in
 * `Sec-Fetch-Site`, and where they speak plain HTTP to another machine in `Origin`, which has to be
 * the public address or the host that the request was sent to. A request that says neither is
 * refused.
 */
export const isSameOrigin = ({ headers }: Pick<Incoming, "headers">, base_url: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = URL.parse(headers.origin ?? "")
  if (origin === null || !/^https?:$/.test(origin.protocol)) return false
  return origin.origin === URL.parse(base_url)?.origin || origin.host === headers.host
}
