/** Names by which only this machine reaches itself: no page elsewhere can make them its own. */
const LOCAL: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i

const hostOf = (header: string): string | undefined => HOST.exec(header)?.[1]?.toLowerCase()

const originHost = (header: string): string | undefined =>
  /^https?:\/\//i.test(header) ? hostOf(header.replace(/^https?:\/\//i, "")) : undefined

/** What a request says of where it was sent, and by whose page. */
export interface Provenance {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/**
 * Tells requests that were meant for this service from those that a page elsewhere had a browser
 * send here (DNS rebinding). `Host` has to name the service's public address, the address that it
 * listens on, or this machine; a request of a page also an `Origin` among these.
 */
export const makeGuard = (
  baseUrl: string,
  listensOn: string,
): ((request: Provenance) => string | undefined) => {
  const own = URL.parse(baseUrl)?.hostname.toLowerCase()
  const bare = listensOn.includes(":") ? `[${listensOn}]` : listensOn
  const known = new Set([...LOCAL, ...(own === undefined ? [] : [own]), bare.toLowerCase()])
  return ({ host, origin }) => {
    const named = hostOf(host ?? "")
    if (named === undefined || !known.has(named)) {
      return "The Host header names another service. Behind a proxy, set PAYPORT_BASE_URL."
    }
    if (origin === undefined) return undefined
    const page = originHost(origin)
    return page === undefined || !known.has(page)
      ? "The Origin header names a page that may not call this service."
      : undefined
  }
}
