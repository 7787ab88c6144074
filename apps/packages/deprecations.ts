/** Returns the `@deprecated` marks that do not say since when, and what to use instead. */
export const unclearDeprecations = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^[ \t]*(?:\/\*)?\*+[ \t]*@deprecated\b(.*)/gm)].flatMap(([, said = ""]) =>
    /^ since \d+\.\d+\.\d+: use `[^`]+`/.test(said) ? [] : [`@deprecated${said}`],
  )

const NAMED = new RegExp(
  "^(/\\*\\* @deprecated .*\\n)?export (?:declare )?(?:abstract )?" +
    "(?:const|class|interface|type|function) (\\w+)",
  "gm",
)

/** The names of a package's API.md, entry by entry, and which of them are deprecated. */
const namesOf = (report: string): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>()
  for (const part of report.split(/^## /m).slice(1)) {
    const entry = part.slice(0, part.indexOf("\n"))
    for (const [, deprecated, name] of part.matchAll(NAMED)) {
      found.set(`${name} of ${entry}`, deprecated !== undefined)
    }
  }
  return found
}

/** The API.md of a package as a version had it. */
export interface Reported {
  readonly version: string
  readonly report: string
}

/** Major and minor version as a number that grows. */
const minorOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major * 1_000_000 + minor
}

/**
 * Returns the names that a package no longer has although no release of an earlier minor version
 * had marked them as deprecated. Releases of the present version and later ones do not count.
 */
export const brokenPromises = (
  released: ReadonlyArray<Reported>,
  present: Reported,
): ReadonlyArray<string> => {
  const shown = namesOf(present.report)
  const before = released.filter(({ version }) => minorOf(version) < minorOf(present.version))
  const known = before.map(({ report }) => namesOf(report))
  const promised = released
    .filter(({ version }) => version !== present.version)
    .flatMap(({ report }) => [...namesOf(report).keys()])
  const gone = [...new Set(promised)].filter((name) => !shown.has(name))
  return gone
    .filter((name) => !known.some((names) => names.get(name) === true))
    .map((name) => `${name} is gone, and was not deprecated for a minor version before.`)
}
