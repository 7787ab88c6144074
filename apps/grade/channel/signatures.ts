import { failed, firstFlaw, passed, type Verdict } from "../report/Report.ts"
import { said } from "../Target.ts"
import type { Gateway, Heard, Unusual } from "./Gateway.ts"
import { type GatewayCheck, heard, isStatus, PROTOCOL } from "./verdicts.ts"

const turnedAway = ({ answer }: Heard, advice: string): Verdict =>
  answer.status === 401 || answer.status === 403
    ? passed
    : failed("status 401 or 403", said(answer), advice)

const refusal = (
  id: string,
  title: string,
  advice: string,
  unusual: (gateway: Gateway) => ReadonlyArray<Unusual>,
): GatewayCheck => ({
  id,
  title,
  clause: `${PROTOCOL}: signatures`,
  needs: ["charge"],
  judge: async (gateway) => {
    const verdicts: Array<Verdict> = []
    for (const one of unusual(gateway)) {
      const charge = gateway.draft()
      verdicts.push(turnedAway(await gateway.register(charge, one), advice))
      const found = await gateway.look(charge)
      if (found.answer.status !== 404) {
        verdicts.push(failed("no such charge afterwards", heard(found), advice))
      }
    }
    return firstFlaw(verdicts)
  },
})

const altered = (gateway: Gateway): string => {
  const { charge_id, out_trade_no } = gateway.draft()
  return JSON.stringify({ channel: gateway.options.channel, out_trade_no, charge_id })
}

/** Checks of signatures, of requests and of the gateway's responses. */
export const SIGNATURES: ReadonlyArray<GatewayCheck> = [
  {
    id: "charge",
    title: "registers a charge",
    clause: `${PROTOCOL}: POST /v1/charges`,
    judge: async (gateway) => {
      const answered = await gateway.register(gateway.draft())
      const { answer, fields } = answered
      if (isStatus(answer.status, 200) && fields["status"] === "created") return passed
      const advice = "Does it have this key id and this secret, and does it sign path and body?"
      return failed('status 200, {"status":"created","qr_data":…}', heard(answered), advice)
    },
  },
  {
    id: "signed",
    title: "signs its answers, each for its request",
    clause: `${PROTOCOL}: signatures of answers`,
    needs: ["charge"],
    judge: async (gateway) => {
      const { flaw } = await gateway.register(gateway.draft())
      const advice = "Sign time, status, the request's signature and the body exactly as sent."
      return flaw === undefined ? passed : failed("a signature of now", flaw, advice)
    },
  },
  refusal("unsigned", "refuses a request without a signature", "Answer 401.", () => [
    { unsigned: true },
  ]),
  refusal("forged", "refuses what another secret signed", "Compare the HMAC.", ({ chance }) => [
    { secret: chance.hex(40) },
    { secret: "" },
  ]),
  refusal("other-key", "refuses a key that was not agreed", "Compare the key id.", () => [
    { keyId: "somebody-else" },
  ]),
  refusal("altered", "refuses a changed body", "Sign the body as received.", (gateway) => [
    { body: altered(gateway) },
  ]),
  refusal(
    "old",
    "refuses what was signed six minutes ago, or will be",
    "Refuse a time more than five minutes from now: a request could be sent again.",
    () => [{ later: -360_000 }, { later: 360_000 }],
  ),
]
