import { registry as knowledge, registryRules } from "../auditor/invariants/registry.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { offer } from "./offering.ts"
import { Effect, Exit, Latch } from "effect"
import { followToolChanges } from "../../core/agents/followToolChanges.ts"
import { listTools, type ToolPage } from "../../core/agents/listTools.ts"
import { searchServices } from "../../core/registry/searchServices.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"

const QUESTIONS = [
  {},
  {},
  { q: "edition" },
  { q: "RAIN ma" },
  { channel: "wallet_b" },
  { status: "deprecated" },
  { status: "paused" },
  { status: "draft" },
] as const

/** More than the number of services in a world. */
const ALL = 100

/** Searches for all services or page by page, and shows the result to the auditor. */
const search = Effect.fnUntraced(function* ({ auditor, people, stage }: Scene, chance: Chance) {
  const caller = chance.pick([people.stranger, ...people.sellers])
  const question = chance.pick(QUESTIONS)
  const paged = chance.hits(0.3)
  const limit = paged ? 3 : ALL
  for (let offset = 0; offset < (paged ? 9 : 1); offset += limit) {
    const since = auditor.model.step
    const asked = searchServices(caller, { ...question, limit, offset })
    const exit = yield* Effect.exit(stage.serve(asked))
    if (Exit.isFailure(exit)) return
    const { data, pagination } = exit.value
    const account = caller.account.id
    auditor.see("search", account, {
      account,
      asked: { status: "active", ...question },
      since,
      found: data,
      total: pagination.total,
      paged,
    })
  }
})

/** Searches now and then, for some time. */
const browse = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("searches")
  for (let n = 0; n < 10; n += 1) {
    yield* Effect.sleep(chance.wait(8 * SECOND))
    yield* search(scene, chance)
  }
})

/** A client that lists tools and receives their changes, with the tools that it remembers. */
interface Agent {
  readonly chance: Chance
  names: ReadonlyArray<string> | undefined
  isStale: boolean
  wake: () => void
}

/** Lists all tools, page by page, each from whichever process takes the request. */
const list = Effect.fnUntraced(function* ({ auditor, stage }: Scene, { chance }: Agent) {
  const since = auditor.model.step
  const names: Array<string> = []
  let cursor: string | undefined
  do {
    const asked = listTools(cursor, { limit: chance.int(3, 12) })
    const exit: Exit.Exit<ToolPage, unknown> = yield* Effect.exit(stage.serve(asked))
    if (Exit.isFailure(exit)) return undefined
    names.push(...exit.value.tools.map(({ name }) => name))
    cursor = exit.value.next_cursor
    yield* Effect.sleep(chance.int(1, 300))
  } while (cursor !== undefined)
  auditor.see("tools", "tools", { names, since })
  return names
})

/** Lists the tools again whenever the client is notified. */
const keepUp = Effect.fnUntraced(function* (scene: Scene, agent: Agent) {
  while (true) {
    if (agent.isStale) {
      agent.isStale = false
      const names = yield* list(scene, agent)
      agent.isStale ||= names === undefined
      agent.names = names ?? agent.names
      if (names === undefined) yield* Effect.sleep(SECOND)
    } else {
      yield* Effect.callback<void>((resume) => {
        agent.wake = () => resume(Effect.void)
      })
    }
  }
})

/** Lets a process notify the client of changes until either of them is gone. */
const listen = Effect.fnUntraced(function* ({ stage }: Scene, agent: Agent) {
  const closed = Latch.makeUnsafe(false)
  const tell = () => {
    agent.isStale = true
    agent.wake()
  }
  while (true) {
    closed.closeUnsafe()
    const following = Effect.raceFirst(followToolChanges(tell), closed.await)
    // A client that starts to listen may have missed changes.
    yield* Effect.andThen(Effect.sync(tell), stage.serve(following)).pipe(
      Effect.ensuring(Effect.sync(() => closed.openUnsafe())),
      Effect.exit,
    )
    agent.names = undefined
    yield* Effect.sleep(agent.chance.int(1, 2 * SECOND))
  }
})

/** Shows the auditor sometimes which tools the client remembers. */
const recall = Effect.fnUntraced(function* ({ auditor, stage }: Scene, agent: Agent) {
  for (let n = 0; n < 12; n += 1) {
    yield* Effect.sleep(agent.chance.wait(8 * SECOND))
    if (agent.names !== undefined) {
      auditor.see("remembered", "tools", { names: agent.names, at: stage.now() })
    }
  }
})

/** How long a client stays, at most. */
const STAYS = 100 * SECOND

/** Plays a client that remembers the tools for a while, and receives their changes. */
const stay = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const chance = scene.stage.chance(`agent ${n}`)
  const agent: Agent = { chance, names: undefined, isStale: true, wake: () => undefined }
  const busy = atOnce([listen(scene, agent), keepUp(scene, agent)])
  const staying = Effect.raceFirst(busy, recall(scene, agent))
  yield* Effect.raceFirst(staying, Effect.sleep(STAYS))
})

/** Searches when nothing happens any more. */
const lookAround = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("the last searches")
  for (let n = 0; n < QUESTIONS.length; n += 1) yield* search(scene, chance)
  yield* list(scene, { chance, names: undefined, isStale: true, wake: () => undefined })
})

/** Sellers who change their services, and buyers who search for them. */
export const registry: Part = {
  name: "registry",
  heavy: 0.25,
  rules: registryRules,
  knowledge: [knowledge],
  errands: (scene) => [offer(scene), browse(scene), stay(scene, 1), stay(scene, 2)],
  inspect: lookAround,
}
