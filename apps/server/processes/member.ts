import { Clock, Effect } from "effect"
import cluster from "node:cluster"
import type { Ready } from "../greeting.ts"
import { joinMetrics } from "./joinMetrics.ts"
import { type FromMember, onToMember, type ProcessMetrics } from "./messages.ts"

/** How long a scrape waits for the metrics of the others; then it shows only this process's. */
const PATIENCE = "2 seconds"

/** The variables that tell a member its name, and whether it counts the backlog. */
export const MEMBER = { name: "PAYPORT_MEMBER", counts: "PAYPORT_MEMBER_COUNTS" } as const

/** This process as a member of a team. */
export interface Member {
  /** Whether it counts the backlog in the database; one member does so for all. */
  readonly counts: boolean
  /** Reports that it is ready. */
  readonly announce: (ready: Ready) => Effect.Effect<void>
  /** Sets the metrics that it shows to the others. */
  readonly shows: (own: Effect.Effect<string>) => Effect.Effect<void>
  /** Does the same, and returns the effect that reads all metrics, labelled by process. */
  readonly withOthers: (own: Effect.Effect<string>) => Effect.Effect<Effect.Effect<string>>
}

const tell = (message: FromMember): void => {
  // If the supervising process has ended, this one is about to end as well.
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
        // The sandbox's clock may be moved, but this time limit uses the machine's time.
        Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
      )
      return Effect.as(shows(shown), all)
    },
  }
  return member
})

/** Opens this process as a member, until the scope closes; undefined if it is not one. */
export const openMember = Effect.suspend(() =>
  cluster.isWorker ? makeMember : Effect.succeed(undefined),
)
