/**
 * Builds the browser files of `apps/pages` into `dist/pages`: a script `<part>.js` of each
 * `<part>/main.ts(x)`, a style sheet `<part>.css` of its `main.css`, and every picture of
 * `styles/`, under names with a hash of their content. `manifest.json` there maps names to files.
 * If the sources have not changed, it does nothing.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { rolldown } from "rolldown"

const root = resolve(import.meta.dirname, "../..")
const own = join(root, "apps/pages")
const target = join(root, "dist/pages")

/** Files whose changes require a new build. */
const ALWAYS = ["apps/packages/buildPages.ts", "package-lock.json"]

interface Manifest {
  /** The files by the names that pages ask for. */
  readonly files: { readonly [name: string]: string }
  /** A hash of each source, by its path in the project. */
  readonly sources: { readonly [path: string]: string }
}

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex").slice(0, 12)

/** Returns the project paths of all files in the folder and below it. */
const ownSources = async (): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(own, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".md"))
  return files.map(({ name, parentPath }) => pathOf(join(parentPath, name))).toSorted()
}

const pathOf = (file: string): string => relative(root, file).split(sep).join("/")

const hashFile = async (path: string): Promise<string> =>
  readFile(join(root, path)).then(hashOf, () => "gone")

const hashesOf = async (paths: Iterable<string>): Promise<Manifest["sources"]> => {
  const pairs = Array.from(paths, async (path) => [path, await hashFile(path)] as const)
  return Object.fromEntries(await Promise.all(pairs))
}

/** Whether the last build used the current sources. */
const isFresh = async (paths: ReadonlyArray<string>): Promise<boolean> => {
  const text = await readFile(join(target, "manifest.json"), "utf8").catch(() => undefined)
  if (text === undefined) return false
  const { sources } = JSON.parse(text) as Manifest
  if (paths.some((path) => sources[path] === undefined)) return false
  const now = await hashesOf(Object.keys(sources))
  return Object.entries(sources).every(([path, hash]) => now[path] === hash)
}

/** Without comments and the blanks that mean nothing. */
const minifyCss = (text: string): string =>
  text
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s*([{};,])\s*/g, "$1")
    .replaceAll(/;}/g, "}")
    .replaceAll(/(?<=[{;][\w-]+): /g, ":")
    .trim()

/** The files built of one source: the name for pages, and the content. */
type Built = readonly [name: string, content: string | Uint8Array]

const isScript = (path: string): boolean => /\/main\.tsx?$/.test(path)

const partOf = (path: string): string => basename(dirname(path))

/** The scripts of all parts with the paths of what they were made of. Parts share no code. */
const buildScript = async (path: string): Promise<{ built: Built; made: Array<string> }> => {
  const bundle = await rolldown({
    input: join(root, path),
    cwd: root,
    platform: "browser",
    transform: { target: "es2022" },
    logLevel: "warn",
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  const [{ code, moduleIds }] = output
  const made = moduleIds.filter((id) => id.startsWith(root)).map(pathOf)
  return { built: [`${partOf(path)}.js`, code], made }
}

const buildOthers = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<Built>> => {
  const sheets = paths.filter((path) => path.endsWith("/main.css"))
  const pictures = paths.filter((path) => /\/styles\/.*\.(?:svg|png)$/.test(path))
  const text = async (path: string) => minifyCss(await readFile(join(root, path), "utf8"))
  return Promise.all([
    ...sheets.map(async (path): Promise<Built> => [`${partOf(path)}.css`, await text(path)]),
    ...pictures.map(async (path): Promise<Built> => [
      basename(path),
      await readFile(join(root, path)),
    ]),
  ])
}

/** Writes a file and its compressed forms; returns its name. */
const write = async ([name, content]: Built): Promise<readonly [string, string]> => {
  const suffix = extname(name)
  const hashed = `${basename(name, suffix)}-${hashOf(content)}${suffix}`
  const file = join(target, hashed)
  const bytes = Buffer.from(content)
  await writeFile(file, bytes)
  if (suffix === ".png") return [name, hashed]
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  return [name, hashed]
}

/** Builds the files if the last build is out of date. */
export const buildPages = async (): Promise<void> => {
  const paths = await ownSources()
  if (await isFresh(paths)) return
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const scripts = await Promise.all(paths.filter(isScript).map(buildScript))
  const built = [...scripts.map((script) => script.built), ...(await buildOthers(paths))]
  const files = Object.fromEntries(await Promise.all(built.map(write)))
  const made = scripts.flatMap((script) => script.made)
  const sources = await hashesOf(new Set([...paths, ...made, ...ALWAYS]))
  const manifest: Manifest = { files, sources }
  await writeFile(join(target, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

if (import.meta.main) await buildPages()
