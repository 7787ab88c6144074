import { Schema } from "effect"
import { block } from "../../core/shared/Text.ts"
import { FAULTS } from "../faults/Faults.ts"
import { SERVICES } from "../world/people/Population.ts"
import { PayeePersona, PAYEES, PayerPersona, PAYERS, Probability } from "./Persona.ts"
import { Name } from "./limits.ts"
import { Play } from "./Play.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))
const Positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000_000 }))

/** How payments arrive: the times between them. */
export const Load = Schema.Union([
  Schema.Struct({
    shape: Schema.Literal("steady"),
    mean_gap_ms: Positive.annotate({ description: "Milliseconds between two, as a mean." }),
  }),
  Schema.Struct({
    shape: Schema.Literal("bursts"),
    size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "How many come at once.",
    }),
    pause_ms: Positive.annotate({ description: "Milliseconds until as many come again." }),
  }),
  Schema.Struct({
    shape: Schema.Literal("ramp"),
    from_gap_ms: Positive.annotate({ description: "The mean gap at the first payment." }),
    to_gap_ms: Positive.annotate({ description: "The mean gap at the last payment." }),
  }),
])
export type Load = typeof Load.Type

const after_ms = Millis.annotate({ description: "Milliseconds after the beginning." })
const lasts_ms = Positive.annotate({ description: "For how many milliseconds." })

/** An incident at a certain time, in milliseconds after the beginning. */
export const Incident = Schema.Union([
  Schema.Struct({
    what: Schema.Literal("channel_away"),
    channel: Name.annotate({
      description: "The channel that answers nobody.",
      examples: ["wallet_a", "bank_qr_a", "stablecoin_a"],
    }),
    after_ms,
    lasts_ms,
  }),
  Schema.Struct({ what: Schema.Literals(["store_away", "receivers_down"]), after_ms, lasts_ms }),
])
export type Incident = typeof Incident.Type

const Share = <S extends Schema.Top>(persona: S, names: ReadonlyArray<string>) =>
  Schema.Struct({
    weight: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })).annotate({
      description: "How many of them there are beside the others.",
    }),
    persona: Schema.Union([Schema.String.annotate({ examples: [...names] }), persona]).annotate({
      description: "The name of one that the simulator knows, or one of the scenario's own.",
    }),
  })

/** How many months may follow the traffic. */
export const Months = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))

const faultsSet = Object.entries(FAULTS)
  .map(([name, fault]) => `${name} (up to ${fault.worst}): ${fault.about}`)
  .join("\n")

const Misbehaviour = Schema.Struct({
  base: Schema.Literals(["drawn", "none", "worst"]).annotate({
    description: "The seed decides what is on and how bad; everything off; or at its worst.",
  }),
  set: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Finite).annotate({
      description: `What is set whatever the base, 0 for off:\n${faultsSet}`,
      examples: [{ callback_lost: 0.1, store_latency_ms: 10 }],
    }),
  ),
})

/** A world to be played: its people, their actions, their load, and the faults. */
export const Scenario = Schema.Struct({
  name: Name.annotate({ description: "By which --scenario and reports know it." }),
  about: block(2_000).annotate({ description: "What is played, in a sentence." }),
  payments: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })).annotate({
    description: "How many payments are tried where nobody says otherwise.",
  }),
  start: Schema.optionalKey(
    Schema.String.annotate({
      description: "An instant with its offset; 20 minutes before the end of a January without it.",
      examples: ["2026-03-29T00:45:00Z"],
    }),
  ),
  load: Load.annotate({ description: "How payments arrive: the times between them." }),
  payers: Schema.NonEmptyArray(Share(PayerPersona, Object.keys(PAYERS))).annotate({
    description: "Who pays, in which mix.",
  }),
  payees: Schema.NonEmptyArray(Share(PayeePersona, Object.keys(PAYEES))).annotate({
    description: "Who is paid, in which mix.",
  }),
  services: Schema.optionalKey(
    Schema.NonEmptyArray(
      Schema.String.annotate({ examples: SERVICES.map(({ name }) => name) }),
    ).annotate({ description: "The services that are bought from; all without it." }),
  ),
  amount: Schema.optionalKey(
    Schema.Struct({
      least: Positive.annotate({ description: "The least, in minor units." }),
      most: Positive.annotate({ description: "The most, in minor units." }),
    })
      .annotate({
        description:
          "What is paid; 1 to 100,000 minor units without it, now and then the least and the most.",
      })
      .check(
        Schema.makeFilter(({ least, most }) =>
          least > most ? `least is ${least} and most only ${most}: exchange them` : undefined,
        ),
      ),
  ),
  one_time: Probability.annotate({
    description: "How often (0 to 1) a person follows a link, instead of a QR code.",
  }),
  keyed: Probability.annotate({
    description: "How often (0 to 1) a creation carries an Idempotency-Key.",
  }),
  reuses_key: Probability.annotate({
    description: "How often (0 to 1) another body is sent under the key.",
  }),
  buys_again: Probability.annotate({ description: "How often (0 to 1) a buyer buys once more." }),
  nosy: Probability.annotate({
    description: "How often (0 to 1) somebody else tries to read the payment.",
  }),
  faults: Misbehaviour.annotate({ description: "What goes wrong by chance." }),
  incidents: Schema.optionalKey(
    Schema.Array(Incident).annotate({ description: "What goes wrong at a certain time." }),
  ),
  plays: Schema.optionalKey(
    Schema.NonEmptyArray(Play).annotate({
      description:
        "The payments one by one, from the first again after the last; without it they are drawn " +
        "from all that is said above. With it nothing else is played, but for what is said below.",
    }),
  ),
  subscribed_months: Schema.optionalKey(
    Months.annotate({
      description:
        "For how many months people pay again and again; a world has such people for sure then.",
    }),
  ),
  hosts_listen: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether the service runs inside hosts that are told of every event.",
    }),
  ),
})
export type Scenario = typeof Scenario.Type
