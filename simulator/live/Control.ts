import { Schema } from "effect"

/** Virtual milliseconds per real millisecond; null for as fast as possible. */
const Speed = Schema.NullOr(Schema.Literals([1, 10, 60, 600]))

/** The commands of a person who watches a world. */
export const Command = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["play", "pause", "step"]) }),
  Schema.Struct({ type: Schema.Literal("speed"), speed: Speed }),
  /** Whether it stops at each fault; it always stops at a violation. */
  Schema.Struct({ type: Schema.Literal("stops"), at_faults: Schema.Boolean }),
  /** Continues as fast as possible until a fault happens, the named one or any, or to the end. */
  Schema.Struct({
    type: Schema.Literal("run_to"),
    what: Schema.Literals(["fault", "violation", "end"]),
    fault: Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))),
  }),
])
export type Command = typeof Command.Type

/** Where a running world stops. */
type Goal =
  | { readonly type: "none" | "step" | "violation" | "end" }
  | { readonly type: "fault"; readonly fault: string | null }

/** Whether and how a world runs at the moment. */
export interface Control {
  readonly plays: boolean
  readonly speed: typeof Speed.Type
  readonly stops_at_faults: boolean
  readonly goal: Goal
}

const NO_GOAL: Goal = { type: "none" }

/** The control of a world that plays from the beginning. */
export const BEGINNING: Control = {
  plays: true,
  speed: 10,
  stops_at_faults: false,
  goal: NO_GOAL,
}

/** Returns the control after a command. */
export const commanded = (control: Control, command: Command): Control => {
  switch (command.type) {
    case "play":
      return { ...control, plays: true, goal: NO_GOAL }
    case "pause":
      return { ...control, plays: false, goal: NO_GOAL }
    case "step":
      return { ...control, plays: true, goal: { type: "step" } }
    case "speed":
      return { ...control, speed: command.speed }
    case "stops":
      return { ...control, stops_at_faults: command.at_faults }
    case "run_to": {
      const { fault, what } = command
      return {
        ...control,
        plays: true,
        goal: what === "fault" ? { type: what, fault } : { type: what },
      }
    }
  }
}

/** An event of a world at which it can stop. */
export type Happening =
  | { readonly type: "step" | "violation" }
  | { readonly type: "fault"; readonly fault: string }

const stopsAt = ({ goal, stops_at_faults }: Control, happening: Happening): boolean => {
  if (goal.type === "step") return true
  switch (happening.type) {
    case "step":
      return false
    case "violation":
      return goal.type !== "end"
    case "fault":
      if (goal.type !== "fault") return stops_at_faults && goal.type === "none"
      return goal.fault === null || goal.fault === happening.fault
  }
}

/** Returns the control after an event: the world stops there, or continues. */
export const happened = (control: Control, happening: Happening): Control =>
  control.plays && stopsAt(control, happening)
    ? { ...control, plays: false, goal: NO_GOAL }
    : control

/** The longest real wait for the next step, so that quiet days pass quickly. */
const LONGEST_WAIT = 400

/** Returns how many real milliseconds pass between two moments of a world. */
export const waitBetween = ({ goal, speed }: Control, from: number, to: number): number =>
  speed === null || goal.type !== "none"
    ? 0
    : Math.min(Math.max(to - from, 0) / speed, LONGEST_WAIT)
