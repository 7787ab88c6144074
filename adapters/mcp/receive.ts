import { Effect, Result } from "effect"
import type { Incoming } from "../shared/Exchange.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { USUAL_LIMIT } from "../http/contract/Route.ts"
import { parseJson } from "../shared/parseJson.ts"
import { CallerGone, readBody } from "../shared/readBody.ts"
import { INVALID_REQUEST, PARSE_ERROR, refusal } from "./answers.ts"

/** The message of a POST, a refusal of it, or `gone` if the caller hung up. */
export type Received =
  | { readonly type: "message"; readonly message: { readonly [name: string]: unknown } }
  | { readonly type: "refused"; readonly response: Response }
  | { readonly type: "gone" }

const refused = (failure: Failure, rpc?: number): Received => ({
  type: "refused",
  response: refusal(failure, rpc === undefined ? {} : { rpc }),
})

const JSON_MEDIA = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const mediaFlaw = ({ headers }: Incoming) => {
  const sound =
    headers["content-encoding"] === undefined && JSON_MEDIA.test(headers["content-type"] ?? "")
  return sound
    ? undefined
    : new Failure({
        code: "UNSUPPORTED_MEDIA_TYPE",
        message: "Send JSON with Content-Type: application/json and without a Content-Encoding.",
      })
}

const batch = () =>
  new Failure({
    code: "INVALID_JSON",
    message: "Send one JSON-RPC message, an object: batches are not supported.",
  })

const OPENING_BRACKET = 0x5b
const isArray = (body: Buffer): boolean => body.find((byte) => byte > 0x20) === OPENING_BRACKET

/** Reads the message of a POST, within the limits of every body of the interface. */
export const receive = async (req: Incoming): Promise<Received> => {
  const flaw = mediaFlaw(req)
  if (flaw !== undefined) return refused(flaw)
  const read = await Effect.runPromise(Effect.result(readBody(req, USUAL_LIMIT)))
  if (Result.isFailure(read)) {
    return read.failure instanceof CallerGone ? { type: "gone" } : refused(read.failure)
  }
  const body = read.success
  const parsed = parseJson(body)
  if (Result.isSuccess(parsed)) return { type: "message", message: parsed.success }
  return isArray(body) ? refused(batch(), INVALID_REQUEST) : refused(parsed.failure, PARSE_ERROR)
}
