import { execFile } from "node:child_process"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { COMMAND_TEXTS, commandReport } from "../../../apps/packages/commandReport.ts"
import { help } from "../../../apps/server/settings.ts"
import { VERSION } from "../../../core/shared/Version.ts"
import { V8_FLAGS } from "../../../apps/server/v8Flags.ts"
import { program } from "../../support/programs.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"

describe("--help", () => {
  test.each(COMMAND_TEXTS)(
    "of %s has a usage, --json, an example and the exit codes",
    (name, text) => {
      expect(text).toMatch(new RegExp(`^Usage: payport (${name}|\\[${name}\\])`))
      expect(text).toMatch(new RegExp(`\nExample:\n  .*payport(/server)? ${name}`))
      for (const said of ["\n  --json  ", "\n  --help  ", "\nIt ends with 0"]) {
        expect(text).toContain(said)
      }
    },
  )

  test("of payport names every command, and API.md has them all", async () => {
    const named = [...help.matchAll(/^ {2}([a-z-]+) .*$/gm)].map(([, name]) => name)
    const shown = await sourceText("apps/server/API.md")
    expect(shown.startsWith(commandReport())).toBe(true)
    expect(shown.slice(commandReport().length)).toMatch(/^\n## @payport\/server\/fixture\n/)
    expect(new Set(named)).toEqual(new Set(COMMAND_TEXTS.map(([name]) => name)))
  })
})

/**
 * Runs the command and returns its exit code and output. One setting is invalid, so that no service
 * starts.
 */
const payport = (env: NodeJS.ProcessEnv, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const options = { cwd: projectRoot, env: { PAYPORT_PORT: "many", ...env } }
      execFile(process.execPath, [program("payport"), ...args], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    },
  )

describe("payport", () => {
  test("starts with V8's flags, in the same process, and with those that it is given", async () => {
    const tell = "data:text/javascript,console.log(process.pid,process.execArgv.join())"
    const { code, stdout } = await payport({ NODE_OPTIONS: `--import=${tell}` }, "--json")
    const [first, second] = stdout.trim().split("\n")
    expect(second).toBe(`${first?.trim()} ${V8_FLAGS.join()}`)
    expect(code).toBe(1)
  })

  test("can be started as the service's own file, with every command that it lists", async () => {
    const run = (...args: ReadonlyArray<string>) =>
      new Promise<string>((resolve) =>
        execFile(process.execPath, [program("server"), ...args], (_, stdout) => resolve(stdout)),
      )
    const overview = await run("--help")
    expect(overview).toBe(help)
    for (const [name] of COMMAND_TEXTS)
      expect(await run(...name.split(" "), "--help"), name).toContain("Usage: payport")
  })

  test("tells its version, which is that of every package", async () => {
    const { code, stdout } = await payport({}, "--version")
    expect([code, stdout]).toEqual([0, `payport ${VERSION}\n`])
    for (const folder of ["", "apps/payport/", "apps/sdk/", "apps/server/"]) {
      const text = await sourceText(`${folder}package.json`)
      expect(JSON.parse(text), folder).toMatchObject({ version: VERSION })
    }
  })

  test.each([
    [["nothing"], /^payport has no command "nothing"\. See payport --help\.\n$/],
    [["start", "--fast"], /'--fast'.* See payport start --help\.\n$/],
    [["migrate", "--from", "1"], /^--from goes with --print\. See payport migrate --help\.\n$/],
    [["audit", "verify"], /^The copy of the log is missing\. See payport audit --help\.\n$/],
    [["doctor", "now"], /'now'.* See payport doctor --help\.\n$/],
  ] as const)("refuses %j with 2, and one line", async (args, line) => {
    const { code, stderr, stdout } = await payport({}, ...args)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(line)
    expect(stderr.split("\n")).toHaveLength(2)
  })

  test("loads what a command does only once its arguments and settings are right", async () => {
    const listed = `import { registerHooks } from "node:module"
      const load = (url, context, next) => (console.log(url), next(url, context))
      registerHooks({ load })`
    const hooks = `--import=data:text/javascript,${encodeURIComponent(listed)}`
    const loadedBy = (...names: ReadonlyArray<string>) =>
      new Promise<string>((resolve) => {
        const args = [hooks, join(projectRoot, "apps/server/main.ts"), ...names]
        const env = { PAYPORT_PORT: "many" }
        execFile(process.execPath, args, { env }, (_, stdout) => resolve(stdout))
      })
    const early = await loadedBy("start")
    expect(early).toContain("apps/server/settings.ts")
    const service =
      /PostgresStore|HttpServer|serve\.ts|node_modules\/(koa|undici|libphonenumber-js)/
    expect(early.split("\n").filter((line) => service.test(line))).toEqual([])
    expect(await loadedBy("doctor")).toContain("apps/server/doctor/examine.ts")
    expect(await loadedBy("grade", "--help")).not.toContain("/grader.ts")
    expect(await loadedBy("simulate", "--help")).not.toContain("simulator/perform.ts")
  })
})
