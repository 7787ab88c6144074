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

/** A message from a member to its supervising process. */
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

/** A message to a member: to show its own metrics, or the metrics of all that it asked for. */
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

/** Calls `then` with a member's messages. Skips other messages, such as those of Node. */
export const onFromMember =
  (then: (message: FromMember) => void) =>
  (message: unknown): void => {
    const read = readFrom(message)
    if (read._tag === "Some") then(read.value)
  }

/** Calls `then` with the messages to a member. Skips other messages. */
export const onToMember =
  (then: (message: ToMember) => void) =>
  (message: unknown): void => {
    const read = readTo(message)
    if (read._tag === "Some") then(read.value)
  }
