import { firstFlaw, notJudged } from "../report/Report.ts"
import { type Delivery, hmac, type Sender } from "./Sender.ts"
import { isTaken, type ReceiverCheck, refused } from "./verdicts.ts"
import { failed, passed } from "../report/Report.ts"
import { said } from "../Target.ts"

const SIGNING = "Authentication 3 and 4: webhook signatures"
const TIME = "Authentication 3: a time more than 5 minutes from now is refused"

/** Returns the delivery with only this signature. */
const signedBy = ({ body, headers }: Delivery, name: string, value: string): Delivery => {
  const kept = Object.entries(headers).filter(([header]) => !/signature/i.test(header))
  return { body, headers: { ...Object.fromEntries(kept), [name]: value } }
}

const unsigned = ({ body, headers }: Delivery): Delivery => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/signature/i.test(name))),
})

/** One or several deliveries that must be refused. */
interface Refusal {
  readonly id: string
  readonly title: string
  readonly clause: string
  readonly advice: string
  /** Whether only the headers of an endpoint can show it. */
  readonly timed?: boolean
  readonly make: (sender: Sender, secret: string) => ReadonlyArray<Delivery>
}

const at = (sender: Sender, seconds: number): Delivery =>
  sender.deliver(sender.payment(), { at: sender.now() + seconds * 1_000 })

/** Returns malformed headers of an endpoint and of a service with a correct signature. */
const malformed = (sender: Sender, secret: string): ReadonlyArray<Delivery> => {
  const delivery = sender.deliver(sender.payment())
  const t = String(Math.floor(sender.now() / 1_000))
  const v1 = hmac(secret, `${t}.${delivery.body}`)
  const timed = ["", "t", ",", "=", `t=${t}`, `v1=${v1}`, `t=${t},v1=`, `t=,v1=${v1}`]
  const others = [`t=${t},v0=${v1}`, `t=${t};v1=${v1}`, `sha256=${v1}`, "x".repeat(5_000)]
  const plain = ["", ",", "v1=", "zz".repeat(32), "x".repeat(5_000)]
  return delivery.headers["X-Webhook-Signature"] === undefined
    ? [...timed, ...others].map((value) => signedBy(delivery, "Webhook-Signature", value))
    : plain.map((value) => signedBy(delivery, "X-Webhook-Signature", value))
}

const cutShort = (sender: Sender, secret: string): ReadonlyArray<Delivery> => {
  const delivery = sender.deliver(sender.payment())
  const t = String(Math.floor(sender.now() / 1_000))
  const cuts = [1, 32, 62]
  return delivery.headers["X-Webhook-Signature"] === undefined
    ? cuts.map((length) => {
        const v1 = hmac(secret, `${t}.${delivery.body}`).slice(0, length)
        return signedBy(delivery, "Webhook-Signature", `t=${t},v1=${v1}`)
      })
    : cuts.map((length) =>
        signedBy(delivery, "X-Webhook-Signature", hmac(secret, delivery.body).slice(0, length)),
      )
}

const REFUSALS: ReadonlyArray<Refusal> = [
  {
    id: "forged",
    title: "refuses what another secret signed",
    clause: SIGNING,
    advice: "Compute the HMAC-SHA256 with the secret and refuse what does not match.",
    make: (sender) => [sender.deliver(sender.payment(), { secrets: [sender.stranger()] })],
  },
  {
    id: "no-secret",
    title: "refuses what is signed with an empty secret",
    clause: SIGNING,
    advice: "Do not start without a secret: an empty one, or the text undefined, is known to all.",
    make: (sender) =>
      ["", "undefined", "null"].map((known) =>
        sender.deliver(sender.payment(), { secrets: [known] }),
      ),
  },
  {
    id: "unsigned",
    title: "refuses what is not signed",
    clause: SIGNING,
    advice: "Refuse a delivery without the header: the service signs every one.",
    make: (sender) => [unsigned(sender.deliver(sender.payment()))],
  },
  {
    id: "altered",
    title: "refuses a body that was changed after it was signed",
    clause: SIGNING,
    advice: "Sign the whole body, not a part of it such as the id.",
    make: (sender) => {
      const { body, headers } = sender.deliver(sender.payment())
      return [{ headers, body: body.replace('"value":699', '"value":999') }]
    },
  },
  {
    id: "reformatted",
    title: "refuses a body whose blanks were changed",
    clause: `${SIGNING}: the raw body, without parsing or reformatting`,
    advice: "Verify the raw bytes before anything parses them: JSON written again is another text.",
    make: (sender) => {
      const { body, headers } = sender.deliver(sender.payment())
      return [{ headers, body: JSON.stringify(JSON.parse(body), null, 1) }]
    },
  },
  {
    id: "malformed",
    title: "refuses malformed signatures, and does not fail at them",
    clause: SIGNING,
    advice: "Refuse a header that is not t=<seconds>,v1=<64 hex digits>.",
    make: malformed,
  },
  {
    id: "cut-short",
    title: "refuses the beginning of a right signature, and does not fail at it",
    clause: SIGNING,
    advice: "Compare all 32 bytes; functions that compare in constant time throw at other lengths.",
    make: cutShort,
  },
  {
    id: "garbage",
    title: "refuses a body that is no JSON, unsigned",
    clause: "RFC 9110 section 15.5: the fault is the client's",
    advice: "Verify before parsing.",
    make: (sender) =>
      ["", "{", "[]", "null", '{"id":'].map((body) =>
        unsigned({ ...sender.deliver(sender.payment()), body }),
      ),
  },
  {
    id: "past",
    title: "refuses a signature of six minutes ago, and of a day ago",
    clause: TIME,
    timed: true,
    advice: "Refuse a t more than 300 seconds ago: what was caught on the way could be sent again.",
    make: (sender) => [at(sender, -360), at(sender, -86_400)],
  },
  {
    id: "future",
    title: "refuses a signature of six minutes from now",
    clause: TIME,
    timed: true,
    advice:
      "Refuse a t more than 300 seconds ahead, too: it could be sent again for so much longer.",
    make: (sender) => [at(sender, 360)],
  },
  {
    id: "time-unsigned",
    title: "refuses a signature whose time was changed",
    clause: "Authentication 3: t is a part of what is signed",
    timed: true,
    advice: "Sign `t`, a dot and the body, with the t of the header.",
    make: (sender, secret) => {
      const delivery = sender.deliver(sender.payment())
      const now = Math.floor(sender.now() / 1_000)
      const old = hmac(secret, `${now - 3_600}.${delivery.body}`)
      const bare = hmac(secret, delivery.body)
      return [`t=${now},v1=${old}`, `t=${now},v1=${bare}`].map((value) =>
        signedBy(delivery, "Webhook-Signature", value),
      )
    },
  },
  {
    id: "two-times",
    title: "refuses a header with two times",
    clause: "Authentication 3: t is a part of what is signed",
    timed: true,
    advice: "Take one t for the signature and for the age, and refuse a second.",
    make: (sender, secret) => {
      const delivery = sender.deliver(sender.payment())
      const now = Math.floor(sender.now() / 1_000)
      const old = now - 3_600
      const v1 = hmac(secret, `${old}.${delivery.body}`)
      return [`t=${old},t=${now},v1=${v1}`, `t=${now},t=${old},v1=${v1}`].map((value) =>
        signedBy(delivery, "Webhook-Signature", value),
      )
    },
  },
]

const UNTIMED =
  "X-Webhook-Signature has no time. Webhook-Signature beside it has: verify that one, and grade " +
  "it with --as endpoint"

/** Checks of deliveries that a receiver has to refuse. */
export const REFUSED: ReadonlyArray<ReceiverCheck> = REFUSALS.map(
  ({ advice, clause, id, make, timed = false, title }) => ({
    id,
    title,
    clause,
    needs: ["genuine"],
    judge: async (receiver) => {
      const { options, postWrong, sender, sent } = receiver
      if (timed && options.as === "service") return notJudged(UNTIMED)
      const answers = []
      for (const delivery of make(sender, options.secret)) {
        const [event = ""] = /evt_[\w-]+/.exec(delivery.body) ?? []
        if (event !== "") sent.set("refused", [...(sent.get("refused") ?? []), event])
        answers.push(await postWrong(delivery))
      }
      return firstFlaw(answers.map((answer) => refused(answer, advice)))
    },
  }),
)

/** Checks of deliveries that a receiver has to accept although they are unusual. */
export const TOLERATED: ReadonlyArray<ReceiverCheck> = [
  {
    id: "skew",
    title: "takes signatures of four minutes ago and from now",
    clause: TIME,
    needs: ["genuine"],
    judge: async ({ post, sender }) => {
      const answers = [await post(at(sender, -240)), await post(at(sender, 240))]
      const odd = answers.find((answer) => !isTaken(answer))
      if (odd === undefined) return passed
      return failed(
        "status 2xx",
        said(odd),
        "Allow 300 seconds either way, as clocks differ: t is in seconds. Is the clock right of " +
          "this machine, and that of the receiver?",
      )
    },
  },
  {
    id: "further-elements",
    title: "passes by elements of the header that it does not know",
    clause: "Authentication 3: v1 names the version of the signature",
    needs: ["genuine"],
    judge: async ({ options, post, sender }) => {
      if (options.as === "service") return notJudged(UNTIMED)
      const delivery = sender.deliver(sender.payment())
      const signature = String(delivery.headers["Webhook-Signature"])
      const answer = await post(
        signedBy(delivery, "Webhook-Signature", `${signature},v2=${sender.stranger().slice(6)}`),
      )
      return isTaken(answer)
        ? passed
        : failed("status 2xx", said(answer), "Read t and v1, and ignore the rest of the header.")
    },
  },
]
