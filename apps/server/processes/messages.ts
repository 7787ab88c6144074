import { Schema } from "effect"

const ReadyMessage = Schema.Struct({
  type: Schema.Literal("ready"),
  ready: Schema.Struct({
    ready: Schema.String,
    keys: Schema.NullOr(Schema.String),
    operators: Schema.NullOr(Schema.String),
    probes: Schema.NullOr(Schema.String),
  }),
})

/** The metrics of one process, in the text format of Prometheus. */
export const ProcessMetrics = Schema.Struct({ process: Schema.String, text: Schema.String })
export type ProcessMetrics = typeof ProcessMetrics.Type

/** What a member says to the process that keeps it. */
const FromMember = Schema.Union([
  ReadyMessage,
  Schema.Struct({ type: Schema.Literal("want_metrics"), question: Schema.Number }),
  Schema.Struct({
    type: Schema.Literal("metrics"),
    question: Schema.Number,
    text: Schema.String,
  }),
])
export type FromMember = typeof FromMember.Type

/** What a member is told: to show its own metrics, or what those of all are that it asked for. */
const ToMember = Schema.Union([
  Schema.Struct({ type: Schema.Literal("show_metrics"), question: Schema.Number }),
  Schema.Struct({
    type: Schema.Literal("metrics_of_all"),
    question: Schema.Number,
    all: Schema.Array(ProcessMetrics),
  }),
])
export type ToMember = typeof ToMember.Type

const readFrom = Schema.decodeUnknownOption(FromMember)
const readTo = Schema.decodeUnknownOption(ToMember)

/** Calls with what a member says. Messages of others, such as those of Node, are left out. */
export const onFromMember =
  (then: (message: FromMember) => void) =>
  (message: unknown): void => {
    const read = readFrom(message)
    if (read._tag === "Some") then(read.value)
  }

/** Calls with what a member is told. Messages of others are left out. */
export const onToMember =
  (then: (message: ToMember) => void) =>
  (message: unknown): void => {
    const read = readTo(message)
    if (read._tag === "Some") then(read.value)
  }
