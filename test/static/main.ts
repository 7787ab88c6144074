import { spawn } from "node:child_process"

/**
 * `node test/static/main.ts <script> …`: runs scripts of package.json beside each other. It ends
 * after all of them, with the first exit code in their order that is not 0. A signal that would end
 * it ends them, with all that they have started: a shell's `&` leaves them running.
 */

/** The exit code of a shell's command that a signal has ended. */
const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

// Each is the leader of a group, so that a signal reaches what it starts.
const children = process.argv
  .slice(2)
  .map((name) => spawn("npm", ["run", name], { detached: true, stdio: "inherit" }))

/** Sends a signal to a script and to what it has started, if there is any of it left. */
const signal = (pid: number | undefined, name: NodeJS.Signals) => {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // It has ended by itself.
  }
}

let ended = 0
for (const [name, code] of Object.entries(CODES)) {
  process.on(name, () => {
    ended ||= code
    for (const { pid } of children) signal(pid, name as keyof typeof CODES)
  })
}

const codes = await Promise.all(
  children.map(
    (child) =>
      new Promise<number>((done) => {
        child.on("error", (error) => {
          console.error(error.message)
          done(1)
        })
        child.on("exit", (code) => done(code ?? 1))
      }),
  ),
)
process.exitCode = ended || codes.find((code) => code !== 0) || 0
