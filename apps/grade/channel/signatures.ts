import { failed, firstFlaw, passed, type Verdict } from "../report/Report.ts"
import { said } from "../Target.ts"
import { attemptsOf } from "./attempts.ts"
import type { Gateway, Unusual } from "./Gateway.ts"
import type { Attempt } from "./movement.ts"
import { type GatewayCheck, heard, isCreated, PROTOCOL } from "./verdicts.ts"

/** Sends a wrong request. Whatever it is answered, it must not change the books. */
const refusedAs = async (
  { books, name, send }: Attempt,
  unusual: Unusual,
  advice: string,
): Promise<Verdict> => {
  const before = await books()
  const { answer } = await send(unusual)
  const after = await books()
  if (answer.status !== 401 && answer.status !== 403) {
    return failed(`status 401 or 403 of ${name}`, said(answer), advice)
  }
  const unmoved = `Verify before anything is done. ${advice}`
  return before === after ? passed : failed(`${before}, after ${name}`, after, unmoved)
}

const refusal = (
  id: string,
  title: string,
  advice: string,
  unusual: (gateway: Gateway) => ReadonlyArray<Unusual>,
): GatewayCheck => ({
  id,
  title,
  clause: `${PROTOCOL}: signatures of every request`,
  needs: ["charge"],
  judge: async (gateway) => {
    const verdicts: Array<Verdict> = []
    for (const attempt of await attemptsOf(gateway)) {
      for (const one of unusual(gateway)) verdicts.push(await refusedAs(attempt, one, advice))
    }
    return firstFlaw(verdicts)
  },
})

/** Checks of signatures, of requests and of the gateway's responses. */
export const SIGNATURES: ReadonlyArray<GatewayCheck> = [
  {
    id: "charge",
    title: "registers a charge",
    clause: `${PROTOCOL}: POST /v1/charges`,
    judge: async (gateway) => {
      const answered = await gateway.register(gateway.draft())
      if (isCreated(answered)) return passed
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
  refusal(
    "altered",
    "refuses a changed body, and another path",
    "Sign the path with its query, and the body, as received.",
    () => [{ altered: true }],
  ),
  refusal(
    "old",
    "refuses what was signed six minutes ago, or will be",
    "Refuse a time more than five minutes from now: a request could be sent again.",
    () => [{ later: -360_000 }, { later: 360_000 }],
  ),
]
