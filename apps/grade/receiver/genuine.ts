import { firstFlaw, failed, passed } from "../report/Report.ts"
import { type ReceiverCheck, taken } from "./verdicts.ts"

const SIGNING = "Authentication 3 and 4: webhook signatures"
const RETRY = "Delivery and retry rules"
const EVENTS = "Events: envelopes"

const KNOWN =
  "It refuses a genuine delivery, so that nothing else can be judged. Does it have this secret, " +
  "and does it verify the raw bytes of the body? Its log says why it refused."

/** Checks of deliveries that a receiver has to accept. */
export const GENUINE: ReadonlyArray<ReceiverCheck> = [
  {
    id: "genuine",
    title: "takes a delivery with a genuine signature",
    clause: SIGNING,
    judge: async (receiver) => {
      const event = receiver.sender.payment()
      receiver.sent.set("genuine", [event.id])
      const answer = await receiver.post(receiver.sender.deliver(event), 15_000)
      receiver.first = answer.duration_ms
      return taken(answer, KNOWN)
    },
  },
  {
    id: "in-time",
    title: "answers before the service gives up waiting",
    clause: `${RETRY}: an attempt ends after 5 seconds`,
    needs: ["genuine"],
    judge: async ({ first, options: { within } }) =>
      first <= within
        ? passed
        : failed(
            `an answer within ${within} ms`,
            `${first} ms`,
            "Put the event into a queue, answer, and work on it afterwards.",
          ),
  },
  {
    id: "unicode",
    title: "verifies text beyond ASCII as the bytes that were sent",
    clause: `${SIGNING}: the raw body, exactly as received`,
    needs: ["genuine"],
    judge: async ({ post, sender }) => {
      const event = sender.payment(0, { note: "Grüße, 5 € ☕ 東京 \u2028 \u{1f9fe}" })
      return taken(
        await post(sender.deliver(event)),
        "Compute the signature over bytes, not over text that was decoded otherwise than as UTF-8.",
      )
    },
  },
  {
    id: "large",
    title: "takes an event of 80 kB, which comes in several pieces",
    clause: `${EVENTS}; RFC 9112 section 6: a body may come in any number of pieces`,
    needs: ["genuine"],
    judge: async ({ post, sender }) => {
      const event = sender.payment(0, { note: "€".repeat(26_000) })
      return taken(
        await post(sender.deliver(event)),
        "Collect the pieces as bytes and join them before anything decodes them; allow at least " +
          "128 kB.",
      )
    },
  },
  {
    id: "unknown-type",
    title: "takes an event of a type that it does not know",
    clause: `${EVENTS}: later versions have further types`,
    needs: ["genuine"],
    judge: async ({ post, sender }) =>
      taken(
        await post(sender.deliver(sender.unheardOf())),
        "Answer 200 to types that it has no use for: otherwise they are repeated, and the " +
          "endpoint ends up disabled.",
      ),
  },
  {
    id: "envelopes",
    title: "takes the envelopes of revocations and identities",
    clause: `${EVENTS}: {event, data} of revocations, {type, data, created_at} of identities`,
    needs: ["genuine"],
    judge: async ({ options, post, sender }) => {
      const events =
        options.as === "service" ? [sender.revocation()] : [sender.revocation(), sender.identity()]
      const answers = await Promise.all(events.map((event) => post(sender.deliver(event))))
      const advice =
        "Read the type of `type` or else of `event`, and pass by what it does not handle."
      return firstFlaw(answers.map((answer) => taken(answer, advice)))
    },
  },
  {
    id: "rotation",
    title: "takes a header in which any of five secrets is its own",
    clause: `${SIGNING}: while a secret is replaced, old and new sign, and any match counts`,
    needs: ["genuine"],
    judge: async ({ options: { secret }, post, sender }) => {
      const others = [1, 2, 3, 4].map(() => sender.stranger())
      const [first = "", ...rest] = others
      const orders = [
        [secret, first] as const,
        [first, secret] as const,
        [first, ...rest, secret] as const,
      ]
      const answers = []
      for (const secrets of orders) {
        answers.push(await post(sender.deliver(sender.payment(), { secrets })))
      }
      const advice = "Compare each v1 of the header (each value of X-Webhook-Signature)."
      return firstFlaw(answers.map((answer) => taken(answer, advice)))
    },
  },
  {
    id: "late",
    title: "takes an old event that is delivered now",
    clause: `${RETRY}: the last two attempts are 72 hours apart`,
    needs: ["genuine"],
    judge: async ({ post, sender }) =>
      taken(
        await post(sender.deliver(sender.payment(sender.longAgo), { retry: 9 })),
        "Judge the time of the signature (t), not that of the event (created).",
      ),
  },
  {
    id: "burst",
    title: "takes twenty events at once",
    clause: RETRY,
    needs: ["genuine"],
    judge: async ({ post, sender }) => {
      const events = Array.from({ length: 20 }, () => sender.deliver(sender.payment()))
      const answers = await Promise.all(events.map((delivery) => post(delivery)))
      return firstFlaw(
        answers.map((answer) => taken(answer, "Answer at once, and work from a queue.")),
      )
    },
  },
]
