import { fork } from "node:child_process"
import { once } from "node:events"

/** A server in a separate process. */
export interface Forked {
  readonly url: string
  readonly pid: number
}

/** Runs a program that reports its port while `use` runs. */
export const withForked = async <A>(
  program: string,
  args: ReadonlyArray<string>,
  use: (server: Forked) => Promise<A>,
): Promise<A> => {
  const child = fork(program, args, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  })
  try {
    const ended = once(child, "exit").then(() => undefined)
    const [port] = (await Promise.race([once(child, "message"), ended])) ?? []
    if (typeof port !== "number") throw new Error(`${program} did not start.`)
    return await use({ url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 })
  } finally {
    child.kill("SIGKILL")
  }
}
