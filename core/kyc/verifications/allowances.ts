import { Clock, Effect } from "effect"
import { ContactRules } from "../../ports/ContactRules.ts"
import { Store, type Write } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import {
  type Allowance,
  allowanceId,
  codeWait,
  newAllowance,
  tooManyCodes,
  withCode,
} from "../codes/Allowance.ts"
import type { IdentityData } from "./Submission.ts"

/**
 * Returns the ids of the allowances that count a code: the agent's, the address's and the phone's.
 */
export const allowancesOf = Effect.fnUntraced(function* (agent: string, data: IdentityData) {
  const { fingerprint } = yield* Vault
  const rules = yield* ContactRules
  return [
    allowanceId("agent", agent, fingerprint),
    allowanceId("email", rules.mailbox(data.email ?? ""), fingerprint),
    allowanceId("phone", data.phone ?? "", fingerprint),
  ]
})

/** Finds the allowance of that id; a new one where no code was sent lately. */
export const findAllowance = Effect.fnUntraced(function* (id: string) {
  const found = yield* (yield* Store).find("otp_allowance", id)
  return { found, allowance: found ?? newAllowance(id) }
})

/** Returns the write that inserts or replaces an allowance. */
export const allowanceWrite = (found: Allowance | undefined, record: Allowance): Write =>
  found === undefined
    ? { op: "insert", kind: "otp_allowance", record }
    : { op: "replace", kind: "otp_allowance", record }

/** Returns the writes that count one more code. Fails with `OTP_RATE_LIMITED`. */
export const spendCode = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const at = yield* Clock.currentTimeMillis
  const found = yield* Effect.forEach(ids, findAllowance)
  const wait = Math.max(...found.map(({ allowance }) => codeWait(allowance, at)))
  if (wait > 0) return yield* tooManyCodes(wait)
  return found.map(({ allowance, found: before }) =>
    allowanceWrite(before, withCode(allowance, at)),
  )
})

/** Removes an allowance that limits nothing any more. */
export const forgetAllowance = Effect.fn("forgetAllowance")(function* (record: Allowance) {
  const at = yield* Clock.currentTimeMillis
  if (record.due_at === null || at < record.due_at) return
  yield* (yield* Store).commit({ writes: [{ op: "remove", kind: "otp_allowance", record }] })
})
