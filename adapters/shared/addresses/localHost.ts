/** The names and addresses of this machine, as a URL parser writes them. */
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether a host, with or without the brackets of IPv6, is this machine by name. */
export const isLocalHost = (host: string): boolean =>
  LOCAL_HOSTS.has(host) || LOCAL_HOSTS.has(`[${host}]`)

/** Whether a URL leads to this machine; false for an invalid URL. */
export const isLocalUrl = (text: string): boolean => isLocalHost(URL.parse(text)?.hostname ?? "")

/**
 * Whether nobody on the network can read or change requests to the URL: https, or http to this
 * machine. A URL with credentials is refused, because they would end up in logs.
 */
export const isPrivateUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLocalHost(url.hostname))
}
