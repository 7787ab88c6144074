import { Schema } from "effect"

/** Virtual milliseconds that go by in one of the real world; null for as fast as it gets. */
const Speed = Schema.NullOr(Schema.Literals([1, 10, 60, 600]))

/** What whoever watches a world may ask of it. */
export const Command = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["play", "pause", "step"]) }),
  Schema.Struct({ type: Schema.Literal("speed"), speed: Speed }),
  /** Whether it is to stop by itself at each fault; at a broken invariant it always does. */
  Schema.Struct({ type: Schema.Literal("stops"), at_faults: Schema.Boolean }),
  /** Goes on as fast as it gets until a fault strikes, that one or any, or to the end. */
  Schema.Struct({
    type: Schema.Literal("run_to"),
    what: Schema.Literals(["fault", "violation", "end"]),
    fault: Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))),
  }),
])
export type Command = typeof Command.Type

/** Until when a world goes on. */
type Goal =
  | { readonly type: "none" | "step" | "violation" | "end" }
  | { readonly type: "fault"; readonly fault: string | null }

/** Whether and how a world goes on just now. */
export interface Control {
  readonly plays: boolean
  readonly speed: typeof Speed.Type
  readonly stops_at_faults: boolean
  readonly goal: Goal
}

const NO_GOAL: Goal = { type: "none" }

/** A world that plays from its first moment. */
export const BEGINNING: Control = {
  plays: true,
  speed: 10,
  stops_at_faults: false,
  goal: NO_GOAL,
}

/** What becomes of the control when somebody asks for something. */
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

/** Something of a world that one may stop at. */
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

/** What becomes of the control when something happens: the world stops there, or goes on. */
export const happened = (control: Control, happening: Happening): Control =>
  control.plays && stopsAt(control, happening)
    ? { ...control, plays: false, goal: NO_GOAL }
    : control

/** Nobody waits longer for the next step, so that a world's quiet days go by in a moment. */
const LONGEST_WAIT = 400

/** How many real milliseconds pass before a world goes from one moment to the next. */
export const waitBetween = ({ goal, speed }: Control, from: number, to: number): number =>
  speed === null || goal.type !== "none"
    ? 0
    : Math.min(Math.max(to - from, 0) / speed, LONGEST_WAIT)
