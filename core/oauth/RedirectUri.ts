/** The most characters of a redirect URI. */
export const MOST_OF_URI = 512

const REST = String.raw`(?:[/?][\w\-.~:/?@!$&'()*+,;=%[\]]*)?`
const WEB = new RegExp(String.raw`^https://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)${REST}$`)
const LOOPBACK = new RegExp(
  String.raw`^http://(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(${REST})$`,
)

/**
 * Tells whether a redirect URI is allowed: `https` anywhere, or `http` on the person's own machine
 * (RFC 8252), without user, fragment or anything that parsers read differently.
 */
export const isRedirectUri = (uri: string): boolean =>
  uri.length <= MOST_OF_URI && (WEB.test(uri) || LOOPBACK.test(uri))

/** Tells whether the URI is on the person's own machine. */
export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/** Returns the host of a redirect URI for people, with its port if it names one. */
export const hostOf = (uri: string): string => (WEB.exec(uri) ?? LOOPBACK.exec(uri))?.[1] ?? ""

/**
 * Tells whether the URI is one of the registered ones. All characters must be equal, except the
 * port on the person's own machine, which programs learn when they start (RFC 8252 section 7.3).
 */
export const isRegistered = (registered: ReadonlyArray<string>, uri: string): boolean => {
  const [, host, rest] = LOOPBACK.exec(uri) ?? []
  return registered.some((each) => {
    if (each === uri) return isRedirectUri(uri)
    const [, itsHost, itsRest] = LOOPBACK.exec(each) ?? []
    return host !== undefined && host === itsHost && rest === itsRest
  })
}

/** Adds parameters to the URI. */
export const withParameters = (
  uri: string,
  parameters: { readonly [name: string]: string | undefined },
): string => {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${uri}${uri.includes("?") ? "&" : "?"}${added.join("&")}`
}
