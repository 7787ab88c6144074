import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { VITESTS } from "../packages/vitests.ts"
import { projectRoot, sourceFiles, sourceText } from "../support/sourceFiles.ts"

const run = promisify(execFile)
const files = await sourceFiles()
const layers = ["core", "adapters", "simulator", "apps", "test"]

type Versions = Readonly<Record<string, string>>

const manifest = JSON.parse(await sourceText("package.json")) as {
  readonly engines: { readonly node: string }
  readonly workspaces: ReadonlyArray<string>
  readonly allowScripts: Readonly<Record<string, boolean>>
  readonly dependencies: Versions
  readonly devDependencies: Versions
  readonly optionalDependencies: Versions
}

interface Locked {
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Versions
}

const lock = JSON.parse(await sourceText("package-lock.json")) as {
  readonly packages: Readonly<Record<string, Locked>>
}

const packageName = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + 13)

/** Runs the guard of the npm scripts against a package.json that wants another Node. */
const guardWanting = async (node: string): Promise<{ code: number; stderr: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-guard-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, "apps"))
  await cp(join(projectRoot, "apps/requireNode.cjs"), join(folder, "apps/requireNode.cjs"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ engines: { node } }))
  return run(process.execPath, [join(folder, "apps/requireNode.cjs")]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )
}

describe("project", () => {
  test("the top level holds the layers and what tools look for there, nothing else", () => {
    const top = new Set(files.map((path) => path.split("/")[0] ?? ""))
    const documents = ["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"]
    const configured = ["package.json", "package-lock.json", "tsconfig.json", "oxlint.config.ts"]
    const known = [...documents, ...configured]
    const others = [...top].filter((name) => !name.startsWith(".") && !layers.includes(name))
    expect(others.filter((name) => !known.includes(name))).toEqual([])
  })

  test("what npm pack leaves in a clone is ignored", async () => {
    const ignored = (await sourceText(".gitignore")).split("\n")
    expect(ignored).toContain("*.tgz")
    expect(files.filter((path) => path.endsWith(".tgz"))).toEqual([])
  })

  test("every layer and every adapter has a README that says what it is for", () => {
    const adapters = files.flatMap((path) => /^adapters\/[^/]+(?=\/)/.exec(path)?.[0] ?? [])
    const folders = [...new Set([...layers, ...adapters])]
    expect(folders.filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([])
  })

  test("every dependency is pinned to one version, and packages take the project's", async () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const pinned = { ...dependencies, ...devDependencies, ...optionalDependencies }
    const others = Object.entries(pinned).filter(
      ([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    expect(others).toEqual([])
    for (const folder of manifest.workspaces) {
      const text = await sourceText(`${folder}/package.json`)
      const own = JSON.parse(text) as Partial<typeof manifest> & { peerDependencies?: Versions }
      expect(pinned, folder).toMatchObject({ ...own.dependencies, ...own.optionalDependencies })
      for (const [name, range] of Object.entries(own.peerDependencies ?? {})) {
        const tried = name === "vitest" ? VITESTS : [{ version: pinned[name] ?? "" }]
        const ranges = tried.map(({ version }) => `^${version}`)
        expect(range, `${folder} ${name}`).toBe(ranges.join(" || "))
      }
    }
  })

  test("exactly the packages with install scripts have been decided on", () => {
    const scripted = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => packageName(path))
    const decided = Object.keys(manifest.allowScripts)
    expect(decided.toSorted()).toEqual([...new Set(scripted)].toSorted())
  })

  test("the lock file serves every platform, not only the one it was written on", () => {
    const locked = new Set(Object.keys(lock.packages).map(packageName))
    const offered = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    expect(offered.filter((name) => !locked.has(name))).toEqual([])
  })

  test("tests run under the Node that the project asks for", async () => {
    expect(process.versions.node).toBe(manifest.devDependencies["node"])
    expect(await guardWanting(manifest.engines.node)).toEqual({ code: 0, stderr: "" })
  })

  test("an older Node is turned away in one line that says what to do", async () => {
    const { code, stderr } = await guardWanting(">=999")
    expect(code).toBe(1)
    expect(stderr).toMatch(/^payport needs Node 999 or newer and this is Node \d+.*npm ci.*\n$/)
  })
})
