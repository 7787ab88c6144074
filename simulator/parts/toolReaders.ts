import { Effect, Result } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { listTools, type ToolPage } from "../../core/agents/listTools.ts"
import { toolFilterOf } from "../../core/agents/ToolFilter.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { type ToolQuery, toolListRules } from "../auditor/invariants/toolLists.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

const TAGS = ["outdoors", "OUTDOORS", "zeppelin", " "] as const

/** Draws ids of services, as people and programs write them, and rarely what is none. */
const drawIds = ({ auditor }: Scene, chance: Chance): string => {
  const services = [...auditor.model.services.keys()].filter(() => chance.hits(0.5))
  const [first = "", ...others] = services
  const written = [first, ...others, ...(chance.hits(0.3) ? [first] : [])].join(
    chance.pick([",", ", "]),
  )
  return chance.weighted([
    [6, written],
    [2, written.toUpperCase()],
    [1, `${written},`],
    [1, "nothing"],
  ])
}

const drawQuery = (scene: Scene, chance: Chance): ToolQuery => {
  const draw = (): readonly [string, string] => {
    const name = chance.weighted([
      [3, "tag"],
      [3, "installed"],
      [3, "ids"],
      [0.3, "tags"],
    ])
    if (name === "installed") return [name, chance.pick(["", "true", "true", "false"])]
    return [name, name === "ids" ? drawIds(scene, chance) : chance.pick(TAGS)]
  }
  return Array.from({ length: chance.pick([0, 1, 1, 1, 2]) }, draw)
}

/** Lists tools page by page. */
const list = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, people } = scene
  const query = drawQuery(scene, chance)
  const [one = people.stranger, ...others] = people.buyers
  const installs = [...(auditor.model.know(kept).get("install")?.values() ?? [])]
  const agent_ids = installs.map((each) => String(Reflect.get(each ?? {}, "agent_id")))
  const agents = chance.hits(0.2) ? agent_ids.filter(() => chance.hits(0.5)) : undefined
  const ids = [...auditor.model.services.keys()]
  const services = chance.hits(0.2) ? ids.filter(() => chance.hits(0.5)) : undefined
  const known = chance.pick([one, ...others])
  const restrictions = { ...(agents && { agents }), ...(services && { services }) }
  const caller: Caller | undefined = chance.hits(0.1) ? undefined : { ...known, restrictions }
  const cursor = chance.hits(0.06) ? chance.pick(["", "0", `${ids[0]}9`, "page 2"]) : undefined
  const limit = chance.int(1, 6)
  const filter = toolFilterOf(query)
  const pages: Array<ReadonlyArray<string>> = []
  let refused = Result.isFailure(filter) ? (filter.failure.field ?? "nothing") : undefined
  let next = cursor
  while (Result.isSuccess(filter) && refused === undefined) {
    const page: ToolPage | string = yield* listTools(next, {
      limit,
      caller,
      filter: filter.success,
    }).pipe(Effect.catchTag("Failure", ({ field }) => Effect.succeed(field ?? "nothing")))
    if (typeof page === "string") {
      refused = page
      break
    }
    pages.push(page.tools.map(({ name }) => name))
    next = page.next_cursor
    if (next === undefined) break
  }
  const account = caller?.account.id
  const reader = { account, agents, services }
  auditor.see("tools_listed", "the tools", { query, cursor, ...reader, limit, pages, refused })
}, Effect.orDie)

const LISTS = 3

/** Agents that list tools at rest: all, of some services, with a tag, and those installed. */
export const toolReaders: Part = {
  name: "tool readers",
  rules: toolListRules,
  knowledge: [kept],
  inspect: (scene) => {
    const chance = scene.stage.chance("tool readers")
    return Effect.repeat(list(scene, chance), { times: LISTS - 1 })
  },
}
