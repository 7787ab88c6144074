import { Effect } from "effect"
import { channelContract } from "../../../apps/payport/testing/channelContract.ts"
import type { ChannelMessage } from "../../../core/gateway/ChannelCallback.ts"
import type {
  ChannelOutcome,
  Channels,
  StatementLine,
  TradeAnswer,
} from "../../../core/ports/Channels.ts"
import { simulatedChannel } from "../../support/channelModes.ts"
import { type Flaws, noticesMutants } from "../../support/mutation.ts"

type Service = Channels["Service"]

let names = 0
const another = (name: string) => `${name}-${(names += 1)}`

/** Changes the outcome of a call. */
const outcomes =
  (change: (outcome: ChannelOutcome, action: string) => ChannelOutcome) => (sound: Service) => ({
    call: (made: Parameters<Service["call"]>[0]) =>
      Effect.map(sound.call(made), (outcome) => change(outcome, made.action)),
  })

/** Changes the answer about a charge. */
const answers = (change: (answer: TradeAnswer) => TradeAnswer) => (sound: Service) => ({
  query: (charge: Parameters<Service["query"]>[0]) => Effect.map(sound.query(charge), change),
})

const trades = (
  change: (trade: Extract<TradeAnswer, { type: "known" }>["trade"]) => object,
): ReturnType<typeof answers> =>
  answers((answer) =>
    answer.type === "known"
      ? { ...answer, trade: { ...answer.trade, ...change(answer.trade) } }
      : answer,
  )

/** Changes the lines of a statement. */
const lines =
  (change: (lines: ReadonlyArray<StatementLine>) => ReadonlyArray<StatementLine>) =>
  (sound: Service) => ({
    statement: (...asked: Parameters<Service["statement"]>) =>
      Effect.map(sound.statement(...asked), (page) => ({ ...page, lines: change(page.lines) })),
  })

/** Changes what a callback says. */
const messages = (change: (message: ChannelMessage) => ChannelMessage) => (sound: Service) => ({
  readCallback: (...sent: Parameters<Service["readCallback"]>) =>
    Effect.map(sound.readCallback(...sent), change),
})

const done: ChannelOutcome = { type: "done", at: 1_769_902_800_000, trade_no: "t" }

const flaws: Flaws<Service> = {
  health: { "says that it is down": () => ({ health: () => Effect.succeed("down" as const) }) },
  createQr: {
    "registers nothing": () => ({ createQr: () => Effect.succeed({ qr_data: another("qr") }) }),
    "has nothing to scan": (sound) => ({
      createQr: (charge) => Effect.as(sound.createQr(charge), { qr_data: "" }),
    }),
    "makes another charge every time": (sound) => ({
      createQr: (charge) =>
        Effect.map(sound.createQr(charge), ({ qr_data }) => ({ qr_data: another(qr_data) })),
    }),
    "opens a charge again that its payer has authorized": (sound) => {
      const asked: Array<string> = []
      const isAnew = (id: string) => asked.filter((one) => one === id).length > 1
      return {
        createQr: (charge) => {
          asked.push(charge.out_trade_no)
          return sound.createQr(charge)
        },
        query: (charge) =>
          Effect.map(sound.query(charge), (answer): TradeAnswer =>
            answer.type === "known" && isAnew(charge.out_trade_no)
              ? { type: "known", trade: { ...answer.trade, status: "unpaid" } }
              : answer,
          ),
      }
    },
    "registers a link": (sound) => ({
      createQr: (charge) =>
        Effect.as(sound.createDeepLink(charge), { qr_data: charge.out_trade_no }),
    }),
    "registers less": (sound) => ({
      createQr: (charge) => sound.createQr({ ...charge, amount: { currency: "USD", value: 1 } }),
    }),
  },
  createDeepLink: {
    "registers nothing": () => ({ createDeepLink: () => Effect.void }),
    "registers a QR code": (sound) => ({
      createDeepLink: (charge) => Effect.asVoid(sound.createQr(charge)),
    }),
  },
  call: {
    "forgets numbers": (sound) => ({
      call: (made) => sound.call({ ...made, number: another(made.number) }),
    }),
    "does nothing and says that it has": () => ({ call: () => Effect.succeed(done) }),
    "never says what came of it": outcomes(() => ({ type: "pending" })),
    "never answers": outcomes(() => ({ type: "unknown", message: "No answer." })),
    "takes refusals for effects": outcomes((outcome) => (outcome.type === "done" ? outcome : done)),
    "names no trade": outcomes((outcome) =>
      outcome.type === "done" ? { ...outcome, trade_no: "" } : outcome,
    ),
    "refuses everything": outcomes(() => ({ type: "refused", message: "No." })),
    "refunds as much as it wants": (sound) => ({
      call: (made) =>
        made.action === "refund"
          ? sound.call({ ...made, amount: { ...made.amount, value: 50 } })
          : sound.call(made),
    }),
    "captures all for a part": (sound) => ({
      call: (made) =>
        made.action === "capture" && made.amount.value < 500
          ? sound.call({ ...made, amount: { ...made.amount, value: 500 } })
          : sound.call(made),
    }),
    "captures what it has for more": (sound) => ({
      call: (made) =>
        made.action === "capture" && made.amount.value > 500
          ? sound.call({ ...made, amount: { ...made.amount, value: 500 } })
          : sound.call(made),
    }),
    "captures for a release": (sound) => ({
      call: (made) => sound.call(made.action === "release" ? { ...made, action: "capture" } : made),
    }),
    "leaves holds as they are": (sound) => ({
      call: (made) => (made.action === "release" ? Effect.succeed(done) : sound.call(made)),
    }),
    "leaves charges open": (sound) => ({
      call: (made) => (made.action === "close" ? Effect.succeed(done) : sound.call(made)),
    }),
    "ignores whose mandate it is": (sound) => ({
      call: (made) =>
        made.action === "debit" && made.mandate === null ? Effect.succeed(done) : sound.call(made),
    }),
  },
  ask: {
    "knows no number": () => ({ ask: () => Effect.succeed({ type: "not_found" } as const) }),
    "makes the call": (sound) => ({ ask: sound.call }),
    "says that everything was done": () => ({ ask: () => Effect.succeed(done) }),
  },
  requestMandate: {
    "enters nothing": () => ({
      requestMandate: () => Effect.succeed({ type: "known", status: "pending" } as const),
    }),
    "enters another": (sound) => ({
      requestMandate: (asked) =>
        sound.requestMandate({ ...asked, mandate_id: another(asked.mandate_id) }),
    }),
    "allows more": (sound) => ({
      requestMandate: (asked) =>
        sound.requestMandate({ ...asked, auto_pay_limit: { currency: "USD", value: 1_000_000 } }),
    }),
    "allows less": (sound) => ({
      requestMandate: (asked) =>
        sound.requestMandate({ ...asked, auto_pay_limit: { currency: "USD", value: 1 } }),
    }),
  },
  askMandate: {
    "knows none": () => ({ askMandate: () => Effect.succeed({ type: "not_found" } as const) }),
    "says that all are active": () => ({
      askMandate: () => Effect.succeed({ type: "known", status: "active" } as const),
    }),
  },
  revokeMandate: {
    "ends nothing": () => ({
      revokeMandate: () => Effect.succeed({ type: "known", status: "revoked" } as const),
    }),
  },
  query: {
    "knows no charge": answers(() => ({ type: "not_found" })),
    "never answers": answers(() => ({ type: "unknown", message: "No answer." })),
    "knows of no refund": trades(() => ({ refunded: 0 })),
    "says that what is held was paid": trades(({ status }) =>
      status === "held" ? { status: "paid" } : {},
    ),
    "says that what was paid is held": trades(({ status }) =>
      status === "paid" ? { status: "held" } : {},
    ),
    "says that what is closed is held": trades(({ status }) =>
      status === "closed" ? { status: "held" } : {},
    ),
    "tells another amount": trades(() => ({ amount: { currency: "USD", value: 1 } })),
    "tells of another payment": trades(() => ({ out_trade_no: "pi_other" })),
    "tells another number every time": trades(({ trade_no }) =>
      trade_no === null ? {} : { trade_no: another(trade_no) },
    ),
  },
  statement: {
    "has no line": lines(() => []),
    "has no refund": lines((all) => all.filter(({ kind }) => kind === "payment")),
    "has no payment": lines((all) => all.filter(({ kind }) => kind === "refund")),
    "has every line twice": lines((all) => [...all, ...all]),
    "tells other amounts": lines((all) =>
      all.map((line) => ({ ...line, amount: { currency: "USD", value: 1 } })),
    ),
    "leaves our numbers out": lines((all) => all.map((line) => ({ ...line, number: null }))),
    "is the same every day": (sound) => ({
      statement: (channel) => sound.statement(channel, "2026-01-31", null),
    }),
    "goes round in circles": (sound) => ({
      statement: (channel, day) =>
        Effect.map(sound.statement(channel, day, null), (page) => ({ ...page, next: "again" })),
    }),
    "refuses what comes after the first page": (sound) => ({
      statement: (channel, day, cursor) =>
        Effect.map(sound.statement(channel, day, cursor), ({ lines: all }) =>
          cursor === null ? { lines: [], next: null } : { lines: all, next: null },
        ),
    }),
  },
  payerOf: {
    "names anybody": () => ({
      payerOf: () => Effect.succeed({ payer_id: "anybody", wallet_id: "w" }),
    }),
  },
  readCallback: {
    "takes whatever is signed by nobody": (sound) => ({
      readCallback: (channel, body, signature) =>
        Effect.catch(sound.readCallback(channel, body, signature), () =>
          Effect.sync(() => {
            const { data } = JSON.parse(new TextDecoder().decode(body)) as { data: object }
            return { channel, ...data } as never
          }),
        ),
    }),
    "reads a hundredth of each payment": messages((message) =>
      "total_amount" in message
        ? { ...message, total_amount: `${Number(message.total_amount) / 100}` }
        : message,
    ),
    "reads a hundredth of each refund": messages((message) =>
      "refund_amount" in message
        ? { ...message, refund_amount: `${Number(message.refund_amount) / 100}` }
        : message,
    ),
    "writes amounts with a comma": messages((message) =>
      "total_amount" in message
        ? { ...message, total_amount: message.total_amount.replace(".", ",") }
        : message,
    ),
    "takes each currency for another": messages((message) =>
      "total_amount" in message ? { ...message, currency: "EUR" } : message,
    ),
    "reads every payment as paid": (sound) => ({
      readCallback: (...sent) =>
        Effect.map(sound.readCallback(...sent), (message) =>
          "trade_status" in message ? { ...message, trade_status: "SUCCESS" as const } : message,
        ),
    }),
  },
  noteCallback: {},
}

/** Mutants that no caller can notice, or that a channel may do. */
const HARMLESS: ReadonlyArray<RegExp> = [
  /^health answers what/,
  // Texts shown to the payer, and a time that nothing waits for.
  /^create(Qr|DeepLink) (does not heed|takes) (description|expires_at)/,
  // A call has a number, and a charge two: a channel asks by what it likes.
  /^ask does not heed (?!number|channel)/,
  /^query does not heed out_trade_no/,
  // Texts shown to a person, and a cap that the core enforces.
  /^requestMandate does not heed (agent_id|service_id|spend_cap)/,
  /^statement answers in the opposite order/,
  // It has no answer, and its use is the channel's own affair.
  /^noteCallback (answers|takes|does not)/,
]

noticesMutants<Service>((change) => channelContract(simulatedChannel(change)), flaws, HARMLESS)
