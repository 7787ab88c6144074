import { type Itf, show } from "./Itf.ts"
import type { Model, Value } from "./Quint.ts"

/** The result of an exploration. */
export interface Explored {
  readonly states: number
  readonly moves: number
  /** The longest of the shortest ways from a start to a state. */
  readonly depth: number
  /** The first state in which something is broken, with a shortest way there. */
  readonly broken: Broken | undefined
}

export interface Broken {
  readonly rules: ReadonlyArray<string>
  /** The steps from the start. */
  readonly way: ReadonlyArray<string>
  readonly state: string
}

interface Reached {
  readonly state: Value
  readonly from: Reached | undefined
  readonly by: string
  readonly depth: number
}

const namesIn = (set: Itf): ReadonlyArray<string> =>
  (set as { readonly "#set": ReadonlyArray<string> })["#set"]

const wordsOf = (by: Itf): string =>
  (by as { readonly "#tup": ReadonlyArray<string> })["#tup"].join(" ")

const wayTo = (reached: Reached): ReadonlyArray<string> =>
  reached.from === undefined ? [] : [...wayTo(reached.from), reached.by]

/** A model with more states than this is a mistake. */
const MOST = 2_000_000

/**
 * Visits every state that a model can reach from its starts, breadth first, and ends at the first
 * state that breaks a rule. The model keeps its state in the variable `s`, and defines `moves(s)`,
 * `broken(s)`, which names the broken rules, and `brokenAtRest(s)`, which names the rules broken in
 * states without a next step. `judged` are the fields of `s` that rules read, or all if it is
 * empty. States with equal judged fields are judged once.
 */
export const explore = (
  model: Model,
  starts: string,
  judged: ReadonlyArray<string> = [],
): Explored => {
  const members = model.expression(starts)
  const moves = model.expression("moves(s)")
  const broken = model.expression("broken(s)")
  const brokenAtRest = model.expression("brokenAtRest(s)")
  const seen = new Set<string>()
  const sound = new Set<string>()
  const brokenIn = (state: Value): ReadonlyArray<string> => {
    const looked = state.itf as { readonly [field: string]: Itf }
    const text = JSON.stringify(judged.map((field) => looked[field]))
    if (judged.length > 0 && sound.has(text)) return []
    const found = namesIn(broken().itf)
    if (found.length === 0) sound.add(text)
    return found
  }
  const line: Array<Reached> = []
  const reach = (reached: Reached) => {
    const text = JSON.stringify(reached.state.itf)
    if (seen.has(text)) return
    seen.add(text)
    line.push(reached)
  }
  for (const state of model.members(members())) reach({ state, from: undefined, by: "", depth: 0 })
  let moved = 0
  let depth = 0
  for (let next = 0; next < line.length; next += 1) {
    const reached = line[next] as Reached
    // Visited states are kept only as text, and for the path.
    depth = reached.depth
    model.enter({ s: reached.state })
    const possible = model.members(moves())
    const rules = [
      ...brokenIn(reached.state),
      ...(possible.length === 0 ? namesIn(brokenAtRest().itf) : []),
    ]
    if (rules.length > 0) {
      const found = { rules, way: wayTo(reached), state: show(reached.state.itf) }
      return { states: seen.size, moves: moved, depth, broken: found }
    }
    for (const move of possible) {
      moved += 1
      const by = wordsOf(model.field(move, "by").itf)
      reach({ state: model.field(move, "to"), from: reached, by, depth: reached.depth + 1 })
    }
    if (seen.size > MOST) throw new Error(`There are more than ${MOST} states from ${starts}.`)
  }
  return { states: seen.size, moves: moved, depth, broken: undefined }
}
