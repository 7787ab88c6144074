import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { requestText } from "../../../adapters/channels/http/Signature.ts"
import { makeChance } from "../Chance.ts"
import { CannotGrade } from "../runChecks.ts"
import { isFields } from "../seller/Terms.ts"
import { openTarget, reach, type Target } from "../Target.ts"
import { openCallbackReceiver } from "./CallbackReceiver.ts"
import { chargeNumber, isChargeNumber } from "./chargeIds.ts"
import {
  type Charge,
  type Fields,
  type Gateway,
  type GatewayOptions,
  patienceOf,
} from "./Gateway.ts"
import { fieldsOf, flawOf, hmac } from "./signedAnswer.ts"

/** How much payport reads of a response, in bytes: a page of a statement has a thousand lines. */
const MOST = 1_048_576

/** The milliseconds between two looks at a charge. */
const BETWEEN = 100

/** Returns the fields with another amount, if they have one. */
const altered = (fields: Fields): Fields =>
  isFields(fields["amount"]) ? { ...fields, amount: { ...fields["amount"], value: 1 } } : fields

/** Makes the function that sends requests, signed correctly or not. */
const makeSend = (
  { channel, keyId, secret, url }: GatewayOptions,
  target: Target,
): Gateway["send"] => {
  const base = url.href.replace(/\/+$/, "")
  return async (method, path, fields, unusual = {}) => {
    const isAltered = unusual.altered === true
    const bodyOf = (of: Fields) => JSON.stringify({ channel, ...of })
    const body = fields && bodyOf(isAltered ? altered(fields) : fields)
    const query = new URLSearchParams({ channel, ...unusual.query })
    const at = new URL(`${base}${path}${method === "GET" ? `?${query}` : ""}`)
    const timestamp = new Date(Date.now() + (unusual.later ?? 0)).toISOString()
    const signedPath = `${at.pathname}${isAltered && body === undefined ? "-2" : ""}${at.search}`
    const signed = { method, path: signedPath, body: fields === undefined ? "" : bodyOf(fields) }
    const text = requestText(signed, timestamp)
    const signature = hmac(unusual.secret ?? secret, text)
    const headers = {
      "Content-Type": "application/json",
      ...(unusual.unsigned !== true && {
        "X-Channel-Key": unusual.keyId ?? keyId,
        "X-Channel-Timestamp": timestamp,
        "X-Channel-Signature": signature,
      }),
      ...(typeof fields?.["number"] === "string" && { "X-Request-Number": fields["number"] }),
    }
    const sent = { method, url: at, headers, ...(body !== undefined && { body }) }
    const answer = await target.send(sent, undefined, MOST)
    return { answer, fields: fieldsOf(answer), flaw: flawOf(answer, secret, signature) }
  }
}

/** Makes the function that pays as the payer, and waits until the gateway shows it. */
const makePay = (
  options: GatewayOptions,
  target: Target,
  payUrl: (no: string) => URL,
  look: Gateway["look"],
  signal: AbortSignal,
): NonNullable<Gateway["pay"]> => {
  let patience = patienceOf(options)
  /** The wallet may tell its gateway later. */
  const untilPaid = async (charge: Charge): Promise<boolean> => {
    const end = performance.now() + patience
    for (;;) {
      const { fields } = await look(charge)
      if (fields["status"] !== "unpaid") return true
      if (performance.now() >= end || signal.aborted) break
      await sleep(BETWEEN)
    }
    // Where its operator says how long it takes, each charge has that time, and is judged by it.
    if (options.showsWithin === undefined) patience = 0
    return false
  }
  return async (charge) => {
    const at = payUrl(charge.out_trade_no)
    const answer = await target.send({ method: "POST", url: at, headers: {} })
    if (answer.status !== null && answer.status < 300) return untilPaid(charge)
    throw new CannotGrade(`The payer cannot pay: POST ${at.href} was not answered with 2xx.`)
  }
}

/** Opens a gateway. Rejects with `CannotGrade` if nobody listens there. */
export const openGateway = async (
  options: GatewayOptions,
  signal: AbortSignal,
): Promise<Gateway> => {
  const { currency, pay, seed, url } = options
  await reach(url, signal)
  const known = new Set<string>()
  // A gateway may still repeat what it said in an earlier run, when nobody listened any more.
  const isEarlier = (no: string) => isChargeNumber(no) && !known.has(no)
  const port = options.callbacks?.port
  const receiver =
    port === undefined
      ? undefined
      : await openCallbackReceiver(port, patienceOf(options), isEarlier, signal)
  const payUrl = (no: string) => new URL(pay?.replaceAll("{out_trade_no}", no) ?? url)
  const target = openTarget(pay === undefined ? [url] : [url, payUrl("x")], signal)
  const chance = makeChance(`${seed}/${randomUUID()}`)
  const number = () => `creq_${chance.uuid()}`
  const send = makeSend(options, target)
  const look: Gateway["look"] = ({ out_trade_no }, unusual) =>
    send("GET", `/v1/charges/${out_trade_no}`, undefined, unusual)
  return {
    options,
    chance,
    send,
    draft: (value = 500) => ({
      out_trade_no: chargeNumber(chance),
      charge_id: `qr_${chance.uuid()}`,
      value,
    }),
    register: ({ charge_id, out_trade_no, value }, unusual) => {
      known.add(out_trade_no)
      const expires_at = new Date(Date.now() + 900_000).toISOString()
      const about = { kind: "qr", out_trade_no, charge_id, description: "Graded", expires_at }
      return send("POST", "/v1/charges", { ...about, amount: { currency, value } }, unusual)
    },
    request: ({ charge_id, out_trade_no }, action, value, no = number(), unusual) => {
      const about = { number: no, action, out_trade_no, charge_id, trade_no: null, mandate: null }
      return send("POST", "/v1/requests", { ...about, amount: { currency, value } }, unusual)
    },
    look,
    outcome: ({ out_trade_no }, no, unusual) =>
      send("GET", `/v1/requests/${no}`, undefined, { query: { out_trade_no }, ...unusual }),
    pay: pay === undefined ? undefined : makePay(options, target, payUrl, look, signal),
    number,
    known: () => known,
    callbacks: options.callbacks && receiver && { receiver, secret: options.callbacks.secret },
    close: () => {
      receiver?.close()
      return target.close()
    },
  }
}
