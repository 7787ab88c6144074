import { ROUTES } from "../../adapters/http/client/routes.ts"

interface Known {
  readonly name: string
  readonly verb: string
  readonly pattern: RegExp
}

const KNOWN: ReadonlyArray<Known> = Object.values(ROUTES)
  .flatMap((methods) => Object.values(methods))
  .map(({ path, verb }) => ({
    name: `${verb} ${path}`,
    verb,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
  }))
  // A path without parameters goes before one with them.
  .toSorted((a, b) => Number(a.name.includes(":")) - Number(b.name.includes(":")))

/** The name of what a request asks for, without its ids; undefined for what no client asks. */
export const routeOf = (method: string, path: string): string | undefined =>
  KNOWN.find(({ pattern, verb }) => verb === method && pattern.test(path))?.name
