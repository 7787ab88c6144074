import { registerHooks } from "node:module"
import { relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { type ESTree, parseSync, Visitor } from "rolldown/utils"
import { projectRoot } from "../../support/sourceFiles.ts"

/** A call of one file to an exported function of another. */
export interface Call {
  readonly from: string
  readonly to: string
  /** The function's name in the calling file. */
  readonly name: string
}

/** The files of the walk: of the core and of the HTTP interface. */
export const WALKED = /^(?:core|adapters\/http)\/.*\.ts$/

/** The files whose calls are recorded. */
const TRACED = /^(?:core|adapters)\/.*\.ts$/

const pathOf = (url: string): string =>
  url.startsWith("file:") ? relative(projectRoot, fileURLToPath(url)).split(sep).join("/") : url

const calls: Array<Call> = []

const isPlainFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function" &&
  Reflect.ownKeys(value).every(
    (key) => key === "length" || key === "name" || key === "prototype",
  ) &&
  !/^class\b/.test(Function.prototype.toString.call(value))

const tracer = {
  called: <A>(from: string, to: string, name: string, value: A): A => {
    calls.push({ from, to, name })
    return value
  },
  /** A function that is handed on is called later: then it is recorded. */
  handed: (from: string, to: string, name: string, value: unknown): unknown =>
    isPlainFunction(value)
      ? function handed(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
          calls.push({ from, to, name })
          return Reflect.apply(value, this, args)
        }
      : value,
}

/** Returns the files of the walk from which a module imports values, by imported name. */
const importsOf = (program: ESTree.Program, url: string): ReadonlyMap<string, string> =>
  new Map(
    program.body.flatMap((statement) => {
      if (statement.type !== "ImportDeclaration" || statement.importKind === "type") return []
      const { value } = statement.source
      const to = value.startsWith(".") ? pathOf(new URL(value, url).href) : ""
      if (!WALKED.test(to)) return []
      return statement.specifiers.map(({ local }) => [local.name, to] as const)
    }),
  )

/**
 * Returns a module's text in which calls of functions imported from files of the walk are recorded.
 */
const traced = (text: string, url: string): string => {
  const from = pathOf(url)
  const { program } = parseSync(from, text)
  const imported = importsOf(program, url)
  const edits: Array<readonly [start: number, end: number, text: string]> = []
  const words = (name: string) =>
    [from, imported.get(name), name].map((word) => JSON.stringify(word)).join(", ")
  const called = (callee: ESTree.Expression, wrap = (text: string) => text): void => {
    const of = callee.type === "MemberExpression" ? callee.object : callee
    if (of.type !== "Identifier" || !imported.has(of.name)) return
    edits.push([of.start, of.end, wrap(`tracer.called(${words(of.name)}, ${of.name})`)])
  }
  const handed = (value: ESTree.Node): void => {
    if (value.type !== "Identifier" || !imported.has(value.name)) return
    edits.push([value.start, value.end, `tracer.handed(${words(value.name)}, ${value.name})`])
  }
  new Visitor({
    CallExpression: ({ arguments: given, callee }) => {
      called(callee)
      for (const one of given) handed(one)
    },
    NewExpression: ({ arguments: given, callee }) => {
      called(callee, (text) => `(${text})`)
      for (const one of given) handed(one)
    },
    Property: ({ key, shorthand, value }) => {
      if (!shorthand) return handed(value)
      if (key.type === "Identifier" && imported.has(key.name)) {
        edits.push([
          key.start,
          key.end,
          `${key.name}: tracer.handed(${words(key.name)}, ${key.name})`,
        ])
      }
    },
    ArrowFunctionExpression: ({ body }) => handed(body),
  }).visit(program)
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((whole, [start, end, made]) => whole.slice(0, start) + made + whole.slice(end), text)
}

/** Records calls between the files that are loaded from now on; gives those since the last time. */
export const traceCalls = (): (() => ReadonlyArray<Call>) => {
  Object.assign(globalThis, { tracer })
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!TRACED.test(pathOf(url)) || loaded.source === undefined || loaded.source === null) {
        return loaded
      }
      const text = Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: traced(text, url) }
    },
  })
  return () => calls.splice(0)
}
