import { Clock, Effect } from "effect"
import cluster from "node:cluster"
import type { Ready } from "../greeting.ts"
import { joinMetrics } from "./joinMetrics.ts"
import { type FromMember, onToMember, type ProcessMetrics } from "./messages.ts"

/** What a scrape waits for the metrics of the others; it then shows this process's alone. */
const PATIENCE = "2 seconds"

/** The variables by which a member learns what it is called, and whether it counts what waits. */
export const MEMBER = { name: "PAYPORT_MEMBER", counts: "PAYPORT_MEMBER_COUNTS" } as const

/** This process among those that one keeps. */
export interface Member {
  /** Whether it counts what waits in the database, which one of them does for all. */
  readonly counts: boolean
  /** Says that it is ready. */
  readonly announce: (ready: Ready) => Effect.Effect<void>
  /** Sets what it shows to the others as its metrics. */
  readonly shows: (own: Effect.Effect<string>) => Effect.Effect<void>
  /** The same; returns what reads the metrics of all, each sample with the label of its process. */
  readonly withOthers: (own: Effect.Effect<string>) => Effect.Effect<Effect.Effect<string>>
}

const tell = (message: FromMember): void => {
  // Where the process that kept this one has gone, this one is about to end as well.
  if (process.connected) process.send?.(message)
}

const makeMember = Effect.gen(function* () {
  const name = process.env[MEMBER.name] ?? String(process.pid)
  const waiting = new Map<number, (all: ReadonlyArray<ProcessMetrics>) => void>()
  let own: Effect.Effect<string> = Effect.succeed("")
  let questions = 0
  const run = Effect.runForkWith(yield* Effect.context())
  const show = (question: number) =>
    Effect.map(own, (text) => tell({ type: "metrics", question, text }))
  const listener = onToMember((message) => {
    if (message.type === "show_metrics") run(show(message.question))
    else waiting.get(message.question)?.(message.all)
  })
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("message", listener)),
    () => Effect.sync(() => process.off("message", listener)),
  )
  const ask = Effect.suspend(() => {
    const question = ++questions
    return Effect.ensuring(
      Effect.callback<ReadonlyArray<ProcessMetrics>>((resume) => {
        waiting.set(question, (all) => resume(Effect.succeed(all)))
        tell({ type: "want_metrics", question })
      }),
      Effect.sync(() => waiting.delete(question)),
    )
  })
  const shows: Member["shows"] = (shown) =>
    Effect.sync(() => {
      own = shown
    })
  const member: Member = {
    counts: process.env[MEMBER.counts] === "on",
    announce: (ready) => Effect.sync(() => tell({ type: "ready", ready })),
    shows,
    withOthers: (shown) => {
      const alone = Effect.map(shown, (text) => [{ process: name, text }])
      const all = Effect.timeoutOrElse(ask, { duration: PATIENCE, orElse: () => alone }).pipe(
        Effect.map(joinMetrics),
        // The sandbox's clock may be moved; patience is of the machine's time.
        Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
      )
      return Effect.as(shows(shown), all)
    },
  }
  return member
})

/** This process as a member, as long as the scope is open; undefined where none keeps it. */
export const openMember = Effect.suspend(() =>
  cluster.isWorker ? makeMember : Effect.succeed(undefined),
)
