import { FAULTS, WORST } from "../faults/Faults.ts"
import type { FaultInfo } from "../faults/Fault.ts"
import { inMajor } from "../report/Latencies.ts"
import type { PaymentPlan, Script } from "../world/plans/Plan.ts"

/** The kinds of things that can be removed from a script. */
export const KINDS = ["payment", "fault", "incident", "crash", "part"] as const
export type Kind = (typeof KINDS)[number]

/** One thing, by its position among those of its kind. */
export interface Thing {
  readonly kind: Kind
  readonly at: number
}

/** A script with the names of all parts that are played besides its payments. */
export type Whole = Script & { readonly parts: ReadonlyArray<string> }

/** The names of the faults that are on. */
export const faultsOn = ({ faults }: Pick<Script, "faults">): ReadonlyArray<string> =>
  Object.keys(faults).filter((name) => (faults[name] ?? 0) > 0)

const listOf = (script: Whole, kind: Kind): ReadonlyArray<unknown> => {
  switch (kind) {
    case "payment":
      return script.payments
    case "fault":
      return faultsOn(script)
    case "incident":
      return script.incidents
    case "crash":
      return script.crashes
    case "part":
      return script.parts
  }
}

/** Returns all things of a kind in a script. */
export const thingsOf = (script: Whole, kind: Kind): ReadonlyArray<Thing> =>
  listOf(script, kind).map((_, at) => ({ kind, at }))

/** Returns a script without some of its things. Later payments then come earlier. */
export const without = (script: Whole, things: ReadonlyArray<Thing>): Whole => {
  const gone = new Map(KINDS.map((kind) => [kind, new Set<number>()]))
  for (const { at, kind } of things) gone.get(kind)?.add(at)
  const left =
    (kind: Kind) =>
    (_: unknown, at: number): boolean =>
      gone.get(kind)?.has(at) !== true
  const faults = faultsOn(script).filter(left("fault"))
  return {
    ...script,
    payments: script.payments.filter(left("payment")),
    faults: Object.fromEntries(faults.map((name) => [name, script.faults[name] ?? 0])),
    incidents: script.incidents.filter(left("incident")),
    crashes: script.crashes.filter(left("crash")),
    parts: script.parts.filter(left("part")),
  }
}

/** Returns a script with only these things of a kind. */
export const onlyThese = (script: Whole, kind: Kind, kept: ReadonlyArray<Thing>): Whole =>
  without(
    script,
    thingsOf(script, kind).filter(({ at }) => !kept.some((thing) => thing.at === at)),
  )

/** Returns a script whose faults have their worst values. */
export const atWorst = (script: Whole): Whole => {
  const worst: { readonly [name: string]: number } = WORST
  const faults = faultsOn(script).map((name) => [name, worst[name] ?? 0] as const)
  return { ...script, faults: Object.fromEntries(faults) }
}

/** Returns a script without some of its payments; later payments keep their times. */
export const withoutInPlace = (script: Whole, things: ReadonlyArray<Thing>): Whole => {
  const gone = new Set(things.map(({ at }) => at))
  let gap = 0
  const payments = script.payments.flatMap((plan, at) => {
    gap += plan.after
    if (gone.has(at)) return []
    const after = gap
    gap = 0
    return [{ ...plan, after }]
  })
  return { ...script, payments }
}

/** A thing by its name, with its description. */
export interface NamedThing {
  readonly kind: Kind
  readonly name: string
  readonly about: string
}

const seconds = (millis: number): string => `${millis / 1_000} s`

const paymentNamed = ({ amount, channel, flow, number }: PaymentPlan): NamedThing => {
  const about = [flow, inMajor(amount), ...(channel === null ? [] : [channel])].join(", ")
  return { kind: "payment", name: String(number), about }
}

const faultNamed = (name: string, size: number): NamedThing => {
  const [, info] = Object.entries<FaultInfo>(FAULTS).find(([fault]) => fault === name) ?? []
  return { kind: "fault", name, about: `${size}${info === undefined ? "" : `, ${info.about}`}` }
}

const incidentNamed = (incident: Script["incidents"][number]): NamedThing => {
  const where = incident.what === "channel_away" ? ` ${incident.channel}` : ""
  const { after_ms, lasts_ms, what } = incident
  const about = `after ${seconds(after_ms)}, for ${seconds(lasts_ms)}`
  return { kind: "incident", name: `${what}${where}`, about }
}

/** Returns the name and description of a thing; payments have the numbers of their plans. */
export const namedThing = (script: Whole, { at, kind }: Thing): NamedThing => {
  const [payment, incident, crash] = [script.payments[at], script.incidents[at], script.crashes[at]]
  if (kind === "payment" && payment !== undefined) return paymentNamed(payment)
  if (kind === "incident" && incident !== undefined) return incidentNamed(incident)
  if (kind === "crash" && crash !== undefined) {
    return { kind, name: crash.label, about: `at its time ${crash.nth}` }
  }
  if (kind === "part") return { kind, name: script.parts[at] ?? "", about: "" }
  const name = faultsOn(script)[at] ?? ""
  return faultNamed(name, script.faults[name] ?? 0)
}
