/** Names that always mean this machine: no page elsewhere can own them. */
const LOCAL: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i

const hostOf = (header: string): string | undefined => HOST.exec(header)?.[1]?.toLowerCase()

const originHost = (header: string): string | undefined =>
  /^https?:\/\//i.test(header) ? hostOf(header.replace(/^https?:\/\//i, "")) : undefined

/** The `Host` and `Origin` headers of a request. */
export interface Provenance {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/**
 * Returns a check against requests that a page elsewhere made a browser send (DNS rebinding). The
 * check returns the flaw, or undefined. `Host` must name the service's public address, the address
 * that it listens on, or this machine. The `Origin` of a page must be one of these, too.
 */
export const makeGuard = (
  baseUrl: string,
  listensOn: string | undefined,
): ((request: Provenance) => string | undefined) => {
  const own = URL.parse(baseUrl)?.hostname.toLowerCase()
  const bare = listensOn?.includes(":") ? `[${listensOn}]` : listensOn
  const known = new Set([...LOCAL, ...[own, bare?.toLowerCase()].flatMap((host) => host ?? [])])
  return ({ host, origin }) => {
    const named = hostOf(host ?? "")
    if (named === undefined || !known.has(named)) {
      return "The Host header is not this service's. Behind a proxy, set PAYPORT_BASE_URL."
    }
    if (origin === undefined) return undefined
    const page = originHost(origin)
    return page === undefined || !known.has(page)
      ? "The Origin header names a web page that may not call this service."
      : undefined
  }
}
