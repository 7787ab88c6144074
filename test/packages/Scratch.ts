import { execFile, spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"

/** How long one program may take, in milliseconds. */
const PATIENCE = 240_000

/** A program ended with another code than 0, or not in its time. */
class ProgramFailed extends Error {
  override readonly name = "ProgramFailed"
}

/** The folder and environment of a program. */
export interface RunOptions {
  readonly cwd: string
  /** The folder of the Node for `node` and `npm`; by default the current one. */
  readonly node?: string
  readonly env?: NodeJS.ProcessEnv
}

const environmentOf = ({ env, node = dirname(process.execPath) }: RunOptions) => ({
  ...process.env,
  ...env,
  PATH: `${node}${delimiter}${process.env["PATH"] ?? ""}`,
})

/** Runs a program to its end. Rejects with its output if it fails. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: RunOptions,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cwd } = options
    const given = { cwd, env: environmentOf(options), timeout: PATIENCE, maxBuffer: 1 << 26 }
    execFile(program, args, given, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new ProgramFailed(`${program} ${args.join(" ")}\n${stdout}${stderr}`))
    })
  })

/** Starts a program, and waits for a line that it prints. `stop` ends it, and waits for that. */
export const start = async (
  program: string,
  args: ReadonlyArray<string>,
  options: RunOptions,
  awaited: RegExp,
) => {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  let said = ""
  const line = await new Promise<RegExpExecArray>((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const found = awaited.exec(said)
      if (found !== null) resolve(found)
    }
    child.stdout.setEncoding("utf8").on("data", hear)
    child.stderr.setEncoding("utf8").on("data", hear)
    child.once("error", reject)
    child.once("close", () => reject(new ProgramFailed(`${program} ended:\n${said}`)))
  })
  const stop = () => {
    child.kill("SIGTERM")
    return ended
  }
  return { line, stop }
}

/** A temporary project beside this one, with only its installed packages. */
export interface Scratch {
  readonly folder: string
  readonly write: (files: { readonly [path: string]: string }) => Promise<void>
  readonly install: (...packages: ReadonlyArray<string>) => Promise<string>
  readonly remove: () => Promise<void>
}

/** Makes an empty project. */
export const openScratch = async (name: string): Promise<Scratch> => {
  const folder = await mkdtemp(join(tmpdir(), `payport-${name}-`))
  const write = async (files: { readonly [path: string]: string }) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  }
  await write({ "package.json": JSON.stringify({ name, private: true, type: "module" }) })
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
  return {
    folder,
    write,
    install: (...packages) => run("npm", ["install", ...quiet, ...packages], { cwd: folder }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The bytes of all files beneath a folder. */
export const bytesOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(({ name, parentPath }) => stat(join(parentPath, name)).then(({ size }) => size)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
