import type { Rulebook, Rules } from "./Observation.ts"

/**
 * The number and the name of every invariant, by the section of the specification that it comes
 * from. Missing numbers belong to parts of the protocol that are not simulated yet. Invariants from
 * 201 on can only be checked over a network. "At rest" is when the faults have stopped and every
 * schedule has run out.
 */
export const PROMISES = {
  "Request Payment": {
    1: "The captured amount is 0 or what was asked for: the payment's amount unless it was less",
    16: "Capture against void, cancel or expiry has one winner",
    97: "A capture takes what its payee asked for, and at rest the rest of the hold is released",
    98: "A channel that captures no parts is asked for none, and none for more than is held",
  },
  Refunds: {
    2: "What goes back is never more than what was taken or held",
  },
  "Channel calls": {
    3: "A payment is paid once, at one channel",
    4: "A request number has at most one effect at its channel",
    50: "Money moves only under a request that was committed before",
    152: "A return that an operator holds waits until the hold is lifted, and nothing else does",
  },
  Reconciliation: {
    5: "At rest, the channels' books and the service agree",
    60: "Statements that are whole agree with the ledger in every line",
    61: "Each line that is dropped or changed is found, and nothing else",
    62: "Every past day of every channel has been compared",
    130: "A report adds up the rows of its days' ledger, and has what was found in them",
  },
  Ledger: {
    6: "Every journal sums to zero per currency, and no row is posted twice, changed or lost",
    55: "At rest, the ledger agrees with the channels' books, payment by payment",
    204: "A balance is what the rows of its ledger come to",
  },
  "States and transitions": {
    7: "At rest, no unpaid payment leaves a hold or money at a channel",
    12: "Every status sequence is a path of the table",
    13: "No way leads out of a terminal state",
    14: "Nothing uncaptured advances at or after expires_at, nor expires before",
    52: "At rest, every payment has ended and every channel request is resolved",
    85: "A service goes the ways of its table, and is kept for thirty days before each end",
  },
  Refund: {
    8: "What is left to refund is the amount less its refunds, and never negative",
  },
  Money: {
    149: "Amounts, rates, times and addresses come out as they do when worked out otherwise",
    9: "Amount, currency, settlement and terms never change",
    81: "A payment settles at a rate that was given when it was made, and never at none",
    87: "However an amount is split and refunded, its parts settle to no more than their share",
  },
  "Transaction fees": {
    10: "Fees are charged on success, once, and refunds return their share of all that can be",
    112: "A payment costs what the price list says of it, to the minor unit",
  },
  "One-Time Pay, auto-pay": {
    11: "Auto-paid: the payer's own install, same currency, at most its limit, within the level",
  },
  PaymentIntent: {
    144: "Metadata is taken up to 4 KB of JSON, and no more",
    15: "scanned ≤ authorized ≤ captured ≤ succeeded, each set once",
    17: "One QR charge per payment and channel offered, and one of them is paid",
    114: "The charges that a payer's choice leaves over are closed at their channels",
  },
  "One-Time Pay": {
    18: "One-Time Pay shows no QR code and no state of a capture",
  },
  "MCP tool mapping": {
    19: "Searches and tools show what is active, and clients that listen know it in seconds",
    86: "What is bought by a tool is bought once, however often and in whatever words",
    128: "The market finds the active services that match, and shows what is stored of them",
    143: "A name that may be mistaken for another is marked, and twins are recognized",
    145: "A tool is there for its own service and right arguments, and names what is wrong",
    142: "A quote of the market says what is paid and by what, or why it would be refused",
    129: "A budget shows what may still be spent, and what has been",
    136: "A list of tools has each of those that are asked for once, in order, on full pages",
    133: "A receipt or a list of the market shows payments as they are, and the next step",
  },
  "Service registry": {
    20: "No two active services have one name",
    154: "A code that is shown leads to its own service or payment, on a channel that it has",
    122: "A printed code sells at a price that its page has shown, once an attempt",
  },
  "Channel callback": {
    21: "A callback acts once, and one that is tampered, crossed or forged never",
    22: "A trade number belongs to one payment",
    51: "A genuine callback is acknowledged",
    110: "A callback that acts is written down in the commit of what it does",
  },
  Idempotency: {
    23: "The same key and body have one answer and at most one effect",
    24: "Another body under a key is refused",
    25: "Keys are their accounts' own: nobody is answered or refused for another's",
    27: "An unanswered write is whole or absent, and repeating it ends in its one effect",
  },
  Store: {
    156: "A clock that is moved stops where work is due, and a worker does it within a second",
    141: "A process whose clock is wrong does not use the store, nor for ten seconds after",
    26: "What was acknowledged is stored: every record, as it was committed last",
    49: "A record is replaced by whoever read its latest version",
    153: "What time changes is due at the time that its state says, and asked for no sooner",
  },
  Events: {
    28: "A commit is there if and only if its events are, and they have its facts",
    34: "No delivery event tells of the delivery of another",
    35: "A payment has one kind of terminal event",
    39: "revocation.batch.completed is told once, with the numbers of its targets",
    64: "The end of a verification is announced 30 days before, and told when it comes",
    93: "A consumer in the host's process deals with every event of a payment, through crashes",
    94: "A consumer is told of a payment's events in their order",
    121: "A webhook in plain text says what its event said when it was made",
    205: "A webhook says what the event log says",
  },
  "Delivery and retry rules": {
    29: "Every event has a delivery to each who wants it, in time, and at rest all have ended",
    30: "Attempts keep to their schedule: six at a service, ten elsewhere, none after a refusal",
    31: "No attempt follows a recorded success",
    80: "A webhook goes to a URL that was registered, and to no other",
  },
  Authentication: {
    125: "A key works until it ends or is suspended, and rolls and revokes only what it may",
    135: "A key works from its own addresses, gives no more than it has, and ends in time",
    124: "A program's code and tokens work once, for it alone; a second use ends its access",
    32: "Webhooks are signed with every secret in force, and with no other",
    33: "Where there is a key, nothing leaves in plain text or for a key that is gone",
    150: "A ring of keys opens for whom it should, and secrets are sealed again as they were",
    46: "No account is told of what is another's, in answers, lists or webhooks",
    65: "What operators do is one whole chain",
    139: "The end of the operators' log is signed once a day, as it is, for all who ask",
    132: "An operator's lists have each account and each act that is asked for, newest first",
    120: "Only its payee captures, cancels and refunds a payment, and only its parties void it",
    95: "What is spent with a key and those that it has issued never passes a budget of theirs",
  },
  "Revocation states": {
    36: "What is revoked is denied from then on, and never given back",
  },
  "Refunds and revocations": {
    37: "A target is tried at most four times, and its failure holds no refund up",
    38: "A refund revokes the scope of its exact share, unless another is named",
    91: "A refund request is decided once, approved with a refund of its own, and told of",
    92: "One refund request of a payment is open at a time, for seven days",
  },
  "Refund window and channel constraints": {
    40: "No channel hears of a refund that is too late, too much or one too many",
  },
  "KYC level limits": {
    41: "An agent pays at once and in a UTC day what its level may, on channels open to it",
    155: "Who asks what may be paid is told the level in force, its limits, and which is too low",
    89: "What a payee is paid by nobody in particular in a day is within its level's limit",
  },
  "KYC verification states": {
    42: "A level changes only by what was verified, rejected or expired",
    140: "A submission is taken if its level's fields are there and right, or refused for one",
    115: "An appeal says that it will have been looked at 48 hours later",
  },
  Limits: {
    43: "At most five answers to a code are looked at, and it is taken once",
    47: "A payment lives as long as its flow says, and begins on an active service",
    56: "Fees leave the wallets after their day, and at rest those of past days have",
  },
  "KYC/KYB": {
    44: "What people submit, secrets and codes are in no event, webhook, error or log",
    90: "An e-mail address and a phone verify at most three agents at a time",
  },
  "Monthly plans": {
    45: "All processes together take as many requests a minute as the plan allows, and no more",
    127: "What a plan limits the number of is counted as it is made and removed",
    146: "A list of keys shows all of an account's, newest first, and what they have spent",
    138: "Room is made by the key that ended first, and a plan is billed from its beginning",
    131: "A month's bill has its volume, and charges by the price list, once for each month",
  },
  "Request Payment, GET": {
    48: "A read shows a state that was there while it was asked",
    157: "Who reads a payment sees every field of it as it is stored, and its fees if it is paid",
    126: "Pages, histories and lists of payments have what is stored of them, and all of it",
  },
  Errors: {
    53: "Nothing ends in a way that nobody foresaw",
    202: "A refusal has one of the two shapes, a known code and its status",
  },
  "One-Time Pay, idempotency": {
    54: "A One-Time purchase that is pending or completed is not made again",
  },
  Installs: {
    66: "What an agent spends through an install never passes its cap",
    67: "A budget alert tells of what was reached when it is, once a period",
    88: "Nobody's limits, caps or lists change by what another account does without an install",
  },
  "AI-native endpoints": {
    123: "A scan says what its codes say, and recommends the first that can be paid",
    137: "A text is answered with the request that does what it says, or with what it lacks",
    148: "Amounts and orders in words are read as what they say, in either language",
    96: "What is done of what people say is what they ordered, once, and nothing of all else",
    68: "Each period of a subscription or a tab has one invoice",
    69: "Periods join without a gap or an overlap, by the calendar",
    71: "An invoice is paid at most once, by one payment of its amount",
    72: "A subscription that was cancelled never renews",
    73: "At rest, every invoice has ended and no period is left without its bill",
    74: "An invoice is overdue after a week, given up after two, then paid or voided",
    119: "What was voided is neither paid nor asked for, and blocks no tab",
    118: "No tab is opened while it owes a bill that was given up",
    117: "What is paid repeatedly keeps the price that its service had when it began",
  },
  "pricing.cumulative": {
    70: "What was used is billed once for each key, and all that was acknowledged",
    116: "A bill that is too small to settle is left to the next one, and no other is",
  },
  "HTTP 402 mode": {
    75: "A proof of a single use passes once, one with a time until that is over",
    76: "A proof passes for its own seller, service, amount and resource, with its own token",
    77: "A proof that nobody has used is neither called used nor invalid",
    78: "Whose money is held or taken is not asked for it again",
    79: "What a proof opens was paid at its channel",
    83: "A purchase under an identifier is paid by one payment and charged once, at all doors",
    99: "A hold is taken once, at most what was authorised, in its time, never after a void",
    100: "A session draws each sum once, at most its deposit, and its rest goes back once",
    101: "A proof of a subscription lets one request through, of a period that is paid",
    111: "One payment opens one thing: in our words, x402's, MPP's, at the facilitator or a tool",
  },
  "x402, discovery": {
    102: "What is listed and does not hold loses its rank in its time, and regains it when it does",
  },
  "FX routing rules": {
    82: "A quote pays once, within its minute, to what it promised, whatever the rates are since",
  },
  Interface: {
    134: "A refusal of a mistaken request names its mistakes, and what was probably meant",
    151: "What cannot be is refused for its own reason, and changes nothing at rest",
    113: "A request that is right is refused for a reason that it has, or not at all",
    201: "An answer has the status and the shape that the interface describes",
    147: "Lists and reads show all of an account's records, as they are stored, and no others",
    203: "A list shows the newest first and nothing twice",
  },
} as const

type Promises = typeof PROMISES

/** The number of an invariant. */
export type InvariantNumber = { [S in keyof Promises]: keyof Promises[S] }[keyof Promises]

/** A condition that holds at every step of every world, or at its end. */
export interface Invariant {
  readonly number: number
  readonly name: string
  /** The section of the specification that it comes from. */
  readonly section: string
  readonly check: Rules
}

/** Returns the invariants that a book has rules for, with their names, in numerical order. */
export const invariantsOf = (book: Rulebook): ReadonlyArray<Invariant> => {
  const found = Object.entries(PROMISES).flatMap(([section, names]) =>
    Object.entries(names).flatMap(([key, name]) => {
      const number = Number(key)
      const check = book[number as InvariantNumber]
      return check === undefined ? [] : [{ number, name, section, check }]
    }),
  )
  return found.toSorted((a, b) => a.number - b.number)
}
