import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Received, ReceiverPorts, ReceiverSetUp } from "./receiver/Received.ts"

const program = fileURLToPath(import.meta.resolve("./receiver/main.ts"))

/** Receivers of webhooks, in one separate process. */
export interface Receivers extends ReceiverPorts {
  readonly pid: number
  readonly received: () => Promise<Received>
  /** Begins to count anew. */
  readonly forget: () => Promise<void>
}

/** Runs so many quick receivers, and one that hangs, while `use` runs. */
export const withReceivers = async <A>(
  receivers: number,
  use: (receivers: Receivers) => Promise<A>,
): Promise<A> => {
  const child = fork(program, { execArgv: [] })
  const ask = async (question: ReceiverSetUp | "received" | "forget"): Promise<unknown> => {
    const answer = once(child, "message")
    child.send(question)
    return (await answer)[0]
  }
  const received = async () => ((await ask("received")) as { received: Received }).received
  try {
    const ports = (await ask({ receivers })) as ReceiverPorts
    const forget = async () => void (await ask("forget"))
    return await use({ ...ports, pid: child.pid ?? 0, received, forget })
  } finally {
    const ended = once(child, "exit")
    child.disconnect()
    await ended
  }
}
