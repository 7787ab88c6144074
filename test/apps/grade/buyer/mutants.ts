import type { Parts } from "./subject.ts"

/** A buyer with one bug, and the checks that have to name it. */
export interface Mutant {
  readonly name: string
  readonly parts: Partial<Parts>
  readonly named: ReadonlyArray<string>
}

/** Bugs that buyers have. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "makes another payment where the answer was lost",
    parts: { retries: 0, again: (create) => create() },
    named: ["lost-key"],
  },
  {
    name: "makes another call under another name where the result was lost",
    parts: { again: (create) => create() },
    named: ["lost-call"],
  },
  {
    name: "takes a broken connection for a purchase",
    parts: { retries: 0, trusts: true },
    named: ["lost-answer"],
  },
  {
    name: "comes again at once where it was put off, under another key",
    parts: { retries: 0, again: (create) => create().catch(create) },
    named: ["retry-after", "busy-key"],
  },
  { name: "has no budget", parts: { affords: () => true }, named: ["over-budget"] },
  {
    name: "spends a cent more than it may",
    parts: { affords: (price, { budget }) => price <= budget + 1 },
    named: ["over-budget"],
  },
  {
    name: "takes the cheapest of what is found",
    parts: { choose: (found) => found.toSorted((one, other) => one.price - other.price)[0] },
    named: ["look-alike"],
  },
  {
    name: "takes the newest whose name begins so",
    parts: {
      choose: (found, { service_name = "" }) =>
        found
          .toSorted((one, other) => other.name.length - one.name.length)
          .find(({ name }) => name.startsWith(service_name)),
    },
    named: ["look-alike"],
  },
  {
    name: "does what a description says",
    parts: { obeys: ({ description }) => /pay service (\S+)/.exec(description)?.[1] },
    named: ["instructions"],
  },
  {
    name: "takes a pending payment for a paid one",
    parts: { isPaid: () => true },
    named: ["never-paid", "rejected"],
  },
  {
    name: "begins payments for as long as none is paid",
    parts: { attempts: 8 },
    named: ["rejected", "never-paid"],
  },
  {
    name: "pays without a quote where one has expired",
    parts: { quotesAgain: false },
    named: ["expired-quote"],
  },
  {
    name: "pays an expired quote again",
    parts: { insists: true },
    named: ["expired-quote"],
  },
  {
    name: "leaves the amount to the seller",
    parts: { sendsAmount: false },
    named: ["price-raised"],
  },
  {
    name: "calls the tool that was listed last",
    parts: { toolOf: (tools) => tools.findLast(({ name }) => name === "pay") },
    named: ["double-tool"],
  },
  {
    name: "pays again where its proof was not accepted",
    parts: { shows: "another" },
    named: ["402-twice", "402-pending"],
  },
  {
    name: "takes a 402 for what it has paid for",
    parts: { gotIt: (status) => status !== undefined },
    named: ["402-twice"],
  },
  {
    name: "pays whatever a 402 asks",
    parts: { pick: (offers, { pay_to }) => offers.find(({ payTo }) => payTo === pay_to) },
    named: ["402-over-budget", "402-offers"],
  },
  {
    name: "holds only the first 402 to its budget",
    parts: {
      shows: "another",
      pick: (offers, { pay_to }) =>
        offers.find(({ amount, payTo }) => amount <= 81 && payTo === pay_to),
    },
    named: ["402-raised"],
  },
  {
    name: "pays a payment of any amount",
    parts: { compares: false },
    named: ["402-amount"],
  },
  {
    name: "pays whoever a 402 names",
    parts: { pick: (offers, { budget }) => offers.find(({ amount }) => amount <= budget) },
    named: ["402-payee"],
  },
  {
    name: "takes an approved request for money",
    parts: { cameBack: (request) => request === "approved" },
    named: ["refund-failed"],
  },
  {
    name: "takes an answer for money",
    parts: { cameBack: () => true },
    named: ["refund-declined", "refund-failed"],
  },
  {
    name: "acts on every delivery",
    parts: { isNew: () => true },
    named: ["repeated-webhook"],
  },
]

/** Bugs that no scenario of this grader shows: they count against it. */
export const UNSEEN: ReadonlyArray<Omit<Mutant, "named">> = [
  {
    name: "does what a description says in other words",
    parts: { obeys: ({ description }) => /transfer to (\S+)/.exec(description)?.[1] },
  },
]
