import { CannotPlay, type HttpConnection, type HttpReply } from "./HttpConnection.ts"
import { codeOf } from "./judgeReply.ts"

const OK = 200

/** The facts from a service's self-description. */
export interface Described {
  readonly title: string
  /** Whether it has the sandbox's routes. */
  readonly sandbox: boolean
}

const SANDBOX = "/v1/sandbox/clock/advance"

/** Asks the service what it is. Throws `CannotPlay` if nothing of this kind answers. */
export const identifyService = async (http: HttpConnection): Promise<Described> => {
  const reply = await http.send({ method: "GET", path: "/openapi.json" })
  const found = (reply?.status === OK ? reply.json : undefined) as
    | { readonly info?: { readonly title?: string }; readonly paths?: object }
    | undefined
  if (found?.info?.title === undefined || !("/v1/payment-intents" in (found.paths ?? {}))) {
    throw new CannotPlay(
      `${http.url}/openapi.json does not describe a payport (${reply?.status}). ` +
        `Give --url the base URL of one, without a path.`,
    )
  }
  return { title: found.info.title, sandbox: SANDBOX in (found.paths ?? {}) }
}

const refused = (what: string, option: string, reply: HttpReply | undefined): CannotPlay =>
  new CannotPlay(
    `The service refuses the ${what} (${reply?.status} ${reply && codeOf(reply)}). ` +
      `Give --${option} the right one.`,
  )

/** Tries the operator's key. Throws `CannotPlay` if it is refused. */
export const checkOperatorKey = async (http: HttpConnection, key: string): Promise<void> => {
  const reply = await http.send({ method: "GET", path: "/v1/accounts?limit=1", key })
  if (reply?.status !== OK) throw refused("operator's key", "admin-key", reply)
}

/** Tries an account's key. Throws `CannotPlay` if it is refused. */
export const checkAccountKey = async (
  http: HttpConnection,
  key: string,
  option: string,
): Promise<void> => {
  const reply = await http.send({ method: "GET", path: "/v1/payment-intents?limit=1", key })
  if (reply?.status !== OK) throw refused("account's key", option, reply)
}
