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
  // A path without parameters is matched before one with parameters.
  .toSorted((a, b) => Number(a.name.includes(":")) - Number(b.name.includes(":")))

/** Returns the route's name without ids; undefined for a path that is no route of clients. */
export const routeOf = (method: string, path: string): string | undefined =>
  KNOWN.find(({ pattern, verb }) => verb === method && pattern.test(path))?.name
