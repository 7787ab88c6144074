import { Option, Schema } from "effect"
import { flawOfStart } from "../../simulator/scenarios/limits.ts"
import { Amount } from "../../simulator/scenarios/Play.ts"

// Other services may answer what scenarios refuse, such as a payment of nothing.
const Money = Schema.Struct({ currency: Schema.String, value: Amount })
const Beginning = Schema.String.check(Schema.makeFilter(flawOfStart))
const Moment = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The fields of a payment that a recording reads. */
const Intent = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  amount: Money,
  channel: Schema.NullOr(Schema.String),
  created_at: Beginning,
  scanned_at: Moment,
  authorized_at: Moment,
  captured_at: Moment,
  succeeded_at: Moment,
  failure_code: Moment,
})
/** A payment in a response. */
export type Intent = typeof Intent.Type

const Listed = Schema.Struct({ data: Schema.Array(Schema.Unknown) })

const decodeIntent = Schema.decodeUnknownOption(Intent)
const decodeListed = Schema.decodeUnknownOption(Listed)

/** Returns the payments of a response: one, or those of a list. */
export const intentsOf = (answered: unknown): ReadonlyArray<Intent> => {
  const one = Option.toArray(decodeIntent(answered))
  if (one.length > 0) return one
  return Option.toArray(decodeListed(answered)).flatMap(({ data }) =>
    data.flatMap((each) => Option.toArray(decodeIntent(each))),
  )
}

const Capture = Schema.Struct({ amount: Schema.optionalKey(Schema.NullOr(Money)) })

/** The fields of a refund request; of its revocations only whether there are any. */
const Refund = Schema.Struct({
  payment_intent: Schema.optionalKey(Schema.String),
  amount: Schema.optionalKey(Schema.NullOr(Money)),
  revoke: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        auto_revoke: Schema.optionalKey(Schema.Boolean),
        targets: Schema.optionalKey(Schema.Array(Schema.Unknown)),
      }),
    ),
  ),
})

const reader =
  <S extends Schema.Decoder<unknown>>(schema: S) =>
  (asked: unknown): S["Type"] | undefined =>
    Option.getOrUndefined(Schema.decodeUnknownOption(schema)(asked ?? {}))

/** Reads the fields of a request; undefined for another form. */
export const readCapture = reader(Capture)
export const readRefund = reader(Refund)
const readNamed = reader(Schema.Struct({ id: Schema.String }))

/** Returns the id of the record in a response; undefined without one. */
export const readId = (answered: unknown): string | undefined => readNamed(answered)?.id

export const readAction = reader(Schema.Struct({ action: Schema.String }))
