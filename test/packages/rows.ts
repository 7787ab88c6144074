import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { entriesOf, type Manifest } from "../../apps/packages/Manifest.ts"
import { projectRoot } from "../support/sourceFiles.ts"
import { bytesOf, run, type Scratch } from "./Scratch.ts"

/** The largest size of a package with its dependencies; null for no limit. */
export interface Row {
  readonly folder: string
  /** Packages that users install beside it. */
  readonly beside: ReadonlyArray<string>
  readonly packages: number | null
  readonly megabytes: number | null
  /** The most milliseconds that an entry takes to load, where the reference takes `REFERENCE`. */
  readonly load: { readonly [entry: string]: number }
}

/** The measurements of a package. */
export interface Measured {
  readonly name: string
  readonly packages: number
  readonly megabytes: number
  /** Milliseconds, by entry. */
  readonly load: { readonly [entry: string]: number }
  /** Kilobytes of the whole entry as one file, by entry. */
  readonly bundled: { readonly [entry: string]: number }
  readonly flaws: ReadonlyArray<string>
}

/** Returns the size of a folder in megabytes. */
const megabytesOf = async (folder: string): Promise<number> =>
  Math.round(((await bytesOf(folder)) / 1_000_000) * 10) / 10

/**
 * How often an entry with a limit is loaded at most, until it was as fast as it has to be: others
 * work too. One without a limit is loaded once.
 */
const LOADED = 40
const LEAST_LOADED = 3
/** The milliseconds that the reference takes on the machine for which the times of entries hold. */
const REFERENCE = 7.5
/** The factor by which an entry may exceed its time: two measurements never agree wholly. */
const PATIENCE = 1.25

const tsconfig = (types: ReadonlyArray<string>) =>
  JSON.stringify({
    compilerOptions: {
      target: "es2023",
      lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
      types,
      module: "nodenext",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ["use.ts"],
  })

/**
 * Prints how many milliseconds an import takes in a process that has done nothing else: of time, or
 * of the processor's where that is less, since a process then waited for others.
 */
const LOAD = `const [begun, used] = [performance.now(), process.cpuUsage()]
await import(process.argv[2])
const { system, user } = process.cpuUsage(used)
console.log(Math.min(performance.now() - begun, (system + user) / 1000))
`

/** The packages that are installed in a folder, by their paths. */
const installed = async (folder: string): Promise<ReadonlyArray<string>> => {
  const lock = await import(join(folder, "package-lock.json"), { with: { type: "json" } })
  const { packages } = (lock as { default: { packages: object } }).default
  const there = await readdir(join(folder, "node_modules"))
  return there.length === 0 ? [] : Object.keys(packages).filter((path) => path !== "")
}

/** Ten modules of a hundred functions each, and `reference.js` that imports them. */
const reference = (): { readonly [name: string]: string } => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const body = (n: number) => `(a, b) => [a, b, ${n}].map((m) => m * 2).filter((m) => m > ${n})`
  const module = numbers(100).map((n) => `export const own${n} = ${body(n)}\n`)
  const imports = numbers(10).map((n) => `export * as module${n} from "./module${n}.js"\n`)
  const modules = new Map(numbers(10).map((n) => [`module${n}.js`, module.join("")]))
  return { ...Object.fromEntries<string>(modules), "reference.js": imports.join("") }
}

const nameOf = ({ name }: Manifest, entry: string): string => name + entry.slice(1)

const tenths = (ms: number): number => Math.round(ms * 10) / 10

/**
 * Loads an entry and the reference in turns, so that a slow or busy machine slows both. Returns the
 * least milliseconds of the entry, and the most that it may take on this machine.
 */
const loadOf = async ({ folder }: Scratch, specifier: string, most = Infinity) => {
  const load = async (what: string) => Number(await run("node", ["load.js", what], { cwd: folder }))
  let [took, compared] = [Infinity, Infinity]
  const allowed = () => most * PATIENCE * Math.max(1, compared / REFERENCE)
  if (most === Infinity) return { took: tenths(await load(specifier)), allowed: most }
  for (let n = 0; n < LOADED && (n < LEAST_LOADED || took > allowed()); n += 1) {
    took = Math.min(took, await load(specifier))
    compared = Math.min(compared, await load("./reference.js"))
  }
  return { took: tenths(took), allowed: tenths(allowed()) }
}

/** The size of an entry with everything that it needs but Node's own modules, as one file. */
const bundle = async ({ folder, write }: Scratch, specifier: string): Promise<number> => {
  const { rolldown } = await import("rolldown")
  await write({ "bundle.js": `export * from ${JSON.stringify(specifier)}\n` })
  const input = join(folder, "bundle.js")
  const built = await rolldown({ input, platform: "node", logLevel: "silent" })
  const { output } = await built.generate({ format: "esm", minify: true })
  await built.close()
  const bytes = output.reduce(
    (sum, part) => sum + (part.type === "chunk" ? Buffer.byteLength(part.code) : 0),
    0,
  )
  return Math.round(bytes / 1_000)
}

/**
 * Installs a package alone in an empty project, checks its types strictly, bundles and loads each
 * of its entries.
 */
export const measure = async (
  scratch: Scratch,
  row: Row,
  manifest: Manifest,
  tarball: string,
): Promise<Measured> => {
  const entries = Object.keys(manifest.exports ?? {}).filter((entry) => !entry.endsWith(".json"))
  const flaws: Array<string> = []
  await scratch.install(tarball, ...row.beside)
  const packages = await installed(scratch.folder)
  const megabytes = await megabytesOf(join(scratch.folder, "node_modules"))
  const uses = entries.map((entry, n) => {
    const specifier = JSON.stringify(nameOf(manifest, entry))
    const kept = `export const names${n} = Object.keys(own${n})`
    return `import * as own${n} from ${specifier}\n${kept}\n`
  })
  await scratch.write({
    "tsconfig.json": tsconfig("@types/node" in (manifest.dependencies ?? {}) ? ["node"] : []),
    "use.ts": uses.join("") || "export {}\n",
    "load.js": LOAD,
    ...reference(),
  })
  const tsc = join(projectRoot, "node_modules/.bin/tsc")
  await run(tsc, ["--pretty", "false"], { cwd: scratch.folder }).catch((error: unknown) =>
    flaws.push(String(error)),
  )
  const load: Record<string, number> = {}
  const bundled: Record<string, number> = {}
  for (const entry of entries) {
    const { allowed, took } = await loadOf(scratch, nameOf(manifest, entry), row.load[entry])
    load[entry] = took
    if (took > allowed) {
      flaws.push(`${manifest.name} ${entry} loads in ${took} ms, and not ${allowed}.`)
    }
    bundled[entry] = await bundle(scratch, nameOf(manifest, entry))
  }
  const { name } = manifest
  if (packages.length > (row.packages ?? Infinity)) {
    flaws.push(`${name} installs ${packages.length} packages, and not ${row.packages ?? ""}.`)
  }
  if (megabytes > (row.megabytes ?? Infinity)) {
    flaws.push(`${name} takes ${megabytes} MB, and not ${row.megabytes ?? ""}.`)
  }
  if (entriesOf(manifest).length === 0) flaws.push(`${name} has no entry.`)
  return { name, packages: packages.length, megabytes, load, bundled, flaws }
}
