import { failed, passed, type Verdict } from "../report/Report.ts"
import type { Check } from "../runChecks.ts"
import { said } from "../Target.ts"
import type { Gateway, Heard } from "./Gateway.ts"

/** A check of a gateway. */
export type GatewayCheck = Check<Gateway>

/** The protocol to which the checks' clauses belong. */
export const PROTOCOL = "Channels over signed HTTP"

/** The clause about repeated numbers. */
export const ONE_EFFECT = `${PROTOCOL}: a number has one effect and one answer`

/** Describes a gateway's response for people. */
export const heard = ({ answer, fields }: Heard): string =>
  `${said(answer)}, ${JSON.stringify(fields).slice(0, 120)}`

/** Whether a status is the wanted one; for 200, any 2xx is accepted. */
const isStatus = (status: number | null, wanted: number): boolean =>
  status === wanted || (wanted === 200 && status !== null && status >= 200 && status < 300)

/** Whether a charge of the kind `qr` was created: its answer has the text of the code. */
export const isCreated = ({ answer, fields }: Heard): boolean => {
  const { qr_data: code, status } = fields
  return isStatus(answer.status, 200) && status === "created" && typeof code === "string" && !!code
}

/** Checks that a response is signed for its request, with that status and those fields. */
export const believed = (
  answered: Heard,
  status: number,
  fields: { readonly [name: string]: unknown },
  advice: string,
): Verdict => {
  const wanted = `status ${status}, ${JSON.stringify(fields)}, signed`
  const { answer, flaw } = answered
  const isRight = Object.entries(fields).every(([name, value]) => answered.fields[name] === value)
  if (!isStatus(answer.status, status) || !isRight) return failed(wanted, heard(answered), advice)
  return flaw === undefined ? passed : failed(wanted, `${said(answer)}, with ${flaw}`, advice)
}
