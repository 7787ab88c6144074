import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chmod, cp, lstat, mkdir, readdir, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import {
  type Binaries,
  findBinaries,
  prepareBinaries,
} from "../../../../adapters/postgres/embedded/binaries.ts"
import { firstClosedFolder } from "../../../../adapters/postgres/embedded/serverUser.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

const versionOf = (program: string, user: object = {}): string =>
  execFileSync(program, ["--version"], { encoding: "utf8", ...user })

/** The installed programs as a package manager leaves them that runs no script and loses modes. */
const bareCopy = Effect.fnUntraced(function* (to: string) {
  const installed = yield* findBinaries()
  const native = join(to, "native")
  yield* Effect.promise(async () => {
    await cp(installed.native, native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: async (source) => !source.includes(".a") && !(await lstat(source)).isSymbolicLink(),
    })
    const programs = join(native, "bin")
    for (const name of await readdir(programs)) await chmod(join(programs, name), 0o644)
  })
  const moved = (program: string) => join(native, "bin", basename(program))
  const binaries: Binaries = {
    native,
    version: installed.version,
    postgres: moved(installed.postgres),
    initdb: moved(installed.initdb),
    pg_ctl: moved(installed.pg_ctl),
  }
  return binaries
})

describe("the programs", () => {
  it.effect("are refused by name where there are none", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(findBinaries("sunos", "sparc"))
      assert.strictEqual(error.platform, "sunos")
      assert.include(error.message, "PAYPORT_DATABASE_URL")
    }),
  )

  it.effect("are reported as not installed where their package is missing", () =>
    Effect.gen(function* () {
      const other = process.platform === "darwin" ? "win32" : "darwin"
      const error = yield* Effect.flip(findBinaries(other, "x64"))
      assert.include(error.message, "--include=optional")
    }),
  )

  it.live("run after an installation without install scripts and without modes", () =>
    Effect.gen(function* () {
      const bare = yield* bareCopy(yield* temporaryFolder)
      assert.throws(() => versionOf(bare.initdb))
      const prepared = yield* prepareBinaries(bare, undefined)
      assert.strictEqual(prepared.native, bare.native)
      assert.include(versionOf(prepared.initdb), "PostgreSQL")
    }),
  )

  it.live.runIf(isRoot)("are copied to where the server's user can read them", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const closed = join(folder, "closed")
      const cache = join(folder, "cache")
      yield* Effect.promise(() => mkdir(closed, { mode: 0o700 }))
      yield* Effect.promise(() => mkdir(cache, { mode: 0o755 }))
      const bare = yield* bareCopy(closed)
      const prepared = yield* prepareBinaries(bare, nobody, [closed, cache])
      assert.strictEqual(dirname(dirname(prepared.native)), cache)
      assert.isUndefined(yield* Effect.promise(() => firstClosedFolder(prepared.native, nobody)))
      assert.include(versionOf(prepared.initdb, nobody), "PostgreSQL")
      assert.include(versionOf(prepared.postgres, nobody), "PostgreSQL")
      const { ino } = yield* Effect.promise(() => stat(prepared.postgres))
      const again = yield* prepareBinaries(bare, nobody, [closed, cache])
      assert.deepStrictEqual(again, prepared)
      assert.strictEqual((yield* Effect.promise(() => stat(again.postgres))).ino, ino)
    }),
  )

  it.live.runIf(isRoot)("are not taken from a copy that others could have made", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const closed = join(folder, "closed")
      yield* Effect.promise(() => mkdir(closed, { mode: 0o700 }))
      const bare = yield* bareCopy(closed)
      const prepared = yield* prepareBinaries(bare, nobody, [folder])
      const home = dirname(prepared.native)
      yield* Effect.promise(() => chmod(home, 0o777))
      const error = yield* Effect.flip(prepareBinaries(bare, nobody, [folder]))
      assert.strictEqual(error._tag, "DataFolderUnusable")
      yield* Effect.promise(() => rm(home, { recursive: true }))
    }),
  )
})
