import { Effect } from "effect"
import { callTool } from "../../core/agents/callTool.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { toolCallRules } from "../auditor/invariants/toolCalls.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

const KINDS = ["pay_one_time", "pay_cumulative", "pay_subscribe"] as const

/** Services that nobody has registered. */
const NOBODYS = "019b76da-a800-7000-8000-000000000000"

type Sent = { readonly [name: string]: unknown }

/** Draws arguments for a service's tool, at least one of which is wrong. */
const drawArguments = (id: string, chance: Chance): Sent => {
  const right: Sent = {
    ...(chance.hits(0.5) && { manifest_id: id }),
    ...(chance.hits(0.3) && { agent_id: "one" }),
    ...(chance.hits(0.3) && { human_id: null }),
  }
  const wrong = chance.pick<Sent>([
    { colour: "red" },
    { Manifest_id: id },
    { manifest_id: NOBODYS },
    { manifest_id: "" },
    { agent_id: "" },
    { human_id: 7 },
    { agent_id: "one\ntwo" },
  ])
  const more = chance.hits(0.3) ? chance.pick<Sent>([{ amount: 0 }, { currency: "usd" }]) : {}
  return { ...right, ...wrong, ...more }
}

/** Calls a tool wrongly. */
const call = Effect.fnUntraced(function* ({ auditor, hears, people }: Scene, chance: Chance) {
  const [first, ...others] = auditor.model.services.keys()
  if (first === undefined) return
  const known = chance.pick([first, ...others])
  const id = chance.hits(0.1) ? NOBODYS : known
  const name = `${id}__${chance.pick(KINDS)}`
  const tool = chance.weighted([
    [8, name],
    [0.5, name.toUpperCase()],
    [0.5, `${name}s`],
    [0.5, name.replace("__", "_")],
    [0.5, `${name}__${KINDS[0]}`],
  ])
  const services = chance.hits(0.2) ? chance.pick([[known], [first], [NOBODYS]]) : undefined
  const sent = drawArguments(id, chance)
  const heard = JSON.parse(hears(JSON.stringify(sent))) as Sent
  const caller = { ...people.stranger, ...(services && { restrictions: { services } }) }
  const exit = yield* Effect.exit(callTool(caller, tool, heard))
  auditor.see("tool_called", tool, { tool, sent, services, refused: failedWith(exit) })
})

const run = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("tool callers")
  for (let n = 0; n < 4; n += 1) yield* call(scene, chance)
})

/** Agents that call tools of services with wrong names and wrong arguments. */
export const toolCallers: Part = {
  name: "tool callers",
  rules: toolCallRules,
  knowledge: [kept],
  inspect: run,
}
