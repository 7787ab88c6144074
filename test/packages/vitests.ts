import { join } from "node:path"
import { readManifest } from "../../apps/packages/Manifest.ts"
import { projectRoot } from "../support/sourceFiles.ts"
import { openScratch, run, type Scratch } from "./Scratch.ts"

/** A version of Vitest that `payport/vitest` is tried with, one of each major version. */
interface Tried {
  readonly version: string
  /** Packages that are held to one version, for Vitest's own declarations to compile. */
  readonly overrides?: { readonly [name: string]: string }
}

/** Vitest 3 declares a `containSubset`, which Chai's own types have had since 5.2. */
export const VITESTS: ReadonlyArray<Tried> = [
  { version: "3.2.4", overrides: { "@types/chai": "5.0.1" } },
  { version: "4.1.0" },
  { version: "5.0.0" },
]

/** The test file: two tests pass, and the world of a store that loses every event fails one. */
const WORLDS = `import { simulate } from "payport/simulator"
import { testWorlds } from "payport/vitest"
import { expect, test } from "vitest"

const world = simulate({ seed: 7, intents: 1, parts: [] })

test("a world that holds", async () => {
  const held: void = expect(world).toHold({ tries: 1 })
  const later: Promise<void> = expect(Promise.resolve(world)).resolves.toHold()
  await later
  expect({ world, other: 1 }).toEqual({ world: expect.toHold(), other: 1 })
  expect(() => expect(world).not.toHold()).toThrow("holds, and should not")
  return held
})
test.skip("what does not compile", () => {
  // @ts-expect-error an option that there is not
  expect(world).toHold({ tried: 1 })
  // @ts-expect-error a matcher that there is not
  expect(world).toHoldOn()
})
testWorlds("a world of a seed", { seed: 7, seeds: 1, intents: 1, parts: [] })
test("a world that breaks", () => {
  const broken = simulate({
    seed: 7,
    intents: 1,
    parts: [],
    alterations: {
      store: (store) => ({
        ...store,
        commit: ({ events: _lost, ...commit }) => store.commit(commit),
      }),
    },
  })
  expect(broken).toHold({ tries: 5 })
})
`

/** Texts that its output must contain. */
const TOLD = [
  "1 failed | 2 passed | 1 skipped",
  "The world mixed with seed 7 does not hold",
  "invariant 28",
  "Its story (",
  "✗ INVARIANT 28",
  "Run it again:",
]

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    types: [],
    module: "nodenext",
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ["worlds.test.ts"],
}

const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--testTimeout=60000", "worlds.test.ts"]
const tsc = join(projectRoot, "node_modules/.bin/tsc")

/** Returns what is wrong under one version; nothing if all is well. */
const tryVitest = async (
  scratch: Scratch,
  tarball: string,
  { overrides = {}, version }: Tried,
): Promise<ReadonlyArray<string>> => {
  const options = { cwd: scratch.folder, env: { NO_COLOR: "1" } }
  const flaws: Array<string> = []
  const note = (error: unknown) => flaws.push(`Under Vitest ${version}: ${String(error)}`)
  await scratch.write({
    "package.json": JSON.stringify({ name: "vitests", private: true, type: "module", overrides }),
    "tsconfig.json": JSON.stringify(TSCONFIG),
    "worlds.test.ts": WORLDS,
  })
  await scratch.install(tarball, "effect@4.1.0", "fast-check@4.10.2", `vitest@${version}`)
  const own = await readManifest(join(scratch.folder, "node_modules/vitest"))
  if (own.version !== version) note(`it is ${own.version}.`)
  await run(tsc, ["--pretty", "false"], options).catch(note)
  const said = await run("node", VITEST, options).catch(String)
  const missing = TOLD.filter((text) => !said.includes(text))
  if (missing.length > 0) note(`it does not say ${missing.join(", ")}: ${said}`)
  return flaws
}

/**
 * Compiles tests of worlds strictly against the packed library, and runs them with each version of
 * Vitest. They have to pass for a sound world and to report a flawed one. A version that overrides
 * others' packages is installed alone, and the others one after another in the given project.
 * Returns what was different.
 */
export const tryVitests = async (
  scratch: Scratch,
  tarball: string,
): Promise<ReadonlyArray<string>> => {
  const flaws: Array<string> = []
  for (const tried of VITESTS) {
    const own = tried.overrides && (await openScratch(`vitest-${tried.version}`))
    try {
      flaws.push(...(await tryVitest(own ?? scratch, tarball, tried)))
    } finally {
      await own?.remove()
    }
  }
  return flaws
}
