import { jsonOf } from "../seller/Terms.ts"
import type { Agent, Said } from "./Agent.ts"
import type { Asked, Reply } from "./Exchange.ts"
import type { Task } from "./Task.ts"

/** An agent that asks for its tasks itself: `GET /grade/task`, and `POST /grade/done`. */
interface WaitingAgent extends Agent {
  /** Answers the agent's requests to the grader; undefined for other requests. */
  readonly answer: (asked: Asked) => Promise<Reply> | undefined
}

/** How long a request for a task waits, in milliseconds. */
const HOLDS = 20_000

const reply = (status: number, body: object): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

interface Given {
  readonly task: Task
  readonly over: (said: Said) => void
}

/** Hands out tasks one after the other to an agent that asks for them. */
export const waitForAgent = (seconds: number, signal: AbortSignal): WaitingAgent => {
  let given: Given | undefined
  let taken = false
  let ended = false
  let wake: () => void = () => undefined
  let woken = new Promise<void>((resolve) => (wake = resolve))
  const change = () => {
    wake()
    woken = new Promise<void>((resolve) => (wake = resolve))
  }
  const next = async (): Promise<Reply> => {
    const until = performance.now() + HOLDS
    for (;;) {
      if (ended || signal.aborted) return reply(410, { ended: true })
      if (given !== undefined && !taken) {
        taken = true
        return reply(200, given.task)
      }
      const left = until - performance.now()
      if (left <= 0) return { status: 204, headers: {}, body: "" }
      const timer = Promise.withResolvers<void>()
      const ringing = setTimeout(timer.resolve, left)
      await Promise.race([woken, timer.promise])
      clearTimeout(ringing)
    }
  }
  const take = (body: string): Reply => {
    const said = jsonOf(body) as { readonly task?: unknown; readonly done?: unknown } | null
    if (typeof said?.done !== "boolean" || typeof said.task !== "string") {
      return reply(400, { error: 'Send {"task": the id of the task, "done": true or false}.' })
    }
    if (given?.task.id !== said.task) return reply(409, { error: "That task is over." })
    given.over({ done: said.done, text: "" })
    return reply(200, { task: said.task })
  }
  return {
    play: (task) =>
      new Promise<Said>((resolve) => {
        const over = (said: Said) => {
          clearTimeout(timer)
          signal.removeEventListener("abort", stop)
          given = undefined
          resolve(said)
        }
        const stop = () => over(undefined)
        const timer = setTimeout(stop, seconds * 1_000)
        signal.addEventListener("abort", stop, { once: true })
        taken = false
        given = { task, over }
        change()
      }),
    answer: ({ body, method, path }) => {
      if (path === "/grade/task" && method === "GET") return next()
      if (path === "/grade/done" && method === "POST") return Promise.resolve(take(body))
      return path.startsWith("/grade/")
        ? Promise.resolve(reply(404, { error: "GET /grade/task, or POST /grade/done." }))
        : undefined
    },
    close: async () => {
      ended = true
      change()
    },
  }
}
