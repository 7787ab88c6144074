import { Resolver } from "node:dns/promises"

/** Returns all addresses of a name. Rejects if there are none. */
export type ResolveName = (name: string) => Promise<ReadonlyArray<string>>

/**
 * Resolves names at the name servers, without the system's list of hosts and search domains, and
 * without the threads that read files: a name server that hangs delays nothing else.
 */
export const makeResolveName = (): ResolveName => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [four, six].flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    )
    if (found.length === 0 && four.status === "rejected") throw four.reason
    return found
  }
}
