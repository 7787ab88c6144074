import { Result } from "effect"
import { complaintOf, type Complaints, decodeWithPlaces, otherName } from "./decodeStrictly.ts"
import { flawsOf } from "./flawsOf.ts"
import { type Issue, isObject } from "./Issue.ts"
import { LIBRARY } from "./library.ts"
import { type LineOf, merge, originOf, type ScenarioSource } from "./mergeScenarios.ts"
import { endlessIn } from "./nesting.ts"
import { Scenario } from "./Scenario.ts"
import { FileHead } from "./ScenarioFile.ts"
import { replaceVariables, setVariables, type Use, usedIn } from "./Variables.ts"

/** Finds the scenario that is extended by a scenario read at `from`. */
export type FindScenario = (
  wanted: string,
  from: string,
) => Result.Result<ScenarioSource, Complaints>

/** The options for reading a scenario. */
export interface ReadOptions {
  /** The values of its variables, each as `name=value`. */
  readonly set?: ReadonlyArray<string>
  /** Finds extended scenarios; in the library by default. */
  readonly find?: FindScenario
  /** The file of the scenario. */
  readonly place?: string
  /** Returns the line of a value in that file. Mistakes then name their lines. */
  readonly lineOf?: LineOf | undefined
}

const HEAD = Object.keys(FileHead.fields)

const split = (data: unknown) => {
  if (!isObject(data)) return { head: {}, body: data }
  const fields = Object.entries(data)
  const isHead = ([name]: readonly [string, unknown]) => HEAD.includes(name)
  return {
    head: Object.fromEntries(fields.filter(isHead)),
    body: Object.fromEntries(fields.filter((field) => !isHead(field))),
  }
}

/** Returns the line of a mistake in its file, as text. */
const lineIn = ({ lineOf }: ScenarioSource, { path }: Issue): string | undefined => {
  const line = lineOf?.(path)
  return line === undefined ? undefined : `line ${line}`
}

/** Adds where a mistake is to its path. */
const locate = ({ message, path }: Issue, ...where: ReadonlyArray<string | undefined>): Issue => {
  const known = where.filter((part) => part !== undefined)
  if (known.length === 0) return { message, path }
  const names = path.length === 0 ? "the file" : path.join(".")
  return { path: [`${names} (${known.join(", ")})`], message }
}

/** Returns a scenario and all that it extends, from itself to the last. */
const chainOf = (
  first: ScenarioSource,
  findOther: FindScenario,
): Result.Result<ReadonlyArray<ScenarioSource>, Complaints> => {
  const chain = [first]
  for (let last = first; ;) {
    const where = last === first ? "" : `${last.place}: `
    const placed = (issue: Issue) => `${where}${complaintOf(locate(issue, lineIn(last, issue)))}`
    const endless = endlessIn(last.data)
    if (endless !== undefined) return Result.fail([placed(endless)])
    const head = decodeWithPlaces(FileHead, split(last.data).head)
    if (Result.isFailure(head)) return Result.fail(head.failure.map(placed))
    const { extends: wanted } = head.success
    if (wanted === undefined) return Result.succeed(chain)
    const found = findOther(wanted, last.place)
    if (Result.isFailure(found)) {
      return Result.fail(found.failure.map((message) => placed({ path: ["extends"], message })))
    }
    const next = found.success
    const before = chain.findIndex(({ place }) => place === next.place)
    if (before !== -1) {
      const circle = [...chain.slice(before), next].map(({ place }) => place).join(" → ")
      return Result.fail([`extends: it goes round in a circle: ${circle}. Take one of them out.`])
    }
    chain.push(next)
    last = next
  }
}

/** Returns the mistakes in the declared variables. */
const wrongVariables = (
  chain: ReadonlyArray<ScenarioSource>,
  declared: { readonly [name: string]: unknown },
): ReadonlyArray<Issue> => {
  const used = new Set(chain.flatMap(({ data }) => [...usedIn(split(data).body)]))
  return Object.entries(declared).flatMap(([name, value]) => {
    const path = ["variables", name]
    if (!/^\w+$/.test(name)) {
      return [{ path, message: "a name has only letters, digits and _. Give it such a name." }]
    }
    if (usedIn(value).size > 0) {
      const message = `${JSON.stringify(value)} uses a variable. A variable's value is plain.`
      return [{ path, message }]
    }
    if (used.has(name)) return []
    const message = `no value uses it. Write "\${${name}}" where it is meant, or take it out.`
    return [{ path, message }]
  })
}

const inLine =
  (chain: ReadonlyArray<ScenarioSource>, uses: ReadonlyArray<Use> = []) =>
  ({ message, path }: Issue): string => {
    const origin = originOf(chain, path) ?? chain[0]
    const names = uses
      .filter((use) => use.path.join(".") === path.join("."))
      .map(({ name }) => name)
    const file = origin === undefined || origin === chain[0] ? undefined : `in ${origin.place}`
    const line = origin === undefined ? undefined : lineIn(origin, { path, message })
    const from =
      names.length === 0
        ? ""
        : `. The value is that of ${names.map((name) => `\${${name}}`).join(" and ")}: change ` +
          `"variables" or --set`
    return complaintOf(locate({ path, message: `${message}${from}` }, file, line))
  }

/** Merges a scenario with all that it extends, and replaces its variables. */
const resolve = (
  chain: ReadonlyArray<ScenarioSource>,
  set: ReadonlyArray<string>,
): Result.Result<Scenario, Complaints> => {
  const merged = split(chain.map(({ data }) => data).reduceRight((base, over) => merge(base, over)))
  const head = decodeWithPlaces(FileHead, merged.head)
  if (Result.isFailure(head)) return Result.fail(head.failure.map(inLine(chain)))
  const declared = head.success.variables ?? {}
  const { variables, wrong } = setVariables(declared, set)
  const { data, unknown, uses } = replaceVariables(merged.body, variables)
  const idle = [...new Set(set.map((given) => given.split("=", 1)[0] ?? ""))]
    .filter((name) => Object.hasOwn(declared, name) && !uses.some((use) => use.name === name))
    .map((name) => `--set ${name}: nothing that is played uses ${name}. Leave it out.`)
  const issues = [...wrongVariables(chain, declared), ...unknown]
  const complaints = [...issues.map(inLine(chain)), ...wrong, ...idle]
  if (complaints.length > 0) return Result.fail([...new Set(complaints)])
  const read = Result.flatMap(decodeWithPlaces(Scenario, data), (scenario) => {
    const found = flawsOf(scenario, scenario.payments)
    return found.length === 0 ? Result.succeed(scenario) : Result.fail(found)
  })
  return Result.mapError(read, (found) => found.map(inLine(chain, uses)))
}

/** Returns a name in the form in which it is compared: `-`, `_` and spaces are equal. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s-]+/g, "_")

/** Returns the item with the name. */
export const findByName = <A extends { readonly name: string }>(
  wanted: string,
  all: ReadonlyArray<A>,
): Result.Result<A, Complaints> => {
  const found = all.find(({ name }) => plainName(name) === plainName(wanted))
  if (found !== undefined) return Result.succeed(found)
  const names = all.map(({ name }) => name)
  return Result.fail([
    `There is no scenario ${JSON.stringify(wanted)}. ${otherName(wanted, names)}`,
  ])
}

/** Returns the scenario of the library with the name. */
export const scenarioNamed = (name: string): Result.Result<Scenario, Complaints> =>
  findByName(name, LIBRARY)

const findNamed: FindScenario = (wanted) =>
  Result.map(scenarioNamed(wanted), (data) => ({ place: data.name, data }))

/** Reads the scenario and what it extends, as data; fails with all its mistakes. */
export const readScenario = (
  input: unknown,
  { find: findOther = findNamed, lineOf, place = "the file", set = [] }: ReadOptions = {},
): Result.Result<Scenario, Complaints> =>
  Result.flatMap(chainOf({ place, data: input, lineOf }, findOther), (chain) => {
    if (chain.length > 1 && isObject(input) && input["name"] === undefined) {
      return Result.fail(["name: it is missing. A scenario that extends another has its own."])
    }
    return resolve(chain, set)
  })
