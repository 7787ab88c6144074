import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { readFileSync } from "node:fs"
import type { Itf } from "./Itf.ts"

/** The used part of Quint's internal modules, whose version is pinned in `tool/`. */
interface Either<A> {
  readonly value: A & { readonly msg?: string; readonly message?: string }
  readonly isLeft: () => boolean
  readonly unwrap: () => A
}
/** A value of the evaluator. One of these fields is set. */
interface Runtime {
  readonly value?: boolean | bigint | string
  readonly kind?: "List" | "Tup"
  readonly list?: Iterable<Runtime>
  readonly map?: Iterable<readonly [unknown, Runtime]>
  readonly toOrderedMap: () => Iterable<readonly [string, Runtime]> & {
    readonly get: (name: string) => Runtime | undefined
  }
  readonly toSet: () => Iterable<Runtime>
}
interface Evaluator {
  readonly builder: unknown
  readonly ctx: { readonly varStorage: { readonly fromRecord: (record: Runtime) => void } }
}
type Expression = (ctx: unknown) => Either<Runtime>
interface Stage {
  readonly table: unknown
  readonly errors?: ReadonlyArray<{ readonly explanation: string }>
}

interface Quint {
  readonly parse: (loading: unknown) => Promise<Either<{ readonly stage?: Stage }>>
  readonly typecheck: (parsed: unknown) => Promise<Either<Stage & { readonly stage?: Stage }>>
  readonly toExpr: (stage: Stage, text: string) => Either<unknown>
  readonly Evaluator: new (table: unknown, recorder: unknown, rng: unknown) => Evaluator
  readonly buildExpr: (builder: unknown, expression: unknown) => Expression
  readonly rv: {
    readonly mkRecord: (fields: ReadonlyArray<readonly [string, Runtime]>) => Runtime
    readonly fromQuintEx: (expression: unknown) => Runtime
  }
  readonly newRng: (seed: bigint) => unknown
  readonly newTraceRecorder: (verbosity: number, rng: unknown, traces: number) => unknown
  readonly ofItfValue: (itf: Itf, nextId: () => bigint) => unknown
}

/** The modules of Quint whose exports are used, by their paths in its package. */
const MODULES = [
  "cliCommands",
  "cliHelpers",
  "runtime/impl/evaluator",
  "runtime/impl/builder",
  "runtime/impl/runtimeValue",
  "rng",
  "runtime/trace",
  "itf",
] as const

const quintIn = (folder: string): Quint => {
  const load = createRequire(join(folder, "package.json"))
  const parts = MODULES.map((path) => load(`@informalsystems/quint/dist/src/${path}.js`) as object)
  return Object.assign({}, ...parts) as Quint
}

/** A model does not parse, does not type or cannot be evaluated. */
class ModelError extends Error {}

const inOrder = (texts: Iterable<Itf>): ReadonlyArray<Itf> =>
  [...texts]
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ value }) => value)

/** Quint has a function for this that takes ten times as long. */
const itfOf = (runtime: Runtime): Itf => {
  const { value } = runtime
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "bigint") return { "#bigint": String(value) }
  if (runtime.list !== undefined) {
    const parts = [...runtime.list].map(itfOf)
    return runtime.kind === "Tup" ? { "#tup": parts } : parts
  }
  if (runtime.map === undefined) return { "#set": inOrder([...runtime.toSet()].map(itfOf)) }
  if (runtime.constructor.name === "RuntimeValueRecord") {
    return Object.fromEntries([...runtime.toOrderedMap()].map(([name, of]) => [name, itfOf(of)]))
  }
  const entries = [...runtime.map] as ReadonlyArray<readonly [Runtime, Runtime]>
  const shown = inOrder(entries.map(([key, of]) => [itfOf(key), itfOf(of)]))
  return { "#map": shown as ReadonlyArray<readonly [Itf, Itf]> }
}

const explained = (stage: Stage | undefined, message: string): string =>
  [message, ...(stage?.errors ?? []).map(({ explanation }) => explanation)].join("\n")

/** A value as the evaluator keeps it, and what it says as text: equal texts are equal values. */
export interface Value {
  readonly runtime: Runtime
  readonly itf: Itf
}

/** A model that Quint has parsed and typed. It evaluates expressions in given states. */
export interface Model {
  /** Sets all variables of the model. */
  readonly enter: (state: { readonly [variable: string]: Value }) => void
  /** Evaluates in the state that was entered last. Throws a `ModelError`. */
  readonly expression: (text: string) => () => Value
  readonly value: (itf: Itf) => Value
  /** The values in a set or a list. */
  readonly members: (set: Value) => ReadonlyArray<Value>
  readonly field: (record: Value, name: string) => Value
}

/** Loads the model of a file, whose module has the file's name, with the Quint in that folder. */
export const loadModel = async (folder: string, file: string): Promise<Model> => {
  const quint = quintIn(folder)
  const ids = { nextId: () => 0n }
  const name = basename(file, ".qnt")
  const loading = {
    stage: "loading",
    args: { input: file, main: name },
    path: file,
    sourceCode: new Map([[file, readFileSync(file, "utf8")]]),
    warnings: [],
  }
  const parsed = await quint.parse(loading)
  if (parsed.isLeft()) throw new ModelError(explained(parsed.value.stage, `${file}: no model`))
  const typed = await quint.typecheck(parsed.unwrap())
  if (typed.isLeft()) throw new ModelError(explained(typed.value.stage, `${file}: no types`))
  const stage = typed.unwrap()
  const rng = quint.newRng(1n)
  const recorder = quint.newTraceRecorder(0, rng, 1)
  const evaluator: Evaluator = new quint.Evaluator(stage.table, recorder, rng)

  const valueOf = (runtime: Runtime): Value => {
    let itf: Itf | undefined
    return {
      runtime,
      get itf() {
        itf ??= itfOf(runtime)
        return itf
      },
    }
  }
  return {
    enter: (state) => {
      const fields = Object.entries(state).map(
        ([variable, value]) => [variable, value.runtime] as const,
      )
      evaluator.ctx.varStorage.fromRecord(quint.rv.mkRecord(fields))
    },
    expression: (text) => {
      const read = quint.toExpr(stage, text)
      if (read.isLeft()) throw new ModelError(`${name}: ${text}: ${read.value.message}`)
      const evaluate: Expression = quint.buildExpr(evaluator.builder, read.unwrap())
      return () => {
        const result = evaluate(evaluator.ctx)
        if (result.isLeft()) throw new ModelError(`${name}: ${text}: ${result.value.message}`)
        return valueOf(result.unwrap())
      }
    },
    value: (itf) => valueOf(quint.rv.fromQuintEx(quint.ofItfValue(itf, ids.nextId))),
    members: ({ runtime }) =>
      [...(runtime as unknown as Iterable<Runtime>)].map((member) => valueOf(member)),
    field: ({ runtime }, wanted) => {
      const found = runtime.toOrderedMap().get(wanted)
      if (found === undefined) throw new ModelError(`${name}: a record has no ${wanted}`)
      return valueOf(found)
    },
  }
}
