import { Schema } from "effect"

/** A share of all cases, from 0 to 1. */
export const Probability = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** A mean in milliseconds; times are exponentially distributed around it. */
const Mean = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))

const weightOf = (what: string) =>
  Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })).annotate({
      description: `How often: ${what}. A weight beside the others; never without it.`,
    }),
  )

const about = Schema.String.annotate({ description: "Who this is, for people who read it." })

const at_expiry = Probability.annotate({
  description: "How often (0 to 1) they decide within a millisecond of the payment's end.",
})

/** A payer: what it does with a charge, how fast, and with what mistakes. */
export const PayerPersona = Schema.Struct({
  about,
  acts: Schema.Struct({
    pays: weightOf("pays the charge"),
    scans: weightOf("opens the charge and does nothing more"),
    rejects: weightOf("declines it in the wallet"),
    lacks_funds: weightOf("has too little in the wallet"),
    is_closed_out: weightOf("is refused, since the charge was closed"),
    sleeps: weightOf("never opens it"),
  }).annotate({ description: "How often what is done, as weights." }),
  scans_after_ms: Mean.annotate({
    description: "Milliseconds until the charge is opened, as a mean.",
  }),
  decides_after_ms: Mean.annotate({
    description: "Milliseconds from there to the decision, as a mean.",
  }),
  at_expiry,
  opens_others: Probability.annotate({
    description: "How often (0 to 1) they do something with the other charges offered, too.",
  }),
})
export type PayerPersona = typeof PayerPersona.Type

/** A payee: what it does with a payment, and how often. */
export const PayeePersona = Schema.Struct({
  about,
  acts: Schema.Struct({
    captures: weightOf("captures once the payer has authorized"),
    captures_blindly: weightOf("captures without waiting until the payer has authorized"),
    voids: weightOf("voids the payment"),
    cancels: weightOf("cancels it"),
    contests: weightOf("captures, voids and cancels at once when the payer has authorized"),
    waits: weightOf("does nothing"),
  }).annotate({ description: "How often what is done, as weights." }),
  acts_after_ms: Mean.annotate({ description: "Milliseconds until that is done, as a mean." }),
  at_expiry,
  repeats: Probability.annotate({
    description: "How often (0 to 1) everything is done several times.",
  }),
  probes: Probability.annotate({
    description: "How often (0 to 1) acts are tried at any time, whatever the payment's state.",
  }),
  refunds: Probability.annotate({
    description: "How often (0 to 1) there are refunds of a payment that was paid.",
  }),
  refund_races: Probability.annotate({
    description: "How often (0 to 1) several people ask for the same refund at once.",
  }),
})
export type PayeePersona = typeof PayeePersona.Type

/** The payers that scenarios can name. */
export const PAYERS = {
  typical: {
    about: "Pays within a minute, mostly; now and then declines, falls asleep or has no money",
    acts: { pays: 87, rejects: 4, lacks_funds: 3, is_closed_out: 2, scans: 2, sleeps: 2 },
    scans_after_ms: 20_000,
    decides_after_ms: 15_000,
    at_expiry: 0.06,
    opens_others: 0.2,
  },
  hasty: {
    about: "Pays within seconds",
    acts: { pays: 97, rejects: 3 },
    scans_after_ms: 1_500,
    decides_after_ms: 1_000,
    at_expiry: 0,
    opens_others: 0,
  },
  sleepy: {
    about: "Opens the charge late or never, and decides when it is about to end",
    acts: { pays: 45, scans: 25, sleeps: 30 },
    scans_after_ms: 420_000,
    decides_after_ms: 300_000,
    at_expiry: 0.5,
    opens_others: 0.1,
  },
  double_scanner: {
    about: "Opens every charge that is offered and pays more than one",
    acts: { pays: 95, scans: 5 },
    scans_after_ms: 4_000,
    decides_after_ms: 2_000,
    at_expiry: 0.02,
    opens_others: 1,
  },
  broke: {
    about: "Has too little in the wallet, nearly always",
    acts: { lacks_funds: 85, pays: 10, rejects: 5 },
    scans_after_ms: 15_000,
    decides_after_ms: 10_000,
    at_expiry: 0.05,
    opens_others: 0.4,
  },
} as const satisfies { readonly [name: string]: PayerPersona }

/** The payees that scenarios can name. */
export const PAYEES = {
  typical: {
    about: "Captures once the payer has authorized; now and then cancels, voids, or all at once",
    acts: { captures: 72, captures_blindly: 5, voids: 4, cancels: 3, contests: 12, waits: 4 },
    acts_after_ms: 30_000,
    at_expiry: 0.15,
    repeats: 0.2,
    probes: 0.1,
    refunds: 0.65,
    refund_races: 0,
  },
  brisk: {
    about: "Captures as soon as it can and seldom refunds",
    acts: { captures: 98, waits: 2 },
    acts_after_ms: 500,
    at_expiry: 0,
    repeats: 0.02,
    probes: 0,
    refunds: 0.05,
    refund_races: 0,
  },
  generous: {
    about: "Captures everything and refunds it, several hands at once",
    acts: { captures: 100 },
    acts_after_ms: 5_000,
    at_expiry: 0,
    repeats: 0.1,
    probes: 0.05,
    refunds: 1,
    refund_races: 0.8,
  },
} as const satisfies { readonly [name: string]: PayeePersona }
