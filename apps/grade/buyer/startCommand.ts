import { spawn } from "node:child_process"
import type { Agent, Said } from "./Agent.ts"
import { variablesOf } from "./Task.ts"

/** How much of a command's last output is kept, in characters. */
const KEPT = 400

/** Ends a command and its child processes; only those that this process started. */
const end = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

/** An agent that is started for each task, and reports by its exit code whether it is done. */
export const startCommand = (command: string, seconds: number, signal: AbortSignal): Agent => {
  const running = new Set<number | undefined>()
  return {
    play: (task) =>
      new Promise<Said>((resolve) => {
        const child = spawn(command, {
          shell: true,
          detached: process.platform !== "win32",
          env: { ...process.env, ...variablesOf(task) },
          stdio: ["ignore", "pipe", "pipe"],
        })
        running.add(child.pid)
        let text = ""
        const keep = (chunk: Buffer) => {
          text = (text + chunk.toString("utf8")).slice(-KEPT)
        }
        child.stdout.on("data", keep)
        child.stderr.on("data", keep)
        const over = (said: Said) => {
          clearTimeout(timer)
          signal.removeEventListener("abort", stop)
          running.delete(child.pid)
          end(child.pid)
          // A process that left the group may hold the other ends, which would keep this one alive.
          child.stdout.destroy()
          child.stderr.destroy()
          resolve(said)
        }
        const stop = () => over(undefined)
        const timer = setTimeout(stop, seconds * 1_000)
        signal.addEventListener("abort", stop, { once: true })
        child.once("error", (error) => over({ done: false, text: error.message }))
        child.once("exit", (code) => over({ done: code === 0, text: text.trim() }))
      }),
    close: async () => {
      for (const pid of running) end(pid)
    },
  }
}
