import { type Parts, RIGHT } from "./subject.ts"

type Fields = { readonly [field: string]: unknown }

/** A seller with one bug, and the checks that have to name it. */
export interface Mutant {
  readonly name: string
  readonly parts: () => Partial<Parts>
  readonly named: ReadonlyArray<string>
}

const payloadOf = ({ payload }: Fields) => (payload ?? {}) as Fields

const acceptedIn = ({ accepted }: Fields) => (accepted ?? {}) as Fields

/** Remembers which payments have been shown. */
const remembering = () => {
  const known = new Set<unknown>()
  return (payload: Fields): boolean => {
    const { payment_intent } = payloadOf(payload)
    const isKnown = known.has(payment_intent)
    known.add(payment_intent)
    return isKnown
  }
}

/** Puts each proof with a token off for a second when it is first shown. */
export const puttingOff = (): Parts["putsOff"] => {
  const isKnown = remembering()
  return (payload) =>
    String(payloadOf(payload)["token"]).length > 20 && !isKnown(payload) ? 1 : undefined
}

/** Remembers payments as paid whose outcome was unknown. */
const rememberingPending = (): Partial<Parts> => {
  const [pending, paid] = [new Set<unknown>(), new Set<unknown>()]
  let shown: unknown
  return {
    seen: (payload) => {
      shown = payloadOf(payload)["payment_intent"]
      return paid.has(shown)
    },
    isSettled: ({ errorReason, success }) => {
      if (errorReason === "settlement_pending") pending.add(shown)
      if (success === true && pending.has(shown)) paid.add(shown)
      return success === true
    },
  }
}

/** Bugs that sellers have. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "gives it away to who comes again after a 429",
    parts: () => ({ isSettled: () => true, putsOff: puttingOff() }),
    named: ["forged"],
  },
  {
    name: "gives it away",
    parts: () => ({ isSettled: () => true }),
    named: ["malformed", "forged"],
  },
  {
    name: "does not look at what verifying says",
    parts: () => ({ isValid: () => true, settles: false }),
    named: ["forged"],
  },
  {
    name: "takes what is not paid yet for paid",
    parts: () => ({
      settles: false,
      isValid: ({ invalidReason, isValid }) =>
        isValid === true || invalidReason === "payment_not_authorized",
    }),
    named: ["not-yet-paid"],
  },
  {
    name: "verifies and does not settle",
    parts: () => ({ settles: false }),
    named: ["told", "taken", "reuse", "race"],
  },
  {
    name: "takes a settlement that is pending for one",
    parts: () => ({
      isSettled: ({ errorReason, success }) =>
        success === true || errorReason === "settlement_pending",
    }),
    named: ["unknown-outcome"],
  },
  {
    name: "serves again and again what was pending",
    parts: rememberingPending,
    named: ["unknown-outcome"],
  },
  {
    name: "settles every request for a payment under one key",
    parts: () => ({ key: (_, payload) => String(payloadOf(payload)["payment_intent"]) }),
    named: ["race"],
  },
  { name: "remembers who has paid", parts: () => ({ seen: remembering() }), named: ["reuse"] },
  {
    name: "holds a payment to what it says itself",
    parts: () => ({
      held: (required, payload) => ({ ...required, amount: acceptedIn(payload)["amount"] ?? "1" }),
    }),
    named: ["less"],
  },
  {
    name: "holds a payment to the address that it says itself",
    parts: () => ({
      held: (required, payload) => ({ ...required, extra: acceptedIn(payload)["extra"] ?? {} }),
    }),
    named: ["other-resource"],
  },
  { name: "shows it unpaid", parts: () => ({ unpaidBody: (report) => report }), named: ["hidden"] },
  {
    name: "raises its price",
    parts: () => ({ price: (count) => String(24 + count) }),
    named: ["same-terms"],
  },
  { name: "has no header", parts: () => ({ requiredHeader: false }), named: ["terms"] },
  { name: "is of version 1", parts: () => ({ x402Version: 1 }), named: ["terms"] },
  { name: "does not say what was settled", parts: () => ({ toldHeader: false }), named: ["told"] },
  {
    name: "fails at what is no JSON",
    parts: () => ({
      read: (signature) => JSON.parse(Buffer.from(signature, "base64").toString()) as Fields,
    }),
    named: ["malformed"],
  },
  {
    name: "fails where there is no payload",
    parts: () => ({
      read: (signature) => {
        const fields = RIGHT.read(signature)
        if (fields !== undefined && fields["payload"] === undefined)
          throw new TypeError("no payload")
        return fields
      },
    }),
    named: ["malformed"],
  },
  {
    name: "knows payments by their id",
    parts: () => ({
      settles: false,
      isValid: ({ invalidReason, isValid }) =>
        isValid === true || invalidReason === "invalid_payment_proof",
    }),
    named: ["wrong-token"],
  },
]

/** Bugs that no request of this grader shows: they count against it. */
export const UNSEEN: ReadonlyArray<Omit<Mutant, "named">> = [
  {
    name: "holds a payment to the payee that it says itself",
    parts: () => ({
      held: (required, payload) => ({ ...required, payTo: acceptedIn(payload)["payTo"] ?? "" }),
    }),
  },
]
