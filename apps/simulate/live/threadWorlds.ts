import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import type { LiveWorlds } from "../../../adapters/pages/console/world/LiveWorlds.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { Command } from "../../../simulator/live/Control.ts"
import { LIBRARY } from "../../../simulator/scenarios/library.ts"
import { LiveThread } from "./LiveThread.ts"
import type { Answer, Question } from "./messages.ts"

/** Limits of the worlds of a process; times in milliseconds. */
export interface WorldLimits {
  /** How many play at the same time. */
  readonly worlds: number
  readonly most_payments: number
  /** How long a world lasts at most, and how long while nobody watches. */
  readonly life: number
  readonly patience: number
  /** The memory of its thread. */
  readonly megabytes: number
}

export const WORLD_LIMITS: WorldLimits = {
  worlds: 3,
  most_payments: 300,
  life: 30 * 60_000,
  patience: 60_000,
  megabytes: 384,
}

interface Playing {
  readonly owner: string
  readonly thread: LiveThread
}

const unknown = () =>
  new Failure({
    code: "NOT_FOUND",
    message: "No such world plays here for you. It may have ended: begin another one.",
  })

const tooMany = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "As many worlds play as this process has room for. Try again when one has ended.",
    retry_after: 30,
  })

const noScenario = (name: string) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `There is no scenario ${JSON.stringify(name)}.`,
    details: { known: LIBRARY.map((scenario) => scenario.name) },
  })

const wishOf = ({ most_payments }: WorldLimits) =>
  decode(
    Schema.Struct({
      scenario: Schema.String.check(Schema.isMaxLength(64)),
      seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      payments: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most_payments })),
    }),
  )

const readOrder = decode(Schema.Struct({ command: Command }))

/** Worlds in threads of this process: a few at once, one for each owner, all with a time limit. */
export const threadWorlds = (limits: WorldLimits = WORLD_LIMITS): LiveWorlds => {
  const playing = new Map<string, Playing>()
  const readWish = wishOf(limits)

  const idOf = (owner: string): string | undefined =>
    [...playing].find(([, world]) => world.owner === owner)?.[0]

  const find = (owner: string, id: string): Effect.Effect<LiveThread, Failure> => {
    const world = playing.get(id)
    return world?.owner === owner ? Effect.succeed(world.thread) : Effect.fail(unknown())
  }

  const ask = <T extends Answer["type"]>(owner: string, id: string, question: Question, type: T) =>
    Effect.gen(function* () {
      const thread = yield* find(owner, id)
      const answer = yield* Effect.promise(() => thread.ask(question))
      if (answer?.type !== type) return yield* unknown()
      return answer as Extract<Answer, { readonly type: T }>
    })

  const end = (id: string): Effect.Effect<void> =>
    Effect.promise(async () => {
      const world = playing.get(id)
      playing.delete(id)
      await world?.thread.end("ended")
    })

  const begin = Effect.fnUntraced(function* (owner: string, wished: unknown) {
    const { payments, scenario: name, seed } = yield* Effect.fromResult(readWish(wished))
    const scenario = LIBRARY.find((known) => known.name === name)
    if (scenario === undefined) return yield* noScenario(name)
    // Meanwhile the same owner may begin another world, which is replaced, too.
    for (let old = idOf(owner); old !== undefined; old = idOf(owner)) yield* end(old)
    if (playing.size >= limits.worlds) return yield* tooMany()
    const id = randomUUID()
    const wish = { seed, scenario, intents: payments }
    const thread = new LiveThread({ wish }, limits, () => playing.delete(id))
    playing.set(id, { owner, thread })
    return { id }
  })

  return {
    offer: (owner) =>
      Effect.sync(() => ({
        scenarios: LIBRARY.map(({ about, name, payments }) => ({ name, about, payments })),
        most_payments: limits.most_payments,
        world: idOf(owner) ?? null,
      })),
    begin,
    find: (owner, id) => Effect.asVoid(find(owner, id)),
    command: (owner, id, input) =>
      Effect.gen(function* () {
        const thread = yield* find(owner, id)
        const { command } = yield* Effect.fromResult(readOrder(input))
        thread.command(command)
      }),
    story: (owner, id, payment) => ask(owner, id, { type: "story", payment }, "story"),
    file: (owner, id) => Effect.map(ask(owner, id, { type: "file" }, "file"), ({ text }) => text),
    watch: (owner, id, watcher) => Effect.map(find(owner, id), (thread) => thread.watch(watcher)),
    end: (owner, id) => Effect.andThen(find(owner, id), end(id)),
    close: Effect.suspend(() =>
      Effect.forEach([...playing.keys()], end, { discard: true, concurrency: "unbounded" }),
    ),
  }
}
