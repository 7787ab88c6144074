import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { projectRoot } from "../support/sourceFiles.ts"

const run = promisify(execFile)

const PROGRAM = `
import { Effect } from "effect"
import { isSound, LIBRARY, NO_FAULTS, simulate } from "payport/simulator"
const report = simulate({ seed: 1, intents: 5, faults: NO_FAULTS })
let commits = 0
const alterations = {
  store: (store) => ({
    ...store,
    commit: (commit) => Effect.suspend(() => { commits += 1; return store.commit(commit) }),
  }),
}
const own = simulate({ seed: 1, intents: 5, faults: NO_FAULTS, alterations })
const losing = {
  store: (store) => ({
    ...store,
    commit: ({ events, ...commit }) => store.commit(commit),
  }),
}
const broken = simulate({ seed: 1, intents: 5, faults: NO_FAULTS, alterations: losing })
console.log(JSON.stringify({
  sound: isSound(report) && isSound(own),
  same: own.trace_hash === report.trace_hash,
  commits,
  caught: broken.violations.some(({ number }) => number === 28),
  scenarios: LIBRARY.length,
}))
`

test("a program plays the world with its own store, from the compiled package alone", async () => {
  const tsc = join(projectRoot, "node_modules/.bin/tsc")
  await run(tsc, ["-b", join(projectRoot, "simulator")])
  const folder = await mkdtemp(join(tmpdir(), "payport-embedder-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const home = join(folder, "node_modules/payport")
  await mkdir(home, { recursive: true })
  await cp(join(projectRoot, "apps/payport/package.json"), join(home, "package.json"))
  for (const layer of ["core", "adapters", "simulator"]) {
    await cp(join(projectRoot, "dist", layer), join(home, "dist", layer), { recursive: true })
  }
  for (const name of ["effect", "libphonenumber-js", "ipaddr.js"]) {
    await symlink(join(projectRoot, "node_modules", name), join(folder, "node_modules", name))
  }
  await writeFile(join(folder, "embedder.mjs"), PROGRAM)
  const { stdout } = await run(process.execPath, ["embedder.mjs"], { cwd: folder })
  expect(JSON.parse(stdout)).toMatchObject({
    sound: true,
    same: true,
    caught: true,
  })
}, 120_000)
