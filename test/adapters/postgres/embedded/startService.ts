import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** A message of the service. */
export interface Message {
  readonly ready?: { readonly pid: number; readonly adopted: boolean; readonly firstStart: boolean }
  readonly inserted?: number
  readonly drained?: number
  readonly stopped?: boolean
  readonly failed?: { readonly _tag: string; readonly pid: number | null; readonly message: string }
}

/** A service in a separate process. */
export interface Service {
  readonly child: ChildProcess
  readonly messages: ReadonlyArray<Message>
  /**
   * Waits for the first message for which `pick` returns a value. Rejects if the process ends
   * before.
   */
  readonly heard: <A>(pick: (message: Message) => A | undefined) => Promise<A>
  readonly ended: Promise<void>
}

/** Starts the service in its own process group, as a terminal would. */
export const startService = (
  folder: string,
  behaviour: "serve" | "insert" | "exit" | "drain" = "serve",
  user: { readonly uid?: number; readonly gid?: number } = {},
): Service => {
  const program = fileURLToPath(import.meta.resolve("./service.ts"))
  const child = spawn(process.execPath, [program, folder, behaviour], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  })
  const messages: Array<Message> = []
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString("utf8")
  })
  const lines = createInterface({ input: child.stdout })
  lines.on("line", (line) => {
    messages.push(JSON.parse(line) as Message)
    lines.emit("message")
  })
  const closed = once(child, "close").then(() => undefined)
  const heard = <A>(pick: (message: Message) => A | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      const look = () => {
        for (const message of messages) {
          const found = pick(message)
          if (found !== undefined) return resolve(found)
        }
      }
      lines.on("message", look)
      look()
      void closed.then(() => {
        look()
        reject(new Error(`the service ended: ${JSON.stringify(messages.at(-1))} ${errors}`))
      })
    })
  return { child, messages, heard, ended: closed }
}
