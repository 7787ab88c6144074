import { setTimeout as sleep } from "node:timers/promises"
import type { Answered, Meddle, Passing } from "../../simulate/flawedProxy.ts"
import {
  AGREED,
  anotherNumber,
  type Asked,
  changed,
  hmac,
  type Parts,
  RIGHT,
  type Told,
} from "./subject.ts"

type Fields = { readonly [field: string]: unknown }
type Go = (asked: Asked) => Promise<Told>

/** A gateway with one bug, and the checks that have to name it. */
export interface Mutant {
  readonly name: string
  readonly parts: () => Partial<Parts>
  readonly named: ReadonlyArray<string>
}

const isRequest = ({ method, path }: Asked) => method === "POST" && path.startsWith("/v1/requests")

/** The id in a request: a field of its body, or a part of its path. */
const idIn =
  (field: string, place: RegExp) =>
  ({ fields, path }: Asked): string => {
    const value = fields[field]
    return typeof value === "string" ? value : (place.exec(path)?.[1] ?? "")
  }

const numberIn = idIn("number", /\/v1\/requests\/([\w-]+)/)
const chargeIn = idIn("out_trade_no", /\/v1\/charges\/([\w-]+)/)

const isAction = (asked: Asked, action: string) =>
  isRequest(asked) && asked.fields["action"] === action

const told = async (answer: Promise<Told>, change: (told: Told) => Told) => change(await answer)

const withFields = (fields: Fields) => (answer: Told) =>
  answer.status < 300 ? { ...answer, fields: { ...answer.fields, ...fields } } : answer

/** Changes the lines of statements. */
const inStatements =
  (change: (lines: ReadonlyArray<Fields>) => ReadonlyArray<Fields>): Parts["serve"] =>
  async (asked, go) => {
    const answer = await go(asked)
    if (!asked.path.startsWith("/v1/statements")) return answer
    const lines = change((answer.fields["lines"] ?? []) as ReadonlyArray<Fields>)
    return { ...answer, fields: { ...answer.fields, lines } }
  }

/** Writes the amounts of statements with their value first. */
export const valueFirst = inStatements((lines) =>
  lines.map((line) => {
    const { currency, value } = line["amount"] as { readonly [field: string]: unknown }
    return { ...line, amount: { value, currency } }
  }),
)

/** Has a thousand lines about other charges before those of this one. */
export const busy = inStatements((lines) => {
  const other = { ...lines[0], out_trade_no: "x".repeat(128), trade_no: "y".repeat(128) }
  return [...Array.from({ length: 1_000 - lines.length }, () => other), ...lines]
})

/** How long a slow wallet or bank takes, in milliseconds. */
const SLOW = 400

/**
 * Answers that a number is pending, carries it out later, and then tells what came of it: whoever
 * sends it again too, or only whoever asks for its outcome.
 */
export const answeringLater = (isKept = false): Parts["serve"] => {
  const numbers = new Map<string, Told | undefined>()
  const pending = (number: string): Told => ({ status: 200, fields: { number, status: "pending" } })
  const found = (number: string): Told => numbers.get(number) ?? pending(number)
  return async (asked, go) => {
    const number = numberIn(asked)
    if (isRequest(asked) && !numbers.has(number)) {
      numbers.set(number, undefined)
      setTimeout(() => void go(asked).then((told) => numbers.set(number, told)), SLOW)
    }
    if (isKept && isRequest(asked)) return pending(number)
    return numbers.has(number) ? found(number) : go(asked)
  }
}

/** Learns some time after its wallet that a payer has paid; of its first charge, later still. */
export const learningLater = (after = SLOW, first = after): Parts["serve"] => {
  const known = new Map<string, number>()
  return async (asked, go) => {
    const number = chargeIn(asked)
    const isLook = asked.method === "GET" && number !== ""
    const at = known.get(number)
    const isKnown = at !== undefined && Date.now() >= at
    if (!isKnown && isAction(asked, "capture")) {
      return { status: 200, fields: { ...asked.fields, status: "refused", reason: "unpaid" } }
    }
    const answer = await go(asked)
    if (!isLook || answer.fields["status"] !== "held" || isKnown) return answer
    if (at === undefined) known.set(number, Date.now() + (known.size === 0 ? first : after))
    return withFields({ status: "unpaid" })(answer)
  }
}

/** Says again what it has said in earlier runs, before whatever it says. */
export const remembering = (said: Array<Passing>): Meddle => {
  const earlier = said.splice(0)
  return async (passing, pass) => {
    for (const one of earlier.splice(0)) await pass({ ...passing, ...one })
    said.push({ ...passing })
    return pass(passing)
  }
}

/** Keeps its own books of refunds, and refunds what that says of a value. */
const refunding = (
  says: (value: number, taken: number, back: () => number) => boolean | Promise<boolean>,
): Parts["serve"] => {
  const given = new Map<string, number>()
  return async (asked, go) => {
    const charge = chargeIn(asked)
    const back = () => given.get(charge) ?? 0
    if (!isAction(asked, "refund")) {
      const answer = await go(asked)
      return "refunded" in answer.fields ? withFields({ refunded: back() })(answer) : answer
    }
    const { number } = asked.fields
    const { value } = asked.fields["amount"] as { readonly value: number }
    if (!(await says(value, 500, back))) {
      return { status: 200, fields: { number, status: "refused", reason: "too much" } }
    }
    given.set(charge, back() + value)
    const at = new Date(0).toISOString()
    return { status: 200, fields: { number, status: "done", trade_no: "t", at } }
  }
}

/** Settles what was taken between two looks at it. */
export const settling = (): Parts["serve"] => {
  const looked = new Set<string>()
  return async (asked, go) => {
    const answer = await go(asked)
    const isTaken = asked.path.startsWith("/v1/charges/") && answer.fields["status"] === "paid"
    if (!isTaken) return answer
    if (looked.has(asked.path)) return withFields({ status: "settled" })(answer)
    looked.add(asked.path)
    return answer
  }
}

/** Carries a number out again each time, and answers with the number that was asked. */
const again = (asked: Asked, go: Go) => {
  if (!isRequest(asked)) return go(asked)
  const number = asked.fields["number"]
  return told(go(changed(asked, { number: anotherNumber() })), withFields({ number }))
}

/** Looks whether it knows a number, waits, and carries it out. */
const looksFirst = () => {
  const known = new Map<unknown, Told>()
  return async (asked: Asked, go: Go): Promise<Told> => {
    const number = asked.fields["number"]
    if (!isRequest(asked)) return go(asked)
    const before = known.get(number)
    if (before !== undefined) return before
    const answer = await again(asked, go)
    known.set(number, answer)
    return answer
  }
}

const ignoringTime: Parts["believes"] = (request, body) => {
  const time = request.headers["x-channel-timestamp"]
  const now = Date.now
  Date.now = () => Date.parse(String(time))
  try {
    return RIGHT.believes(request, body)
  } finally {
    Date.now = now
  }
}

const serve = (changeAnswer: Parts["serve"]) => () => ({ serve: changeAnswer })

const calls = (meddle: Meddle) => () => ({ calls: meddle })

const TAKEN: Answered = { status: 200, headers: {}, text: "{}" }

/** A callback that says something else, and is signed for it. */
const saying = (passing: Passing, change: (data: Fields) => Fields): Passing => {
  const said = JSON.parse(passing.body) as { readonly data: Fields }
  const body = JSON.stringify({ ...said, data: change(said.data) })
  const signature = hmac(AGREED.callback_secret, body)
  return { ...passing, body, headers: { ...passing.headers, "x-channel-signature": signature } }
}

/** Bugs of what gateways say by themselves. */
const CALLING: ReadonlyArray<Mutant> = [
  {
    name: "never calls back",
    parts: calls(() => Promise.resolve(TAKEN)),
    named: ["callback"],
  },
  {
    name: "says amounts in minor units",
    parts: calls((passing, pass) =>
      pass(
        saying(passing, (data) => ({
          ...data,
          total_amount: String(Number(data["total_amount"]) * 100),
        })),
      ),
    ),
    named: ["callback"],
  },
  {
    name: "signs callbacks with another secret",
    parts: calls((passing, pass) => {
      const signature = hmac(AGREED.secret, passing.body)
      return pass({
        ...passing,
        headers: { ...passing.headers, "x-channel-signature": signature },
      })
    }),
    named: ["callback-signed"],
  },
  {
    name: "calls back about charges of others",
    parts: calls(async (passing, pass) => {
      await pass(saying(passing, (data) => ({ ...data, out_trade_no: "pi_of-another" })))
      return pass(passing)
    }),
    named: ["callback-known"],
  },
  {
    name: "says that a charge has succeeded before it was authorized",
    parts: calls(async (passing, pass) => {
      await pass(saying(passing, (data) => ({ ...data, trade_status: "SUCCESS" })))
      return pass(passing)
    }),
    named: ["callback-order"],
  },
  {
    name: "says everything once, whatever it is answered",
    parts: calls(async (passing, pass) => {
      await pass(passing)
      return TAKEN
    }),
    named: ["callback-again"],
  },
  {
    name: "says something else when it says it again",
    parts: () => {
      let count = 0
      return {
        calls: (passing, pass) =>
          pass(saying(passing, (data) => ({ ...data, pay_date: `${(count += 1)}` }))),
      }
    },
    named: ["callback-again"],
  },
  {
    name: "says everything twice",
    parts: calls(async (passing, pass) => {
      await pass(passing)
      return pass(passing)
    }),
    named: ["callback-once"],
  },
  {
    name: "goes on after it was refused",
    parts: calls(async (passing, pass) => {
      const answer = await pass(passing)
      return answer.status === 404 ? { ...answer, status: 500 } : answer
    }),
    named: ["callback-once"],
  },
]

/** The checks of wrong signatures. */
const REFUSALS = ["unsigned", "forged", "altered", "other-key", "old"]

/** Bugs that gateways have. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  ...CALLING,
  {
    name: "believes everybody",
    parts: () => ({ believes: () => true }),
    named: REFUSALS,
  },
  {
    name: "verifies charges only",
    parts: () => ({
      believes: (request, body) =>
        !(request.url ?? "").startsWith("/v1/charges") || RIGHT.believes(request, body),
    }),
    named: REFUSALS,
  },
  {
    name: "verifies no requests that read",
    parts: () => ({
      believes: (request, body) => request.method === "GET" || RIGHT.believes(request, body),
    }),
    named: REFUSALS,
  },
  {
    name: "verifies no statements",
    parts: () => ({
      believes: (request, body) =>
        (request.url ?? "").startsWith("/v1/statements") || RIGHT.believes(request, body),
    }),
    named: REFUSALS,
  },
  {
    name: "refuses strangers and does what they ask",
    parts: () => ({
      refused: async (asked, go) => {
        if (isRequest(asked)) await go(asked)
      },
    }),
    named: ["unsigned", "forged", "other-key", "old"],
  },
  {
    name: "believes what is not signed",
    parts: () => ({
      believes: (request, body) =>
        request.headers["x-channel-signature"] === undefined || RIGHT.believes(request, body),
    }),
    named: ["unsigned"],
  },
  { name: "does not look at the time", parts: () => ({ believes: ignoringTime }), named: ["old"] },
  {
    name: "answers strangers with 200",
    parts: () => ({ refusal: 200 }),
    named: ["unsigned", "forged"],
  },
  { name: "fails at strangers", parts: () => ({ refusal: 500 }), named: ["unsigned", "forged"] },
  { name: "does not sign answers", parts: () => ({ signs: () => false }), named: ["signed"] },
  {
    name: "signs answers with another secret",
    parts: () => ({ secret: AGREED.callback_secret }),
    named: ["signed"],
  },
  { name: "signs answers for any request", parts: () => ({ binds: false }), named: ["signed"] },
  {
    name: "does not sign what it does not know",
    parts: () => ({ signs: (status) => status !== 404 }),
    named: ["unknown-number", "unknown-charge"],
  },
  { name: "carries a number out each time", parts: serve(again), named: ["copies", "same-answer"] },
  {
    name: "looks whether it knows a number, and then acts",
    parts: () => ({ serve: looksFirst() }),
    named: ["copies"],
  },
  {
    name: "takes an unknown number for a pending one",
    parts: serve((asked, go) =>
      told(go(asked), (answer) =>
        answer.status === 404 && asked.path.startsWith("/v1/requests/")
          ? { status: 200, fields: { number: "x", status: "pending" } }
          : answer,
      ),
    ),
    named: ["unknown-number"],
  },
  {
    name: "does not know its numbers afterwards",
    parts: serve(async (asked, go) =>
      asked.method === "GET" && asked.path.startsWith("/v1/requests/")
        ? { status: 404, fields: {} }
        : go(asked),
    ),
    named: ["same-answer"],
  },
  {
    name: "answers at another time each time",
    parts: () => {
      let count = 0
      return {
        serve: (asked, go) =>
          isRequest(asked)
            ? told(go(asked), withFields({ trade_no: `t_${(count += 1)}` }))
            : go(asked),
      }
    },
    named: ["same-answer"],
  },
  {
    name: "says that it captured what nobody paid",
    parts: serve((asked, go) =>
      isAction(asked, "capture")
        ? told(
            go(asked),
            withFields({ status: "done", trade_no: "t", at: new Date(0).toISOString() }),
          )
        : go(asked),
    ),
    named: ["unpaid", "captured-once", "released"],
  },
  {
    name: "refunds a cent less",
    parts: serve((asked, go) => {
      const amount = asked.fields["amount"] as
        | { readonly currency: string; readonly value: number }
        | undefined
      return isAction(asked, "refund") && amount !== undefined
        ? go(changed(asked, { amount: { ...amount, value: amount.value - 1 } }))
        : go(asked)
    }),
    named: ["refund", "statement"],
  },
  {
    name: "holds each refund against all that was taken",
    parts: () => ({ serve: refunding((value, taken) => value <= taken) }),
    named: ["refunds-together"],
  },
  {
    name: "looks how much is left, and then refunds",
    parts: () => ({
      serve: refunding(async (value, taken, back) => {
        const left = taken - back()
        await sleep(20)
        return value <= left
      }),
    }),
    named: ["refunds-race"],
  },
  {
    name: "counts no refunds",
    parts: serve((asked, go) =>
      asked.path.startsWith("/v1/charges/")
        ? told(go(asked), withFields({ refunded: 0 }))
        : go(asked),
    ),
    named: ["refund", "copies"],
  },
  {
    name: "promises refunds of more than was taken",
    parts: () => {
      const promised = new Map<string, Told>()
      return {
        serve: async (asked, go) => {
          const number = numberIn(asked)
          const known = [...promised.keys()].find((one) => asked.path.includes(one))
          if (known !== undefined) return promised.get(known) ?? go(asked)
          const answer = await go(asked)
          if (!isAction(asked, "refund") || answer.fields["status"] !== "refused") return answer
          const at = new Date(0).toISOString()
          promised.set(number, withFields({ status: "done", trade_no: "t", at })(answer))
          return withFields({ status: "pending" })(answer)
        },
      }
    },
    named: ["too-much"],
  },
  {
    name: "says held of what is captured, and unpaid of what is held",
    parts: serve((asked, go) =>
      asked.path.startsWith("/v1/charges/")
        ? told(go(asked), withFields({ status: "unpaid" }))
        : go(asked),
    ),
    named: ["capture"],
  },
  {
    name: "leaves refunds out of its statement",
    parts: serve(inStatements((lines) => lines.filter(({ kind }) => kind === "payment"))),
    named: ["statement"],
  },
  {
    name: "lists every line twice",
    parts: serve(inStatements((lines) => [...lines, ...lines])),
    named: ["statement"],
  },
  { name: "has no statement", parts: serve(inStatements(() => [])), named: ["statement"] },
  ...[undefined, "", 7].map((qr_data) => ({
    name: `makes charges with the code ${JSON.stringify(qr_data)}`,
    parts: serve((asked, go) =>
      asked.path.startsWith("/v1/charges") && asked.method === "POST"
        ? told(go(asked), withFields({ qr_data }))
        : go(asked),
    ),
    named: ["charge"],
  })),
  {
    name: "says no code when a charge comes again",
    parts: () => {
      const known = new Set<unknown>()
      return {
        serve: (asked, go) => {
          const { charge_id } = asked.fields
          if (asked.method !== "POST" || !asked.path.startsWith("/v1/charges")) return go(asked)
          if (!known.has(charge_id)) {
            known.add(charge_id)
            return go(asked)
          }
          return told(go(asked), withFields({ qr_data: undefined }))
        },
      }
    },
    named: ["charge-again"],
  },
  {
    name: "makes no charge twice",
    parts: () => {
      const known = new Set<unknown>()
      return {
        serve: async (asked, go) => {
          if (asked.method !== "POST" || !asked.path.startsWith("/v1/charges")) return go(asked)
          if (known.has(asked.fields["charge_id"])) return { status: 409, fields: {} }
          known.add(asked.fields["charge_id"])
          return go(asked)
        },
      }
    },
    named: ["charge-again"],
  },
]

/** Bugs that no request of this grader shows: they count against it. */
export const UNSEEN: ReadonlyArray<Omit<Mutant, "named">> = [
  {
    name: "forgets to say who has paid",
    parts: serve((asked, go) =>
      asked.path.startsWith("/v1/charges/")
        ? told(go(asked), withFields({ payer: undefined }))
        : go(asked),
    ),
  },
]
