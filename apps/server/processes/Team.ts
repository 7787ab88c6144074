import { Effect } from "effect"
import cluster, { type Worker } from "node:cluster"
import { ProcessEnded } from "./ProcessEnded.ts"
import type { Ready } from "../greeting.ts"
import { MEMBER } from "./member.ts"
import { onFromMember, type ProcessMetrics, type ToMember } from "./messages.ts"

/** The settings with which a member is started. */
export interface Post {
  readonly name: string
  readonly environment: { readonly [variable: string]: string }
  /** Whether it counts the backlog in the database, for all members. */
  readonly counts: boolean
}

/** How long to wait for the members' metrics; then those without an answer are left out. */
const PATIENCE = 1_000

/** A query for the metrics of all: who has answered, and the function that gets the answers. */
interface Gathering {
  readonly found: Array<ProcessMetrics>
  readonly end: () => void
}

const tell = (worker: Worker, message: ToMember): void => {
  if (worker.isConnected()) worker.send(message)
}

/** The member processes of this one: it starts them, stops them, and passes on their metrics. */
export class Team {
  readonly #members = new Map<string, Worker>()
  readonly #gathering = new Map<number, Gathering>()
  #questions = 0

  /**
   * Runs the program once more, until it ends or the effect is interrupted. An interrupt stops it
   * as a signal does and waits for its end. Fails with `ProcessEnded` if it ends by itself.
   */
  run(post: Post, ready: (told: Ready) => void): Effect.Effect<never, ProcessEnded> {
    return Effect.callback<never, ProcessEnded>((resume) => {
      const worker = cluster.fork({
        ...post.environment,
        [MEMBER.name]: post.name,
        [MEMBER.counts]: post.counts ? "on" : "off",
      })
      this.#members.set(post.name, worker)
      const ended = new Promise<number | string>((resolve) => {
        worker.once("exit", (code, signal) => resolve(signal ?? code))
      })
      void ended.then((how) => {
        if (this.#members.get(post.name) === worker) this.#members.delete(post.name)
        resume(Effect.fail(new ProcessEnded({ name: post.name, how })))
      })
      worker.on(
        "message",
        onFromMember((message) => {
          if (message.type === "ready") ready(message.ready)
          else if (message.type === "want_metrics") this.#gather(worker, message.question)
          else this.#take(post.name, message.question, message.text)
        }),
      )
      // A message to a process that has just ended is lost.
      worker.on("error", () => undefined)
      return Effect.promise(async () => {
        worker.process.kill("SIGTERM")
        await ended
      })
    })
  }

  #gather(asker: Worker, question: number): void {
    const own = ++this.#questions
    const found: Array<ProcessMetrics> = []
    const end = () => {
      clearTimeout(late)
      this.#gathering.delete(own)
      const all = found.toSorted((a, b) => a.process.localeCompare(b.process, "en"))
      tell(asker, { type: "metrics_of_all", question, all })
    }
    const late = setTimeout(end, PATIENCE)
    this.#gathering.set(own, { found, end })
    for (const worker of this.#members.values()) {
      tell(worker, { type: "show_metrics", question: own })
    }
  }

  #take(process: string, question: number, text: string): void {
    const gathering = this.#gathering.get(question)
    if (gathering === undefined) return
    gathering.found.push({ process, text })
    if (gathering.found.length === this.#members.size) gathering.end()
  }
}
