import { Effect, Redacted } from "effect"
import { hash, timingSafeEqual } from "node:crypto"
import type { Incoming } from "../../shared/Exchange.ts"
import { bearerKey } from "../../../core/accounts/ApiKey.ts"
import type { Operator } from "../../../core/audit/CurrentOperator.ts"
import {
  mayAct,
  type OperatorKey,
  type OperatorRole,
  reviewersOf,
  sharedKey,
} from "../../../core/audit/Operator.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { operatorName } from "./readRequest.ts"

/** Returns the current keys of operators. */
export type OperatorKeys = () => ReadonlyArray<OperatorKey>

/** Returns the keys of an installation's operators: the shared one and the named ones. */
export const operatorKeys = (
  adminKey: Redacted.Redacted,
  named: OperatorKeys = () => [],
): OperatorKeys => {
  const shared = sharedKey(sha256(Redacted.value(adminKey)))
  return () => [shared, ...named()]
}

const sha256 = (text: string): string => hash("sha256", text, "hex")

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"))

const missing = () =>
  new Failure({
    code: "UNAUTHORIZED",
    message: "Send the operator's key as Authorization: Bearer <key>.",
  })

const wrong = () =>
  new Failure({
    code: "INVALID_API_KEY",
    message:
      "This route needs an operator's key, and this is none. API keys of accounts do not work " +
      "here.",
  })

const outside = (needed: OperatorRole) =>
  new Failure({
    code: "FORBIDDEN",
    message: `This operator's key lacks the role ${needed}.`,
    details: { role: needed },
  })

/**
 * Returns the operator whose key the request holds. The name of a named key overrides `X-Operator`.
 * Every key is compared, also after a match.
 *
 * Fails with `UNAUTHORIZED`, `INVALID_API_KEY`, `FORBIDDEN` for a key without the role, or
 * `INVALID_REQUEST` if the shared key comes with the name of an operator who has a key.
 */
export const authenticateOperator = Effect.fnUntraced(function* (
  req: Incoming,
  keys: ReadonlyArray<OperatorKey>,
  needed: OperatorRole,
  request_id: string,
): Effect.fn.Return<Operator, Failure> {
  const key = bearerKey(req.headers.authorization)
  if (key === undefined) return yield* missing()
  const hashed = sha256(key)
  const [found] = keys.filter((known) => isSame(known.hash, hashed))
  if (found === undefined) {
    yield* Effect.logWarning("A request used a wrong operator key.")
    return yield* wrong()
  }
  const actor =
    found.name === null
      ? yield* Effect.fromResult(operatorName(req, new Set(keys.map(({ name }) => name))))
      : `operator:${found.name}`
  if (!mayAct(found, needed)) {
    yield* Effect.logWarning(`${actor} was refused: the request needs the role ${needed}.`)
    return yield* outside(needed)
  }
  const reviewers = reviewersOf(keys)
  if (reviewers === undefined) return { actor, request_id, one_of_two: null }
  const one_of_two = found.name === null ? "shared" : { key: actor, reviewers }
  return { actor, request_id, one_of_two }
})
