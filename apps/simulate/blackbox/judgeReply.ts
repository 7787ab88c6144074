import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Auditor } from "../../../simulator/auditor/Auditor.ts"
import { codeOf, flawOfAnswer, flawOfRefusal } from "./contractFlaws.ts"
import type { HttpRequest, HttpReply } from "./HttpConnection.ts"

const ID = /\/(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f-]{27}/g

/** A request's route: its method, and its path without its query and the ids in it. */
export const routeOf = ({ method, path }: Pick<HttpRequest, "method" | "path">): string =>
  `${method} ${path.replace(/\?.*/, "").replaceAll(ID, "/{id}")}`

/** How long a refusal asks to wait, in milliseconds; 0 where it does not. */
export const waitOf = ({ headers }: HttpReply): number => {
  const seconds = Number(headers["retry-after"])
  return Number.isFinite(seconds) ? seconds * SECOND : 0
}

/** What an answer comes to that is none: whoever is given it cannot go on with it. */
const UNDESCRIBED = "NOT_AS_DESCRIBED"

/**
 * Holds an answer against the description of the interface. Returns the code of a refusal;
 * undefined for a success that is as it is described.
 */
export const judgeReply = (
  auditor: Auditor,
  method: HttpRequest["method"],
  path: string,
  reply: HttpReply,
): string | undefined => {
  const where = routeOf({ method, path })
  const code = codeOf(reply)
  const isUnforeseen = reply.status === 500 || (reply.status >= 400 && code === undefined)
  const flaw = isUnforeseen ? `${reply.status} ${code ?? reply.text.slice(0, 200)}` : undefined
  auditor.see("ending", where, { where, flaw })
  if (reply.status < 400) {
    const unlike = flawOfAnswer(method, path, reply)
    auditor.see("shape", where, { where, flaw: unlike })
    return unlike === undefined ? undefined : UNDESCRIBED
  }
  auditor.see("refusal", where, { where, flaw: flawOfRefusal(method, path, reply) })
  return code ?? "NO_CODE"
}
