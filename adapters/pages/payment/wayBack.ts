/** Where a payer goes back to, and the host that they are told before they do. */
export interface WayBack {
  readonly href: string
  readonly host: string
}

/**
 * A way back as browsers read it, with its host in the form that nothing can disguise (punycode);
 * undefined for what leads to no website, or hides its host behind a name and a password.
 */
export const wayBack = (return_url: string | null): WayBack | undefined => {
  const url = URL.parse(return_url ?? "")
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== "" || url.password !== "") return undefined
  return { href: url.href, host: url.host }
}
