/** The address to which a payer returns, and its host, which is shown before. */
export interface WayBack {
  readonly href: string
  readonly host: string
}

/**
 * Returns a payer's way back, with its host in punycode, which cannot disguise it. Undefined for
 * anything but a website, or if a name and a password hide the host.
 */
export const wayBack = (return_url: string | null): WayBack | undefined => {
  const url = URL.parse(return_url ?? "")
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== "" || url.password !== "") return undefined
  return { href: url.href, host: url.host }
}
