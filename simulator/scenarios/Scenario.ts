import { Schema } from "effect"
import { PayeePersona, PayerPersona, Probability } from "./Persona.ts"
import { Play } from "./Play.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))
const Positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000_000 }))

/** How payments arrive: the times between them. */
export const Load = Schema.Union([
  Schema.Struct({ shape: Schema.Literal("steady"), mean_gap_ms: Positive }),
  /** So many at once, and again after each pause. */
  Schema.Struct({
    shape: Schema.Literal("bursts"),
    size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
    pause_ms: Positive,
  }),
  /** From one mean gap to another over all payments. */
  Schema.Struct({ shape: Schema.Literal("ramp"), from_gap_ms: Positive, to_gap_ms: Positive }),
])
export type Load = typeof Load.Type

/** Something that goes wrong at a certain time, in milliseconds after the beginning. */
export const Incident = Schema.Union([
  Schema.Struct({
    what: Schema.Literal("channel_away"),
    channel: Schema.String,
    after_ms: Millis,
    lasts_ms: Positive,
  }),
  Schema.Struct({
    what: Schema.Literals(["store_away", "receivers_down"]),
    after_ms: Millis,
    lasts_ms: Positive,
  }),
])
export type Incident = typeof Incident.Type

const Share = <S extends Schema.Top>(persona: S) =>
  Schema.Struct({
    weight: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
    /** The name of one that the simulator knows, or one of the scenario's own. */
    persona: Schema.Union([Schema.String, persona]),
  })

/** So long may go by after the traffic. */
export const Months = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))

/** A world to be played: who lives in it, what they do, how they come and what goes wrong. */
export const Scenario = Schema.Struct({
  name: Schema.String,
  about: Schema.String,
  /** How many payments are tried where nobody says otherwise. */
  payments: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  /** An instant with its offset; 20 minutes before the end of a January without it. */
  start: Schema.optionalKey(Schema.String),
  load: Load,
  payers: Schema.NonEmptyArray(Share(PayerPersona)),
  payees: Schema.NonEmptyArray(Share(PayeePersona)),
  /** The services that are bought from; all of the world's without it. */
  services: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /** In minor units; from 1 to 100,000 without it, and now and then the very least and most. */
  amount: Schema.optionalKey(Schema.Struct({ least: Positive, most: Positive })),
  one_time: Probability,
  /** How often a creation carries a key, sends another body under it, and buys once more. */
  keyed: Probability,
  reuses_key: Probability,
  buys_again: Probability,
  /** How often somebody else tries to read the payment. */
  nosy: Probability,
  faults: Schema.Struct({
    /** Where the seed decides, what is on and how bad; everything off; everything at its worst. */
    base: Schema.Literals(["drawn", "none", "worst"]),
    /** What is set whatever the base. */
    set: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  }),
  incidents: Schema.optionalKey(Schema.Array(Incident)),
  /**
   * The payments one by one, from the first again after the last; without it they are drawn from
   * all that is said above. With it nothing else is played, but for what is said below.
   */
  plays: Schema.optionalKey(Schema.NonEmptyArray(Play)),
  /** For how many months people pay again and again; with it, a world has such people for sure. */
  subscribed_months: Schema.optionalKey(Months),
  /** Whether the service runs inside hosts that are told of every event; it does not without it. */
  hosts_listen: Schema.optionalKey(Schema.Boolean),
})
export type Scenario = typeof Scenario.Type
