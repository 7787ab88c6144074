import { failed, firstFlaw, notJudged, passed, type Verdict } from "../report/Report.ts"
import { type Answer, said } from "../Target.ts"
import { isTaken, once, type ReceiverCheck, taken } from "./verdicts.ts"

const RETRY = "Delivery and retry rules"
const ONCE = `${RETRY}: an event may come several times, and counts once`

const DUPLICATE =
  "Answer a duplicate with 200, as the first: whatever else is repeated, or ends up as a failure."

const FORGED_FIRST =
  "Verify before an event's id is looked up or claimed: otherwise whoever knows an id can " +
  "suppress the event."

const COPIES = 8

/** A copy may be told to retry while another copy is processed, but never that it is wrong. */
const judgeCopies = (answers: ReadonlyArray<Answer>): Verdict => {
  const odd = answers.find(
    ({ status }) => status === null || (status >= 300 && status < 500 && status !== 401),
  )
  if (odd !== undefined) {
    return failed(
      "status 2xx, or 503 while another copy is worked on",
      said(odd),
      "A 4xx ends the delivery for good: if the copy that is worked on fails, nothing is left.",
    )
  }
  return answers.some(isTaken)
    ? passed
    : failed("status 2xx for one of the copies", answers.map(said).join(", "), DUPLICATE)
}

/** Checks of how a receiver treats repeated deliveries. */
export const REPEATED: ReadonlyArray<ReceiverCheck> = [
  {
    id: "duplicate",
    title: "answers a second delivery of an event as the first",
    clause: ONCE,
    needs: ["genuine"],
    judge: async ({ post, sender, sent }) => {
      const event = sender.payment()
      sent.set("duplicate", [event.id])
      const answers = []
      for (const retry of [0, 1, 2]) answers.push(await post(sender.deliver(event, { retry })))
      return firstFlaw(answers.map((answer) => taken(answer, DUPLICATE)))
    },
  },
  {
    id: "copies",
    title: `answers ${COPIES} copies that come at once`,
    clause: `${RETRY}: 4xx ends a delivery, 5xx and 401 are tried again`,
    needs: ["genuine"],
    judge: async ({ post, sender, sent }) => {
      const event = sender.payment()
      sent.set("copies", [event.id])
      const copies = Array.from({ length: COPIES }, () => post(sender.deliver(event)))
      const verdict = judgeCopies(await Promise.all(copies))
      const last = await post(sender.deliver(event, { retry: 1 }))
      return firstFlaw([verdict, taken(last, DUPLICATE)])
    },
  },
  {
    id: "replay",
    title: "answers the very same request again",
    clause: `${ONCE}; the same bytes may be caught and sent again`,
    needs: ["genuine"],
    judge: async ({ post, sender, sent }) => {
      const event = sender.payment()
      sent.set("replay", [event.id])
      const delivery = sender.deliver(event)
      const first = await post(delivery)
      const again = await post(delivery)
      if (again.status !== null && again.status < 500) return taken(first, DUPLICATE)
      return failed("status 2xx, or a refusal", said(again), DUPLICATE)
    },
  },
  {
    id: "out-of-order",
    title: "takes a newer event before an older one",
    clause: `${RETRY}: events come in any order`,
    needs: ["genuine"],
    judge: async ({ post, sender, sent }) => {
      const [older, newer] = [sender.payment(60_000), sender.payment()]
      sent.set("out-of-order", [newer.id, older.id])
      const answers = [await post(sender.deliver(newer)), await post(sender.deliver(older))]
      const advice = "Take an event whose predecessor has not come: it comes later, or has been."
      return firstFlaw(answers.map((answer) => taken(answer, advice)))
    },
  },
  {
    id: "forged-first",
    title: "takes a genuine event of which a forgery came before",
    clause: "Authentication 3 and 4: webhook signatures",
    needs: ["genuine"],
    judge: async ({ post, postWrong, sender, sent }) => {
      const event = sender.payment()
      sent.set("forged-first", [event.id])
      await postWrong(sender.deliver(event, { secrets: [sender.stranger()] }))
      return taken(await post(sender.deliver(event, { retry: 1 })), FORGED_FIRST)
    },
  },
  {
    id: "renamed",
    title: "knows an event by the id in its body, not by the headers, which nobody signs",
    clause: "Authentication 6: headers beside the signature are not signed",
    needs: ["genuine"],
    judge: async ({ options, post, sender, sent }) => {
      const event = sender.payment()
      sent.set("renamed", [event.id])
      const first = await post(sender.deliver(event))
      const { body, headers } = sender.deliver(event)
      const id = options.as === "service" ? "X-Webhook-Id" : "Webhook-Id"
      const other = sender.payment().id
      const changed = { ...headers, [id]: other, "Idempotency-Key": `wh_${other}-retry-0` }
      const again = await post({ body, headers: changed })
      if (again.status !== null && again.status < 500) {
        return taken(first, "Take a genuine delivery.")
      }
      const advice = "Refuse it with 401, or answer it like any duplicate."
      return failed("status 2xx, or a refusal", said(again), advice)
    },
  },
]

const twice = (by: string, title: string, advice: string): ReceiverCheck => ({
  id: `${by}-once`,
  title,
  clause: ONCE,
  needs: [by],
  judge: (receiver) => once(receiver, by, advice),
})

const CLAIM =
  "Claim the event's id in one step that only one can win, such as an INSERT under a unique key, " +
  "best in the transaction that does the work."

/** Checks of the deliveries' effects, as far as they are visible. */
export const EFFECTS: ReadonlyArray<ReceiverCheck> = [
  twice("genuine", "takes the first event once", "Do the work of an event that was answered 2xx."),
  twice("duplicate", "takes an event once that is delivered three times", CLAIM),
  twice("copies", "takes an event once whose copies come at once", CLAIM),
  twice("replay", "takes an event once whose request is sent again", CLAIM),
  twice(
    "out-of-order",
    "takes both of two events that come in the other order",
    "Take an older event, too: what it tells may not be told by the newer one.",
  ),
  twice("forged-first", "takes an event once of which a forgery came before", FORGED_FIRST),
  twice(
    "renamed",
    "takes an event once whose headers were changed",
    "Dedupe by `id` of the signed body, never by Webhook-Id or Idempotency-Key.",
  ),
  {
    id: "refused-never",
    title: "does nothing about what it refuses",
    clause: "Authentication 3 and 4: webhook signatures",
    needs: ["genuine"],
    judge: async (receiver) => {
      const effects = await receiver.effects([])
      if (effects.type === "unknown") return notJudged(effects.why)
      const odd = (receiver.sent.get("refused") ?? []).find((id) => effects.times(id) > 0)
      if (odd === undefined) return passed
      return failed(
        `${odd} not in the list of effects`,
        `${effects.times(odd)} times`,
        "Verify first, and begin no work before.",
      )
    },
  },
  {
    id: "after-failure",
    title: "takes an event at its repetition whose handling has failed",
    clause: `${RETRY}: 5xx is tried again`,
    judge: async () =>
      notJudged("no request can make a handler fail: try it with a handler that throws once"),
  },
  {
    id: "no-undoing",
    title: "lets no older event undo what a newer one said",
    clause: `${RETRY}: events come in any order`,
    judge: async () =>
      notJudged("what the app keeps of an event cannot be seen: compare created, or ask the API"),
  },
]
