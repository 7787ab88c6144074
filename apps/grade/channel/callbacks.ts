import { majorText } from "../majorText.ts"
import { failed, firstFlaw, notJudged, passed, type Verdict } from "../report/Report.ts"
import type { Callback, CallbackReceiver } from "./CallbackReceiver.ts"
import { type Charge, type Gateway, patienceOf } from "./Gateway.ts"
import { hmac } from "./signedAnswer.ts"
import { type GatewayCheck, PROTOCOL } from "./verdicts.ts"

const CLAUSE = `${PROTOCOL}: callbacks`

const shown = ({ body }: Callback): string => body.slice(0, 160)

const statusOf = ({ data }: Callback): unknown => data["trade_status"]

/** Judges a paid charge and its callbacks. */
type Judge = (
  gateway: Gateway,
  charge: Charge,
  receiver: CallbackReceiver,
  secret: string,
) => Promise<Verdict>

/** Makes a check of the callbacks about a paid charge; its first callbacks get these statuses. */
const ofPaid =
  (judge: Judge, answers: ReadonlyArray<number> = []) =>
  async (gateway: Gateway): Promise<Verdict> => {
    const { callbacks, pay } = gateway
    if (callbacks === undefined) return notJudged("nobody listens without --callbacks PORT")
    if (pay === undefined) return notJudged("nobody pays without --pay URL")
    const charge = gateway.draft()
    callbacks.receiver.answer(charge, answers)
    await gateway.register(charge)
    await pay(charge)
    return judge(gateway, charge, callbacks.receiver, callbacks.secret)
  }

const ORDER = ["SCANNED", "AUTHORIZED", "SUCCESS"]

const authorized = (callbacks: ReadonlyArray<Callback>): Callback | undefined =>
  callbacks.find((one) => statusOf(one) === "AUTHORIZED" || statusOf(one) === "SUCCESS")

/** Waits for the callback that the payer has paid. */
const heard = async (receiver: CallbackReceiver, charge: Charge): Promise<Callback | undefined> => {
  for (let count = 1; count <= ORDER.length; count += 1) {
    const found = authorized(await receiver.until(charge, count))
    if (found !== undefined) return found
  }
  return undefined
}

const none = ({ options }: Gateway): Verdict =>
  failed(
    "a callback AUTHORIZED",
    `none in ${patienceOf(options) / 1_000} s`,
    "Call back when the payer acts; if it takes longer, give --shows-within more seconds.",
  )

const SLOW = notJudged(
  "a callback did not come three times in so short a time: say --repeats-within how many seconds " +
    "it does",
)

/** Checks of the callbacks that a gateway sends about its charges. */
export const CALLBACKS: ReadonlyArray<GatewayCheck> = [
  {
    id: "callback",
    title: "calls back when a payer has paid, with the charge's own facts",
    clause: CLAUSE,
    needs: ["charge"],
    judge: ofPaid(async (gateway, charge, receiver) => {
      const found = await heard(receiver, charge)
      if (found === undefined) return none(gateway)
      const { data, path, said } = found
      const { channel, currency } = gateway.options
      const amount = majorText({ currency, value: charge.value })
      const wanted = `/v1/webhooks/channel/${channel}, ${channel}, trade_status, ${amount}`
      const right =
        path.endsWith(`/v1/webhooks/channel/${channel}`) &&
        said["channel"] === channel &&
        said["event"] === "trade_status" &&
        Number(data["total_amount"]) === Number(amount) &&
        typeof data["trade_no"] === "string" &&
        [undefined, currency].includes(data["currency"] as string | undefined)
      const advice = "Say the charge's own number and amount, a decimal in major units."
      return right ? passed : failed(wanted, `${path}, ${shown(found)}`, advice)
    }),
  },
  {
    id: "callback-signed",
    title: "signs each callback with the secret that was agreed for it",
    clause: `${CLAUSE}, X-Channel-Signature`,
    needs: ["callback"],
    judge: ofPaid(async (_, charge, receiver, secret) => {
      await heard(receiver, charge)
      const odd = receiver.all().find(({ body, signature }) => signature !== hmac(secret, body))
      const advice = "Sign the body exactly as it is sent, with the callback secret."
      return odd === undefined ? passed : failed("a signature of the body", shown(odd), advice)
    }),
  },
  {
    id: "callback-known",
    title: "calls back about charges that there are, and about no others",
    clause: `${CLAUSE}, out_trade_no`,
    needs: ["callback"],
    judge: ofPaid(async (gateway, charge, receiver) => {
      await heard(receiver, charge)
      const known = gateway.known()
      const odd = receiver.all().find(({ data }) => !known.has(String(data["out_trade_no"])))
      const advice = "Say of a charge what it was registered under."
      return odd === undefined ? passed : failed("a charge of ours", shown(odd), advice)
    }),
  },
  {
    id: "callback-order",
    title: "tells what happens to a charge in its order",
    clause: `${CLAUSE}, trade_status`,
    needs: ["callback"],
    judge: ofPaid(async (gateway, charge, receiver) => {
      await heard(receiver, charge)
      await gateway.request(charge, "capture", charge.value)
      await receiver.still()
      const statuses = receiver.about(charge).map(statusOf)
      const places = statuses.map((status) => ORDER.indexOf(String(status)))
      const right = places.every((place, n) => place !== -1 && place >= (places[n - 1] ?? 0))
      const advice = "Send the next message of a charge once the one before has been taken."
      return right ? passed : failed(ORDER.join(", "), statuses.join(", "), advice)
    }),
  },
  {
    id: "callback-again",
    title: "repeats a callback, as it was, until the answer is below 500",
    clause: `${CLAUSE}: repeat it until the answer is below 500`,
    needs: ["callback"],
    judge: ofPaid(
      async (gateway, charge, receiver) => {
        const { repeatsWithin } = gateway.options
        await heard(receiver, charge)
        await receiver.copies(charge, 3, repeatsWithin)
        await receiver.still()
        const copies = await receiver.copies(charge, 0)
        const [first] = copies
        if (first === undefined) return none(gateway)
        const same = copies.every(({ body }) => body === first.body)
        // The protocol does not say how soon, and real gateways wait for minutes.
        if (same && copies.length < 3 && repeatsWithin === undefined) return SLOW
        const times = `${copies.length} times, ${same ? "the same" : "each otherwise"}`
        const advice =
          "Keep the message and send it again after a while; if it takes longer, give " +
          "--repeats-within more seconds."
        return same && copies.length === 3 ? passed : failed("3 times, the same", times, advice)
      },
      [500, 503],
    ),
  },
  {
    id: "callback-once",
    title: "says nothing again that was taken or refused",
    clause: `${CLAUSE}: repeat it until the answer is below 500`,
    needs: ["callback"],
    judge: async (gateway) => {
      const once = (status: number) =>
        ofPaid(
          async (_, charge, receiver) => {
            await heard(receiver, charge)
            await receiver.still()
            const told = receiver.about(charge).map(statusOf)
            const advice = "An answer below 500 ends a message, whatever it says."
            return new Set(told).size === told.length
              ? passed
              : failed("each once", told.join(", "), advice)
          },
          [status, status],
        )(gateway)
      return firstFlaw([await once(200), await once(404)])
    },
  },
]
