import { Schema } from "effect"
import { Time } from "./Wire.ts"

/** The time after the clock was moved. */
export const Advanced = Schema.Struct({ now: Time })

/** The channels that can be given faults. */
export const Channels = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      channel: Schema.String,
      secret: Schema.String,
      faults: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    }),
  ),
})

/** The messages that people were sent. */
export const Inbox = Schema.Struct({
  data: Schema.Array(Schema.Struct({ text: Schema.String })),
})
